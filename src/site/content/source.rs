//! A content file as text with the place of every key, so that whatever is found wrong can be pointed at.

use std::ops::Range;

use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

use super::problem::Problem;

pub(super) struct Source<'text> {
    text: &'text str,
    document: Spanned<DeTable<'text>>,
    values: Map<String, Value>,
    places: Vec<Place>,
}

/// Where a key and its value stand, in bytes. In a list, a member's key is its value.
struct Place {
    path: String,
    key: Range<usize>,
    value: Range<usize>,
}

impl<'text> Source<'text> {
    /// # Errors
    /// Every place where the text is not TOML.
    pub fn read(text: &'text str) -> Result<Self, Vec<Problem>> {
        let problem = |error: &Error| Problem {
            line: error.span().map_or(1, |span| line_at(text, span.start)),
            key: String::new(),
            rule: format!("this is not TOML: {}", error.message()),
        };
        let (document, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(errors.iter().map(problem).collect());
        }
        let values =
            Map::deserialize(Deserializer::from(document.clone())).map_err(|error| vec![problem(&error)])?;
        let mut places = Vec::new();
        collect_table(document.get_ref(), "", &mut places);
        Ok(Source { text, document, values, places })
    }

    pub fn table(&self) -> &DeTable<'text> {
        self.document.get_ref()
    }

    /// What the keys say, without their places. A date or time without quotes is a table here.
    pub fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// The line of a dotted key, or of the nearest key around it when it is not written.
    pub fn line_of(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(place) = self.places.iter().find(|place| place.path == path) {
                return line_at(self.text, place.key.start);
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return 1,
            }
        }
    }

    /// The value of a dotted key as it is written, if it is.
    pub fn written(&self, path: &str) -> &str {
        let place = self.places.iter().find(|place| place.path == path);
        place.and_then(|place| self.text.get(place.value.clone())).unwrap_or_default()
    }
}

/// The dotted key of a key in a table; one that is more than a word is quoted in it, as TOML does.
pub(super) fn dotted(table: &str, key: &str) -> String {
    let is_bare = key.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
    let key = if is_bare { key.to_owned() } else { format!("\"{key}\"") };
    if table.is_empty() { key } else { format!("{table}.{key}") }
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

fn collect_table(table: &DeTable<'_>, path: &str, places: &mut Vec<Place>) {
    for (key, value) in table {
        collect_value(value, key.span(), dotted(path, key.get_ref()), places);
    }
}

fn collect_value(value: &Spanned<DeValue<'_>>, key: Range<usize>, path: String, places: &mut Vec<Place>) {
    match value.get_ref() {
        DeValue::Table(table) => collect_table(table, &path, places),
        DeValue::Array(members) => {
            for (index, member) in members.iter().enumerate() {
                collect_value(member, member.span(), format!("{path}[{index}]"), places);
            }
        }
        _ => {}
    }
    places.push(Place { path, key, value: value.span() });
}
