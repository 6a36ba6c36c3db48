//! `/event.ics`: each day of the event as a calendar entry (RFC 5545). Instants are in UTC, so that no
//! reader has to know the rules of summer time.

use std::fmt::Write;

use chrono::{DateTime, Utc};

use crate::site::Present;
use crate::site::content::Content;
use crate::site::content::model::program::ScheduleDay;

/// A line has at most 75 octets, its end not counted (section 3.1).
const LINE: usize = 75;

/// The calendar of the event; `url` is the site's address.
pub fn calendar(present: &Present, url: &str) -> String {
    let content = &present.content;
    let mut lines = Lines::default();
    lines.add("BEGIN", "VCALENDAR");
    lines.add("VERSION", "2.0");
    lines.add("PRODID", "-//Showcase//Event//EN");
    lines.add("CALSCALE", "GREGORIAN");
    lines.add("METHOD", "PUBLISH");
    lines.add_text("NAME", &content.event.name);
    lines.add_text("X-WR-CALNAME", &content.event.name);
    for day in &content.schedule.days {
        add_day(&mut lines, day, present, url);
    }
    lines.add("END", "VCALENDAR");
    lines.0
}

fn add_day(lines: &mut Lines, day: &ScheduleDay, present: &Present, url: &str) {
    let content = &present.content;
    let event = &content.event;
    let at = |time: crate::site::content::ClockTime| {
        instant(event.time_zone.instant(day.date.and_time(time.time())))
    };
    let changed = present.changed_at.parse().map_or_else(|_| at(event.opens), instant);
    let host = url.split_once("://").map_or(url, |(_, host)| host);
    lines.add("BEGIN", "VEVENT");
    // The day's name for as long as there is a calendar, so that a later file replaces what this one said.
    lines.add("UID", &format!("{}@{host}", day.date));
    lines.add("DTSTAMP", &changed);
    lines.add("LAST-MODIFIED", &changed);
    lines.add("SEQUENCE", &present.revision.to_string());
    lines.add("DTSTART", &at(event.opens));
    lines.add("DTEND", &at(event.closes));
    lines.add_text("SUMMARY", &format!("{}, {}: {}", event.name, day.label, day.theme));
    lines.add_text("LOCATION", &place(content));
    lines.add_text("DESCRIPTION", &description(content, day, url));
    lines.add("URL", &format!("{url}/schedule"));
    lines.add("STATUS", "CONFIRMED");
    lines.add("TRANSP", "OPAQUE");
    lines.add("END", "VEVENT");
}

fn place(content: &Content) -> String {
    let mut lines = vec![content.venue.name.as_str()];
    lines.extend(content.venue.address.iter().map(String::as_str).filter(|line| *line != content.venue.name));
    lines.join(", ")
}

/// The timetable in event time, as the schedule page has it.
fn description(content: &Content, day: &ScheduleDay, url: &str) -> String {
    let mut text = format!("{} ({})\n", content.event.hours, content.event.time_zone_label);
    for item in &day.items {
        let hour = item.start.time().format("%-I:%M %p");
        let speaker = content.people.speaker(&item.speaker);
        let speaker = speaker.map(|profile| format!(" ({})", profile.name)).unwrap_or_default();
        let _ = writeln!(text, "{hour} {}{speaker}", item.title);
    }
    text + url + "/schedule"
}

fn instant(instant: DateTime<Utc>) -> String {
    instant.format("%Y%m%dT%H%M%SZ").to_string()
}

/// Content lines, folded.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// A value that is no text: nothing in it is escaped.
    fn add(&mut self, name: &str, value: &str) {
        let line = format!("{name}:{value}");
        let mut room = LINE;
        for letter in line.chars() {
            if letter.len_utf8() > room {
                self.0.push_str("\r\n ");
                room = LINE - 1;
            }
            self.0.push(letter);
            room -= letter.len_utf8();
        }
        self.0.push_str("\r\n");
    }

    fn add_text(&mut self, name: &str, text: &str) {
        self.add(name, &escape(text));
    }
}

/// A text value (section 3.3.11).
fn escape(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | ';' | ',' => escaped.extend(['\\', letter]),
            '\n' => escaped.push_str("\\n"),
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(change: impl Fn(&str) -> String) -> String {
        let toml = change(Content::default_toml());
        let content = Content::parse(&toml).expect("content");
        let changed_at = "2026-01-05T10:00:00.000Z".to_owned();
        calendar(&Present { content, toml, revision: 7, changed_at }, "https://example.com")
    }

    fn unfolded(calendar: &str) -> Vec<String> {
        calendar.replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn both_days_stand_in_utc_with_summer_time() {
        let lines = unfolded(&made(str::to_owned));
        let starts: Vec<_> = lines.iter().filter(|line| line.starts_with("DTSTART")).collect();
        // 9:30 in New York is 13:30 UTC in summer; the clocks went forward on March 8.
        assert_eq!(starts, ["DTSTART:20260328T133000Z", "DTSTART:20260329T133000Z"]);
        let ends: Vec<_> = lines.iter().filter(|line| line.starts_with("DTEND")).collect();
        assert_eq!(ends, ["DTEND:20260329T000000Z", "DTEND:20260330T000000Z"]);
        for expected in ["UID:2026-03-28@example.com", "DTSTAMP:20260105T100000Z", "SEQUENCE:7"] {
            assert!(lines.iter().any(|line| line == expected), "{expected} is not in {lines:#?}");
        }
        let winter = made(|toml| toml.replace("2026-03-2", "2026-01-2"));
        assert!(winter.contains("\r\nDTSTART:20260128T143000Z\r\n"), "{winter}");
    }

    #[test]
    fn lines_are_folded_and_texts_escaped() {
        let calendar = made(|toml| {
            toml.replace(
                "name = \"Lash & Brow Showcase\"",
                "name = \"Lash; Brow, \\\\ Wimpern und Brauen, überall größer als je zuvor: ein Fest für Künstlerinnen\"",
            )
        });
        assert!(calendar.ends_with("END:VCALENDAR\r\n"));
        for line in calendar.split("\r\n") {
            assert!(line.len() <= 75, "{} octets: {line}", line.len());
            assert!(!line.contains('\n'));
        }
        let lines = unfolded(&calendar);
        let name = "NAME:Lash\\; Brow\\, \\\\ Wimpern und Brauen\\, überall größer als je zuvor: ein Fest für Künstlerinnen";
        assert!(lines.iter().any(|line| line == name), "{lines:#?}");
        let description = lines.iter().find(|line| line.starts_with("DESCRIPTION:")).expect("a timetable");
        assert!(description.starts_with("DESCRIPTION:9:30 AM to 8:00 PM (Eastern Time)\\n"), "{description}");
        assert!(description.contains("Speaker session 1 (Featured Speaker One)\\n"), "{description}");
    }
}
