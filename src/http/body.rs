//! Reads a body, mostly JSON: its type, its size, its time and the memory for all bodies together are limited here,
//! because the library limits none.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Buf;
use http::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use tokio::sync::Notify;
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
const SMALL: usize = 64 * 1024;

/// The memory for all bodies that are arriving, over all connections. A body pays for what has arrived, not for what
/// it declares. A network may take a quarter of the whole, and bodies that are not small a half. What has no room is
/// refused rather than kept waiting: a connection that waits holds memory too.
///
/// Halves of bodies that are never finished must not shut others out. When there is no room for a small body, the
/// oldest body of the network that holds the most is ended, as long as that network holds more than the one that asks
/// will. So a network that holds nothing gets its share, however many others fill the budget.
pub struct BodyBudget {
    bytes: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    bytes: usize,
    /// What visitors hold; an organiser's bodies count in `bytes` alone and are never ended.
    networks: HashMap<Client, NetworkBodies>,
    next_number: u64,
}

#[derive(Default)]
struct NetworkBodies {
    bytes: usize,
    /// By number, so the oldest first.
    bodies: BTreeMap<u64, HeldBody>,
}

struct HeldBody {
    bytes: usize,
    /// Notified when the body is ended; `None` once it has arrived whole.
    ended: Option<Arc<Notify>>,
}

impl BodyBudget {
    pub fn new(bytes: usize) -> BodyBudget {
        BodyBudget { bytes, taken: Mutex::default() }
    }

    fn number(&self) -> u64 {
        let mut taken = self.taken();
        taken.next_number += 1;
        taken.next_number
    }

