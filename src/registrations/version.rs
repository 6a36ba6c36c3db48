//! The version of a registration, which is its `ETag`. A change that is based on an older version is refused.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Kind;
use crate::store::registrations;

pub use crate::model::Expected;

/// The number of bytes of the fingerprint that a version has.
const BYTES: usize = 12;

/// A registration's version; empty when there is no such registration.
pub fn current(connection: &Connection, kind: Kind, id: i64) -> Result<String> {
    let fingerprint = registrations::fingerprint(connection, kind, id)?.unwrap_or_default();
    Ok(fingerprint.iter().take(BYTES).map(|byte| format!("{byte:02x}")).collect())
}

/// Checks that a registration still has the expected version. Call it within the transaction that changes it.
///
/// # Errors
/// [`crate::error::Error::Changed`] if it has another version.
pub fn require(connection: &Connection, kind: Kind, id: i64, expected: &Expected) -> Result<()> {
    if *expected == Expected::Any {
        return Ok(());
    }
    let current = current(connection, kind, id)?;
    // There is no such registration: the caller reports that.
    if current.is_empty() { Ok(()) } else { expected.require(&current) }
}
