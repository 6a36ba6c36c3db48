//! Divides what is limited, connections and memory, so that no network takes all of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::client_ip::Client;

/// A limit that networks share. A network may use as much as is still free: one alone gets half, two get a third each. So
/// something is always left for a network that uses nothing, however many use all they can. What does not fit is refused,
/// and nobody loses what they have.
pub struct Shares {
    limit: usize,
    used: Mutex<Used>,
}

#[derive(Default)]
struct Used {
    all: usize,
    networks: HashMap<Client, usize>,
}

/// A part in use, returned when dropped.
pub struct Share {
    shares: Arc<Shares>,
    network: Option<Client>,
    amount: usize,
}

impl Shares {
    pub fn new(limit: usize) -> Arc<Shares> {
        Arc::new(Shares { limit, used: Mutex::default() })
    }

    /// An empty share. Without a network only the total limit holds.
    pub fn share(self: &Arc<Self>, network: Option<Client>) -> Share {
        Share { shares: Arc::clone(self), network, amount: 0 }
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// Makes the share larger, and says whether there was room.
    pub fn grow(&mut self, more: usize) -> bool {
        let mut used = self.shares.used();
        let own = self.network.and_then(|network| used.networks.get(&network)).copied().unwrap_or(0);
        if own + more > self.shares.limit - used.all {
            return false;
        }
        used.all += more;
        if let Some(network) = self.network {
            used.networks.insert(network, own + more);
        }
        self.amount += more;
        true
    }

    pub fn amount(&self) -> usize {
        self.amount
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut used = self.shares.used();
        used.all -= self.amount;
        if let Some(network) = self.network
            && let Some(own) = used.networks.get_mut(&network)
        {
            *own -= self.amount;
            if *own == 0 {
                used.networks.remove(&network);
            }
        }
    }
}
