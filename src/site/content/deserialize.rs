//! Deserializes a content file: its keys and their types. Left out: the rules for values, which are in `check`.

use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment, deserialize};

use super::model::Content;
use super::problem::{Problem, did_you_mean, not_known, shortened};
use super::source::{Source, dotted};

/// chrono's messages for a text that is not a valid date. Its deserializer gives only the message.
const INVALID_DATE: [&str; 4] = [
    "input is out of range",
    "input contains invalid characters",
    "premature end of input",
    "trailing input",
];

/// The sections that a content file may leave out.
const OPTIONAL: [&str; 2] = ["portal", "judging"];

/// # Errors
/// Missing and unknown sections, and for each section its first key that is missing, unknown or of a wrong type.
pub(super) fn read(source: &Source<'_>) -> Result<Content, Vec<Problem>> {
    // From JSON values: deserializing the structs from TOML directly made the binary half a megabyte larger.
    content(source.values().clone()).map_err(|first| {
        let mut problems = by_section(source);
        if problems.is_empty() {
            problems.push(problem(&first, source));
        }
        problems.sort_by_key(|problem| problem.line);
        problems
    })
}

/// serde stops at the first error. So each section with an error is replaced by the default's, and the file is read
/// again, until no error is left.
fn by_section(source: &Source<'_>) -> Vec<Problem> {
    let Ok(default) = Source::read(Content::default_toml()) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    let mut values = source.values().clone();
    for (name, section) in default.values() {
        if !values.contains_key(name) && !OPTIONAL.contains(&name.as_str()) {
            problems.push(Problem::without_line(name, "this section is missing"));
            values.insert(name.clone(), section.clone());
        }
    }
    // Every round replaces one section, or removes an unknown one.
    for _ in 0..=source.values().len() {
        let Err(error) = content(values.clone()) else {
            break;
        };
        let problem = problem(&error, source);
        if problems.contains(&problem) {
            break;
        }
        let Some(Segment::Map { key: section }) = error.path().iter().next() else {
            break;
        };
        match default.values().get(section) {
            Some(whole) => values.insert(section.clone(), whole.clone()),
            None => values.shift_remove(section),
        };
        problems.push(problem);
    }
    problems
}

type PathError = serde_path_to_error::Error<serde_json::Error>;

fn content(values: Map<String, Value>) -> Result<Content, PathError> {
    deserialize(Value::Object(values))
}

fn problem(error: &PathError, source: &Source<'_>) -> Problem {
    let path = written_path(error.path());
    let written = source.written(&path);
    let message = error.inner().to_string();
    let message = message.as_str();
    // TOML has dates and times without quotes, which serde sees as maps.
    let bare_date =
        message.starts_with("invalid type: map") && written.starts_with(|c: char| c.is_ascii_digit());
    let (key, rule) = if let Some(field) = quoted_after(message, "missing field ") {
        (dotted(&path, field), "this key is missing".to_owned())
    } else if let Some(field) = quoted_after(message, "unknown field ") {
        (path, unknown_key(field, &alternatives(message)))
    } else if let Some(word) = quoted_after(message, "unknown variant ") {
        (path, not_known(word, "a value for this key", alternatives(message)))
    } else if INVALID_DATE.contains(&message) {
        let written = shortened(written.trim_matches(['"', '\'']));
        (path, format!("'{written}' is not a day of the calendar; write it like 2026-03-28"))
    } else if bare_date {
        (path, "write dates and times in quotes".to_owned())
    } else {
        (path, in_toml_terms(message))
    };
    Problem { line: source.line_of(&key), key, rule }
}

fn unknown_key(field: &str, known: &[&str]) -> String {
    let otherwise = format!("the keys here are {}", known.join(", "));
    let question = did_you_mean(field, known.iter().copied(), otherwise);
    format!("unknown key '{}'; {question}", shortened(field))
}

/// What serde expected, in the terms of TOML; its whole message if that is unknown.
fn in_toml_terms(message: &str) -> String {
    let expected = message.rsplit_once(", expected ").map_or("", |(_, expected)| expected);
    let expected = match expected {
        "a string" => "a text in quotes",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        "i64" => "a whole number",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        _ if expected.starts_with("struct ") => "a table",
        _ => return message.to_owned(),
    };
    format!("must be {expected}")
}

fn quoted_after<'a>(message: &'a str, start: &str) -> Option<&'a str> {
    message.strip_prefix(start)?.split('`').nth(1)
}

/// The names that serde would have accepted: all that it quotes after the unknown one.
fn alternatives(message: &str) -> Vec<&str> {
    message.split('`').skip(3).step_by(2).collect()
}

fn written_path(path: &Path) -> String {
    path.iter().fold(String::new(), |path, segment| match segment {
        Segment::Seq { index } => format!("{path}[{index}]"),
        Segment::Map { key } => dotted(&path, key),
        Segment::Enum { .. } | Segment::Unknown => path,
    })
}

#[cfg(test)]
mod tests;
