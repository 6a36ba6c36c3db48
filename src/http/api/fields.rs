//! The fields of a request's JSON: absent and null are the same, another JSON type is a mistake. And the flags of a
//! query.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::forms;

pub struct Fields(Map<String, Value>);

impl Fields {
    /// # Errors
    /// [`Error::Malformed`] when it is not an object.
    pub fn of(body: &Value) -> Result<Fields> {
        let object = body.as_object().cloned();
        object.map(Fields).ok_or_else(|| Error::Malformed("Please send one JSON object.".into()))
    }

    /// # Errors
    /// [`Error::Malformed`] when it is there and no text.
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Error::wrong_type(name)),
        }
    }

    /// # Errors
    /// [`Error::Malformed`] when it is there and neither true nor false.
    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(Error::wrong_type(name)),
        }
    }

    /// # Errors
    /// [`Error::Malformed`] when it is there and not a whole number.
    pub fn whole_number(&self, name: &str) -> Result<Option<i64>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => forms::whole_number(value).map(Some).ok_or_else(|| Error::wrong_type(name)),
        }
    }
}

/// Whether a query's flag is set: `true` or `false`; absent and empty are false.
///
/// # Errors
/// [`Error::Malformed`] when it is another word.
pub fn asks_for(query: &HashMap<String, String>, name: &str) -> Result<bool> {
    match query.get(name).map_or("", String::as_str) {
        "true" => Ok(true),
        "false" | "" => Ok(false),
        _ => Err(Error::Malformed(format!("{name} is true or false."))),
    }
}
