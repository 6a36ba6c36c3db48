//! Limits sign-ins: how often a client and a network may try a password, and whose is checked first when many are
//! waiting. Checking a password takes about 20 ms of CPU time and 19 MiB of memory.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::error::{Error, Result};
use crate::http::client_ip::Client;
use crate::http::rate_limit::Rate;

/// A network may make this many times the tries that one client may make per minute, all at once.
const CLIENTS_IN_A_NETWORK: u32 = 3;
/// The time until all of a network's tries are available again. Nobody mistypes that often.
const NETWORK_PERIOD: Duration = Duration::from_secs(10 * 60);
/// The most sign-ins that wait. At 40 checks a second the last of them waits for less than two seconds.
const MOST_WAITING: usize = 64;
/// How long a sign-in waits for its check before it is refused.
const TIMEOUT: Duration = Duration::from_secs(10);
/// `Retry-After`, in seconds, when too many sign-ins are waiting.
const RETRY_AFTER: u64 = 5;

/// Who tries a password, as far as that is known before the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A browser that somebody has signed in with before (its cookie's token), or a session that confirms its password
    /// (its id). Strangers behind the same address cannot use up its tries.
    Known(String),
    Address(Client),
}

pub struct SignIns {
    clients: Rate,
    known_callers: Rate<String>,
    networks: Option<NetworkLimiter>,
    /// For addresses that nobody has signed in from.
    strangers: CheckQueue,
    /// For known callers and addresses, so that they never wait for strangers.
    known: CheckQueue,
}

type NetworkLimiter =
    RateLimiter<Client, DefaultKeyedStateStore<Client>, DefaultClock, StateInformationMiddleware>;

impl SignIns {
    /// `per_minute` is the rate of one client; 0 means no limits.
    pub fn new(per_minute: u32) -> SignIns {
        let burst = NonZeroU32::new(per_minute.saturating_mul(CLIENTS_IN_A_NETWORK));
        let quota = burst
            .and_then(|burst| Some(Quota::with_period(NETWORK_PERIOD / burst.get())?.allow_burst(burst)));
        SignIns {
            clients: Rate::per_minute(per_minute),
            known_callers: Rate::per_minute(per_minute),
            networks: quota
                .map(|quota| RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>()),
            strangers: CheckQueue::default(),
            known: CheckQueue::default(),
        }
    }

    /// Counts a try of this caller.
    ///
    /// # Errors
    /// [`Error::TooMany`] when the caller exceeds its rate.
    pub fn check(&self, caller: &Caller) -> Result<()> {
        match caller {
            Caller::Known(name) => self.known_callers.check(name.clone()),
            Caller::Address(client) => self.clients.check(*client),
        }
    }

    /// Waits for a permit to check one password. There are two permits: one for known callers and known addresses, in
    /// this order, and one for everybody else, least busy network first.
    ///
    /// # Errors
    /// [`Error::TooMany`] when a stranger's network exceeds its rate, or too many are waiting.
    pub async fn permit(&self, caller: &Caller, is_known_address: bool) -> Result<Permit> {
        match caller {
            Caller::Known(_) => self.permit_organiser().await,
            Caller::Address(_) if is_known_address => self.known.permit(1).await,
            Caller::Address(client) => {
                let tries = self.count_network(client.network())?;
                self.strangers.permit(tries).await
            }
        }
    }

    /// Like [`SignIns::permit`], for an organiser who sets a password. Hashing one costs as much as checking one.
    ///
    /// # Errors
    /// [`Error::TooMany`] when too many are waiting.
    pub async fn permit_organiser(&self) -> Result<Permit> {
        self.known.permit(0).await
    }

    /// Counts a try of this network and returns its number of recent tries.
    fn count_network(&self, network: Client) -> Result<u32> {
        let Some(limiter) = &self.networks else { return Ok(0) };
        if limiter.len() > 10_000 {
            limiter.retain_recent();
        }
        match limiter.check_key(&network) {
            Ok(state) => Ok(state.quota().burst_size().get() - state.remaining_burst_capacity()),
            Err(refused) => {
                let wait: Duration = refused.wait_time_from(DefaultClock::default().now());
                Err(Error::TooMany(wait.as_secs() + 1))
            }
        }
    }
}

/// Allows one password check at a time. The lowest rank goes first, and within a rank the first to arrive. When too
/// many are waiting, the highest rank is refused.
#[derive(Default)]
struct CheckQueue(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    is_busy: bool,
    /// Keyed by rank, then by order of arrival.
    waiting: BTreeMap<(u32, u64), oneshot::Sender<Permit>>,
    next_number: u64,
}

impl CheckQueue {
    async fn permit(&self, rank: u32) -> Result<Permit> {
        let receiver = {
            let mut state = lock(&self.0);
            if !state.is_busy {
                state.is_busy = true;
                return Ok(Permit(Arc::clone(&self.0)));
            }
            let number = state.next_number;
            state.next_number += 1;
            let (sender, receiver) = oneshot::channel();
            state.waiting.insert((rank, number), sender);
            if state.waiting.len() > MOST_WAITING {
                // Clients that have disconnected no longer count.
                state.waiting.retain(|_, sender| !sender.is_closed());
            }
            if state.waiting.len() > MOST_WAITING {
                state.waiting.pop_last();
            }
            receiver
        };
        match timeout(TIMEOUT, receiver).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) | Err(_) => Err(Error::TooMany(RETRY_AFTER)),
        }
    }
}

