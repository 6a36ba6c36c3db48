//! Uploads by the tus protocol, version 1.0 (<https://tus.io/protocols/resumable-upload>): its core, and the extensions
//! creation, expiration and termination.

use std::collections::HashMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use http::StatusCode;
use http::header::{CONTENT_TYPE, ETAG, HeaderValue, LOCATION};
use warp::Reply;
use warp::reply::Response;

use super::super::call::{Call, no_content};
use super::super::media_file;
use super::super::route::{Endpoint, ResponseFuture};
use super::PortalIsOpen;
use crate::error::{Error, Result};
use crate::portal::access::Artist;
use crate::portal::uploads::{self, MAX_CHUNK, Upload};

const VERSION: HeaderValue = HeaderValue::from_static("1.0.0");
const CHUNK_TYPE: &str = "application/offset+octet-stream";
/// A chunk may take this long to arrive. For 1 MiB that is 50 kbit/s.
const CHUNK_TIMEOUT: Duration = Duration::from_secs(180);
/// A photo or a video that has arrived waits this long for those before it to be decoded.
const DECODING_TIMEOUT: Duration = Duration::from_secs(60);

/// `POST /api/artist/uploads` with `Upload-Length` and `Upload-Metadata: nomination, slot` → `201` and `Location`
pub async fn create(mut call: Call, artist: Artist) -> Result<Response> {
    call.bytes(MAX_CHUNK).await?;
    if let Some(refused) = other_version(&call) {
        return Ok(refused);
    }
    let length = number(&call, "upload-length")?;
    let metadata = metadata(&call)?;
    let text = |name: &str| metadata.get(name).cloned().unwrap_or_default();
    let nomination: i64 = text("nomination")
        .parse()
        .map_err(|_| Error::Malformed("Upload-Metadata needs the nomination's id.".into()))?;
    let slot = text("slot");
    let upload = call.run(move |app| uploads::create(app, &artist, nomination, &slot, length)).await?;
    let mut response = answer(StatusCode::CREATED, &upload);
    let location = format!("/api/artist/uploads/{}", upload.id);
    response.headers_mut().insert(LOCATION, HeaderValue::try_from(location).expect("hexadecimal"));
    Ok(response)
}

/// `HEAD /api/artist/uploads/<id>` → `Upload-Offset`: where it continues
pub async fn show(call: Call, artist: Artist) -> Result<Response> {
    if let Some(refused) = other_version(&call) {
        return Ok(refused);
    }
    let id = call.name();
    let upload = call.run(move |app| uploads::get(app, &artist, &id)).await?;
    let mut response = answer(StatusCode::OK, &upload);
    // What is kept of the client's metadata: a file's name may be a person's.
    let (nomination, slot) =
        (STANDARD.encode(upload.nomination_id.to_string()), STANDARD.encode(&upload.slot));
    let metadata = format!("nomination {nomination},slot {slot}");
    response.headers_mut().insert("upload-metadata", HeaderValue::try_from(metadata).expect("Base64"));
    Ok(response)
}

/// `PATCH /api/artist/uploads/<id>` with `Upload-Offset` and a chunk → `204` and the new `Upload-Offset`
pub async fn append(mut call: Call, artist: Artist) -> Result<Response> {
    let chunk = call.bytes_within(MAX_CHUNK, CHUNK_TIMEOUT).await?;
    if let Some(refused) = other_version(&call) {
        return Ok(refused);
    }
    if call.header(CONTENT_TYPE) != CHUNK_TYPE {
        return Err(Error::Unsupported(format!("Please send chunks as {CHUNK_TYPE}.")));
    }
    let offset = number(&call, "upload-offset")?;
    let chunk = chunk.as_slice().to_vec();
    let (id, owner) = (call.name(), artist.clone());
    let upload = call.run(move |app| uploads::get(app, &owner, &id)).await?;
    let is_last = offset.saturating_add(chunk.len() as u64) >= upload.length;
    let permit = if is_last { Some(call.state.permit_to_decode(DECODING_TIMEOUT).await?) } else { None };
    let id = call.name();
    let upload = call
        .run(move |app| {
            let _permit = permit;
            uploads::append(app, &artist, &id, offset, chunk)
        })
        .await?;
    Ok(answer(StatusCode::NO_CONTENT, &upload))
}

