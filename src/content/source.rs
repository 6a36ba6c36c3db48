//! A content file as text with the place of every key, so that whatever is found wrong can be pointed at.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::Problem;

pub(super) struct Source<'text> {
    text: &'text str,
    document: Spanned<DeTable<'text>>,
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
        let (document, errors) = DeTable::parse_recoverable(text);
        let mut source = Source { text, document, places: Vec::new() };
        if errors.is_empty() {
            let mut places = Vec::new();
            collect_table(source.document.get_ref(), "", &mut places);
            source.places = places;
            return Ok(source);
        }
        let problem = |error: &toml::de::Error| Problem {
            line: error.span().map_or(1, |span| source.line_at(span.start)),
            key: String::new(),
            rule: format!("this is not TOML: {}", error.message()),
        };
        Err(errors.iter().map(problem).collect())
    }

    pub fn table(&self) -> &DeTable<'text> {
        self.document.get_ref()
    }

    /// A copy of the document, which still knows where everything stood.
    pub fn document(&self) -> Spanned<DeTable<'text>> {
        self.document.clone()
    }

    /// The line of a dotted key, or of the nearest key around it when it is not written.
    pub fn line_of(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(place) = self.places.iter().find(|place| place.path == path) {
                return self.line_at(place.key.start);
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return 1,
            }
        }
    }

    /// The dotted key whose key or value stands exactly there; of the whole document, the empty one.
    pub fn path_at(&self, span: &Range<usize>) -> &str {
        self.places
            .iter()
            .find(|place| place.key == *span || place.value == *span)
            .map_or("", |place| place.path.as_str())
    }

    pub fn text_at(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    pub fn line_at(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }
}

fn collect_table(table: &DeTable<'_>, path: &str, places: &mut Vec<Place>) {
    for (key, value) in table {
        let dot = if path.is_empty() { "" } else { "." };
        collect_value(value, key.span(), format!("{path}{dot}{}", key.get_ref()), places);
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
