//! A content file with the position of every key, so that each problem can name its line.

use std::ops::Range;

use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

use super::problem::Problem;

/// A bracket that is not closed makes thousands of errors, of which the first ones help.
const MAX_SYNTAX_ERRORS: usize = 5;

pub(super) struct Source<'text> {
    text: &'text str,
    document: Spanned<DeTable<'text>>,
    values: Map<String, Value>,
    positions: Vec<Position>,
}

/// The byte ranges of a key and its value. For a member of a list both are the member's.
struct Position {
    path: String,
    key: Range<usize>,
    value: Range<usize>,
}

impl<'text> Source<'text> {
    /// # Errors
    /// The first syntax errors, one a line.
    pub fn read(text: &'text str) -> Result<Self, Vec<Problem>> {
        let problem = |error: &Error| Problem {
            line: error.span().map_or(1, |span| line_at(text, span.start)),
            key: String::new(),
            rule: format!("this is not TOML: {}", error.message()),
        };
        let (document, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            let mut problems: Vec<_> = errors.iter().map(problem).collect();
            problems.sort_by_key(|problem| problem.line);
            problems.dedup_by_key(|problem| problem.line);
            problems.truncate(MAX_SYNTAX_ERRORS);
            return Err(problems);
        }
        let values =
            Map::deserialize(Deserializer::from(document.clone())).map_err(|error| vec![problem(&error)])?;
        let mut positions = Vec::new();
        collect_table(document.get_ref(), "", &mut positions);
        Ok(Source { text, document, values, positions })
    }

    pub fn table(&self) -> &DeTable<'text> {
        self.document.get_ref()
    }

    /// The values without positions. A date or time without quotes is a table here.
    pub fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// The line of a dotted key. If the file does not have it, the line of the nearest enclosing key.
    pub fn line_of(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(position) = self.positions.iter().find(|position| position.path == path) {
                return line_at(self.text, position.key.start);
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return 1,
            }
        }
    }

    /// The source text of a dotted key's value; empty if the file does not have it.
    pub fn written(&self, path: &str) -> &str {
        let position = self.positions.iter().find(|position| position.path == path);
        position.and_then(|position| self.text.get(position.value.clone())).unwrap_or_default()
    }
}

/// The dotted key of a key in a table. A key that TOML would quote is quoted.
pub(super) fn dotted(table: &str, key: &str) -> String {
    let is_bare = key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let key = if is_bare { key.to_owned() } else { format!("\"{key}\"") };
    if table.is_empty() { key } else { format!("{table}.{key}") }
}

fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

fn collect_table(table: &DeTable<'_>, path: &str, positions: &mut Vec<Position>) {
    for (key, value) in table {
        collect_value(value, key.span(), dotted(path, key.get_ref()), positions);
    }
}

fn collect_value(
    value: &Spanned<DeValue<'_>>,
    key: Range<usize>,
    path: String,
    positions: &mut Vec<Position>,
) {
    match value.get_ref() {
        DeValue::Table(table) => collect_table(table, &path, positions),
        DeValue::Array(members) => {
            for (index, member) in members.iter().enumerate() {
                collect_value(member, member.span(), format!("{path}[{index}]"), positions);
            }
        }
        _ => {}
    }
    positions.push(Position { path, key, value: value.span() });
}
