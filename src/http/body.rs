//! Reads a body, mostly JSON: its type, its size, its time and the memory for all bodies together are limited here,
//! because the library limits none.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Buf;
use http::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use tokio::time::timeout;
use warp::Stream;

use super::client_ip::Client;
use crate::error::{Error, Result};

/// How large a body may be, how long it may take to arrive, and what pays for its memory.
#[derive(Clone)]
pub struct BodyLimits {
    pub bytes: usize,
    pub time: Duration,
    pub budget: Arc<BodyBudget>,
}

/// A body grows by an eighth of what it has, and by this many bytes at least.
const STEP: usize = 4 * 1024;

/// A filled form and an event of the payment provider are smaller than this.
const SMALL: usize = 16 * 1024;

/// The memory for all bodies that are arriving, over all connections. A body pays for what has arrived, not for what
/// it declares. What has no room is refused and not kept waiting: a connection that waits holds memory too, and two
/// halves of bodies would wait for each other.
pub struct BodyBudget {
    bytes: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    bytes: usize,
    by_network: HashMap<Client, usize>,
}

impl BodyBudget {
    pub fn new(bytes: usize) -> BodyBudget {
        BodyBudget { bytes, taken: Mutex::default() }
    }

    /// Takes so much more for a body that will have `size` bytes then. One network may take a quarter of all, and
    /// bodies that are not small a half: whoever sends halves of large bodies keeps no form and no event out. An
    /// organiser (`None`) may take all.
    fn take(&self, network: Option<Client>, more: usize, size: usize) -> Result<()> {
        let mut taken = self.taken();
        let in_all = taken.bytes + more;
        if let Some(network) = network {
            let of_network = taken.by_network.get(&network).copied().unwrap_or_default() + more;
            if in_all > self.bytes || of_network > self.bytes / 4 || size > SMALL && in_all > self.bytes / 2 {
                return Err(Error::Crowded);
            }
            taken.by_network.insert(network, of_network);
        } else if in_all > self.bytes {
            return Err(Error::Crowded);
        }
        taken.bytes = in_all;
        Ok(())
    }

