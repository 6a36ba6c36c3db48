//! Answers with the bytes of photos and videos. Browsers ask for a video part by part (RFC 9110, 14).

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use http::StatusCode;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderMap, HeaderValue, RANGE,
};
use tokio::sync::mpsc::channel;
use tokio_stream::wrappers::ReceiverStream;
use warp::Reply;
use warp::reply::Response;

use super::call::Call;
use crate::error::{Error, Result};
use crate::http::blocking::blocking;
use crate::portal::{MediaFile, Size};

/// The most bytes in one answer to a `Range`: the browser asks for what follows (RFC 9110, 15.3.7).
const MAX_PART_LENGTH: u64 = 2 << 20;

/// The `size` of the query.
pub fn size(call: &Call) -> Result<Size> {
    match call.query_value("size").as_deref() {
        None => Ok(Size::Full),
        Some(size) => size.parse().map_err(|_| Error::Malformed("size is full or thumbnail.".into())),
    }
}

/// Answers with a photo, or with the part of a video that was asked for.
pub async fn reply(call: &Call, file: MediaFile, caching: &'static str) -> Result<Response> {
    let length = file.length();
    let mut response = if !file.is_video {
        let bytes = call.run(move |app| file.part(app, 0..length)).await?;
        with_type(Response::new(bytes.into()), "image/jpeg")
    } else {
        match requested(&call.headers, length) {
            Requested::Whole => streamed(call, file),
            Requested::Part(range) => {
                let (first, last) = (range.start, range.end - 1);
                let bytes = call.run(move |app| file.part(app, range)).await?;
                let mut response = Response::new(bytes.into());
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                with_range(response, &format!("bytes {first}-{last}/{length}"))
            }
            Requested::Nothing => {
                let mut response = Response::new(Bytes::new().into());
                *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
                with_range(response, &format!("bytes */{length}"))
            }
        }
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    Ok(response)
}

fn with_type(mut response: Response, content_type: &'static str) -> Response {
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn with_range(mut response: Response, range: &str) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_RANGE, HeaderValue::try_from(range).expect("digits"));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    with_type(response, "video/mp4")
}

/// The whole video. Each part is read on its own, so that a slow client holds no connection to the database.
fn streamed(call: &Call, file: MediaFile) -> Response {
    let length = file.length();
    let (sender, receiver) = channel(1);
    let app = Arc::clone(&call.state.app);
    tokio::spawn(async move {
        let mut start = 0;
        while start < length {
            let (file, range) = (file.clone(), start..length.min(start + MAX_PART_LENGTH));
            start = range.end;
            let part = blocking(&app, move |app| file.part(app, range)).await;
            // Ends the connection visibly: otherwise an incomplete video would look complete.
            let part = part.map(Bytes::from).map_err(std::io::Error::other);
            let has_failed = part.is_err();
            if sender.send(part).await.is_err() || has_failed {
                break;
            }
        }
    });
    let mut response = warp::reply::stream(ReceiverStream::new(receiver)).into_response();
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
    response.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    with_type(response, "video/mp4")
}

#[derive(Debug, PartialEq, Eq)]
enum Requested {
    Whole,
    Part(Range<u64>),
    /// It begins past the end.
    Nothing,
}

/// What `Range` asks for. What is not understood, and several ranges at once, count as the whole.
fn requested(headers: &HeaderMap, length: u64) -> Requested {
    let Some(range) = headers.get(RANGE).and_then(|range| range.to_str().ok()) else {
        return Requested::Whole;
    };
    let pair = range.strip_prefix("bytes=").and_then(|range| range.split_once('-'));
    let Some((first, last)) = pair.map(|(first, last)| (first.trim(), last.trim())) else {
        return Requested::Whole;
    };
    let number = |text: &str| {
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u64>().ok().filter(|_| is_digits)
    };
    let (start, end) = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => (first, length.min(last.saturating_add(1))),
        (Some(first), None) if last.is_empty() => (first, length),
        (None, Some(last)) if first.is_empty() => (length.saturating_sub(last), length),
        _ => return Requested::Whole,
    };
    if start >= length {
        return Requested::Nothing;
    }
    Requested::Part(start..end.min(start + MAX_PART_LENGTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_what_of_it_there_is_and_at_most_a_part() {
        let length = 5 << 20;
        for (header, expected) in [
            ("bytes=0-", Requested::Part(0..MAX_PART_LENGTH)),
            ("bytes=0-0", Requested::Part(0..1)),
            ("bytes=10-19", Requested::Part(10..20)),
            ("bytes=-5", Requested::Part(length - 5..length)),
            ("bytes=-99999999", Requested::Part(0..MAX_PART_LENGTH)),
            ("bytes=5242879-99999999999", Requested::Part(length - 1..length)),
            ("bytes=5242880-", Requested::Nothing),
            ("bytes=-0", Requested::Nothing),
            ("bytes=20-10", Requested::Whole),
            ("bytes=-", Requested::Whole),
            ("bytes=+1-2", Requested::Whole),
            ("bytes=99999999999999999999-", Requested::Whole),
            ("bytes=0-1,5-6", Requested::Whole),
            ("items=0-1", Requested::Whole),
        ] {
            let headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_static(header))]);
            assert_eq!(requested(&headers, length), expected, "{header}");
        }
        assert_eq!(requested(&HeaderMap::new(), length), Requested::Whole);
    }
}
