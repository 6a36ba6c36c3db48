//! Resumable uploads. Each chunk is stored when it arrives; the last one completes the photo or the video, in one transaction.
//! If the process ends before that, only the last chunk is lost. A video stays in the chunks in which it came, and large data
//! are written and deleted in pieces, so that other writes do not wait for long.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::access::Artist;
use super::media_file::MediaFile;
use super::own;
use super::photo::{self, Photo, Picture};
use super::video::{self, Video};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::token;
use crate::site::content::Content;
use crate::site::content::model::portal::{PAPER_RELEASE, Slot};
use crate::store::portal::media::{self, CHUNK, MediaKind, Medium, NewMedium, Size};
use crate::store::portal::uploads;
use crate::time;

pub use crate::store::portal::uploads::Upload;

/// The largest file of any slot, in bytes.
pub const MAX_FILE: u64 = video::MAX_BYTES;
/// The largest chunk, in bytes.
pub const MAX_CHUNK: usize = CHUNK;
/// A chunk is stored in pieces of at most so many bytes, so that other writes never wait for long.
const PIECE: usize = 128 * 1024;
/// So many chunks are rewritten in one transaction.
const CHUNKS_REWRITTEN: usize = 4;
/// An upload expires when nothing has arrived for this long.
const EXPIRES_AFTER: TimeDelta = TimeDelta::days(1);
/// An expired upload is known as such for this long.
const REMEMBERED_FOR: TimeDelta = TimeDelta::days(7);
/// The most unfinished uploads of a nomination, by number and by their lengths in bytes. The oldest ones are deleted for a new one.
const MAX_UNFINISHED: usize = 20;
const MAX_UNFINISHED_BYTES: u64 = 500_000_000;

/// Begins an upload of so many bytes into a slot.
///
/// # Errors
/// [`Error::NotFound`]: the nomination is not the competitor's. [`Error::Invalid`]: it has no such slot, or the length
/// is 0. [`Error::Closed`]: the slot cannot be changed. [`Error::TooLarge`].
pub fn create(app: &App, artist: &Artist, nomination_id: i64, slot: &str, length: u64) -> Result<Upload> {
    let (content, now) = (app.content(), time::now());
    let (upload, has_deleted) = app.store.write(|connection| {
        let nomination = own::owned(connection, artist, nomination_id)?;
        let slots = content.portal.slots_of(&nomination.category, &nomination.sub_category);
        let known = slots.chain([&*PAPER_RELEASE]).find(|known| known.key == slot);
        let known = known.ok_or_else(|| Error::field("slot", "This nomination has no such photo"))?;
        let largest = if known.is_video() { video::MAX_BYTES } else { photo::MAX_BYTES };
        if length > largest {
            return Err(Error::TooLarge(usize::try_from(largest).unwrap_or(usize::MAX)));
        }
        own::require_open(connection, &content, &nomination, slot, now, now)?;
        if length == 0 {
            return Err(Error::field("slot", "The file is empty. Please choose another one"));
        }
        let (mut count, mut bytes, mut has_deleted) = (1, length, false);
        // The newest first.
        for old in uploads::unfinished(connection, nomination_id)?.into_iter().rev() {
            count += 1;
            bytes += old.length;
            if count > MAX_UNFINISHED || bytes > MAX_UNFINISHED_BYTES {
                uploads::delete(connection, &old.id)?;
                has_deleted = true;
            }
        }
        let upload = Upload {
            id: token::short(),
            created_at: time::stored(now),
            expires_at: time::stored(now + EXPIRES_AFTER),
            nomination_id,
            slot: slot.to_owned(),
            length,
            received: 0,
            media_id: None,
        };
        uploads::insert(connection, &upload)?;
        Ok((upload, has_deleted))
    })?;
    if has_deleted {
        sweep_soon(app);
    }
    Ok(upload)
}

/// The upload with its progress.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's. [`Error::Gone`]: it has expired.
pub fn get(app: &App, artist: &Artist, id: &str) -> Result<Upload> {
    app.store.read(|connection| find(connection, artist, id))
}