    fn give_back(&self, network: Option<Client>, bytes: usize) {
        let mut taken = self.taken();
        taken.bytes -= bytes;
        if let Some(network) = network
            && let Some(of_network) = taken.by_network.get_mut(&network)
        {
            *of_network -= bytes;
            if *of_network == 0 {
                taken.by_network.remove(&network);
            }
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A body as far as it has arrived; its memory is given back to the budget when it is dropped.
pub struct Body {
    bytes: Vec<u8>,
    paid_for: usize,
    network: Option<Client>,
    limits: BodyLimits,
}

impl Body {
    fn new(limits: &BodyLimits, network: Option<Client>) -> Body {
        Body { bytes: Vec::new(), paid_for: 0, network, limits: limits.clone() }
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// # Errors
    /// [`Error::TooLarge`], [`Error::Crowded`].
    fn append(&mut self, chunk: &[u8]) -> Result<()> {
        let needed = self.bytes.len() + chunk.len();
        if needed > self.limits.bytes {
            return Err(Error::TooLarge(self.limits.bytes));
        }
        if needed > self.paid_for {
            let step = STEP.max(needed / 8);
            let size = needed.next_multiple_of(step).min(self.limits.bytes);
            self.limits.budget.take(self.network, size - self.paid_for, size)?;
            self.paid_for = size;
            self.bytes.reserve_exact(size - self.bytes.len());
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.limits.budget.give_back(self.network, self.paid_for);
    }
}

/// The request's JSON, or why it cannot be read. Chunked bodies are read like any other.
///
/// `client` is `None` for a signed-in organiser.
///
/// # Errors
/// Why the body is no JSON that is taken.
pub async fn read_json<B: Buf>(
    headers: &HeaderMap,
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
    limits: &BodyLimits,
    client: Option<Client>,
) -> Result<Value> {
    require_json(headers)?;
    parse(&read(headers, body, limits, client).await?)
}

/// # Errors
/// [`Error::Malformed`]: this is not JSON.
pub fn parse(body: &Body) -> Result<Value> {
    serde_json::from_slice(body.as_slice())
        .map_err(|error| Error::Malformed(format!("This is not JSON that can be read: {error}.")))
}

/// The request's body as it is, whatever its type; `client` as in [`read_json`].
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Timeout`], [`Error::Crowded`]; [`Error::Malformed`]: it ended too early.
pub async fn read<B: Buf>(
    headers: &HeaderMap,
    body: impl Stream<Item = std::result::Result<B, warp::Error>>,
    limits: &BodyLimits,
    client: Option<Client>,
) -> Result<Body> {
    let declared =
        headers.get(http::header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if declared.is_some_and(|declared: usize| declared > limits.bytes) {
        return Err(Error::TooLarge(limits.bytes));
    }
    let collected = collect(body, Body::new(limits, client.map(Client::network)));
    timeout(limits.time, collected).await.map_err(|_| Error::Timeout)?
}

/// # Errors
/// [`Error::UnsupportedMediaType`].
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
        let mut part = part.map_err(|_| Error::Malformed("The body ended before it was whole.".into()))?;
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

    /// A body of so many bytes that has arrived in pieces.
    fn arrived(budget: &Arc<BodyBudget>, network: Option<Client>, bytes: usize) -> Result<Body> {
        let limits = BodyLimits { bytes: 512 * KB, time: Duration::ZERO, budget: Arc::clone(budget) };
        let mut body = Body::new(&limits, network);
        let piece = vec![b'x'; 1000];
        while body.as_slice().len() < bytes {
            body.append(&piece[..piece.len().min(bytes - body.as_slice().len())])?;
        }
        Ok(body)
    }

    fn fitting(budget: &Arc<BodyBudget>, network: Option<Client>, bytes: usize) -> Vec<Body> {
        std::iter::from_fn(|| arrived(budget, network, bytes).ok()).collect()
    }

    #[test]
    fn halves_of_large_bodies_leave_room_for_small_ones_and_for_the_organiser() {
        let budget = Arc::new(BodyBudget::new(4096 * KB));
        let hostile = [fitting(&budget, client(1), 100 * KB), fitting(&budget, client(2), 100 * KB)];
        let more = fitting(&budget, client(3), 100 * KB);
        let held = hostile.iter().map(Vec::len).collect::<Vec<_>>();
        assert!(held.iter().all(|count| (8..=10).contains(count)), "a quarter each: {held:?}");
        assert!(more.len() <= 2, "and a half in all: {}", more.len());
        let small = fitting(&budget, client(3), 5 * KB);
        assert!(small.len() >= 100, "{}", small.len());
        assert!(arrived(&budget, None, 500 * KB).is_ok());
        drop((hostile, more, small));
        assert!(budget.taken().bytes == 0 && budget.taken().by_network.is_empty());
    }

    #[test]
    fn nobody_takes_more_than_there_is_or_pays_for_much_more_than_arrived() {
        let budget = Arc::new(BodyBudget::new(1024 * KB));
        for bytes in [1, 1000, 5 * KB, 60 * KB, 200 * KB] {
            let body = arrived(&budget, None, bytes).expect("room");
            assert!(body.bytes.capacity() <= body.paid_for, "{bytes}");
            assert!(body.paid_for <= bytes + bytes / 6 + STEP, "{bytes}: {}", body.paid_for);
        }
        let all: Vec<_> = (0..100).flat_map(|network| fitting(&budget, client(network), 5 * KB)).collect();
        assert!(budget.taken().bytes <= 1024 * KB && all.len() >= 120, "{}", all.len());
        assert!(matches!(arrived(&budget, None, 100 * KB), Err(Error::Crowded)));
        drop(all);
        assert!(matches!(arrived(&budget, None, 513 * KB), Err(Error::TooLarge(_))));
        assert_eq!(budget.taken().bytes, 0);
    }
}
