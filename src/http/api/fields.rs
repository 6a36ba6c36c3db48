//! Reads single fields of a request's JSON, and flags of its query. `null` counts as absent; a wrong JSON type is an error.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::forms;

pub struct Fields(Map<String, Value>);

impl Fields {
    /// # Errors
    /// [`Error::Malformed`] when it is not an object.
    pub fn parse(body: &Value) -> Result<Fields> {
        let object = body.as_object().cloned();
        object.map(Fields).ok_or_else(Error::not_an_object)
    }

    pub fn text(&self, name: &str) -> Result<Option<String>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Error::wrong_type(name)),
        }
    }

    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(Error::wrong_type(name)),
        }
    }

    pub fn whole_number(&self, name: &str) -> Result<Option<i64>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => forms::whole_number(value).map(Some).ok_or_else(|| Error::wrong_type(name)),
        }
    }

    /// A list of texts; an absent one is empty.
    pub fn texts(&self, name: &str) -> Result<Vec<String>> {
        self.list(name, |item| item.as_str().map(str::to_owned))
    }

    /// A list whose items `read` converts; an absent one is empty.
    pub fn list<T>(&self, name: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>> {
        let list = match self.0.get(name) {
            None | Some(Value::Null) => Some(Vec::new()),
            Some(Value::Array(items)) => items.iter().map(read).collect(),
            Some(_) => None,
        };
        list.ok_or_else(|| Error::wrong_type(name))
    }
}

/// A flag of the query: `true` or `false`; absent and empty mean false.
pub fn query_flag(query: &HashMap<String, String>, name: &str) -> Result<bool> {
    match query.get(name).map_or("", String::as_str) {
        "true" => Ok(true),
        "false" | "" => Ok(false),
        _ => Err(Error::Malformed(format!("{name} must be true or false."))),
    }
}
