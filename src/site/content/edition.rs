//! The content of the next edition, made from that of the last one.

use chrono::{Datelike, Days, Month, NaiveDate, Weekday};
use serde_json::{Value, json};

use super::edit::{self, Path};
use super::model::Content;
use super::model::event::Winner;
use super::opening::Moment;

/// Keys whose values look like days but are not.
const KEYS_WITHOUT_DAYS: [&str; 1] = ["version"];

/// The next edition's content, with every day moved by `days` and everything that is to be confirmed marked: tables as samples, and
/// texts that name a date in `unconfirmed`. `winners` are those of the old edition: its content's, or the
/// first places of its published results.
///
/// # Errors
/// A sentence, if a day would lie outside the calendar or the text cannot be changed.
pub fn next(toml: &str, old: &Content, winners: &[Winner], days: i64) -> Result<String, String> {
    let before = edit::value(old);
    let mut value = before.clone();
    move_days(&mut value, days)?;
    let (first, last) = (moved(old.event.first_day, days)?, moved(old.event.last_day, days)?);
    rename_days(&mut value, &renamings(old, first, last, days)?);
    value["event"]["dates"] = json!(dates(first, last));
    value["phase"] = json!("before");
    // The former editions keep their own dates.
    let mut past = before["after"]["past"].as_array().cloned().unwrap_or_default();
    if !winners.is_empty() {
        past.insert(0, json!({ "title": old.event.name, "dates": old.event.dates, "winners": winners }));
        value["after"]["winners"] = json!([]);
    }
    value["after"]["past"] = past.into();
    mark_samples(&mut value);
    let mut unconfirmed = Vec::new();
    collect_dated(&value, &Path::default(), &mut unconfirmed);
    value["unconfirmed"] = json!(unconfirmed);
    edit::write(toml, &before, &value)
}

fn moved(day: NaiveDate, days: i64) -> Result<NaiveDate, String> {
    let count = Days::new(days.unsigned_abs());
    let moved = if days < 0 { day.checked_sub_days(count) } else { day.checked_add_days(count) };
    moved
        .filter(|day| (1..=9999).contains(&day.year()))
        .ok_or_else(|| format!("{day} cannot be moved by {days} days"))
}

