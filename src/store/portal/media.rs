//! Photos and videos of nominations, in chunks.

use std::ops::Range;

use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::model::{RELEASE_SLOT, text_enum};
use crate::store::query::{execute, from_row, query_all, query_optional};

/// The longest row of a blob, in bytes.
pub const CHUNK: usize = 1 << 20;

text_enum! {
    pub enum MediaKind, "a kind of medium" {
        Photo = "photo",
        Video = "video",
    }
}

text_enum! {
    /// The sizes in which a photo is stored.
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
    pub kind: MediaKind,
    pub width: u32,
    pub height: u32,
    pub bytes: u64,
    pub sha256: String,
    pub thumbnail_bytes: u64,
    pub thumbnail_sha256: String,
    /// When the photo was taken, as the camera wrote it.
    pub taken_at: Option<String>,
    pub software: Option<String>,
    /// The photo's perceptual hash, see [`crate::portal::image_hash`]. `None` for a video.
    pub image_hash: Option<i64>,
    /// The upload whose chunks are the video's bytes.
    pub upload_id: Option<String>,
}

from_row!(
    COLUMNS for Medium:
    id, created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes, thumbnail_sha256,
    taken_at, software, kind, image_hash, upload_id
);

impl Medium {
    pub fn blob(&self, size: Size) -> Blob {
        let (sha256, bytes, upload_id) = match size {
            Size::Full => (&self.sha256, self.bytes, self.upload_id.clone()),
            Size::Thumbnail => (&self.thumbnail_sha256, self.thumbnail_bytes, None),
        };
        Blob { media_id: self.id, size, sha256: sha256.clone(), bytes, upload_id }
    }
}

/// The stored bytes of a medium in one of its sizes. They never change: a medium that is replaced gets another id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub media_id: i64,
    pub size: Size,
    pub sha256: String,
    pub bytes: u64,
    /// The upload whose chunks these bytes are.
    pub upload_id: Option<String>,
}

from_row!(Blob: media_id, size, sha256, bytes, upload_id);

/// A medium to be stored. Its bytes follow: [`put_content`]. Those of a video are the chunks of its upload.
pub struct NewMedium<'a> {
    pub nomination_id: i64,
    pub slot: &'a str,
    pub kind: MediaKind,
    pub width: u32,
    pub height: u32,
    pub bytes: u64,
    pub sha256: &'a str,
    pub thumbnail_bytes: u64,
    pub thumbnail_sha256: &'a str,
    pub taken_at: Option<&'a str>,
    pub software: Option<&'a str>,
    pub image_hash: Option<i64>,
    pub upload_id: Option<&'a str>,
}

/// Puts a medium in place of the one in its slot and returns its id.
pub fn replace(connection: &Connection, new: &NewMedium<'_>, at: &str) -> Result<i64> {
    delete_in_slot(connection, new.nomination_id, new.slot)?;
    let sql = "insert into media (created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes,
             thumbnail_sha256, taken_at, software, kind, image_hash, upload_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    Ok(connection.prepare_cached(sql)?.insert((
        at,
        new.nomination_id,
        new.slot,
        new.width,
        new.height,
        new.bytes,
        new.sha256,
        new.thumbnail_bytes,
        new.thumbnail_sha256,
        new.taken_at,
        new.software,
        new.kind,
        new.image_hash,
        new.upload_id,
    ))?)
}

/// Stores the bytes of a medium that has none.
pub fn put_content(connection: &Connection, id: i64, size: Size, bytes: &[u8]) -> Result<()> {
    (0..).zip(bytes.chunks(CHUNK)).try_for_each(|(number, chunk)| insert(connection, id, size, number, chunk))
}

/// Stores one of the chunks of a medium, which all but the last have [`CHUNK`] bytes.
pub fn put_chunk(connection: &Connection, blob: &Blob, number: i64, chunk: &[u8]) -> Result<()> {
    let Some(upload_id) = &blob.upload_id else {
        return insert(connection, blob.media_id, blob.size, number, chunk);
    };
    let sql = "insert into upload_chunks (upload_id, start, content) values (?, ?, ?)";
    execute(connection, sql, (upload_id, number * CHUNK as i64, chunk))
}

fn insert(connection: &Connection, id: i64, size: Size, number: i64, chunk: &[u8]) -> Result<()> {
    let sql = "insert into media_chunks (media_id, size, number, content) values (?, ?, ?, ?)";
    execute(connection, sql, (id, size, number, chunk))
}

