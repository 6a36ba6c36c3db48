//! A registration whose values have passed the rules of its form.

use serde_json::Value as Json;

use super::{EmailAddress, Field, form, instagram, phone};
use crate::model::Kind;

/// The value of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Missing,
    Text(String),
    List(Vec<String>),
    Flag(bool),
    Count(i64),
}

impl Value {
    /// As a request's JSON has it.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Missing => Json::Null,
            Value::Text(text) => text.as_str().into(),
            Value::List(items) => items.clone().into(),
            Value::Flag(flag) => (*flag).into(),
            Value::Count(count) => (*count).into(),
        }
    }
}

/// A registration with one value per field, in the order of its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub(super) kind: Kind,
    pub(super) values: Vec<Value>,
}

impl Record {
    /// A record from the database. It passed the rules that applied when it was stored.
    pub fn from_store(kind: Kind, values: Vec<Value>) -> Record {
        Record { kind, values }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Every field with its value.
    pub fn fields(&self) -> impl Iterator<Item = (&'static Field, &Value)> {
        form(self.kind).fields().zip(&self.values)
    }

    /// The text of a field; empty if it is missing or not a text.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The number in a count field; 0 if it is missing.
    pub fn count(&self, name: &str) -> u8 {
        match self.get(name) {
            Some(Value::Count(count)) => u8::try_from(*count).unwrap_or_default(),
            _ => 0,
        }
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Value::Flag(true)))
    }

    /// Clears an optional field.
    pub fn clear(&mut self, name: &str) {
        if let Some(index) = form(self.kind).fields().position(|field| field.name == name) {
            self.values[index] = Value::Missing;
        }
    }

    /// Replaces the text of a field.
    pub fn set_text(&mut self, name: &str, text: &str) {
        if let Some(index) = form(self.kind).fields().position(|field| field.name == name) {
            self.values[index] = Value::Text(text.to_owned());
        }
    }

    /// The name and the email address to write to.
    pub fn person(&self) -> (&str, &str) {
        let name = ["name", "contactName", "company"]
            .into_iter()
            .map(|field| self.text(field))
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        (name, self.text("email"))
    }

    pub fn email(&self) -> EmailAddress {
        EmailAddress::of_record(self.text("email"))
    }

    /// The name of a person; empty if only a company is known.
    pub fn person_name(&self) -> &str {
        if self.text("name").is_empty() { self.text("contactName") } else { self.text("name") }
    }

    /// The phone number in E.164 format, if it is unambiguous.
    pub fn phone(&self) -> Option<String> {
        phone(self.text("phone"))
    }

    /// The Instagram name as `@name`, if it is unambiguous.
    pub fn instagram(&self) -> Option<String> {
        instagram(self.text("instagram"))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }
}
