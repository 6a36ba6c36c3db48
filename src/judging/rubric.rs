//! The rubric of a subcategory: the content's until the first score, the locked one from then on.

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::site::content::Content;
use crate::site::content::model::judging::Rubric;
use crate::store::judging::categories::Category;

/// The length of a version, in hexadecimal digits.
const VERSION: usize = 12;

/// A rubric in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InForce {
    pub rubric: Rubric,
    pub version: String,
    pub is_locked: bool,
}

impl InForce {
    /// The JSON that is stored when the rubric is locked.
    pub fn json(&self) -> String {
        json(&self.rubric)
    }

    /// The keys of criteria without points.
    pub fn missing<'a>(&'a self, sheet: &'a super::sheet::Values) -> impl Iterator<Item = &'a str> {
        let keys = self.rubric.criteria.iter().map(|criterion| criterion.key.as_str());
        keys.filter(|key| !sheet.points.contains_key(*key))
    }
}

/// # Errors
/// [`Error::NotFound`]: the subcategory is not judged.
pub fn in_force(
    content: &Content,
    stored: Option<&Category>,
    category: &str,
    sub_category: &str,
) -> Result<InForce> {
    let locked = stored.and_then(|stored| Some((stored.rubric.as_deref()?, stored.rubric_version.clone()?)));
    if let Some((rubric, version)) = locked {
        let rubric = parse(rubric)?;
        return Ok(InForce { rubric, version, is_locked: true });
    }
    let rubric = content.judging.rubric(category, sub_category).ok_or_else(unknown)?.clone();
    Ok(InForce { version: version(&rubric), rubric, is_locked: false })
}

fn parse(json: &str) -> Result<Rubric> {
    serde_json::from_str::<Stored>(json)
        .map(|stored| stored.0)
        .map_err(|error| Error::Internal(format!("a locked rubric: {error}")))
}

/// A rubric is stored with the keys of the JSON for the pages, and read with those of the content.
struct Stored(Rubric);

impl<'de> serde::Deserialize<'de> for Stored {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        use serde::de::Error as _;
        let value = serde_json::Value::deserialize(deserializer)?;
        serde_json::from_value(snake_case(value)).map(Stored).map_err(D::Error::custom)
    }
}

fn snake_case(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(table) => {
            Value::Object(table.into_iter().map(|(key, value)| (snake(&key), snake_case(value))).collect())
        }
        Value::Array(members) => Value::Array(members.into_iter().map(snake_case).collect()),
        other => other,
    }
}

fn snake(key: &str) -> String {
    let mut snake = String::new();
    for character in key.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

fn json(rubric: &Rubric) -> String {
    serde_json::json!(rubric).to_string()
}

fn version(rubric: &Rubric) -> String {
    hex::encode(Sha256::digest(json(rubric)))[..VERSION].to_owned()
}

pub(super) fn unknown() -> Error {
    Error::NotFound("There is no such competition, or it is not judged.".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locked_rubric_is_read_as_it_was() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        assert_eq!(content.judging.rubrics.len(), 8);
        for rubric in &content.judging.rubrics {
            assert_eq!(&parse(&json(rubric)).expect("a rubric"), rubric);
            assert_eq!(rubric.criteria.iter().map(|criterion| criterion.max).sum::<u32>(), 100);
        }
    }
}
