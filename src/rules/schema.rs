//! A form as a JSON Schema, for the description of the API. What depends on other fields or on the
//! event's content (subcategories, extra categories) is not in it: the server says so in its 422.

use serde_json::{Map, Value, json};

use super::{Field, Form, Shape};

impl Form {
    /// What may be sent; lengths count code points after trimming.
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
        let mut schema = match self.shape {
            Shape::Text | Shape::LongText | Shape::Phone | Shape::Handle | Shape::Choice => {
                json!({ "type": "string" })
            }
            Shape::Email => json!({ "type": "string", "format": "email" }),
            Shape::Url => json!({ "type": "string", "format": "uri" }),
            Shape::Choices => json!({ "type": "array", "items": { "type": "string" } }),
            Shape::Consent => json!({ "const": true }),
            Shape::Flag => json!({ "type": "boolean" }),
            Shape::Count => json!({ "type": "integer", "minimum": 0 }),
        };
        schema["title"] = self.label.as_str().into();
        let is_text = schema["type"] == "string";
        if is_text && !self.options.is_empty() {
            schema["enum"] = self.options.iter().map(|option| option.value.as_str()).collect();
        } else if self.shape == Shape::Choices {
            schema["items"]["enum"] = self.options.iter().map(|option| option.value.as_str()).collect();
        }
        for (name, value) in [("minLength", self.min), ("maxLength", self.max)] {
            if let (true, Some(value)) = (is_text, value) {
                schema[name] = value.into();
            }
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