pub fn delete_content(connection: &Connection, blob: &Blob) -> Result<()> {
    match &blob.upload_id {
        Some(id) => connection.execute("delete from upload_chunks where upload_id = ?", [id])?,
        None => connection.execute(
            "delete from media_chunks where media_id = ? and size = ?",
            (blob.media_id, blob.size),
        )?,
    };
    Ok(())
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Medium>> {
    let sql = format!("select {COLUMNS} from media where id = ?");
    query_optional(connection, &sql, [id], Medium::from_row)
}

/// The stored bytes of all media, in every size. Empty if the database has no table of media.
pub fn blobs(connection: &Connection) -> Result<Vec<Blob>> {
    let sql = "select count(*) from sqlite_schema where name = 'media'";
    if connection.query_row(sql, [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(Vec::new());
    }
    let sql = "select id, 'full' as size, sha256, bytes, upload_id from media
         union all select id, 'thumbnail', thumbnail_sha256, thumbnail_bytes, null from media order by 1, 2";
    query_all(connection, sql, [], Blob::from_row)
}

/// A photo with its perceptual hash, which similar photos share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashedPhoto {
    pub nomination_id: i64,
    pub code: String,
    pub category: String,
    pub sub_category: String,
    pub slot: String,
    pub image_hash: i64,
}

from_row!(HashedPhoto: nomination_id, code, category, sub_category, slot, image_hash);

/// All photos that have a hash, by their nomination's code. Photos of signed papers are left out, because they look alike.
pub fn hashed_photos(connection: &Connection) -> Result<Vec<HashedPhoto>> {
    let sql = "select nomination_id, code, category, sub_category, slot, image_hash
         from media join nominations on nominations.id = nomination_id where image_hash is not null and slot <> ? order by code, media.id";
    query_all(connection, sql, [RELEASE_SLOT], HashedPhoto::from_row)
}

/// How many photos are stored, and how many bytes they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageUse {
    pub photos: i64,
    pub bytes: i64,
}

from_row!(StorageUse: photos, bytes);

pub fn storage_use(connection: &Connection) -> Result<StorageUse> {
    let sql = "select count(*), coalesce(sum(bytes + thumbnail_bytes), 0) from media";
    Ok(connection.query_row(sql, [], StorageUse::from_row)?)
}

pub fn of_nomination(connection: &Connection, nomination_id: i64) -> Result<Vec<Medium>> {
    let sql = format!("select {COLUMNS} from media where nomination_id = ? order by id");
    query_all(connection, &sql, [nomination_id], Medium::from_row)
}

/// The bytes of a medium, for one that fits into memory.
pub fn content(connection: &Connection, blob: &Blob) -> Result<Vec<u8>> {
    part(connection, blob, 0..blob.bytes)
}

/// Some bytes of a medium.
pub fn part(connection: &Connection, blob: &Blob, range: Range<u64>) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(range.end - range.start).unwrap_or_default());
    each_part(connection, blob, range, |part| {
        bytes.extend_from_slice(part);
        Ok(())
    })?;
    Ok(bytes)
}

/// Passes some bytes of a medium to `take`, chunk by chunk.
///
/// # Errors
/// [`Error::Damaged`] if fewer bytes are there than were stored. Those of `take`.
pub fn each_part(
    connection: &Connection,
    blob: &Blob,
    range: Range<u64>,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let (lengths, content) = if blob.upload_id.is_some() {
        (
            "select rowid, length(content) from upload_chunks where upload_id = ? order by start",
            "select content from upload_chunks where rowid = ?",
        )
    } else {
        (
            "select rowid, length(content) from media_chunks where media_id = ? and size = ? order by number",
            "select content from media_chunks where rowid = ?",
        )
    };
    let (mut lengths, mut content) =
        (connection.prepare_cached(lengths)?, connection.prepare_cached(content)?);
    let mut rows = match &blob.upload_id {
        Some(id) => lengths.query([id])?,
        None => lengths.query((blob.media_id, blob.size))?,
    };
    let mut start = 0;
    while let Some(row) = rows.next()? {
        let (rowid, length): (i64, u64) = row.try_into()?;
        let end = start + length;
        if start < range.end && end > range.start {
            let mut rows = content.query([rowid])?;
            let Some(row) = rows.next()? else { break };
            let bytes = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            let within = |at: u64| usize::try_from(at.clamp(start, end) - start).unwrap_or_default();
            take(&bytes[within(range.start)..within(range.end)])?;
        }
        start = end;
    }
    if start != blob.bytes {
        let Blob { media_id, size, .. } = blob;
        return Err(Error::Damaged(format!("the bytes of medium {media_id} ({size}) are incomplete")));
    }
    Ok(())
}

/// Deletes the medium in a slot, if there is one.
pub fn delete_in_slot(connection: &Connection, nomination_id: i64, slot: &str) -> Result<()> {
    let sql = "delete from media where nomination_id = ? and slot = ?";
    execute(connection, sql, (nomination_id, slot))
}

pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    execute(connection, "delete from media where id = ?", [id])
}
