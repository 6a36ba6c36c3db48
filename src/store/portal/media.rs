//! Photos of nominations, in chunks.

use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::{Error, Result};
use crate::model::text_enum;

/// The longest row of a blob, in bytes.
pub const CHUNK: usize = 1 << 20;

text_enum! {
    /// In which size a photo is stored.
    pub enum Size, "a size of a photo" {
        Full = "full",
        Thumbnail = "thumbnail",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Medium {
    pub id: i64,
    pub created_at: String,
    pub nomination_id: i64,
    pub slot: String,
    pub width: u32,
    pub height: u32,
    pub bytes: i64,
    pub sha256: String,
    pub thumbnail_bytes: i64,
    pub thumbnail_sha256: String,
    /// When the camera says that it was taken, as the camera writes it.
    pub taken_at: Option<String>,
    pub software: Option<String>,
}

impl Medium {
    /// The SHA-256 and the length of each of its two sizes.
    pub fn sizes(&self) -> [(Size, &str, i64); 2] {
        [
            (Size::Full, &self.sha256, self.bytes),
            (Size::Thumbnail, &self.thumbnail_sha256, self.thumbnail_bytes),
        ]
    }
}

/// A photo to be stored.
pub struct New<'a> {
    pub nomination_id: i64,
    pub slot: &'a str,
    pub width: u32,
    pub height: u32,
    pub full: &'a [u8],
    pub full_sha256: &'a str,
    pub thumbnail: &'a [u8],
    pub thumbnail_sha256: &'a str,
    pub taken_at: Option<&'a str>,
    pub software: Option<&'a str>,
}

const COLUMNS: &str = "id, created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes, thumbnail_sha256, taken_at, software";

/// Stores a photo in place of the one in its slot and returns its id.
pub fn replace(connection: &Connection, new: &New<'_>, at: &str) -> Result<i64> {
    connection
        .execute("delete from media where nomination_id = ? and slot = ?", (new.nomination_id, new.slot))?;
    connection.execute(
        "insert into media (created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes,
             thumbnail_sha256, taken_at, software) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            at,
            new.nomination_id,
            new.slot,
            new.width,
            new.height,
            length(new.full),
            new.full_sha256,
            length(new.thumbnail),
            new.thumbnail_sha256,
            new.taken_at,
            new.software,
        ),
    )?;
    let id = connection.last_insert_rowid();
    for (size, bytes) in [(Size::Full, new.full), (Size::Thumbnail, new.thumbnail)] {
        put_content(connection, id, size, bytes)?;
    }
    Ok(id)
}

/// Stores the bytes of a photo, in place of any that are there.
pub fn put_content(connection: &Connection, id: i64, size: Size, bytes: &[u8]) -> Result<()> {
    connection.execute("delete from media_chunks where media_id = ? and size = ?", (id, size))?;
    for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
        connection.execute(
            "insert into media_chunks (media_id, size, number, content) values (?, ?, ?, ?)",
            (id, size, length_of(number), chunk),
        )?;
    }
    Ok(())
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Medium>> {
    let sql = format!("select {COLUMNS} from media where id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([id], medium).optional()?)
}

/// All photos; none in a database that is older than they are.
pub fn all(connection: &Connection) -> Result<Vec<Medium>> {
    let sql = "select count(*) from sqlite_schema where name = 'media'";
    if connection.query_row(sql, [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(&format!("select {COLUMNS} from media order by id"))?;
    let rows = statement.query_map([], medium)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// How many photos there are, and how many bytes they take: all of them, and those that came after an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub photos: i64,
    pub bytes: i64,
    pub recent_bytes: i64,
}

pub fn room(connection: &Connection, since: &str) -> Result<Room> {
    let sql = "select count(*), coalesce(sum(bytes + thumbnail_bytes), 0),
             coalesce(sum(bytes + thumbnail_bytes) filter (where created_at >= ?), 0) from media";
    let room = connection.query_row(sql, [since], |row| {
        Ok(Room { photos: row.get(0)?, bytes: row.get(1)?, recent_bytes: row.get(2)? })
    })?;
    Ok(room)
}

pub fn of_nomination(connection: &Connection, nomination_id: i64) -> Result<Vec<Medium>> {
    let sql = format!("select {COLUMNS} from media where nomination_id = ? order by id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([nomination_id], medium)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The bytes of a photo.
///
/// # Errors
/// [`Error::Damaged`]: they are not as many as were stored.
pub fn content(connection: &Connection, medium: &Medium, size: Size) -> Result<Vec<u8>> {
    let expected = match size {
        Size::Full => medium.bytes,
        Size::Thumbnail => medium.thumbnail_bytes,
    };
    let mut statement = connection
        .prepare_cached("select content from media_chunks where media_id = ? and size = ? order by number")?;
    let mut rows = statement.query((medium.id, size))?;
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    while let Some(row) = rows.next()? {
        bytes.extend_from_slice(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?);
    }
    if length(&bytes) != expected {
        return Err(Error::Damaged(format!("the bytes of medium {} ({size}) are incomplete", medium.id)));
    }
    Ok(bytes)
}

pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.execute("delete from media where id = ?", [id])?;
    Ok(())
}

fn length(bytes: &[u8]) -> i64 {
    length_of(bytes.len())
}

fn length_of(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn medium(row: &Row<'_>) -> rusqlite::Result<Medium> {
    Ok(Medium {
        id: row.get(0)?,
        created_at: row.get(1)?,
        nomination_id: row.get(2)?,
        slot: row.get(3)?,
        width: row.get(4)?,
        height: row.get(5)?,
        bytes: row.get(6)?,
        sha256: row.get(7)?,
        thumbnail_bytes: row.get(8)?,
        thumbnail_sha256: row.get(9)?,
        taken_at: row.get(10)?,
        software: row.get(11)?,
    })
}