/// Moves every value that is a day, or a minute of one.
fn move_days(value: &mut Value, days: i64) -> Result<(), String> {
    match value {
        Value::String(text) => {
            let is_moment = text.parse::<Moment>().is_ok();
            if is_moment && let Some(day) = text.get(..10).and_then(|day| day.parse().ok()) {
                *text = format!("{}{}", moved(day, days)?, &text[10..]);
            }
        }
        Value::Array(members) => members.iter_mut().try_for_each(|member| move_days(member, days))?,
        Value::Object(table) => {
            for (_, member) in table.iter_mut().filter(|(key, _)| !KEYS_WITHOUT_DAYS.contains(&key.as_str()))
            {
                move_days(member, days)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// 'March 28-29, 2026', or 'March 31 - April 1, 2026'.
fn dates(first: NaiveDate, last: NaiveDate) -> String {
    if first == last {
        first.format("%B %-d, %Y").to_string()
    } else if first.year() != last.year() {
        format!("{} - {}", first.format("%B %-d, %Y"), last.format("%B %-d, %Y"))
    } else if first.month() != last.month() {
        format!("{} - {}", first.format("%B %-d"), last.format("%B %-d, %Y"))
    } else {
        format!("{}-{}", first.format("%B %-d"), last.format("%-d, %Y"))
    }
}

/// How the days of the event are written in texts, and how they are from now on; the longest first.
fn renamings(
    old: &Content,
    first: NaiveDate,
    last: NaiveDate,
    days: i64,
) -> Result<Vec<(String, String)>, String> {
    let without_year = |text: &str, year: i32| text.replace(&format!(", {year}"), "");
    let event = &old.event;
    let (before, after) = (dates(event.first_day, event.last_day), dates(first, last));
    let mut renamings = vec![
        (event.dates.clone(), after.clone()),
        (without_year(&before, event.last_day.year()), without_year(&after, last.year())),
        (before, after),
    ];
    for day in event.days.iter().map(|day| day.date) {
        let next = moved(day, days)?;
        for format in ["%B %-d, %Y", "%B %-d"] {
            renamings.push((day.format(format).to_string(), next.format(format).to_string()));
        }
    }
    renamings.sort_by_key(|(before, _)| std::cmp::Reverse(before.len()));
    renamings.dedup();
    Ok(renamings)
}

fn rename_days(value: &mut Value, renamings: &[(String, String)]) {
    match value {
        Value::String(text) => *text = renamed(text, renamings),
        Value::Array(members) => members.iter_mut().for_each(|member| rename_days(member, renamings)),
        Value::Object(table) => table.values_mut().for_each(|member| rename_days(member, renamings)),
        _ => {}
    }
}

/// Replaces in one pass, so that nothing is replaced twice. 'March 2' does not match in 'March 28'.
fn renamed(text: &str, renamings: &[(String, String)]) -> String {
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let found = renamings.iter().find(|(before, _)| {
            let after = rest.strip_prefix(before.as_str()).and_then(|after| after.chars().next());
            rest.starts_with(before.as_str()) && after.is_none_or(|next| !next.is_ascii_digit())
        });
        if let Some((before, after)) = found.filter(|(before, _)| !before.is_empty()) {
            renamed.push_str(after);
            rest = &rest[before.len()..];
        } else {
            renamed.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    renamed
}

fn mark_samples(value: &mut Value) {
    match value {
        Value::Array(members) => members.iter_mut().for_each(mark_samples),
        Value::Object(table) => {
            if let Some(sample) = table.get_mut("sample") {
                *sample = json!(true);
            }
            table.values_mut().for_each(mark_samples);
        }
        _ => {}
    }
}

/// The paths of all texts that name a day, a month or a year.
fn collect_dated(value: &Value, path: &Path, found: &mut Vec<String>) {
    match value {
        Value::String(text) if names_date(text) => found.push(path.in_file()),
        Value::Array(members) => {
            for (index, member) in members.iter().enumerate() {
                collect_dated(member, &path.index(index), found);
            }
        }
        Value::Object(table) => {
            for (key, member) in table.iter().filter(|(key, _)| !KEYS_WITHOUT_DAYS.contains(&key.as_str())) {
                let child = path.key(key);
                // The former editions stay as they were.
                if child.in_file() != "after.past" {
                    collect_dated(member, &child, found);
                }
            }
        }
        _ => {}
    }
}

/// Whether a text names a day, a month or a year.
pub fn names_date(text: &str) -> bool {
    const SHORT: [&str; 4] = ["sept", "tues", "thur", "thurs"];
    // Lowercase, "may" and "march" are mostly verbs.
    let is_name = |word: &str| {
        let lower = word.to_lowercase();
        word.starts_with(char::is_uppercase)
            && (lower.parse::<Month>().is_ok()
                || lower.parse::<Weekday>().is_ok()
                || SHORT.contains(&lower.as_str()))
    };
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| {
        let is_year =
            word.len() == 4 && word.starts_with("20") && word.bytes().all(|byte| byte.is_ascii_digit());
        is_year || is_name(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::content::walk;

    #[test]
    fn every_day_moves_and_everything_stale_is_marked() {
        let toml = Content::default_toml().replace(
            "# [[after.winners]]\n# award = \"Lash Lift\"\n# name = \"Name of the artist\"\n# business = \"Studio, city\"",
            "[[after.winners]]\naward = \"Lash Lift\"\nname = \"Ada\"",
        );
        let old = Content::parse(&toml).expect("the content");
        assert_eq!(old.after.winners.len(), 1);
        let next = next(&toml, &old, &old.after.winners, 364).expect("a text");
        let content = Content::parse(&next).expect("valid");
        let event = &content.event;
        assert_eq!(
            (event.first_day.to_string(), event.dates.as_str()),
            ("2027-03-27".into(), "March 27-28, 2027")
        );
        assert_eq!(
            content.portal.deadline.map(|deadline| deadline.to_string()).as_deref(),
            Some("2027-02-28 23:59")
        );
        assert_eq!(content.schedule.days[1].date.to_string(), "2027-03-28");
        assert!(event.summary.contains("March 27-28, 2027"), "{}", event.summary);
        assert_eq!(content.legal.terms.version, old.legal.terms.version);
        assert!(content.after.winners.is_empty());
        assert_eq!(content.after.past[0].dates, "March 28-29, 2026");
        assert_eq!(content.after.past[0].winners[0].name, "Ada");
        let samples = content.samples();
        for key in [
            "venue",
            "portal",
            "people.groups[0].profiles[0]",
            "event.summary",
            "pass.price_note",
            "event.dates",
        ] {
            assert!(samples.iter().any(|sample| sample == key), "{key}: {samples:?}");
        }
        // Every text that still names a day of the old year is marked, except those about former winners.
        let stale = walk::texts(&content).into_iter().filter(|(key, text)| {
            text.contains("2026") && !key.starts_with("after.past") && !key.ends_with(".version")
        });
        for (key, text) in stale {
            assert!(samples.contains(&key), "{key} is not marked: {text}");
        }
        // The comments of the file are kept.
        assert!(next.contains("# Two different groups:"), "comments");
    }

    #[test]
    fn a_text_that_names_a_day_a_month_or_a_year_is_found() {
        for text in [
            "Early prices end Aug 15",
            "MARCH 14",
            "Sept 3",
            "In 2027",
            "Doors on Sat",
            "June",
            "thurs, Jul 1",
        ] {
            assert!(names_date(text), "{text}");
        }
        for text in ["You may bring a model", "A march of brows", "Doors at 9:30", "Marco", "Sunny", "20270"]
        {
            assert!(!names_date(text), "{text}");
        }
    }

    #[test]
    fn dates_are_written_for_people() {
        let day = |text: &str| text.parse::<NaiveDate>().expect(text);
        for (first, last, expected) in [
            ("2027-03-27", "2027-03-28", "March 27-28, 2027"),
            ("2027-03-31", "2027-04-01", "March 31 - April 1, 2027"),
            ("2027-12-31", "2028-01-01", "December 31, 2027 - January 1, 2028"),
            ("2027-03-31", "2027-03-31", "March 31, 2027"),
        ] {
            assert_eq!(dates(day(first), day(last)), expected);
        }
        let renamings =
            [("March 28".to_owned(), "March 27".to_owned()), ("March 2".to_owned(), "March 1".to_owned())];
        assert_eq!(
            renamed("On March 28, not March 2 or March 20.", &renamings),
            "On March 27, not March 1 or March 20."
        );
        assert!(moved(day("2027-03-27"), i64::MAX).is_err() && moved(day("2027-03-27"), -800_000).is_err());
    }
}
