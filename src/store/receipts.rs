//! Links to the receipts of entries, and what entrants added to them for the accountant.

use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;

use crate::error::Result;
use crate::model::EntryId;

/// What an entrant added to her receipt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    pub business_name: Option<String>,
    pub address: Option<String>,
    pub tax_id: Option<String>,
}

pub fn insert_link(connection: &Connection, entry_id: EntryId, token_hash: &[u8], at: &str) -> Result<()> {
    connection
        .prepare_cached("insert into receipt_links (token_hash, entry_id, created_at) values (?, ?, ?)")?
        .execute((token_hash, entry_id, at))?;
    Ok(())
}

/// The entry of a link.
pub fn entry_of(connection: &Connection, token_hash: &[u8]) -> Result<Option<EntryId>> {
    let sql = "select entry_id from receipt_links where token_hash = ?";
    Ok(connection.prepare_cached(sql)?.query_row([token_hash], |row| row.get(0)).optional()?)
}

pub fn details(connection: &Connection, entry_id: EntryId) -> Result<Details> {
    let sql = "select business_name, address, tax_id from receipt_details where entry_id = ?";
    let details = connection.prepare_cached(sql)?.query_row([entry_id], |row| {
        Ok(Details { business_name: row.get(0)?, address: row.get(1)?, tax_id: row.get(2)? })
    });
    Ok(details.optional()?.unwrap_or_default())
}

pub fn set_details(connection: &Connection, entry_id: EntryId, details: &Details, at: &str) -> Result<()> {
    connection.execute(
        "insert into receipt_details (entry_id, business_name, address, tax_id, changed_at) values (?, ?, ?, ?, ?)
         on conflict (entry_id) do update set business_name = excluded.business_name, address = excluded.address,
             tax_id = excluded.tax_id, changed_at = excluded.changed_at",
        (entry_id, &details.business_name, &details.address, &details.tax_id, at),
    )?;
    Ok(())
}

/// Removes the links and the details of an entry whose person is erased.
pub fn forget(connection: &Connection, entry_id: EntryId) -> Result<()> {
    connection.execute("delete from receipt_links where entry_id = ?", [entry_id])?;
    connection.execute("delete from receipt_details where entry_id = ?", [entry_id])?;
    Ok(())
}
