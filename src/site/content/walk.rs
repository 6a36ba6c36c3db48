//! Finds values anywhere in the content by the name of their key: `sample` and `image`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::edit;
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

impl Content {
    /// The pictures that the content names, by dotted key. They may not exist in the database.
    pub fn images(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        visit(self, &mut |path, value| {
            if let Some(Value::String(name)) = value.get("image").filter(|name| *name != "") {
                found.insert(format!("{path}.image"), name.clone());
            }
        });
        found
    }

    /// The keys of the pictures of people, of their work and of the ceremony that are empty, and of the quotation. Visitors
    /// see a drawing there, or nothing. Somebody who is still to be announced needs no picture.
    pub fn empty_picture_places(&self) -> Vec<String> {
        let places = ["people.groups", "about.organisers", "competition.cards", "home.recognition"];
        let mut missing = Vec::new();
        visit(self, &mut |path, value| {
            let is_empty = value.get("image").is_some_and(|name| name == "");
            let is_announced = value.get("coming_soon") != Some(&Value::Bool(true));
            if is_empty && is_announced && places.iter().any(|place| path.starts_with(place)) {
                missing.push(format!("{path}.image"));
            }
        });
        if self.home.quote.is_none() {
            missing.push("home.quote".to_owned());
        }
        missing
    }

    /// The content as JSON for the pages, with every picture's name replaced by what `picture` returns for it. An empty
    /// name stays empty: the site then shows a drawing.
    ///
    /// # Errors
    /// None is expected: content is plain data.
    pub fn for_pages(&self, picture: &dyn Fn(&str) -> Value) -> serde_json::Result<Value> {
        let mut value = serde_json::to_value(self)?;
        replace_images(&mut value, picture);
        Ok(value)
    }
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
    descend(&edit::value(content), "", visitor);
}

fn descend(value: &Value, path: &str, visitor: Visitor<'_>) {
    visitor(path, value);
    match value {
        Value::Object(table) => {
            for (key, member) in table {
                descend(member, &dotted(path, key), visitor);
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
