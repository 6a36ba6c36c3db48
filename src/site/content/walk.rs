//! Finds values anywhere in the content by the name of their key: `sample` and `image`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::edit::snake_case;
use super::model::Content;
use super::source::dotted;

/// The dotted keys of every table with `sample = true`.
pub(super) fn samples(content: &Content) -> Vec<String> {
    let mut found = Vec::new();
    visit(content, &mut |path, value| {
        if value.get("sample") == Some(&Value::Bool(true)) {
            found.push(path.to_owned());
        }
    });
    found
}

/// The names of all pictures, by the dotted key that has them.
pub(super) fn images(content: &Content) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    visit(content, &mut |path, value| {
        if let Some(Value::String(name)) = value.get("image").filter(|name| *name != "") {
            found.insert(format!("{path}.image"), name.clone());
        }
    });
    found
}

/// All texts by their dotted key.
pub(super) fn texts(content: &Content) -> Vec<(String, String)> {
    let mut found = Vec::new();
    visit(content, &mut |path, value| {
        if let Value::String(text) = value {
            found.push((path.to_owned(), text.clone()));
        }
    });
    found
}

/// The content as JSON, with every picture's name replaced by what `picture` returns for it. An empty name stays empty:
/// the site then shows a drawing.
pub(super) fn with_images(content: &Content, picture: &dyn Fn(&str) -> Value) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(content)?;
    replace_images(&mut value, picture);
    Ok(value)
}

fn replace_images(value: &mut Value, picture: &dyn Fn(&str) -> Value) {
    match value {
        Value::Object(table) => {
            for (key, member) in table {
                match member {
                    Value::String(name) if key == "image" && !name.is_empty() => *member = picture(name),
                    _ => replace_images(member, picture),
                }
            }
        }
        Value::Array(members) => members.iter_mut().for_each(|member| replace_images(member, picture)),
        _ => {}
    }
}

/// Called with every value, after the table or list that it is in, and with its dotted key.
type Visitor<'a> = &'a mut dyn FnMut(&str, &Value);

fn visit(content: &Content, visitor: Visitor<'_>) {
    // Never fails: content is plain data with text keys.
    if let Ok(value) = serde_json::to_value(content) {
        descend(&value, "", visitor);
    }
}

fn descend(value: &Value, path: &str, visitor: Visitor<'_>) {
    visitor(path, value);
    match value {
        Value::Object(table) => {
            for (key, member) in table {
                descend(member, &dotted(path, &snake_case(key)), visitor);
            }
        }
        Value::Array(members) => {
            for (index, member) in members.iter().enumerate() {
                descend(member, &format!("{path}[{index}]"), visitor);
            }
        }
        _ => {}
    }
}
