//! Converts a form to a JSON Schema for the API's description. Left out on purpose: rules that depend on other fields or
//! on the event's content (subcategories, additional categories). The server reports those with 422.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::check::MAX_LONG_TEXT;
use super::{Field, FieldType, Form, RULES};

impl Form {
    /// The form's schema. Lengths apply after trimming, so they are in the patterns: a longer text may be valid, which
    /// `maxLength` would refuse. `minLength` holds before trimming too.
    pub fn schema(&self) -> Value {
        let properties: Map<String, Value> =
            self.fields().map(|field| (field.name.clone(), field.schema())).collect();
        let required: Vec<&str> =
            self.fields().filter(|field| field.must_be_sent()).map(|field| field.name.as_str()).collect();
        json!({ "type": "object", "title": self.name, "properties": properties, "required": required })
    }
}

impl Field {
    fn must_be_sent(&self) -> bool {
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
            let min = self.min.unwrap_or(usize::from(self.required));
            let max = self.max_length();
            if min > 0 {
                schema["minLength"] = min.into();
            }
            schema["description"] = format!("{min} to {max} characters, trimmed.").into();
            match self.field_type {
                FieldType::Email => {}
                FieldType::Url => {
                    schema["anyOf"] = json!([{ "format": "uri", "pattern": URL }, { "maxLength": 0 }]);
                }
                _ => schema["pattern"] = text_pattern(min, max, self.field_type).into(),
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
        if !self.must_be_sent()
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

/// The schema of a long text that is not in a form, as [`super::free_text`] accepts it.
pub fn free_text_schema() -> Value {
    json!({
        "type": ["string", "null"],
        "description": format!("At most {MAX_LONG_TEXT} characters, trimmed."),
        "pattern": text_pattern(0, MAX_LONG_TEXT, FieldType::LongText),
    })
}

/// Unicode's white space, which is trimmed, for a character class.
const WHITE_SPACE: &str = r"\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// An absolute web address without a user name.
const URL: &str = "^[hH][tT][tT][pP][sS]?://[^/?#@]+([/?#].*)?$";

/// The pattern of a text that has `min` to `max` characters after trimming and no control or hidden characters. Invisible
/// marks at both ends are trimmed; elsewhere they are hidden characters. The rules for joiners, variation selectors and
/// removed marks are left out, because nobody could read that pattern.
fn text_pattern(min: usize, max: usize, field_type: FieldType) -> String {
    let refused: String = RULES.hidden_characters.ranges().iter().map(class_range).collect();
    let controls = match field_type {
        FieldType::LongText => r"\u0000-\u0008\u000b\u000c\u000e-\u001f",
        _ => r"\u0000-\u001f",
    };
    let inner = format!(r"[^{controls}\u007f-\u009f{refused}]");
    let outer = format!(r"[^\u0000-\u001f\u007f-\u009f{refused}{WHITE_SPACE}]");
    let trimmed_marks: String = RULES.invisible_marks.ranges().iter().map(class_range).collect();
    let trimmed = format!("[{WHITE_SPACE}{trimmed_marks}]*");
    let text = match min {
        0 | 1 => format!("{outer}({inner}{{0,{}}}{outer})?", max - 2),
        min => format!("{outer}{inner}{{{},{}}}{outer}", min - 2, max - 2),
    };
    match min {
        0 => format!("^{trimmed}({text}{trimmed})?$"),
        _ => format!("^{trimmed}{text}{trimmed}$"),
    }
}

/// A range in a character class. `\uXXXX` works in every dialect of regular expressions; a code point of more than four
/// hexadecimal digits has no such escape and is written as it is.
fn class_range(range: &RangeInclusive<char>) -> String {
    let escaped = |character: char| match u32::from(character) {
        code @ 0..=0xffff => format!("\\u{code:04x}"),
        _ => character.to_string(),
    };
    let (first, last) = (escaped(*range.start()), escaped(*range.end()));
    if first == last { first } else { format!("{first}-{last}") }
}
