//! The memory for all request bodies that are being received, and who gets it when it is scarce.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Body;
use crate::error::{Error, Result};
use crate::http::client_ip::Client;

/// The most bytes of a small body. Complete forms and the payment provider's events are smaller.
const SMALL: usize = 64 * 1024;

/// The memory for all request bodies that are being received. A body uses what has arrived, not what it declares. One
/// network may use a quarter of the budget, and all bodies that are not small may use half of it. A body that does not
/// fit is refused and does not wait, because a waiting connection uses memory too.
///
/// Unfinished bodies must not shut others out. When a body does not fit, the oldest body of the network that uses the
/// most is aborted, as long as that network uses more than the new body's network will. So a network that uses nothing
/// gets its share, however many others fill the budget.
pub struct BodyBudget {
    bytes: usize,
    usage: Mutex<Usage>,
}

#[derive(Default)]
pub(super) struct Usage {
    pub(super) bytes: usize,
    /// The visitors' part. An organiser's bodies count only in `bytes` and are never aborted.
    pub(super) networks: HashMap<Client, NetworkBodies>,
    next_number: u64,
}

#[derive(Default)]
pub(super) struct NetworkBodies {
    bytes: usize,
    /// Keyed by a running number, so the oldest is first.
    pub(super) bodies: BTreeMap<u64, HeldBody>,
}

pub(super) struct HeldBody {
    bytes: usize,
    /// Notified when the body is aborted; `None` once it has arrived completely.
    pub(super) aborted: Option<Arc<Notify>>,
}

impl BodyBudget {
    pub fn new(bytes: usize) -> BodyBudget {
        BodyBudget { bytes, usage: Mutex::default() }
    }

    pub(super) fn next_number(&self) -> u64 {
        let mut usage = self.usage();
        usage.next_number += 1;
        usage.next_number
    }

    /// Reserves `more` bytes for a body, which then has `size` bytes. An organiser may use the whole budget.
    ///
    /// # Errors
    /// [`Error::Crowded`] when they do not fit, or the body was aborted to make room for another one.
    pub(super) fn reserve(&self, body: &Body, more: usize, size: usize) -> Result<()> {
        let mut usage = self.usage();
        if let Some(network) = body.network {
            if body.reserved > 0 && !usage.holds(network, body.number) {
                return Err(Error::Crowded);
            }
            let is_too_much_for_large = size > SMALL && usage.bytes + more > self.bytes / 2;
            if usage.of(network) + more > self.bytes / 4 || is_too_much_for_large {
                return Err(Error::Crowded);
            }
        }
        while usage.bytes + more > self.bytes {
            let largest = usage.largest_network(body.number).ok_or(Error::Crowded)?;
            if let Some(network) = body.network
                && usage.of(largest) <= usage.of(network) + more
            {
                return Err(Error::Crowded);
            }
            usage.abort_oldest(largest, body.number)?;
        }
        usage.bytes += more;
        if let Some(network) = body.network {
            let of_network = usage.networks.entry(network).or_default();
            of_network.bytes += more;
            let new = || HeldBody { bytes: 0, aborted: Some(Arc::clone(&body.aborted)) };
            of_network.bodies.entry(body.number).or_insert_with(new).bytes += more;
        }
        Ok(())
    }

    pub(super) fn usage(&self) -> MutexGuard<'_, Usage> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Usage {
    fn of(&self, network: Client) -> usize {
        self.networks.get(&network).map_or(0, |of_network| of_network.bytes)
    }

    pub(super) fn holds(&self, network: Client, number: u64) -> bool {
        self.networks.get(&network).is_some_and(|of_network| of_network.bodies.contains_key(&number))
    }

    /// The network that uses the most, among those with a body that can be aborted; `except` is never aborted.
    fn largest_network(&self, except: u64) -> Option<Client> {
        let with_one = self.networks.iter().filter(|(_, held)| held.oldest(except).is_some());
        with_one.max_by_key(|(_, held)| held.bytes).map(|(network, _)| *network)
    }

    fn abort_oldest(&mut self, network: Client, except: u64) -> Result<()> {
        let number = self.networks.get(&network).and_then(|held| held.oldest(except));
        let body = number.and_then(|number| self.remove(network, number)).ok_or(Error::Crowded)?;
        if let Some(aborted) = body.aborted {
            aborted.notify_one();
        }
        Ok(())
    }

    /// Releases a body's memory, unless it was aborted.
    pub(super) fn remove(&mut self, network: Client, number: u64) -> Option<HeldBody> {
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
    fn oldest(&self, except: u64) -> Option<u64> {
        let mut arriving = self.bodies.iter().filter(|(_, body)| body.aborted.is_some());
        arriving.find(|(number, _)| **number != except).map(|(number, _)| *number)
    }
}
