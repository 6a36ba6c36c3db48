//! The rules of every form, read from `rules.json`, which the browser reads too.
//!
//! [`parse`] is the only way from a request's JSON to a [`Record`], so whatever is stored has passed
//! every rule. Left out on purpose: what the organiser may change (categories, prices, openings),
//! which is content and comes in as [`Offered`].

mod address;
mod check;
mod contact;
mod hidden;
mod record;
mod schema;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value as Json;

pub use address::is_email;
pub use check::{free_text, parse, parse_part, parse_with, replace, whole_number};
pub use contact::{instagram, phone};
pub use record::{Record, Value};
pub use schema::free_text_schema;

use crate::model::Kind;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rules {
    messages: Messages,
    hidden_characters: hidden::HiddenCharacters,
    /// Characters without a shape that copying brings along: dropped at both ends of every text, and everywhere in
    /// what is read by machines (an address, a phone number, a handle).
    invisible_marks: hidden::HiddenCharacters,
    /// Of these, the ones that people type with right-to-left scripts: dropped everywhere.
    direction_marks: hidden::HiddenCharacters,
    forms: Vec<Form>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Messages {
    too_long: String,
    control_characters: String,
    hidden_characters: String,
}

/// One kind's form, as people see it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Form {
    kind: String,
    /// What one registration of this kind is called: 'Speaker application'.
    pub name: String,
    /// The kind's key in the export summary (docs/reference.md, "HTTP").
    pub summary_key: String,
    pub sections: Vec<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    pub title: String,
    pub fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    /// The JSON name, camelCase.
    pub name: String,
    #[serde(rename = "type")]
    pub field_type: FieldType,
    pub label: String,
    /// Whether an erasure blanks it where the record is kept. Free text may always name somebody.
    pub personal: bool,
    #[serde(default)]
    required: bool,
    min: Option<usize>,
    max: Option<usize>,
    message: Option<String>,
    default: Option<Json>,
    #[serde(default)]
    pub options: Vec<Choice>,
    options_from: Option<OptionsFrom>,
    /// For subcategories: the field that holds their category.
    of: Option<String>,
    /// Required only from this value of another field on.
    required_from: Option<RequiredFrom>,
    // Only the browser uses these.
    #[serde(default, rename = "hint")]
    _hint: IgnoredAny,
    #[serde(default, rename = "autocomplete")]
    _autocomplete: IgnoredAny,
    #[serde(default, rename = "inputMode")]
    _input_mode: IgnoredAny,
    /// [`Field::column`], worked out once.
    #[serde(skip)]
    column: OnceLock<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FieldType {
    Text,
    LongText,
    Email,
    Phone,
    Url,
    Handle,
    Choice,
    Choices,
    Consent,
    Flag,
    Count,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum OptionsFrom {
    Categories,
    Subcategories,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RequiredFrom {
    field: String,
    at_least: i64,
}

/// The choices that come from the event's content.
#[derive(Debug, Default, Clone)]
pub struct Offered {
    pub categories: Vec<OfferedCategory>,
}

#[derive(Debug, Clone)]
pub struct OfferedCategory {
    pub value: String,
    pub subcategories: Vec<String>,
}

impl Form {
    /// Every field, in the order of the form.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.sections.iter().flat_map(|section| &section.fields)
    }
}

impl Field {
    /// The field's column in the database: `topicProposal` is kept in `topic_proposal`.
    pub fn column(&self) -> &str {
        self.column.get_or_init(|| {
            let mut column = String::with_capacity(self.name.len() + 4);
            for character in self.name.chars() {
                if character.is_ascii_uppercase() {
                    column.push('_');
                }
                column.push(character.to_ascii_lowercase());
            }
            column
        })
    }

    /// Whether its column always holds a value.
    pub fn is_always_stored(&self) -> bool {
        (self.required || self.default.is_some()) && self.required_from.is_none()
    }

    /// The label of a stored value: an option's label, otherwise the value itself.
    pub fn label_of<'a>(&'a self, value: &'a str) -> &'a str {
        self.options.iter().find(|option| option.value == value).map_or(value, |option| &option.label)
    }
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    serde_json::from_str(include_str!("rules.json")).expect("rules.json holds the rules of every form")
});

/// The form of a kind.
pub fn form(kind: Kind) -> &'static Form {
    RULES.forms.iter().find(|form| form.kind == kind.as_str()).expect("rules.json has a form for every kind")
}
