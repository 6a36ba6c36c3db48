//! Uploads that go on where they broke off. What has arrived is stored chunk by chunk; the last chunk makes the photo,
//! in one transaction. A process that ends before that has lost the last chunk and nothing else.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use super::access::Artist;
use super::own;
use super::photo::{self, Photo};
use crate::app::App;
use crate::error::{Error, Result};
use crate::ops::memory;
use crate::site::content::Content;
use crate::store::portal::media::{self, CHUNK, Medium, New, Size};
use crate::store::portal::uploads;
use crate::time;

pub use crate::store::portal::uploads::Upload;

/// The largest chunk, in bytes.
pub const LARGEST_CHUNK: usize = CHUNK;
/// An upload expires when nothing has arrived for this long.
const EXPIRES_AFTER: TimeDelta = TimeDelta::days(1);
/// An expired upload is known as such for this long.
const REMEMBERED_FOR: TimeDelta = TimeDelta::days(7);
/// Unfinished uploads of a nomination; the oldest gives way to a further one.
const MOST_UNFINISHED: usize = 20;

/// A photo's bytes with its content's hash.
pub struct PhotoFile {
    pub bytes: Vec<u8>,
    pub sha256: String,
}

impl PhotoFile {
    pub(super) fn read(connection: &Connection, medium: &Medium, size: Size) -> Result<PhotoFile> {
        let bytes = media::content(connection, medium, size)?;
        let sha256 = match size {
            Size::Full => &medium.sha256,
            Size::Thumbnail => &medium.thumbnail_sha256,
        };
        Ok(PhotoFile { bytes, sha256: sha256.clone() })
    }
}

/// Begins an upload of so many bytes into a slot.
///
/// # Errors
/// [`Error::NotFound`]: the nomination is not the competitor's. [`Error::Invalid`]: it has no such slot, or the length
/// is 0. [`Error::Closed`]: the slot cannot be changed. [`Error::TooLarge`].
pub fn create(app: &App, artist: &Artist, nomination_id: i64, slot: &str, length: u64) -> Result<Upload> {
    let (content, artist, slot, now) = (app.content(), artist.clone(), slot.to_owned(), time::now());
    if length > photo::LARGEST {
        return Err(Error::TooLarge(usize::try_from(photo::LARGEST).unwrap_or(usize::MAX)));
    }
    app.store.write(move |connection| {
        let nomination = own::owned(connection, &artist, nomination_id)?;
        let mut slots = content.portal.slots_of(&nomination.category, &nomination.sub_category);
        if !slots.any(|known| known.key == slot) {
            return Err(Error::field("slot", "This nomination has no such photo"));
        }
        own::require_open_slot(&content, &nomination, &slot, now, None)?;
        if length == 0 {
            return Err(Error::field("slot", "The file is empty. Please choose another one"));
        }
        for old in uploads::unfinished(connection, nomination_id)?.into_iter().rev().skip(MOST_UNFINISHED - 1)
        {
            uploads::delete(connection, &old.id)?;
        }
        let at = time::now();
        let upload = Upload {
            id: hex::encode(rand::random::<[u8; 16]>()),
            // The site's time, which deadlines are judged by.
            created_at: time::stored(now),
            expires_at: time::stored(at + EXPIRES_AFTER),
            nomination_id,
            slot,
            length,
            received: 0,
            media_id: None,
        };
        uploads::insert(connection, &upload)?;
        Ok(upload)
    })
}

/// How an upload stands.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's. [`Error::Gone`]: it has expired.
pub fn get(app: &App, artist: &Artist, id: &str) -> Result<Upload> {
    app.store.read(|connection| find(connection, artist, id))
}

/// Continues an upload; the last chunk makes the photo. Returns the upload afterwards.
///
/// # Errors
/// As [`get`]. [`Error::WrongOffset`]: `offset` is not where it continues. [`Error::Malformed`]: the chunk goes past its
/// end. [`Error::Closed`]: the slot cannot be changed any more. As [`photo::read`]: the upload is then deleted.
pub fn append(app: &App, artist: &Artist, id: &str, offset: u64, chunk: Vec<u8>) -> Result<Upload> {
    let (content, now) = (app.content(), time::now());
    let upload = app.store.read(|connection| find(connection, artist, id))?;
    let end = upload.received.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
    if offset != upload.received {
        return Err(Error::WrongOffset(upload.received));
    }
    if end > upload.length {
        return Err(Error::Malformed("There is more data than the upload's length.".into()));
    }
    if upload.media_id.is_some() || (chunk.is_empty() && end < upload.length) {
        return Ok(upload);
    }
    if end < upload.length {
        let (artist, id) = (artist.clone(), id.to_owned());
        return app.store.write(move |connection| {
            let upload = unchanged(connection, &content, &artist, &id, offset, now)?;
            let expires_at = time::stored(time::now() + EXPIRES_AFTER);
            uploads::append(connection, &upload, &chunk, &expires_at)?;
            find(connection, &artist, &id)
        });
    }
    let photo = app.store.read(|connection| {
        let upload = unchanged(connection, &content, artist, id, offset, now)?;
        let mut file = uploads::content(connection, &upload)?;
        file.extend_from_slice(&chunk);
        Ok((file, min_pixels(connection, &content, artist, &upload)?))
    });
    let (file, min_pixels) = photo?;
    drop(chunk);
    let photo = match photo::read(&file, min_pixels) {
        Ok(photo) => photo,
        Err(error) => {
            let id = id.to_owned();
            app.store.write(move |connection| uploads::delete(connection, &id))?;
            return Err(error);
        }
    };
    drop(file);
    memory::release_freed();
    let (artist, id) = (artist.clone(), id.to_owned());
    app.store.write(move |connection| {
        let upload = unchanged(connection, &content, &artist, &id, offset, now)?;
        let media_id = store(connection, (upload.nomination_id, &upload.slot), &photo)?;
        uploads::finish(connection, &id, media_id)?;
        find(connection, &artist, &id)
    })
}

