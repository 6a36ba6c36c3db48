//! Which keys a content file has, and of which type. What they say is looked at in `check`.

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use super::model::Content;
use super::problem::{Problem, nearest, not_known, shortened};
use super::source::Source;

/// How chrono says that a text is not a day of the calendar.
const NO_SUCH_DAY: [&str; 4] = [
    "input is out of range",
    "input contains invalid characters",
    "premature end of input",
    "trailing input",
];

/// # Errors
/// What does not fit: missing and unknown sections, and of each section the first key that is missing, unknown
/// or of a wrong type.
pub(super) fn read(source: &Source<'_>) -> Result<Content, Vec<Problem>> {
    deserialize(source.document()).map_err(|first| {
        let mut problems = by_section(source);
        if problems.is_empty() {
            problems.push(problem(&first, source));
        }
        problems.sort_by_key(|problem| problem.line);
        problems
    })
}

/// Reading stops at the first error; so each section that has one is replaced by the default's, until all is
/// well.
fn by_section(source: &Source<'_>) -> Vec<Problem> {
    let Ok(default) = Source::read(Content::default_toml()) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    let mut document = source.document();
    for (name, section) in default.table() {
        if !document.get_ref().contains_key(name) {
            let rule = "this section is missing".to_owned();
            problems.push(Problem { line: 1, key: name.get_ref().to_string(), rule });
            document.get_mut().insert(name.clone(), section.clone());
        }
    }
    // Every round mends one section, or removes one that nobody knows.
    for _ in 0..=source.table().len() {
        let Err(error) = deserialize(document.clone()) else {
            break;
        };
        let problem = problem(&error, source);
        if problems.contains(&problem) {
            break;
        }
        let section = problem.key.split(['.', '[']).next().unwrap_or_default();
        document.get_mut().remove(section);
        if let Some((name, section)) = default.table().get_key_value(section) {
            document.get_mut().insert(name.clone(), section.clone());
        }
        problems.push(problem);
    }
    problems
}

fn deserialize(document: Spanned<DeTable<'_>>) -> Result<Content, toml::de::Error> {
    Content::deserialize(Deserializer::from(document))
}

fn problem(error: &toml::de::Error, source: &Source<'_>) -> Problem {
    let span = error.span().unwrap_or(0..0);
    let path = source.path_at(&span).to_owned();
    let message = error.message();
    // TOML's own dates and times come without quotes; to serde they are maps.
    let bare_date = message.starts_with("invalid type: map")
        && source.text_at(&span).starts_with(|c: char| c.is_ascii_digit());
    let (key, rule) = if let Some(field) = quoted_after(message, "missing field ") {
        (join(&path, field), "this key is missing".to_owned())
    } else if let Some(field) = quoted_after(message, "unknown field ") {
        (path, unknown_key(field, &alternatives(message)))
    } else if let Some(word) = quoted_after(message, "unknown variant ") {
        (path, not_known(word, "known here", alternatives(message)))
    } else if NO_SUCH_DAY.contains(&message) {
        let written = shortened(source.text_at(&span).trim_matches(['"', '\'']));
        (path, format!("'{written}' is not a day of the calendar; write it like 2026-03-28"))
    } else if bare_date {
        (path, "write dates and times in quotes".to_owned())
    } else {
        (path, in_words_of_the_file(message))
    };
    Problem { line: source.line_at(span.start), key, rule }
}

fn unknown_key(field: &str, known: &[&str]) -> String {
    let shown = shortened(field);
    match nearest(field, known.iter().copied()) {
        Some(nearest) => format!("unknown key '{shown}'; did you mean '{nearest}'?"),
        None => format!("unknown key '{shown}'; the keys here are {}", known.join(", ")),
    }
}

/// serde speaks of Rust's types.
fn in_words_of_the_file(message: &str) -> String {
    match message.split_once(", expected struct ") {
        Some((found, _)) => format!("{found}, expected a table"),
        None => {
            message.replace("expected a string", "expected a text in quotes").replace("a sequence", "a list")
        }
    }
}

fn quoted_after<'a>(message: &'a str, start: &str) -> Option<&'a str> {
    message.strip_prefix(start)?.split('`').nth(1)
}

/// What serde would have taken: all that it quotes after the word it did not know.
fn alternatives(message: &str) -> Vec<&str> {
    message.split('`').skip(3).step_by(2).collect()
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
}

#[cfg(test)]
mod tests;
