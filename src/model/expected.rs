//! The condition of a change: which version it is based on.

use crate::error::{Error, Result};

/// What a caller expects to change: the versions of its `If-Match`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Expected {
    /// No condition.
    #[default]
    Any,
    OneOf(Vec<String>),
}

impl Expected {
    /// Fails with [`Error::Changed`] if the current version is another one.
    pub fn require(&self, current: &str) -> Result<()> {
        match self {
            Expected::OneOf(versions) if versions.iter().all(|version| version != current) => {
                Err(Error::Changed)
            }
            Expected::Any | Expected::OneOf(_) => Ok(()),
        }
    }
}
