//! The version of a registration, which its `ETag` carries: a save of an older one is refused.

use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::model::Kind;
use crate::store::registrations;

/// Bytes of the fingerprint in a version.
const BYTES: usize = 12;

/// What a caller expects to change: the versions of its `If-Match`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Expected {
    /// No condition.
    #[default]
    Any,
    OneOf(Vec<String>),
}

/// A registration's version; empty when there is no such registration.
pub fn of(connection: &Connection, kind: Kind, id: i64) -> Result<String> {
    let fingerprint = registrations::fingerprint(connection, kind, id)?.unwrap_or_default();
    Ok(fingerprint.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect())
}

/// Checks within the transaction that changes a registration that it is the expected one.
///
/// # Errors
/// [`Error::Changed`].
pub fn require(connection: &Connection, kind: Kind, id: i64, expected: &Expected) -> Result<()> {
    let Expected::OneOf(versions) = expected else { return Ok(()) };
    let current = of(connection, kind, id)?;
    // The caller says what is missing.
    if current.is_empty() || versions.contains(&current) { Ok(()) } else { Err(Error::Changed) }
}
