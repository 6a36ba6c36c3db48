//! What is deleted: texts and attachments that are old, and the emails of a person who is erased.

use rusqlite::Connection;

use crate::error::Result;
use crate::forms::EmailAddress;
use crate::model::Kind;

/// Clears `counted_as` of emails queued before an instant, of at most `most`. Returns how many.
pub fn forget_counted(connection: &Connection, before: &str, most: u32) -> Result<usize> {
    let sql = "update outbox set counted_as = null where id in
         (select id from outbox where counted_as is not null and created_at < ? limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, most))?)
}

/// Deletes the text and HTML of emails sent before an instant, of at most `most`. Returns how many.
pub fn delete_rendered_bodies(connection: &Connection, before: &str, most: u32) -> Result<usize> {
    let sql = "update outbox set written = null where id in
         (select id from outbox where written is not null and sent_at < ? order by sent_at limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, most))?)
}

/// Deletes at most `most` attachments of emails sent before an instant. Returns how many.
pub fn drop_attachments(connection: &Connection, before: &str, most: u32) -> Result<usize> {
    let sql = "delete from outbox_attachments where id in
         (select file.id from outbox_attachments file join outbox on outbox.id = file.outbox_id
          where outbox.state = 'sent' and outbox.sent_at < ? limit ?)";
    Ok(connection.prepare_cached(sql)?.execute((before, most))?)
}

/// The emails with an attachment that contains an address, ignoring case.
pub fn with_address_in_attachment(connection: &Connection, address: &EmailAddress) -> Result<Vec<i64>> {
    let mut statement = connection.prepare(
        "select distinct outbox_id from outbox_attachments
         where instr(lower(cast(content as text)), lower(?1))",
    )?;
    let ids = statement.query_map([address.as_str()], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(ids)
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
    let mut statement = connection.prepare_cached(
        "select outbox_id from report_registrations where kind = ? and registration_id = ?",
    )?;
    let ids = statement.query_map((kind, id), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

/// Deletes an email and its attachments.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.execute("delete from outbox where id = ?", [id])?;
    Ok(())
}
