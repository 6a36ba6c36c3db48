//! The problems of a content file, as messages for the person who edits it.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

/// One thing to fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Counted from 1. Also 1 if no line causes the problem, as for a missing section.
    pub line: usize,
    /// The dotted key, like `schedule.days[0].items[2].start`. Empty if the file is not valid TOML.
    pub key: String,
    /// What is wrong and how to fix it.
    pub rule: String,
}

impl Problem {
    /// A problem that no line of the file causes.
    pub fn without_line(key: &str, rule: &str) -> Problem {
        Problem { line: 1, key: key.to_owned(), rule: rule.to_owned() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: ", self.line)?;
        if !self.key.is_empty() {
            write!(formatter, "{}: ", self.key)?;
        }
        formatter.write_str(&self.rule)
    }
}

/// Longer words are truncated in messages, and no suggestion is made for them. In bytes for a suggestion, in characters
/// for a message.
const MAX_WORD_LENGTH: usize = 60;

/// The candidate that is most similar to a mistyped word, if any is similar enough.
fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MAX_WORD_LENGTH {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().div_ceil(3).max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// The message about a word that is none of the known ones.
pub(super) fn not_known<'a>(
    word: &str,
    what: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    let otherwise = format!("use one of {}", list(known.clone()));
    format!("'{}' is not {what}; {}", shortened(word), did_you_mean(word, known, otherwise))
}

/// The question for a mistyped word, or `otherwise` if no candidate is similar enough.
pub(super) fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: String,
) -> String {
    nearest(word, candidates).map_or(otherwise, |nearest| format!("did you mean '{nearest}'?"))
}

/// The message about a picture that is not in the database.
pub(super) fn no_picture(name: &str, pictures: &BTreeSet<String>) -> String {
    let short = shortened(name);
    let otherwise = format!("add it with `showcase content image add {short} FILE`, or write \"\"");
    let question = did_you_mean(name, pictures.iter().map(String::as_str), otherwise);
    format!("there is no picture '{short}'; {question}")
}

/// The word, truncated for a message.
pub(super) fn shortened(word: &str) -> String {
    match word.char_indices().nth(MAX_WORD_LENGTH) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ")
}
