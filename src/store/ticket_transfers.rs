//! Transfers of tickets: the holder of an entry's ticket offers it to somebody else, who accepts by a link.

use rusqlite::Connection;

use super::registrations::person::ERASED;
use crate::error::Result;
use crate::model::{Actor, TransferState};
use crate::store::query::{execute, from_row, query_all, query_optional};

/// An offer of a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    pub id: i64,
    pub created_at: String,
    pub entry_id: i64,
    pub state: TransferState,
    pub name: String,
    pub email: String,
    pub answered_at: Option<String>,
}

from_row!(COLUMNS for Transfer: id, created_at, entry_id, state, name, email, answered_at);

/// Stores an offer; an open offer of the same entry is replaced.
pub fn offer(
    connection: &Connection,
    actor: &Actor,
    entry_id: i64,
    (name, email): (&str, &str),
    token_hash: &[u8],
    at: &str,
) -> Result<i64> {
    withdraw_offer(connection, entry_id)?;
    let sql = "insert into ticket_transfers (created_at, actor, entry_id, name, email, token_hash) values (?, ?, ?, ?, ?, ?)";
    Ok(connection.prepare_cached(sql)?.insert((at, actor, entry_id, name, email, token_hash))?)
}

/// Ends the open offer of an entry, whose link then no longer works. Returns whether there was one.
pub fn withdraw_offer(connection: &Connection, entry_id: i64) -> Result<bool> {
    let ended = connection.execute(
        "update ticket_transfers set state = ?2, token_hash = null where entry_id = ?1 and state = ?3",
        (entry_id, TransferState::Replaced, TransferState::Offered),
    )?;
    Ok(ended > 0)
}

/// The newest offer of an entry in this state.
pub fn newest(connection: &Connection, entry_id: i64, state: TransferState) -> Result<Option<Transfer>> {
    let sql = format!(
        "select {COLUMNS} from ticket_transfers where entry_id = ? and state = ? order by id desc limit 1"
    );
    query_optional(connection, &sql, (entry_id, state), Transfer::from_row)
}

pub fn by_token(connection: &Connection, token_hash: &[u8]) -> Result<Option<Transfer>> {
    let sql = format!("select {COLUMNS} from ticket_transfers where token_hash = ?");
    query_optional(connection, &sql, [token_hash], Transfer::from_row)
}

/// Transfers the ticket to the person whom it was offered to. An earlier accepted transfer is replaced.
pub fn accept(connection: &Connection, transfer: &Transfer, at: &str) -> Result<()> {
    connection.execute(
        "update ticket_transfers set state = ?3 where entry_id = ?1 and state = ?2",
        (transfer.entry_id, TransferState::Accepted, TransferState::Replaced),
    )?;
    let sql = "update ticket_transfers set state = ?2, answered_at = ?3 where id = ?1";
    execute(connection, sql, (transfer.id, TransferState::Accepted, at))
}

/// Erases the person from the offers to an email address; returns the number of offers.
pub fn forget(connection: &Connection, email: &str) -> Result<usize> {
    Ok(connection.execute(
        "update ticket_transfers set name = ?2, email = ?2, token_hash = null where email = ?1 collate nocase",
        (email, ERASED),
    )?)
}

/// The offers to an email address.
pub fn to(connection: &Connection, email: &str) -> Result<Vec<Transfer>> {
    let sql = format!("select {COLUMNS} from ticket_transfers where email = ? collate nocase order by id");
    query_all(connection, &sql, [email], Transfer::from_row)
}
