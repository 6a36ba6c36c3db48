//! What is wrong with a content file, in words for the person who edits it.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

/// One thing to put right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Counted from one; one also for what is missing from the whole file.
    pub line: usize,
    /// The dotted key, like `schedule.days[0].items[2].start`; empty where the file cannot be read at all.
    pub key: String,
    /// What is wrong and what would be right.
    pub rule: String,
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

/// Longer words are not quoted in full, and nobody looks for their neighbours.
const LONGEST_WORD: usize = 60;

/// The candidate that a mistyped word was probably meant to be.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().div_ceil(3).max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// The sentence about a word that is not one of those known.
pub(super) fn not_known<'a>(
    word: &str,
    what: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    let shown = shortened(word);
    match nearest(word, known.clone()) {
        Some(nearest) => format!("'{shown}' is not {what}; did you mean '{nearest}'?"),
        None => format!("'{shown}' is not {what}; there is {}", list(known)),
    }
}

/// The sentence about a picture that nobody has added.
pub(super) fn no_picture(name: &str, pictures: &BTreeSet<String>) -> String {
    let shown = shortened(name);
    match nearest(name, pictures.iter().map(String::as_str)) {
        Some(nearest) => format!("there is no picture '{shown}'; did you mean '{nearest}'?"),
        None => format!(
            "there is no picture '{shown}'; add it with `showcase content image add {shown} FILE`, or write \"\""
        ),
    }
}

/// As much of a word as a sentence bears.
pub(super) fn shortened(word: &str) -> String {
    match word.char_indices().nth(LONGEST_WORD) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_word_finds_its_neighbour() {
        let known = ["name", "short_name", "tagline"];
        for (word, expected) in [
            ("nmae", Some("name")),
            ("tag_line", Some("tagline")),
            ("shortname", Some("short_name")),
            ("zz", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }
}
