//! What is deleted: texts and attachments that are old, and the emails of a person who is erased.

use rusqlite::Connection;

use crate::error::Result;
use crate::forms::EmailAddress;
use crate::model::Kind;
use crate::store::query::{execute, query_all};

/// Clears `counted_as` of emails queued before an instant, of at most `limit`. Returns how many.
pub fn forget_counted(connection: &Connection, before: &str, limit: u32) -> Result<usize> {
    let sql = "update outbox set counted_as = null where id in
         (select id from outbox where counted_as is not null and created_at < ? limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, limit))?)
}

/// Deletes the text and HTML of emails sent before an instant, of at most `limit`. Returns how many.
pub fn delete_rendered_bodies(connection: &Connection, before: &str, limit: u32) -> Result<usize> {
    let sql = "update outbox set written = null where id in
         (select id from outbox where written is not null and sent_at < ? order by sent_at limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, limit))?)
}

/// Deletes at most `limit` attachments of emails sent before an instant. Returns how many.
pub fn drop_attachments(connection: &Connection, before: &str, limit: u32) -> Result<usize> {
    let sql = "delete from outbox_attachments where id in
         (select file.id from outbox_attachments file join outbox on outbox.id = file.outbox_id
          where outbox.state = 'sent' and outbox.sent_at < ? limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, limit))?)
}

/// The emails with an attachment that contains an address, ignoring case.
pub fn with_address_in_attachment(connection: &Connection, address: &EmailAddress) -> Result<Vec<i64>> {
    let sql = "select distinct outbox_id from outbox_attachments
         where instr(lower(cast(content as text)), lower(?1))";
    query_all(connection, sql, [address.as_str()], |row| row.get(0))
}

/// Stores which registrations a report names or has in its attachment.
pub fn insert_report_registrations(
    connection: &Connection,
    report: i64,
    named: &[(Kind, i64)],
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "insert into report_registrations (outbox_id, kind, registration_id) values (?, ?, ?) on conflict do nothing",
    )?;
    for (kind, id) in named {
        statement.execute((report, kind, id))?;
    }
    Ok(())
}

/// The reports that name a registration or have it in their attachment.
pub fn reports_of(connection: &Connection, kind: Kind, id: i64) -> Result<Vec<i64>> {
    let sql = "select outbox_id from report_registrations where kind = ? and registration_id = ?";
    query_all(connection, sql, (kind, id), |row| row.get(0))
}

/// Deletes an email and its attachments.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    execute(connection, "delete from outbox where id = ?", [id])
}