/// Continues an upload; the last chunk makes the photo or the video. Returns the upload afterwards.
///
/// # Errors
/// Those of [`get`]. [`Error::WrongOffset`] if the upload does not continue at `offset`. [`Error::Malformed`] if the chunk
/// goes past its end. [`Error::Closed`] if the slot cannot be changed any more. Those of `photo::read` and `video::read`,
/// after which the upload is deleted.
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
        let (mut upload, mut offset) = (upload, offset);
        for piece in chunk.chunks(PIECE) {
            upload = app.store.write_bulk(|connection| {
                let upload = require_unchanged(connection, &content, artist, id, offset, now)?;
                let expires_at = time::stored(time::now() + EXPIRES_AFTER);
                uploads::append(connection, &upload, piece, &expires_at)?;
                find(connection, artist, id)
            })?;
            offset = upload.received;
        }
        return Ok(upload);
    }
    let arrived = app.store.read(|connection| {
        let upload = require_unchanged(connection, &content, artist, id, offset, now)?;
        let nomination = own::owned(connection, artist, upload.nomination_id)?;
        let mut slots = content.portal.slots_of(&nomination.category, &nomination.sub_category);
        let slot = slots.find(|slot| slot.key == upload.slot);
        if slot.is_some_and(Slot::is_video) {
            return Ok(Arrived::Video(upload));
        }
        let mut file = uploads::content(connection, &upload)?;
        file.extend_from_slice(&chunk);
        Ok(Arrived::Photo { file, min_pixels: slot.map_or(0, |slot| slot.min_pixels) })
    })?;
    // Decoding a photo and cleaning a video take long, so no database connection is held meanwhile.
    let made = match arrived {
        Arrived::Photo { file, min_pixels } => photo::read(&file, min_pixels).map(Made::Photo),
        Arrived::Video(upload) => clean_video(app, &upload, chunk),
    };
    let made = match made {
        Ok(made) => made,
        Err(error @ (Error::Invalid(_) | Error::Unsupported(_))) => {
            app.store.write(|connection| uploads::delete(connection, id))?;
            sweep_soon(app);
            return Err(error);
        }
        Err(error) => return Err(error),
    };
    let upload = app.store.write_bulk(|connection| {
        let upload = require_unchanged(connection, &content, artist, id, offset, now)?;
        let media_id = match &made {
            Made::Photo(photo) => store_photo(connection, (upload.nomination_id, &upload.slot), photo)?,
            Made::Video { video, sha256, last } => {
                uploads::append(connection, &upload, last, &upload.expires_at)?;
                store_video(connection, &upload, video, sha256)?
            }
        };
        uploads::finish(connection, id, media_id)?;
        find(connection, artist, id)
    })?;
    sweep_soon(app);
    Ok(upload)
}

/// An upload whose last chunk has come.
enum Arrived {
    Photo { file: Vec<u8>, min_pixels: u32 },
    Video(Upload),
}

/// What an upload becomes.
enum Made {
    Photo(Photo),
    /// The SHA-256 is that of what is kept of it, and `last` is what is kept of the last chunk.
    Video {
        video: Video,
        sha256: String,
        last: Vec<u8>,
    },
}

/// Overwrites what is not kept of a video in its stored chunks, which are read one by one, because a video may not fit into
/// memory. A partly cleaned video can be read again, so that nothing is lost if the process ends in between.
fn clean_video(app: &App, upload: &Upload, mut last: Vec<u8>) -> Result<Made> {
    let stored = |start| app.store.read(|connection| uploads::chunk(connection, &upload.id, start));
    let chunks = app.store.read(|connection| uploads::chunks(connection, &upload.id))?;
    // The start and the bytes of the chunk that was read last: a video is read in many small parts, mostly in their order.
    let mut cached = (u64::MAX, Vec::new());
    let video = video::read(upload.length, |start, length| {
        let end = start + length as u64;
        let mut bytes = Vec::with_capacity(length);
        let mut take = |chunk: &[u8], at: u64| {
            let within =
                |byte: u64| usize::try_from(byte.saturating_sub(at)).unwrap_or(usize::MAX).min(chunk.len());
            bytes.extend_from_slice(&chunk[within(start)..within(end)]);
        };
        let first = chunks.partition_point(|chunk| chunk.end <= start);
        for chunk in chunks[first..].iter().take_while(|chunk| chunk.start < end) {
            if cached.0 != chunk.start {
                cached = (chunk.start, stored(chunk.start)?);
            }
            take(&cached.1, chunk.start);
        }
        take(&last, upload.received);
        Ok(bytes)
    })?;
    let mut hash = Sha256::new();
    for group in chunks.chunks(CHUNKS_REWRITTEN) {
        let mut cleaned = Vec::new();
        for chunk in group {
            let before = stored(chunk.start)?;
            let mut bytes = before.clone();
            video.clean(chunk.start, &mut bytes);
            hash.update(&bytes);
            if bytes != before {
                cleaned.push((chunk.start, bytes));
            }
        }
        if cleaned.is_empty() {
            continue;
        }
        app.store.write_bulk(|connection| {
            let mut chunks = cleaned.iter();
            chunks.try_for_each(|(start, bytes)| uploads::put_chunk(connection, &upload.id, *start, bytes))
        })?;
    }
    video.clean(upload.received, &mut last);
    hash.update(&last);
    Ok(Made::Video { video, sha256: hex::encode(hash.finalize()), last })
}

/// Deletes the chunks that nothing needs any more, a few at a time.
pub fn sweep(app: &App) -> Result<()> {
    let now = time::stored(time::now());
    for id in app.store.read(|connection| uploads::unneeded(connection, &now))? {
        while app.store.write_bulk(|connection| uploads::delete_some_unneeded(connection, &id, &now))? {}
    }
    Ok(())
}