/// Puts a file into a slot as if it had been uploaded, for the demo.
pub(super) fn put(app: &App, nomination_id: i64, slot: &str, file: &[u8]) -> Result<()> {
    let (photo, slot) = (photo::read(file, 0)?, slot.to_owned());
    app.store.write(move |connection| store(connection, (nomination_id, &slot), &photo).map(drop))
}

fn store(connection: &Connection, (nomination_id, slot): (i64, &str), photo: &Photo) -> Result<i64> {
    let new = New {
        nomination_id,
        slot,
        width: photo.full.width,
        height: photo.full.height,
        full: &photo.full.bytes,
        full_sha256: &photo.full.sha256,
        thumbnail: &photo.thumbnail.bytes,
        thumbnail_sha256: &photo.thumbnail.sha256,
        taken_at: photo.taken_at.as_deref(),
        software: photo.software.as_deref(),
    };
    media::replace(connection, &new, &time::stored(time::now()))
}

fn min_pixels(connection: &Connection, content: &Content, artist: &Artist, upload: &Upload) -> Result<u32> {
    let nomination = own::owned(connection, artist, upload.nomination_id)?;
    let mut slots = content.portal.slots_of(&nomination.category, &nomination.sub_category);
    Ok(slots.find(|slot| slot.key == upload.slot).map_or(0, |slot| slot.min_pixels))
}

/// The upload, if it still continues at `offset` and its slot may still be changed.
fn unchanged(
    connection: &Connection,
    content: &Content,
    artist: &Artist,
    id: &str,
    offset: u64,
    now: DateTime<Utc>,
) -> Result<Upload> {
    let upload = find(connection, artist, id)?;
    let nomination = own::owned(connection, artist, upload.nomination_id)?;
    own::require_open_slot(content, &nomination, &upload.slot, now, upload.created_at.parse().ok())?;
    if upload.received != offset {
        return Err(Error::WrongOffset(upload.received));
    }
    Ok(upload)
}

fn find(connection: &Connection, artist: &Artist, id: &str) -> Result<Upload> {
    let unknown = || Error::NotFound("There is no such upload of yours.".into());
    let upload = uploads::get(connection, id)?.ok_or_else(unknown)?;
    own::owned(connection, artist, upload.nomination_id).map_err(|_| unknown())?;
    if upload.expires_at < time::stored(time::now()) {
        return Err(Error::Gone("This upload has expired. Please choose the photo again.".into()));
    }
    Ok(upload)
}

/// Ends an upload and deletes what has arrived of it.
///
/// # Errors
/// As [`get`].
pub fn delete(app: &App, artist: &Artist, id: &str) -> Result<()> {
    get(app, artist, id)?;
    let id = id.to_owned();
    app.store.write(move |connection| uploads::delete(connection, &id))
}

/// A photo of the competitor, as a judge will see it.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's.
pub fn photo(app: &App, artist: &Artist, id: i64, size: Size) -> Result<PhotoFile> {
    app.store.read(|connection| {
        let medium = own_medium(connection, artist, id)?;
        PhotoFile::read(connection, &medium, size)
    })
}

/// Removes a photo of the competitor.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's. [`Error::Closed`]: it cannot be changed any more.
pub fn delete_photo(app: &App, artist: &Artist, id: i64) -> Result<()> {
    let (content, artist, now) = (app.content(), artist.clone(), time::now());
    app.store.write(move |connection| {
        let medium = own_medium(connection, &artist, id)?;
        let nomination = own::owned(connection, &artist, medium.nomination_id)?;
        own::require_open_slot(&content, &nomination, &medium.slot, now, None)?;
        media::delete(connection, id)
    })
}

fn own_medium(connection: &Connection, artist: &Artist, id: i64) -> Result<Medium> {
    let unknown = || Error::NotFound("There is no such photo of yours.".into());
    let medium = media::get(connection, id)?.ok_or_else(unknown)?;
    own::owned(connection, artist, medium.nomination_id).map_err(|_| unknown())?;
    Ok(medium)
}

/// Deletes what has arrived of expired uploads.
///
/// # Errors
/// Those of the database.
pub fn forget_expired(app: &App) -> Result<()> {
    let now = time::now();
    let (expired, forgotten) = (time::stored(now), time::stored(now - REMEMBERED_FOR));
    app.store.write(move |connection| uploads::delete_expired(connection, &expired, &forgotten))
}