/// Permission to check one password. When it is dropped, it passes to the next one waiting.
pub struct Permit(Arc<Mutex<Waiting>>);

impl Drop for Permit {
    fn drop(&mut self) {
        let next = {
            let mut state = lock(&self.0);
            let next = state.waiting.pop_first();
            state.is_busy = next.is_some();
            next
        };
        if let Some((_, sender)) = next {
            // If the receiver is gone, the permit is dropped here and passes on to the next one.
            let _ = sender.send(Permit(Arc::clone(&self.0)));
        }
    }
}

fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn client(text: &str) -> Client {
        Client(text.parse::<IpAddr>().expect("an address"))
    }

    /// Asks once whether a future is ready.
    fn poll<F: Future + ?Sized>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn strangers_of_the_least_busy_network_go_first_and_known_addresses_do_not_wait_for_them() {
        let sign_ins = SignIns::new(10);
        let caller = |text| Caller::Address(client(text));
        let [first, second, third, elsewhere, known] =
            ["2001:db8::", "2001:db8:0:1::", "2001:db8:0:2::", "2001:db8:1::", "2001:db8:2::"].map(caller);
        let busy = sign_ins.permit(&first, false).await.expect("a permit");
        let mut second = pin!(sign_ins.permit(&second, false));
        let mut third = pin!(sign_ins.permit(&third, false));
        let mut elsewhere = pin!(sign_ins.permit(&elsewhere, false));
        assert!(poll(second.as_mut()).is_pending());
        assert!(poll(third.as_mut()).is_pending());
        assert!(poll(elsewhere.as_mut()).is_pending());
        drop(sign_ins.permit(&known, true).await.expect("a known address does not wait"));
        drop(busy);
        assert!(poll(third.as_mut()).is_pending() && poll(second.as_mut()).is_pending());
        let Poll::Ready(Ok(permit)) = poll(elsewhere.as_mut()) else {
            panic!("the least busy network goes first")
        };
        drop(permit);
        assert!(poll(third.as_mut()).is_pending());
        assert!(matches!(poll(second.as_mut()), Poll::Ready(Ok(_))));
    }

    #[tokio::test]
    async fn a_known_browser_goes_before_known_addresses_and_has_its_own_rate() {
        let sign_ins = SignIns::new(2);
        let (address, browser) = (Caller::Address(client("192.0.2.1")), Caller::Known("a".into()));
        let busy = sign_ins.permit(&address, true).await.expect("a permit");
        let mut stranger = pin!(sign_ins.permit(&address, true));
        let mut organiser = pin!(sign_ins.permit(&browser, false));
        assert!(poll(stranger.as_mut()).is_pending() && poll(organiser.as_mut()).is_pending());
        drop(busy);
        assert!(poll(stranger.as_mut()).is_pending());
        assert!(matches!(poll(organiser.as_mut()), Poll::Ready(Ok(_))));
        for _ in 0..2 {
            assert!(sign_ins.check(&address).is_ok() && sign_ins.check(&browser).is_ok());
        }
        assert!(sign_ins.check(&address).is_err() && sign_ins.check(&browser).is_err());
        assert!(sign_ins.check(&Caller::Known("b".into())).is_ok());
    }

    #[tokio::test]
    async fn when_too_many_wait_the_busiest_network_is_refused() {
        let queue = CheckQueue::default();
        let busy = queue.permit(1).await.expect("a permit");
        let mut waiting: Vec<_> = (0..MOST_WAITING).map(|_| Box::pin(queue.permit(3))).collect();
        assert!(waiting.iter_mut().all(|one| poll(one.as_mut()).is_pending()));
        assert!(matches!(queue.permit(3).await, Err(Error::TooMany(RETRY_AFTER))));
        let mut quieter = pin!(queue.permit(2));
        assert!(poll(quieter.as_mut()).is_pending());
        let refused = waiting.iter_mut().filter_map(|one| match poll(one.as_mut()) {
            Poll::Ready(answer) => Some(answer.is_err()),
            Poll::Pending => None,
        });
        assert_eq!(refused.collect::<Vec<_>>(), [true], "the last one");
        // Clients that have disconnected are skipped.
        waiting.truncate(10);
        drop(waiting);
        drop(busy);
        assert!(matches!(poll(quieter.as_mut()), Poll::Ready(Ok(_))));
        assert!(queue.permit(9).await.is_ok(), "nothing is left waiting");
    }

    #[test]
    fn a_network_has_three_times_a_clients_tries_and_no_limit_where_rates_are_off() {
        let sign_ins = SignIns::new(2);
        let network = client("2001:db8::").network();
        let tries: Vec<u32> = (0..6).map(|_| sign_ins.count_network(network).expect("a try")).collect();
        assert_eq!(tries, [1, 2, 3, 4, 5, 6]);
        assert!(matches!(sign_ins.count_network(network), Err(Error::TooMany(1..=101))));
        let off = SignIns::new(0);
        assert!((0..100).all(|_| matches!(off.count_network(network), Ok(0))));
    }
}
