//! The version of a registration, which its `ETag` carries: a save of an older one is refused.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Kind;
use crate::store::registrations;

pub use crate::model::Expected;

/// Bytes of the fingerprint in a version.
const BYTES: usize = 12;

/// A registration's version; empty when there is no such registration.
pub fn of(connection: &Connection, kind: Kind, id: i64) -> Result<String> {
    let fingerprint = registrations::fingerprint(connection, kind, id)?.unwrap_or_default();
    Ok(fingerprint.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect())
}

/// Checks within the transaction that changes a registration that it is the expected one.
///
/// # Errors
/// [`crate::error::Error::Changed`].
pub fn require(connection: &Connection, kind: Kind, id: i64, expected: &Expected) -> Result<()> {
    if *expected == Expected::Any {
        return Ok(());
    }
    let current = of(connection, kind, id)?;
    // The caller says what is missing.
    if current.is_empty() { Ok(()) } else { expected.require(&current) }
}
