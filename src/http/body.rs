//! Reads request bodies. The HTTP library sets no limits, so this module limits a body's type, size and time, and the
//! memory for all bodies together.

mod budget;

use std::sync::Arc;
use std::time::Duration;

use bytes::Buf;
use http::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::timeout;
use warp::Stream;

pub use budget::BodyBudget;

use super::client_ip::Client;
use crate::error::{Error, Result};

/// How large a body may be, how long it may take to arrive, and which budget its memory is taken from.
#[derive(Clone)]
pub struct BodyLimits {
    pub bytes: usize,
    pub time: Duration,
    pub budget: Arc<BodyBudget>,
}

/// A body's buffer grows by an eighth of its size, and by at least this many bytes.
const STEP: usize = 4 * 1024;

/// A request body as far as it has arrived. Dropping it returns its memory to the budget.
pub struct Body {
    bytes: Vec<u8>,
    /// Bytes that are reserved in the budget.
    reserved: usize,
    /// `None` for a signed-in organiser.
    network: Option<Client>,
    number: u64,
    aborted: Arc<Notify>,
    limits: BodyLimits,
}

impl Body {
    fn new(limits: &BodyLimits, network: Option<Client>) -> Body {
        let number = limits.budget.next_number();
        Body {
            bytes: Vec::new(),
            reserved: 0,
            network,
            number,
            aborted: Arc::default(),
            limits: limits.clone(),
        }
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
        if needed > self.reserved {
            let step = STEP.max(needed / 8);
            let size = needed.next_multiple_of(step).min(self.limits.bytes);
            self.limits.budget.reserve(self, size - self.reserved, size)?;
            self.reserved = size;
            self.bytes.reserve_exact(size - self.bytes.len());
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    /// Marks the body as complete. From now on it is not aborted.
    fn mark_complete(&self) {
        let mut usage = self.limits.budget.usage();
        let of_network = self.network.and_then(|network| usage.networks.get_mut(&network));
        if let Some(body) = of_network.and_then(|held| held.bodies.get_mut(&self.number)) {
            body.aborted = None;
        }
    }

    #[cfg(test)]
    fn is_held(&self) -> bool {
        self.network.is_none_or(|network| self.limits.budget.usage().holds(network, self.number))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let mut usage = self.limits.budget.usage();
        match self.network {
            Some(network) => drop(usage.remove(network, self.number)),
            None => usage.bytes -= self.reserved,
        }
    }
}

/// Reads the request's JSON. `client` is `None` for a signed-in organiser.
///
/// # Errors
/// Those of [`require_json`], [`read`] and [`parse`].
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
/// [`Error::Malformed`] when this is not JSON.
pub fn parse(body: &Body) -> Result<Value> {
    serde_json::from_slice(body.as_slice())
        .map_err(|error| Error::Malformed(format!("This is not valid JSON: {error}.")))
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
    let aborted = Arc::clone(&collected.aborted);
    loop {
        let part = tokio::select! {
            () = aborted.notified() => return Err(Error::Crowded),
            part = std::future::poll_fn(|context| body.as_mut().poll_next(context)) => part,
        };
        let Some(part) = part else { break };
        let mut part = part.map_err(|_| Error::Malformed("The body ended too early.".into()))?;
        while part.has_remaining() {
            let chunk = part.chunk();
            collected.append(chunk)?;
            let length = chunk.len();
            part.advance(length);
        }
    }
    collected.mark_complete();
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
    fn arrived(budget: &Arc<BodyBudget>, network: Option<Client>, bytes: usize) -> Result<Body> {
        let limits = BodyLimits { bytes: 512 * KB, time: Duration::ZERO, budget: Arc::clone(budget) };
        let mut body = Body::new(&limits, network);
        let piece = vec![b'x'; 1000];
        while body.as_slice().len() < bytes {
            body.append(&piece[..piece.len().min(bytes - body.as_slice().len())])?;
        }
        Ok(body)
    }

    #[test]
    fn the_chunks_of_a_hundred_phones_fit_at_once() {
        let budget = Arc::new(BodyBudget::new(32 << 20));
        // As large as the portal's page sends them (ui/src/portal/uploads.ts).
        let chunks: Vec<Body> = (0..100)
            .map(|of| arrived(&budget, client(of), 128 * KB))
            .collect::<Result<_>>()
            .expect("memory for all of them");
        assert_eq!(chunks.len(), 100);
    }

    #[test]
    fn a_network_that_uses_nothing_can_send_a_form_however_many_unfinished_bodies_others_hold() {
        for (networks, bytes) in [(4, 5 * KB), (4, 60 * KB), (200, 5 * KB), (200, 60 * KB)] {
            let budget = Arc::new(BodyBudget::new(32 << 20));
            let mut halves = Vec::new();
            for _ in 0..(32 << 20) / bytes / networks + 2 {
                halves.extend((0..networks).filter_map(|of| arrived(&budget, client(of as u8), bytes).ok()));
            }
            assert!(budget.usage().bytes > (31 << 20), "{networks} networks fill it");
            let form = arrived(&budget, client(250), 60 * KB).expect("room for a form");
            let sign_in = arrived(&budget, client(251), 100).expect("room to sign in");
            assert!(form.is_held() && sign_in.is_held(), "{networks} networks, {bytes} bytes");
            assert!(budget.usage().bytes <= 32 << 20);
            drop((halves, form, sign_in));
            assert!(budget.usage().bytes == 0 && budget.usage().networks.is_empty());
        }
    }

    #[test]
    fn a_network_has_a_quarter_and_large_bodies_half_and_neither_aborts_others() {
        let budget = Arc::new(BodyBudget::new(4096 * KB));
        let of = |network: u8| -> Vec<Body> {
            (0..12).filter_map(|_| arrived(&budget, client(network), 100 * KB).ok()).collect()
        };
        let halves = [of(1), of(2), of(3)];
        let counts = halves.iter().map(Vec::len).collect::<Vec<_>>();
        assert!(counts[..2].iter().all(|count| (8..=10).contains(count)), "a quarter each: {counts:?}");
        assert!(counts[2] <= 2, "and a half in all: {counts:?}");
        let small: Vec<_> = (0..100).filter_map(|_| arrived(&budget, client(3), 5 * KB).ok()).collect();
        assert_eq!(small.len(), 100);
        let organiser = arrived(&budget, None, 500 * KB).expect("room for the organiser");
        assert!(halves.iter().flatten().chain(&small).chain([&organiser]).all(Body::is_held));
    }

    #[test]
    fn complete_bodies_and_those_of_an_organiser_are_never_aborted() {
        let budget = Arc::new(BodyBudget::new(256 * KB));
        let whole = arrived(&budget, client(1), 60 * KB).expect("room");
        whole.mark_complete();
        let organiser = arrived(&budget, None, 150 * KB).expect("room");
        assert!(matches!(arrived(&budget, client(2), 60 * KB), Err(Error::Crowded)));
        assert!(whole.is_held() && organiser.is_held());
        drop(whole);
        assert!(arrived(&budget, client(2), 60 * KB).is_ok());
    }

    #[tokio::test]
    async fn an_aborted_body_is_answered_at_once() {
        let limits = BodyLimits {
            bytes: 512 * KB,
            time: Duration::from_secs(600),
            budget: Arc::new(BodyBudget::new(64 * KB)),
        };
        let (sender, receiver) =
            tokio::sync::mpsc::channel::<std::result::Result<bytes::Bytes, warp::Error>>(1);
        let stream = futures_util::stream::unfold(receiver, |mut receiver| async {
            Some((receiver.recv().await?, receiver))
        });
        sender.send(Ok(bytes::Bytes::from(vec![b'x'; 10 * KB]))).await.expect("taken");
        let headers = HeaderMap::new();
        let mut reading = Box::pin(read(&headers, stream, &limits, client(1)));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(reading.as_mut().poll(&mut context).is_pending());
        let organiser = arrived(&limits.budget, None, 60 * KB).expect("room");
        assert!(matches!(reading.await, Err(Error::Crowded)));
        drop(organiser);
        assert_eq!(limits.budget.usage().bytes, 0);
    }

    #[test]
    fn the_budget_is_never_exceeded_and_bodies_reserve_little_more_than_arrived() {
        let budget = Arc::new(BodyBudget::new(1024 * KB));
        for bytes in [1, 1000, 5 * KB, 60 * KB, 200 * KB] {
            let body = arrived(&budget, None, bytes).expect("room");
            assert!(body.bytes.capacity() <= body.reserved, "{bytes}");
            assert!(body.reserved <= bytes + bytes / 6 + STEP, "{bytes}: {}", body.reserved);
        }
        let all: Vec<_> =
            (0..400).filter_map(|number| arrived(&budget, client(number as u8 % 100), 5 * KB).ok()).collect();
        let held = all.iter().filter(|body| body.is_held()).count();
        assert!(budget.usage().bytes <= 1024 * KB && held >= 120, "{held}");
        assert!(arrived(&budget, None, 100 * KB).is_ok());
        drop(all);
        assert!(matches!(arrived(&budget, None, 513 * KB), Err(Error::TooLarge(_))));
        assert_eq!(budget.usage().bytes, 0);
    }
}
