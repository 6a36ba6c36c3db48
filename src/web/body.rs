//! Reads a body, mostly JSON: its type, its size and its time are limited here, because the library limits none.

use std::time::Duration;

use bytes::{Buf, BytesMut};
use http::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use tokio::time::timeout;
use warp::{Filter, Stream};

use crate::error::{Error, Result};

/// How large a body may be, and how long it may take to arrive.
#[derive(Clone, Copy)]
pub struct BodyLimits {
    pub bytes: usize,
    pub time: Duration,
}

/// The request's JSON, or why it cannot be read. Chunked bodies are taken like any other.
pub fn json(limits: BodyLimits) -> impl Filter<Extract = (Result<Value>,), Error = warp::Rejection> + Clone {
    warp::header::headers_cloned()
        .and(warp::body::stream())
        .then(move |headers: HeaderMap, body| async move { read_json(&headers, body, limits).await })
}

/// # Errors
/// Why the body is no JSON that is taken.
pub async fn read_json<B: Buf>(
    headers: &HeaderMap,
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
    limits: BodyLimits,
) -> Result<Value> {
    require_json(headers)?;
    parse(&read(headers, body, limits).await?)
}

/// The request's JSON where everything in it is optional: no body is an empty object.
pub fn json_if_any(
    limits: BodyLimits,
) -> impl Filter<Extract = (Result<Value>,), Error = warp::Rejection> + Clone {
    warp::header::headers_cloned().and(warp::body::stream()).then(
        move |headers: HeaderMap, body| async move {
            let bytes = read(&headers, body, limits).await?;
            if bytes.is_empty() {
                return Ok(Value::Object(serde_json::Map::new()));
            }
            require_json(&headers)?;
            parse(&bytes)
        },
    )
}

/// The request's body as it is, whatever its type.
pub fn bytes(
    limits: BodyLimits,
) -> impl Filter<Extract = (Result<BytesMut>,), Error = warp::Rejection> + Clone {
    warp::header::headers_cloned()
        .and(warp::body::stream())
        .then(move |headers: HeaderMap, body| async move { read(&headers, body, limits).await })
}

fn parse(bytes: &[u8]) -> Result<Value> {
    serde_json::from_slice(bytes)
        .map_err(|error| Error::Malformed(format!("This is not JSON that can be read: {error}.")))
}

async fn read<B: Buf>(
    headers: &HeaderMap,
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
    limits: BodyLimits,
) -> Result<BytesMut> {
    let declared =
        headers.get(http::header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if declared.is_some_and(|declared: usize| declared > limits.bytes) {
        return Err(Error::TooLarge(limits.bytes));
    }
    timeout(limits.time, collect(body, limits.bytes)).await.map_err(|_| Error::Timeout)?
}

fn require_json(headers: &HeaderMap) -> Result<()> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(Error::UnsupportedMediaType) }
}

async fn collect<B: Buf>(
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
    limit: usize,
) -> Result<BytesMut> {
    tokio::pin!(body);
    let mut collected = BytesMut::new();
    while let Some(part) = std::future::poll_fn(|context| body.as_mut().poll_next(context)).await {
        let part = part.map_err(|_| Error::Malformed("The body ended before it was whole.".into()))?;
        if collected.len() + part.remaining() > limit {
            return Err(Error::TooLarge(limit));
        }
        let mut part = part;
        while part.has_remaining() {
            let chunk = part.chunk();
            collected.extend_from_slice(chunk);
            let length = chunk.len();
            part.advance(length);
        }
    }
    Ok(collected)
}
