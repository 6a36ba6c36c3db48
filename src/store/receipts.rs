//! Links to the receipts of entries, and what entrants added to them for the accountant.

use rusqlite::Connection;
use serde::Serialize;

use crate::error::Result;
use crate::model::EntryId;
use crate::store::query::{execute, from_row, query_optional};

/// What an entrant added to the receipt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    pub business_name: Option<String>,
    pub address: Option<String>,
    pub tax_id: Option<String>,
}

from_row!(Details: business_name, address, tax_id);

pub fn insert_link(connection: &Connection, entry_id: EntryId, token_hash: &[u8], at: &str) -> Result<()> {
    let sql = "insert into receipt_links (token_hash, entry_id, created_at) values (?, ?, ?)";
    execute(connection, sql, (token_hash, entry_id, at))
}

/// The entry of a link.
pub fn entry_of(connection: &Connection, token_hash: &[u8]) -> Result<Option<EntryId>> {
    let sql = "select entry_id from receipt_links where token_hash = ?";
    query_optional(connection, sql, [token_hash], |row| row.get(0))
}

pub fn details(connection: &Connection, entry_id: EntryId) -> Result<Details> {
    let sql = "select business_name, address, tax_id from receipt_details where entry_id = ?";
    Ok(query_optional(connection, sql, [entry_id], Details::from_row)?.unwrap_or_default())
}

pub fn set_details(connection: &Connection, entry_id: EntryId, details: &Details, at: &str) -> Result<()> {
    let sql = "insert into receipt_details (entry_id, business_name, address, tax_id, changed_at) values (?, ?, ?, ?, ?)
         on conflict (entry_id) do update set business_name = excluded.business_name, address = excluded.address,
             tax_id = excluded.tax_id, changed_at = excluded.changed_at";
    execute(connection, sql, (entry_id, &details.business_name, &details.address, &details.tax_id, at))
}

/// Removes the links and the details of an entry whose person is erased.
pub fn forget(connection: &Connection, entry_id: EntryId) -> Result<()> {
    connection.execute("delete from receipt_links where entry_id = ?", [entry_id])?;
    execute(connection, "delete from receipt_details where entry_id = ?", [entry_id])
}
