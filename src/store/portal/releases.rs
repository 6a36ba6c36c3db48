//! Releases: what the model of a nomination has signed.

use rusqlite::Connection;

use crate::error::Result;
use crate::store::query::{execute, from_row, query_optional};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    pub nomination_id: i64,
    /// Part of the link that the model opens.
    pub key: String,
    pub signed_at: Option<String>,
    /// See [`Signature::confirmed_by`].
    pub confirmed_by: Option<String>,
    /// The model's.
    pub name: Option<String>,
    pub adult: Option<bool>,
    pub guardian: Option<String>,
}

from_row!(COLUMNS for Release: nomination_id, key, signed_at, confirmed_by, name, adult, guardian);

/// What the model filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signature {
    /// The version and the text that the model read.
    pub version: String,
    pub text: String,
    pub name: String,
    pub adult: bool,
    pub guardian: Option<String>,
    /// The typed text, or the drawn signature as SVG path data.
    pub mark: String,
    /// The organiser who confirmed it from the photo of a paper. Version, text and mark are then empty.
    pub confirmed_by: Option<String>,
}

impl Signature {
    pub fn is_on_paper(&self) -> bool {
        self.confirmed_by.is_some()
    }
}

/// Stores the key of a nomination's release, unless it has one.
pub fn insert(connection: &Connection, nomination_id: i64, key: &str) -> Result<()> {
    let sql =
        "insert into releases (nomination_id, key) values (?, ?) on conflict (nomination_id) do nothing";
    execute(connection, sql, (nomination_id, key))
}

pub fn of_nomination(connection: &Connection, nomination_id: i64) -> Result<Option<Release>> {
    let sql = format!("select {COLUMNS} from releases where nomination_id = ?");
    query_optional(connection, &sql, [nomination_id], Release::from_row)
}

pub fn by_key(connection: &Connection, key: &str) -> Result<Option<Release>> {
    let sql = format!("select {COLUMNS} from releases where key = ?");
    query_optional(connection, &sql, [key], Release::from_row)
}

/// Signs a release; `false` if it was signed before, which changes nothing.
pub fn sign(connection: &Connection, key: &str, signature: &Signature, at: &str) -> Result<bool> {
    let changed = connection.execute(
        "update releases set signed_at = ?2, version = ?3, text = ?4, name = ?5, adult = ?6, guardian = ?7, signature = ?8,
             confirmed_by = ?9
         where key = ?1 and signed_at is null",
        (
            key,
            at,
            &signature.version,
            &signature.text,
            &signature.name,
            signature.adult,
            &signature.guardian,
            &signature.mark,
            &signature.confirmed_by,
        ),
    )?;
    Ok(changed == 1)
}

/// Deletes what was signed on a phone, or confirmed from a paper, so that it can be signed again.
pub fn clear(connection: &Connection, nomination_id: i64) -> Result<()> {
    let sql = "update releases set signed_at = null, version = null, text = null, name = null, adult = null, guardian = null,
             signature = null, confirmed_by = null
         where nomination_id = ?";
    execute(connection, sql, [nomination_id])
}

/// A signed release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedRelease {
    pub signed_at: String,
    pub signature: Signature,
}

/// The release of a nomination, if it is signed.
pub fn signed(connection: &Connection, nomination_id: i64) -> Result<Option<SignedRelease>> {
    let sql = "select signed_at, version, text, name, adult, guardian, signature, confirmed_by
         from releases where nomination_id = ? and signed_at is not null";
    query_optional(connection, sql, [nomination_id], |row| {
        let signature = Signature {
            version: row.get(1)?,
            text: row.get(2)?,
            name: row.get(3)?,
            adult: row.get(4)?,
            guardian: row.get(5)?,
            mark: row.get(6)?,
            confirmed_by: row.get(7)?,
        };
        Ok(SignedRelease { signed_at: row.get(0)?, signature })
    })
}