/// `DELETE /api/artist/uploads/<id>` → `204`
pub async fn delete(call: Call, artist: Artist) -> Result<Response> {
    if let Some(refused) = other_version(&call) {
        return Ok(refused);
    }
    let id = call.name();
    call.run(move |app| uploads::delete(app, &artist, &id)).await?;
    Ok(no_content())
}

/// `OPTIONS /api/artist/uploads` → the supported version and extensions of the upload protocol
pub async fn options(_call: Call, _: PortalIsOpen) -> Result<Response> {
    let mut response = no_content();
    let headers = response.headers_mut();
    headers.insert("tus-version", VERSION);
    headers.insert("tus-extension", HeaderValue::from_static("creation,expiration,termination"));
    headers.insert("tus-max-size", HeaderValue::from(uploads::MAX_FILE));
    Ok(response)
}

/// Every answer of the protocol names its version, a refusal too.
pub fn tus((method, handler): Endpoint) -> Endpoint {
    let named = move |call| -> ResponseFuture {
        let answer = handler(call);
        Box::pin(async {
            let mut response = answer.await;
            response.headers_mut().insert("tus-resumable", VERSION);
            response
        })
    };
    (method, Box::new(named))
}

/// `GET /api/artist/media/<id>?size=` → a photo or a video as a judge will see it
pub async fn show_media(call: Call, artist: Artist) -> Result<Response> {
    let (id, size) = (call.id(), media_file::size(&call)?);
    let file = call.run(move |app| uploads::photo(app, &artist, id, size)).await?;
    let etag = HeaderValue::try_from(format!("\"{}\"", file.sha256())).expect("hexadecimal");
    let mut response = media_file::reply(&call, file, "private, max-age=3600").await?;
    response.headers_mut().insert(ETAG, etag);
    Ok(response)
}

/// `DELETE /api/artist/media/<id>` → `204`
pub async fn delete_media(call: Call, artist: Artist) -> Result<Response> {
    let id = call.id();
    call.run(move |app| uploads::delete_photo(app, &artist, id)).await?;
    Ok(no_content())
}

fn answer(status: StatusCode, upload: &Upload) -> Response {
    let mut response = status.into_response();
    let headers = response.headers_mut();
    headers.insert("upload-offset", HeaderValue::from(upload.received));
    headers.insert("upload-length", HeaderValue::from(upload.length));
    if let Ok(expires) = upload.expires_at.parse::<DateTime<Utc>>() {
        let expires = expires.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
        headers.insert("upload-expires", HeaderValue::try_from(expires).expect("a date is ASCII"));
    }
    response
}

/// The refusal of a client that speaks another version of the protocol.
fn other_version(call: &Call) -> Option<Response> {
    let version = call.headers.get("tus-resumable")?;
    if version == VERSION {
        return None;
    }
    let mut response = StatusCode::PRECONDITION_FAILED.into_response();
    response.headers_mut().insert("tus-version", VERSION);
    Some(response)
}

fn number(call: &Call, name: &'static str) -> Result<u64> {
    let value = call.header(name);
    let is_digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|_| is_digits);
    number
        .filter(|number| *number <= i64::MAX as u64)
        .ok_or_else(|| Error::Malformed(format!("The header {name} must be a whole number.")))
}

/// The pairs of `Upload-Metadata`: a key and a value in Base64, separated by commas.
fn metadata(call: &Call) -> Result<HashMap<String, String>> {
    let wrong = || Error::Malformed("Upload-Metadata cannot be read.".into());
    let Some(header) = call.headers.get("upload-metadata") else { return Ok(HashMap::new()) };
    let pairs = header.to_str().map_err(|_| wrong())?.split(',').map(|pair| {
        let (key, value) = pair.trim().split_once(' ').unwrap_or((pair.trim(), ""));
        let value = STANDARD.decode(value.trim()).map_err(|_| wrong())?;
        // Only names that we know are read; a file's name may be in any encoding.
        Ok((key.to_owned(), String::from_utf8_lossy(&value).into_owned()))
    });
    pairs.collect()
}
