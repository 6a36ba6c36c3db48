//! Days and times are in order and do not contradict each other.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime};

use super::Findings;
use crate::site::content::model::Content;
use crate::site::content::model::event::EventFacts;
use crate::site::content::model::program::ScheduleDay;

pub(super) fn check(content: &Content, findings: &mut Findings<'_>) {
    let event = &content.event;
    let in_order = event.first_day <= event.last_day;
    findings.require(in_order, "event.last_day", "must not be before event.first_day");
    findings.require(event.opens < event.closes, "event.closes", "must be later than event.opens");
    findings.require(
        dates_match_days(event),
        "event.dates",
        "must name the year and the days of event.first_day and event.last_day",
    );
    if in_order {
        check_days(event, "event.days", event.days.iter().map(|day| day.date), findings);
        check_days(event, "schedule.days", content.schedule.days.iter().map(|day| day.date), findings);
    }
    for (index, day) in content.schedule.days.iter().enumerate() {
        check_timetable(day, index, findings);
    }
    let deadline_in_time = content.pricing.priority_deadline <= event.last_day;
    findings.require(deadline_in_time, "pricing.priority_deadline", "must not be after the event");
    check_openings(content, findings);
    check_submission(content, findings);
    check_clock_changes(content, findings);
}

fn check_submission(content: &Content, findings: &mut Findings<'_>) {
    let submission = &content.competition.submission;
    if let (Some(from), Some(deadline)) = (submission.from, submission.deadline) {
        let key = "competition.submission.deadline";
        findings.require(from.begins() < deadline.ends(), key, "must be later than from");
    }
    if let Some(deadline) = submission.deadline {
        let key = "competition.submission.deadline";
        findings.require(deadline.begins() <= content.event.ends(), key, "must not be after the event");
    }
}

/// Every time of day must exist: the clocks skip an hour when daylight saving time begins.
fn check_clock_changes(content: &Content, findings: &mut Findings<'_>) {
    let submission = &content.competition.submission;
    let mut moments = vec![
        ("competition.submission.from".to_owned(), submission.from),
        ("competition.submission.deadline".to_owned(), submission.deadline),
        ("portal.deadline".to_owned(), content.portal.deadline),
    ];
    for (kind, opening) in &content.openings {
        moments.push((format!("openings.{kind}.from"), opening.from));
        moments.push((format!("openings.{kind}.until"), opening.until));
    }
    let mut times: Vec<(String, NaiveDateTime)> =
        moments.into_iter().filter_map(|(key, moment)| Some((key, moment?.begins()))).collect();
    for (day_index, day) in content.schedule.days.iter().enumerate() {
        for (index, item) in day.items.iter().enumerate() {
            let key = |name: &str| format!("schedule.days[{day_index}].items[{index}].{name}");
            times.push((key("start"), day.date.and_time(item.start.time())));
            times.push((key("end"), day.date.and_time(item.end.time())));
        }
    }
    for (key, time) in times {
        // A whole day begins with the first time that exists.
        let exists = time.time() == NaiveTime::MIN || content.event.time_zone.has(time);
        findings.require(
            exists,
            key,
            "does not exist: the clocks skip this time when daylight saving time begins",
        );
    }
}

/// Whether the dates written for people contain the days and the year of the dates used for computing.
fn dates_match_days(event: &EventFacts) -> bool {
    let numbers: Vec<&str> = event.dates.split(|c: char| !c.is_ascii_digit()).collect();
    let has = |number: String| numbers.contains(&number.as_str());
    [event.first_day, event.last_day].iter().all(|day| has(day.day().to_string()))
        && has(event.last_day.year().to_string())
}

fn check_days(
    event: &EventFacts,
    list: &str,
    days: impl Iterator<Item = NaiveDate>,
    findings: &mut Findings<'_>,
) {
    let mut before = None;
    for (index, day) in days.enumerate() {
        let key = format!("{list}[{index}].date");
        let within = (event.first_day..=event.last_day).contains(&day);
        findings.require(within, &key, "must be a day from event.first_day to event.last_day");
        findings.require(before < Some(day), &key, "must be later than the day before it in the list");
        before = Some(day);
    }
}

fn check_timetable(day: &ScheduleDay, day_index: usize, findings: &mut Findings<'_>) {
    let mut before = None;
    for (index, item) in day.items.iter().enumerate() {
        let key = |name| format!("schedule.days[{day_index}].items[{index}].{name}");
        findings.require(item.start < item.end, key("end"), "must be later than its start");
        findings.require(
            before <= Some(item.start),
            key("start"),
            "must not be earlier than the item before it",
        );
        before = Some(item.start);
    }
}

fn check_openings(content: &Content, findings: &mut Findings<'_>) {
    for (kind, opening) in &content.openings {
        if let (Some(from), Some(until)) = (opening.from, opening.until) {
            let key = format!("openings.{kind}.until");
            findings.require(from.begins() < until.ends(), key, "must be later than from");
        }
    }
}
