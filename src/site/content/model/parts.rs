//! The small shapes that many sections share.

use serde::{Deserialize, Serialize};

/// A button or a link: `/path` on this site, `https://...`, or `mailto:...`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Link {
    pub label: String,
    pub href: String,
}

/// A heading with its text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Item {
    pub title: String,
    pub text: String,
}

/// A heading with a list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Points {
    pub title: String,
    pub points: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Card {
    pub title: String,
    pub text: String,
    pub link: Link,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Closing {
    pub title: String,
    pub text: String,
    pub buttons: Vec<Link>,
}
