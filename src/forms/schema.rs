//! A form as a JSON Schema, for the description of the API. What depends on other fields or on the
//! event's content (subcategories, extra categories) is not in it: the server says so in its 422.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::check::{LONG, SHORT};
use super::{Field, FieldType, Form, RULES};

impl Form {
    /// What may be sent. Lengths count code points after trimming, so the patterns have them; `maxLength` would not be true.
    pub fn schema(&self) -> Value {
        let properties: Map<String, Value> =
            self.fields().map(|field| (field.name.clone(), field.schema())).collect();
        let required: Vec<&str> =
            self.fields().filter(|field| field.is_asked_for()).map(|field| field.name.as_str()).collect();
        json!({ "type": "object", "title": self.name, "properties": properties, "required": required })
    }
}

impl Field {
    fn is_asked_for(&self) -> bool {
        self.required && self.default.is_none() && self.required_from.is_none()
    }

    fn schema(&self) -> Value {
        let mut schema = match self.field_type {
            FieldType::Text
            | FieldType::LongText
            | FieldType::Phone
            | FieldType::Handle
            | FieldType::Choice => {
                json!({ "type": "string" })
            }
            FieldType::Email => json!({ "type": "string", "format": "email" }),
            FieldType::Url => json!({ "type": "string" }),
            FieldType::Choices => json!({ "type": "array", "items": { "type": "string" } }),
            FieldType::Consent => json!({ "const": true }),
            FieldType::Flag => json!({ "type": "boolean" }),
            FieldType::Count => json!({ "type": "integer", "minimum": 0 }),
        };
        schema["title"] = self.label.as_str().into();
        let is_text = schema["type"] == "string";
        if is_text && !self.options.is_empty() {
            schema["enum"] = self.options.iter().map(|option| option.value.as_str()).collect();
        } else if self.field_type == FieldType::Choices {
            schema["items"]["enum"] = self.options.iter().map(|option| option.value.as_str()).collect();
        }
        if is_text && self.field_type != FieldType::Choice {
            let is_long = self.field_type == FieldType::LongText;
            let least = self.min.unwrap_or(usize::from(self.required));
            let most = self.max.unwrap_or(if is_long { LONG } else { SHORT });
            if least > 0 {
                schema["minLength"] = least.into();
            }
            schema["description"] = format!("{least} to {most} characters, trimmed.").into();
            match self.field_type {
                FieldType::Email => {}
                FieldType::Url => {
                    schema["anyOf"] = json!([{ "format": "uri", "pattern": URL }, { "maxLength": 0 }])
                }
                _ => schema["pattern"] = text_pattern(least, most, is_long).into(),
            }
        }
        if self.field_type == FieldType::Choices {
            schema["minItems"] = self.min.unwrap_or(usize::from(self.required)).into();
            schema["uniqueItems"] = true.into();
        }
        if let (FieldType::Count, Some(max)) = (self.field_type, self.max) {
            schema["maximum"] = max.into();
        }
        if let Some(default) = &self.default {
            schema["default"] = default.clone();
        }
        if !self.is_asked_for()
            && let Value::String(kind) = &schema["type"]
        {
            schema["type"] = json!([kind, "null"]);
            if let Some(Value::Array(options)) = schema.get_mut("enum") {
                options.push(Value::Null);
            }
        }
        schema
    }
}

/// A long text that is in no form, as [`super::free_text`] takes it.
pub fn free_text_schema() -> Value {
    json!({
        "type": ["string", "null"],
        "description": format!("At most {LONG} characters, trimmed."),
        "pattern": text_pattern(0, LONG, true),
    })
}

/// Unicode's white space, which is trimmed, as part of a class of characters.
const WHITE_SPACE: &str = r"\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// An absolute web address without a user name.
const URL: &str = "^[hH][tT][tT][pP][sS]?://[^/?#@]+([/?#].*)?$";

/// A text that has so many characters when it is trimmed, without control and hidden characters. Where a
/// joiner or a variation selector may stand, and which marks are dropped in the middle, is left out: a pattern that
/// said so would be no help to a reader.
fn text_pattern(least: usize, most: usize, breaks_lines: bool) -> String {
    let hidden: String = RULES.hidden_characters.ranges().iter().map(class_range).collect();
    let controls = if breaks_lines { r"\u0000-\u0008\u000b\u000c\u000e-\u001f" } else { r"\u0000-\u001f" };
    let inner = format!(r"[^{controls}\u007f-\u009f{hidden}]");
    let outer = format!(r"[^\u0000-\u001f\u007f-\u009f{hidden}{WHITE_SPACE}]");
    let marks: String = RULES.invisible_marks.ranges().iter().map(class_range).collect();
    let trimmed = format!("[{WHITE_SPACE}{marks}]*");
    let text = match least {
        0 | 1 => format!("{outer}({inner}{{0,{}}}{outer})?", most - 2),
        least => format!("{outer}{inner}{{{},{}}}{outer}", least - 2, most - 2),
    };
    match least {
        0 => format!("^{trimmed}({text}{trimmed})?$"),
        _ => format!("^{trimmed}{text}{trimmed}$"),
    }
}

/// Escaped as every dialect of regular expressions reads it; beyond four digits there is no such escape.
fn class_range(range: &RangeInclusive<char>) -> String {
    let escaped = |character: char| match u32::from(character) {
        code @ 0..=0xffff => format!("\\u{code:04x}"),
        _ => character.to_string(),
    };
    let (first, last) = (escaped(*range.start()), escaped(*range.end()));
    if first == last { first } else { format!("{first}-{last}") }
}
