//! Changes single values of a content file: by path, with the comments and the order of the file kept. Left out: drafts
//! and who has saved them (`site::draft`), and the rules for values (`check`).

mod change;
mod diff;
mod path;
mod write;

pub use change::{Change, Operation, apply};
pub use diff::{Difference, DifferenceKind, differences};
pub use path::{Path, Step};
pub use write::write;

use serde_json::{Map, Value};

use super::model::Content;
use crate::forms::snake_case;

/// The content as a value with the keys of the file. What is not set is absent.
pub fn value(content: &Content) -> Value {
    as_in_file(serde_json::to_value(content).expect("content is plain data with text keys"))
}

/// A value of JSON with the keys of the file and without nulls.
pub fn as_in_file(value: Value) -> Value {
    match value {
        Value::Object(table) => {
            let members = table.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(members.map(|(key, value)| (snake_case(&key), as_in_file(value))).collect())
        }
        Value::Array(members) => Value::Array(members.into_iter().map(as_in_file).collect()),
        value => value,
    }
}

/// A value with the keys of JSON.
pub fn as_in_json(value: &Value) -> Value {
    match value {
        Value::Object(table) => {
            let members: Map<String, Value> =
                table.iter().map(|(key, value)| (path::camel_case(key), as_in_json(value))).collect();
            Value::Object(members)
        }
        Value::Array(members) => Value::Array(members.iter().map(as_in_json).collect()),
        value => value.clone(),
    }
}

/// The value at a path; null if there is none.
pub fn at<'a>(content: &'a Value, path: &Path) -> &'a Value {
    path.steps().iter().fold(content, |value, step| match step {
        Step::Key(key) => value.get(key).unwrap_or(&Value::Null),
        Step::Index(index) => value.get(index).unwrap_or(&Value::Null),
    })
}