    /// Takes so much more for a body that will have `size` bytes then. An organiser may take all.
    ///
    /// # Errors
    /// [`Error::Crowded`]: there is no room, or the body was ended to make room for another one.
    fn take(&self, body: &Body, more: usize, size: usize) -> Result<()> {
        let mut taken = self.taken();
        if let Some(network) = body.network {
            if body.paid_for > 0 && !taken.holds(network, body.number) {
                return Err(Error::Crowded);
            }
            let is_too_much_for_large = size > SMALL && taken.bytes + more > self.bytes / 2;
            if taken.of(network) + more > self.bytes / 4 || is_too_much_for_large {
                return Err(Error::Crowded);
            }
        }
        while taken.bytes + more > self.bytes {
            let largest = taken.largest_network(body.number).ok_or(Error::Crowded)?;
            if let Some(network) = body.network
                && taken.of(largest) <= taken.of(network) + more
            {
                return Err(Error::Crowded);
            }
            taken.end_oldest(largest, body.number)?;
        }
        taken.bytes += more;
        if let Some(network) = body.network {
            let of_network = taken.networks.entry(network).or_default();
            of_network.bytes += more;
            let new = || HeldBody { bytes: 0, ended: Some(Arc::clone(&body.ended)) };
            of_network.bodies.entry(body.number).or_insert_with(new).bytes += more;
        }
        Ok(())
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn of(&self, network: Client) -> usize {
        self.networks.get(&network).map_or(0, |of_network| of_network.bytes)
    }

    fn holds(&self, network: Client, number: u64) -> bool {
        self.networks.get(&network).is_some_and(|of_network| of_network.bodies.contains_key(&number))
    }

    /// The network that holds the most, of those with a body that can be ended for the body of this number.
    fn largest_network(&self, for_number: u64) -> Option<Client> {
        let with_one = self.networks.iter().filter(|(_, held)| held.oldest(for_number).is_some());
        with_one.max_by_key(|(_, held)| held.bytes).map(|(network, _)| *network)
    }

    fn end_oldest(&mut self, network: Client, for_number: u64) -> Result<()> {
        let number = self.networks.get(&network).and_then(|held| held.oldest(for_number));
        let body = number.and_then(|number| self.remove(network, number)).ok_or(Error::Crowded)?;
        if let Some(ended) = body.ended {
            ended.notify_one();
        }
        Ok(())
    }

    /// Gives back what a body holds, unless it was ended.
    fn remove(&mut self, network: Client, number: u64) -> Option<HeldBody> {
        let of_network = self.networks.get_mut(&network)?;
        let body = of_network.bodies.remove(&number)?;
        of_network.bytes -= body.bytes;
        self.bytes -= body.bytes;
        if of_network.bodies.is_empty() {
            self.networks.remove(&network);
        }
        Some(body)
    }
}

impl NetworkBodies {
    fn oldest(&self, for_number: u64) -> Option<u64> {
        let mut arriving = self.bodies.iter().filter(|(_, body)| body.ended.is_some());
        arriving.find(|(number, _)| **number != for_number).map(|(number, _)| *number)
    }
}

/// A body as far as it has arrived; its memory is given back to the budget when it is dropped.
pub struct Body {
    bytes: Vec<u8>,
    paid_for: usize,
    /// `None` for a signed-in organiser.
    network: Option<Client>,
    number: u64,
    ended: Arc<Notify>,
    limits: BodyLimits,
}

impl Body {
    fn new(limits: &BodyLimits, network: Option<Client>) -> Body {
        let number = limits.budget.number();
        Body {
            bytes: Vec::new(),
            paid_for: 0,
            network,
            number,
            ended: Arc::default(),
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
        if needed > self.paid_for {
            let step = STEP.max(needed / 8);
            let size = needed.next_multiple_of(step).min(self.limits.bytes);
            self.limits.budget.take(self, size - self.paid_for, size)?;
            self.paid_for = size;
            self.bytes.reserve_exact(size - self.bytes.len());
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    /// It has arrived whole: from now on it is not ended.
    fn has_arrived(&self) {
        let mut taken = self.limits.budget.taken();
        let of_network = self.network.and_then(|network| taken.networks.get_mut(&network));
        if let Some(body) = of_network.and_then(|held| held.bodies.get_mut(&self.number)) {
            body.ended = None;
        }
    }

    #[cfg(test)]
    fn is_held(&self) -> bool {
        self.network.is_none_or(|network| self.limits.budget.taken().holds(network, self.number))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let mut taken = self.limits.budget.taken();
        match self.network {
            Some(network) => drop(taken.remove(network, self.number)),
            None => taken.bytes -= self.paid_for,
        }
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
    let ended = Arc::clone(&collected.ended);
    loop {
        let part = tokio::select! {
            () = ended.notified() => return Err(Error::Crowded),
            part = std::future::poll_fn(|context| body.as_mut().poll_next(context)) => part,
        };
        let Some(part) = part else { break };
        let mut part = part.map_err(|_| Error::Malformed("The body ended before it was whole.".into()))?;
        while part.has_remaining() {
            let chunk = part.chunk();
            collected.append(chunk)?;
            let length = chunk.len();
            part.advance(length);
        }
    }
    collected.has_arrived();
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

    #[test]
    fn a_network_that_holds_nothing_gets_a_form_through_however_many_networks_hold_halves() {
        for (networks, bytes) in [(4, 5 * KB), (4, 60 * KB), (200, 5 * KB), (200, 60 * KB)] {
            let budget = Arc::new(BodyBudget::new(32 << 20));
            let mut halves = Vec::new();
            for _ in 0..(32 << 20) / bytes / networks + 2 {
                halves.extend((0..networks).filter_map(|of| arrived(&budget, client(of as u8), bytes).ok()));
            }
            assert!(budget.taken().bytes > (31 << 20), "{networks} networks fill it");
            let form = arrived(&budget, client(250), 60 * KB).expect("room for a form");
            let sign_in = arrived(&budget, client(251), 100).expect("room to sign in");
            assert!(form.is_held() && sign_in.is_held(), "{networks} networks, {bytes} bytes");
            assert!(budget.taken().bytes <= 32 << 20);
            drop((halves, form, sign_in));
            assert!(budget.taken().bytes == 0 && budget.taken().networks.is_empty());
        }
    }

    #[test]
    fn a_network_has_a_quarter_and_large_bodies_a_half_and_neither_ends_others() {
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
    fn what_has_arrived_whole_and_what_an_organiser_sends_is_never_ended() {
        let budget = Arc::new(BodyBudget::new(256 * KB));
        let whole = arrived(&budget, client(1), 60 * KB).expect("room");
        whole.has_arrived();
        let organiser = arrived(&budget, None, 150 * KB).expect("room");
        assert!(matches!(arrived(&budget, client(2), 60 * KB), Err(Error::Crowded)));
        assert!(whole.is_held() && organiser.is_held());
        drop(whole);
        assert!(arrived(&budget, client(2), 60 * KB).is_ok());
    }

    #[tokio::test]
    async fn a_body_that_is_ended_is_answered_at_once() {
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
        assert_eq!(limits.budget.taken().bytes, 0);
    }

    #[test]
    fn nobody_takes_more_than_there_is_or_pays_for_much_more_than_arrived() {
        let budget = Arc::new(BodyBudget::new(1024 * KB));
        for bytes in [1, 1000, 5 * KB, 60 * KB, 200 * KB] {
            let body = arrived(&budget, None, bytes).expect("room");
            assert!(body.bytes.capacity() <= body.paid_for, "{bytes}");
            assert!(body.paid_for <= bytes + bytes / 6 + STEP, "{bytes}: {}", body.paid_for);
        }
        let all: Vec<_> =
            (0..400).filter_map(|number| arrived(&budget, client(number as u8 % 100), 5 * KB).ok()).collect();
        let held = all.iter().filter(|body| body.is_held()).count();
        assert!(budget.taken().bytes <= 1024 * KB && held >= 120, "{held}");
        assert!(arrived(&budget, None, 100 * KB).is_ok());
        drop(all);
        assert!(matches!(arrived(&budget, None, 513 * KB), Err(Error::TooLarge(_))));
        assert_eq!(budget.taken().bytes, 0);
    }
}
