//! Ids that amounts of money travel with, as types of their own, so that the compiler finds a mix-up.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Kind, stored_as};

/// The id of a competition entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct EntryId(pub i64);

impl EntryId {
    /// The entry among registrations of all kinds.
    pub fn registration(self) -> (Kind, i64) {
        (Kind::CompetitionEntries, self.0)
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

stored_as!(EntryId, i64);

/// The payment provider's id of a payment intent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(transparent)]
pub struct IntentId(pub String);

impl IntentId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IntentId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

stored_as!(IntentId, String);
