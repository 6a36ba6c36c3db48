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

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of each of these networks when all take as much as they can, in turns.
    fn taken(shares: &Arc<Shares>, networks: u8) -> Vec<Share> {
        let mut all: Vec<Share> = (0..networks).map(|number| shares.share(network(number))).collect();
        while all.iter_mut().filter_map(|share| share.grow(1).then_some(())).count() > 0 {}
        all
    }

    fn network(number: u8) -> Option<Client> {
        Some(Client([192, 0, number, 0].into()))
    }

    #[test]
    fn a_network_that_uses_nothing_finds_room_however_many_take_all_they_can() {
        for networks in [1, 2, 10, 200] {
            let shares = Shares::new(10_000);
            let mut held = taken(&shares, networks);
            let fair = 10_000 / (usize::from(networks) + 1);
            assert!(held.iter().all(|share| share.amount().abs_diff(fair) <= 1), "{networks}");
            assert!(!shares.share(network(0)).grow(1), "another share of the same network");
            assert!(shares.share(network(250)).grow(fair - 1));
            assert!(shares.share(None).grow(fair - 1), "all that is free");
            // What is returned can be taken again.
            held.pop();
            assert!(shares.share(network(250)).grow(fair * 2 - 2));
            drop(held);
            assert!(shares.used().all == 0 && shares.used().networks.is_empty());
        }
    }

    #[test]
    fn without_a_network_only_the_total_counts() {
        let shares = Shares::new(3);
        let mut whole = shares.share(None);
        assert!(whole.grow(3) && !whole.grow(1));
        assert!(!shares.share(network(1)).grow(1));
        drop(whole);
        assert!(shares.share(network(1)).grow(1));
    }
}