/// Like [`sweep`], but only logs a failure: the nightly sweep deletes the rest.
fn sweep_soon(app: &App) {
    if let Err(error) = sweep(app) {
        tracing::warn!("chunks of uploads that nothing needs stay until the night: {}", error.for_log());
    }
}

/// Puts a file into a slot as if it had been uploaded, for the demo.
pub(super) fn put(app: &App, nomination_id: i64, slot: &str, file: &[u8]) -> Result<()> {
    let photo = photo::read(file, 0)?;
    app.store.write(|connection| store_photo(connection, (nomination_id, slot), &photo).map(drop))
}

fn store_photo(connection: &Connection, (nomination_id, slot): (i64, &str), photo: &Photo) -> Result<i64> {
    let new = NewMedium {
        nomination_id,
        slot,
        kind: MediaKind::Photo,
        width: photo.full.width,
        height: photo.full.height,
        bytes: photo.full.bytes.len() as u64,
        sha256: &photo.full.sha256,
        thumbnail_bytes: photo.thumbnail.bytes.len() as u64,
        thumbnail_sha256: &photo.thumbnail.sha256,
        taken_at: photo.taken_at.as_deref(),
        software: photo.software.as_deref(),
        image_hash: Some(photo.image_hash),
        upload_id: None,
    };
    let id = media::replace(connection, &new, &time::stored(time::now()))?;
    media::put_content(connection, id, Size::Full, &photo.full.bytes)?;
    media::put_content(connection, id, Size::Thumbnail, &photo.thumbnail.bytes)?;
    Ok(id)
}

/// Makes a video of the chunks of an upload, which stay where they are.
fn store_video(connection: &Connection, upload: &Upload, video: &Video, sha256: &str) -> Result<i64> {
    let thumbnail = Picture::new(&video::thumbnail())?;
    let new = NewMedium {
        nomination_id: upload.nomination_id,
        slot: &upload.slot,
        kind: MediaKind::Video,
        width: video.width,
        height: video.height,
        bytes: upload.length,
        sha256,
        thumbnail_bytes: thumbnail.bytes.len() as u64,
        thumbnail_sha256: &thumbnail.sha256,
        taken_at: None,
        software: None,
        image_hash: None,
        upload_id: Some(&upload.id),
    };
    let id = media::replace(connection, &new, &time::stored(time::now()))?;
    media::put_content(connection, id, Size::Thumbnail, &thumbnail.bytes)?;
    Ok(id)
}

/// The upload. Requires that it continues at `offset`, and that its slot may still be changed.
fn require_unchanged(
    connection: &Connection,
    content: &Content,
    artist: &Artist,
    id: &str,
    offset: u64,
    now: DateTime<Utc>,
) -> Result<Upload> {
    let upload = find(connection, artist, id)?;
    let nomination = own::owned(connection, artist, upload.nomination_id)?;
    let begun = upload.created_at.parse().unwrap_or(now);
    own::require_open(connection, content, &nomination, &upload.slot, begun, now)?;
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
pub fn delete(app: &App, artist: &Artist, id: &str) -> Result<()> {
    get(app, artist, id)?;
    app.store.write(|connection| uploads::delete(connection, id))?;
    sweep_soon(app);
    Ok(())
}

/// A photo or the video of the competitor, as a judge will see it.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's.
pub fn photo(app: &App, artist: &Artist, id: i64, size: Size) -> Result<MediaFile> {
    let medium = app.store.read(|connection| own_medium(connection, artist, id))?;
    Ok(MediaFile::new(&medium, size))
}

/// Removes a photo of the competitor.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's. [`Error::Closed`]: it cannot be changed any more.
pub fn delete_photo(app: &App, artist: &Artist, id: i64) -> Result<()> {
    let (content, now) = (app.content(), time::now());
    app.store.write(|connection| {
        let medium = own_medium(connection, artist, id)?;
        let nomination = own::owned(connection, artist, medium.nomination_id)?;
        own::require_open(connection, &content, &nomination, &medium.slot, now, now)?;
        media::delete(connection, id)
    })?;
    sweep_soon(app);
    Ok(())
}

fn own_medium(connection: &Connection, artist: &Artist, id: i64) -> Result<Medium> {
    let unknown = || Error::NotFound("There is no such photo of yours.".into());
    let medium = media::get(connection, id)?.ok_or_else(unknown)?;
    own::owned(connection, artist, medium.nomination_id).map_err(|_| unknown())?;
    Ok(medium)
}

/// Deletes what has arrived of expired uploads.
pub fn forget_expired(app: &App) -> Result<()> {
    let forgotten = time::stored(time::now() - REMEMBERED_FOR);
    app.store.write(|connection| uploads::delete_expired(connection, &forgotten))?;
    sweep(app)
}
