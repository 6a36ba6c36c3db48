//! Uploads that have begun, and what has arrived of them.

use std::ops::Range;

use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::store::query::{execute, from_row, query_all, query_optional};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    pub id: String,
    pub created_at: String,
    pub expires_at: String,
    pub nomination_id: i64,
    pub slot: String,
    /// The length of the whole file, in bytes.
    pub length: u64,
    /// How many bytes have arrived; all, once it is finished. The last chunk of a photo is not stored.
    pub received: u64,
    /// The photo or video that it became.
    pub media_id: Option<i64>,
}

from_row!(COLUMNS for Upload: id, created_at, expires_at, nomination_id, slot, length, received, media_id);

pub fn insert(connection: &Connection, upload: &Upload) -> Result<()> {
    let sql = "insert into uploads (id, created_at, expires_at, nomination_id, slot, length) values (?, ?, ?, ?, ?, ?)";
    execute(
        connection,
        sql,
        (
            &upload.id,
            &upload.created_at,
            &upload.expires_at,
            upload.nomination_id,
            &upload.slot,
            upload.length,
        ),
    )
}

pub fn get(connection: &Connection, id: &str) -> Result<Option<Upload>> {
    let sql = format!("select {COLUMNS} from uploads where id = ?");
    query_optional(connection, &sql, [id], Upload::from_row)
}

/// The uploads of a nomination that have not arrived whole, the oldest first.
pub fn unfinished(connection: &Connection, nomination_id: i64) -> Result<Vec<Upload>> {
    let sql = format!(
        "select {COLUMNS} from uploads where nomination_id = ? and media_id is null order by created_at, id"
    );
    query_all(connection, &sql, [nomination_id], Upload::from_row)
}

/// The start of the first upload of a nomination that began before `deadline` and became a photo after it.
pub fn start_of_late_photo(
    connection: &Connection,
    nomination_id: i64,
    deadline: &str,
) -> Result<Option<String>> {
    let sql = "select min(uploads.created_at) from uploads join media on media.id = uploads.media_id
         where uploads.nomination_id = ?1 and uploads.created_at < ?2 and media.created_at >= ?2";
    Ok(connection.prepare_cached(sql)?.query_row((nomination_id, deadline), |row| row.get(0))?)
}

/// Stores a chunk that continues an upload.
pub fn append(connection: &Connection, upload: &Upload, chunk: &[u8], expires_at: &str) -> Result<()> {
    let sql = "insert into upload_chunks (upload_id, start, content) values (?, ?, ?)";
    execute(connection, sql, (&upload.id, upload.received, chunk))?;
    let received = upload.received + chunk.len() as u64;
    let sql = "update uploads set received = ?, expires_at = ? where id = ?";
    execute(connection, sql, (received, expires_at, &upload.id))
}

/// All that is stored of an upload.
pub fn content(connection: &Connection, upload: &Upload) -> Result<Vec<u8>> {
    let mut statement =
        connection.prepare_cached("select content from upload_chunks where upload_id = ? order by start")?;
    let mut rows = statement.query([&upload.id])?;
    let mut bytes = Vec::with_capacity(usize::try_from(upload.length).unwrap_or_default());
    while let Some(row) = rows.next()? {
        bytes.extend_from_slice(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?);
    }
    Ok(bytes)
}

/// The place of each chunk in the upload's file, in order.
pub fn chunks(connection: &Connection, id: &str) -> Result<Vec<Range<u64>>> {
    let sql = "select start, start + length(content) from upload_chunks where upload_id = ? order by start";
    query_all(connection, sql, [id], |row| Ok(row.get(0)?..row.get(1)?))
}

/// The chunk of an upload that begins at `start`.
pub fn chunk(connection: &Connection, id: &str, start: u64) -> Result<Vec<u8>> {
    let sql = "select content from upload_chunks where upload_id = ? and start = ?";
    let found = query_optional(connection, sql, (id, start), |row| row.get(0))?;
    found.ok_or_else(|| Error::NotFound("This upload was ended. Please choose the file again.".into()))
}

/// Replaces a chunk.
pub fn put_chunk(connection: &Connection, id: &str, start: u64, chunk: &[u8]) -> Result<()> {
    let sql = "update upload_chunks set content = ? where upload_id = ? and start = ?";
    execute(connection, sql, (chunk, id, start))
}

/// Records which medium an upload became.
pub fn finish(connection: &Connection, id: &str, media_id: i64) -> Result<()> {
    let sql = "update uploads set media_id = ?, received = length where id = ?";
    execute(connection, sql, (media_id, id))
}

pub fn delete(connection: &Connection, id: &str) -> Result<()> {
    execute(connection, "delete from uploads where id = ?", [id])
}

/// Deletes the uploads that expired before `forgotten`.
pub fn delete_expired(connection: &Connection, forgotten: &str) -> Result<()> {
    execute(connection, "delete from uploads where expires_at < ?", [forgotten])
}

/// The condition that a chunk is not needed: it belongs to no video, and its upload cannot continue.
const UNNEEDED: &str = "not exists (select 1 from media where media.upload_id = chunk.upload_id)
    and not exists (select 1 from uploads where id = chunk.upload_id and media_id is null and expires_at >= ?1)";

/// The uploads whose chunks nothing needs.
pub fn unneeded(connection: &Connection, now: &str) -> Result<Vec<String>> {
    let sql = format!(
        "select upload_id from (select distinct upload_id from upload_chunks) as chunk where {UNNEEDED}"
    );
    query_all(connection, &sql, [now], |row| row.get(0))
}

/// Deletes a few of the chunks of an upload if nothing needs them. Returns whether there may be more.
pub fn delete_some_unneeded(connection: &Connection, id: &str, now: &str) -> Result<bool> {
    let sql = format!(
        "delete from upload_chunks where rowid in
             (select rowid from upload_chunks as chunk where upload_id = ?2 and {UNNEEDED} limit 4)"
    );
    Ok(connection.prepare_cached(&sql)?.execute((now, id))? > 0)
}
