//! The rubric of a subcategory: the content's until the first score, the locked one from then on.

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::site::content::Content;
use crate::site::content::edit::as_in_file;
use crate::site::content::model::judging::Rubric;
use crate::store::judging::categories::Category;

/// The length of a version, in hexadecimal digits.
const VERSION_LENGTH: usize = 12;

/// A rubric in force.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RubricInForce"))]
pub struct InForce {
    #[serde(skip)]
    pub rubric: Rubric,
    #[serde(rename = "rubricVersion")]
    pub version: String,
    #[serde(rename = "rubricLocked")]
    pub is_locked: bool,
}

impl InForce {
    /// The JSON that is stored when the rubric is locked.
    pub fn json(&self) -> String {
        json(&self.rubric)
    }

    /// The keys of criteria without points.
    pub fn missing<'a>(&'a self, sheet: &'a super::sheet_values::Values) -> impl Iterator<Item = &'a str> {
        let keys = self.rubric.criteria.iter().map(|criterion| criterion.key.as_str());
        keys.filter(|key| !sheet.points.contains_key(*key))
    }
}

/// The rubric of a subcategory, locked or of the content; [`Error::NotFound`] if it is not judged.
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

/// A rubric is stored with the keys of the JSON for the pages, such as `subCategory`, and read with those of the content file.
fn parse(json: &str) -> Result<Rubric> {
    serde_json::from_str(json)
        .and_then(|value| serde_json::from_value(as_in_file(value)))
        .map_err(|error| Error::Internal(format!("a locked rubric: {error}")))
}

fn json(rubric: &Rubric) -> String {
    serde_json::json!(rubric).to_string()
}

fn version(rubric: &Rubric) -> String {
    hex::encode(Sha256::digest(json(rubric)))[..VERSION_LENGTH].to_owned()
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
