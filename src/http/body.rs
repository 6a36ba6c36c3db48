//! Reads request bodies. The HTTP library sets no limits, so this module limits a body's type, size and time, and the
//! memory for all bodies together.

use std::sync::Arc;
use std::time::Duration;

use bytes::Buf;
use http::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use tokio::time::timeout;
use warp::Stream;

use super::client_ip::Client;
use super::shares::{Share, Shares};
use crate::error::{Error, Result};

/// How large a body may be, how long it may take to arrive, and which memory it is taken from.
#[derive(Clone)]
pub struct BodyLimits {
    pub max_bytes: usize,
    pub timeout: Duration,
    pub memory: Arc<Shares>,
}

/// A body's buffer grows by an eighth of its size, and by at least this many bytes.
const STEP: usize = 4 * 1024;

/// A request body as far as it has arrived. It uses the memory of what has arrived, not of what it declares.
pub struct Body {
    bytes: Vec<u8>,
    max_bytes: usize,
    memory: Share,
}

impl Body {
    fn new(limits: &BodyLimits, client: Option<Client>) -> Body {
        let memory = limits.memory.share(client.map(Client::network));
        Body { bytes: Vec::new(), max_bytes: limits.max_bytes, memory }
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    fn append(&mut self, chunk: &[u8]) -> Result<()> {
        let needed = self.bytes.len() + chunk.len();
        if needed > self.max_bytes {
            return Err(Error::TooLarge(self.max_bytes));
        }
        if needed > self.memory.amount() {
            let step = STEP.max(needed / 8);
            let size = needed.next_multiple_of(step).min(self.max_bytes);
            if !self.memory.grow(size - self.memory.amount()) {
                return Err(Error::Crowded);
            }
            self.bytes.reserve_exact(size - self.bytes.len());
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }
}

/// Reads the request's body, of any type. `client` is `None` for a signed-in organiser.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Timeout`], [`Error::Crowded`]; [`Error::Malformed`] when the body ends too early.
pub async fn read<B: Buf>(
    headers: &HeaderMap,
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
    limits: &BodyLimits,
    client: Option<Client>,
) -> Result<Body> {
    let declared =
        headers.get(http::header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if declared.is_some_and(|declared: usize| declared > limits.max_bytes) {
        return Err(Error::TooLarge(limits.max_bytes));
    }
    timeout(limits.timeout, collect(body, Body::new(limits, client))).await.map_err(|_| Error::Timeout)?
}

pub fn parse(body: &Body) -> Result<Value> {
    serde_json::from_slice(body.as_slice())
        .map_err(|error| Error::Malformed(format!("This is not valid JSON: {error}.")))
}

pub fn require_json(headers: &HeaderMap) -> Result<()> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(Error::UnsupportedMediaType) }
}

async fn collect<B: Buf>(
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
    mut collected: Body,
) -> Result<Body> {
    tokio::pin!(body);
    while let Some(part) = std::future::poll_fn(|context| body.as_mut().poll_next(context)).await {
        let mut part = part.map_err(|_| Error::Malformed("The body ended too early.".into()))?;
        while part.has_remaining() {
            let chunk = part.chunk();
            collected.append(chunk)?;
            let length = chunk.len();
            part.advance(length);
        }
    }
    Ok(collected)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KB: usize = 1024;

    fn client(network: u8) -> Option<Client> {
        Some(Client(std::net::IpAddr::from([192, 0, network, 0])))
    }

    /// A body of this many bytes, received in pieces.
    fn arrived(memory: &Arc<Shares>, client: Option<Client>, bytes: usize) -> Result<Body> {
        let limits = BodyLimits { max_bytes: 512 * KB, timeout: Duration::ZERO, memory: Arc::clone(memory) };
        let mut body = Body::new(&limits, client);
        let piece = vec![b'x'; 1000];
        while body.as_slice().len() < bytes {
            body.append(&piece[..piece.len().min(bytes - body.as_slice().len())])?;
        }
        Ok(body)
    }

    #[test]
    fn the_chunks_of_a_hundred_phones_fit_at_once() {
        let memory = Shares::new(16 << 20);
        // As large as the portal's page sends them (ui/src/portal/uploads.ts).
        let chunks: Result<Vec<Body>> = (0..100).map(|of| arrived(&memory, client(of), 128 * KB)).collect();
        assert_eq!(chunks.expect("memory for all of them").len(), 100);
    }

    #[test]
    fn a_network_that_uses_nothing_can_send_a_form_however_many_unfinished_bodies_others_hold() {
        for (networks, bytes) in [(4, 5 * KB), (4, 60 * KB), (200, 5 * KB), (200, 60 * KB)] {
            let memory = Shares::new(32 << 20);
            let mut halves = Vec::new();
            for _ in 0..(32 << 20) / bytes / networks + 2 {
                halves.extend((0..networks).filter_map(|of| arrived(&memory, client(of as u8), bytes).ok()));
            }
            assert!(halves.len() * bytes > 15 << 20, "{networks} networks hold all they can");
            assert!(arrived(&memory, client(0), 60 * KB).is_err(), "{networks} networks, {bytes} bytes");
            let form = arrived(&memory, client(250), 60 * KB).expect("room for a form");
            let sign_in = arrived(&memory, client(251), 100).expect("room to sign in");
            drop((halves, form, sign_in));
            assert!(memory.share(None).grow(32 << 20), "all of it was returned");
        }
    }

    #[test]
    fn bodies_use_little_more_memory_than_arrived() {
        let memory = Shares::new(1024 * KB);
        for bytes in [1, 1000, 5 * KB, 60 * KB, 200 * KB] {
            let body = arrived(&memory, None, bytes).expect("room");
            assert!(body.bytes.capacity() <= body.memory.amount(), "{bytes}");
            assert!(body.memory.amount() <= bytes + bytes / 6 + STEP, "{bytes}: {}", body.memory.amount());
        }
        assert!(matches!(arrived(&memory, None, 513 * KB), Err(Error::TooLarge(_))));
    }
}
