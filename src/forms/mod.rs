//! The rules of every form. They are read from `rules.json`, which the browser uses too.
//!
//! Only [`parse`] and its variants turn a request's JSON into a [`Record`], so everything stored has passed the rules.
//! Left out on purpose: what the organiser may change (categories, prices, openings). It is content and is passed as
//! [`Offered`].

mod address;
mod check;
mod contact;
mod hidden;
mod record;
mod schema;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value as Json;

pub use address::EmailAddress;
pub use check::{
    free_line, free_text, parse, parse_part, parse_with, reason, replace, visible_text, whole_number,
};
pub use contact::{instagram, phone};
pub use record::{Record, Value};
pub use schema::free_text_schema;

use crate::model::Kind;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rules {
    messages: Messages,
    hidden_characters: hidden::CodePoints,
    /// Invisible characters that are often copied along with a text. Removed at both ends of every text, and everywhere
    /// in email and web addresses, phone numbers and handles.
    invisible_marks: hidden::CodePoints,
    /// The invisible marks that people type in right-to-left scripts. Removed everywhere.
    direction_marks: hidden::CodePoints,
    forms: Vec<Form>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Messages {
    too_long: String,
    control_characters: String,
    hidden_characters: String,
}

/// The form of one kind of registration.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Form {
    kind: String,
    /// The name of one registration of this kind, such as 'Speaker application'.
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
    /// The JSON name, in camelCase.
    pub name: String,
    #[serde(rename = "type")]
    pub field_type: FieldType,
    pub label: String,
    /// Whether erasing a person blanks this field in a record that is kept. Always true for free text, which may contain
    /// names.
    pub personal: bool,
    #[serde(default)]
    required: bool,
    /// By type: characters of a text, options chosen (`min` only), or the value of a count.
    min: Option<usize>,
    max: Option<usize>,
    message: Option<String>,
    default: Option<Json>,
    #[serde(default)]
    pub options: Vec<FieldOption>,
    options_from: Option<OptionsFrom>,
    /// For subcategories: the field that holds their category.
    #[serde(rename = "of")]
    category_field: Option<String>,
    /// Required only if another field has at least this value.
    required_from: Option<RequiredFrom>,
    // Only the browser uses these.
    #[serde(default, rename = "hint")]
    _hint: IgnoredAny,
    #[serde(default, rename = "autocomplete")]
    _autocomplete: IgnoredAny,
    #[serde(default, rename = "inputMode")]
    _input_mode: IgnoredAny,
    /// The cached result of [`Field::column`].
    #[serde(skip)]
    column: OnceLock<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldOption {
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

/// The options that come from the event's content.
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
    /// The field's column in the database, in snake_case: `topic_proposal` for `topicProposal`.
    pub fn column(&self) -> &str {
        self.column.get_or_init(|| snake_case(&self.name))
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

/// `topic_proposal` for `topicProposal`.
pub fn snake_case(camel_case: &str) -> String {
    let mut snake = String::with_capacity(camel_case.len() + 4);
    for character in camel_case.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    serde_json::from_str(include_str!("rules.json")).expect("rules.json holds the rules of every form")
});

/// Serialises values by kind under the kinds' [`Form::summary_key`]s, for `#[serde(serialize_with)]`.
pub fn by_summary_key<T: Serialize, S: Serializer>(
    values: &BTreeMap<Kind, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(kind, value)| (&form(*kind).summary_key, value)))
}

/// The form of a kind.
pub fn form(kind: Kind) -> &'static Form {
    RULES.forms.iter().find(|form| form.kind == kind.as_str()).expect("rules.json has a form for every kind")
}
