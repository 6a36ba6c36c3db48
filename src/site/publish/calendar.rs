//! `/event.ics`: one calendar entry for each day of the event (RFC 5545). Instants are in UTC, so that the file needs no
//! time zone definition.

use std::fmt::Write;

use chrono::{DateTime, Utc};

use crate::site::Current;
use crate::site::content::model::program::ScheduleDay;
use crate::site::content::{ClockTime, Content};

/// The longest line, in octets without its end (RFC 5545, section 3.1).
const MAX_LINE_LENGTH: usize = 75;

/// The calendar of the event. `url` is the site's public URL.
pub fn calendar(current: &Current, url: &str) -> String {
    let content = &current.content;
    let mut lines = Lines::default();
    lines.add("BEGIN", "VCALENDAR");
    lines.add("VERSION", "2.0");
    lines.add("PRODID", "-//Showcase//Event//EN");
    lines.add("CALSCALE", "GREGORIAN");
    lines.add("METHOD", "PUBLISH");
    lines.add_text("NAME", &content.event.name);
    lines.add_text("X-WR-CALNAME", &content.event.name);
    for (index, day) in content.schedule.days.iter().enumerate() {
        add_day(&mut lines, (index + 1, day), current, url);
    }
    lines.add("END", "VCALENDAR");
    lines.0
}

fn add_day(lines: &mut Lines, (number, day): (usize, &ScheduleDay), current: &Current, url: &str) {
    let content = &current.content;
    let event = &content.event;
    let at = |time: ClockTime| utc_text(event.time_zone.instant(day.date.and_time(time.time())));
    let changed = current.changed_at.parse().map_or_else(|_| at(event.opens), utc_text);
    let parsed = url::Url::parse(url).ok();
    let host = parsed.as_ref().and_then(|url| url.host_str()).unwrap_or("localhost");
    lines.add("BEGIN", "VEVENT");
    // Stays as it is when the day moves, so that a later file updates the entry instead of adding another. The first
    // year keeps the days of the next edition apart, which has a database of its own.
    lines.add("UID", &format!("{}-day-{number}@{host}", current.first_year));
    lines.add("DTSTAMP", &changed);
    lines.add("LAST-MODIFIED", &changed);
    lines.add("SEQUENCE", &current.revision.to_string());
    lines.add("DTSTART", &at(event.opens));
    lines.add("DTEND", &at(event.closes));
    lines.add_text("SUMMARY", &format!("{}, {}: {}", event.name, day.label, day.theme));
    lines.add_text("LOCATION", &content.venue.lines().join(", "));
    lines.add_text("DESCRIPTION", &description(content, day, url));
    lines.add("URL", &format!("{url}/schedule"));
    lines.add("STATUS", "CONFIRMED");
    lines.add("TRANSP", "OPAQUE");
    lines.add("END", "VEVENT");
}

/// The day's schedule in event time.
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

fn utc_text(instant: DateTime<Utc>) -> String {
    instant.format("%Y%m%dT%H%M%SZ").to_string()
}

/// Folded content lines.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// Adds a value of another type than text, without escaping.
    fn add(&mut self, name: &str, value: &str) {
        let line = format!("{name}:{value}");
        let mut octets_left = MAX_LINE_LENGTH;
        for character in line.chars() {
            if character.len_utf8() > octets_left {
                self.0.push_str("\r\n ");
                octets_left = MAX_LINE_LENGTH - 1;
            }
            self.0.push(character);
            octets_left -= character.len_utf8();
        }
        self.0.push_str("\r\n");
    }

    fn add_text(&mut self, name: &str, text: &str) {
        self.add(name, &escape(text));
    }
}

/// Escapes a text value (RFC 5545, section 3.3.11).
fn escape(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            character if character.is_control() => {}
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar_of(change: impl Fn(&str) -> String) -> String {
        let toml = change(Content::default_toml());
        let content = Content::parse(&toml).expect("content");
        let changed_at = "2026-01-05T10:00:00.000Z".to_owned();
        calendar(
            &Current { content, toml, revision: 7, changed_at, first_year: 2026 },
            "https://example.com:8443",
        )
    }

    fn unfolded(calendar: &str) -> Vec<String> {
        calendar.replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn lines_are_folded_and_texts_escaped() {
        let calendar = calendar_of(|toml| {
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
