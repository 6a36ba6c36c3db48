//! Limits sign-ins: how often a client and a network may try a password, and whose is checked first when many are
//! waiting. Checking a password takes about 20 ms of CPU time and 19 MiB of memory.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Error, Result};
use crate::http::client_ip::Client;
use crate::http::rate_limit::{CLIENTS_IN_A_NETWORK, Rate};

/// The time until all of a network's tries are available again. Nobody mistypes that often.
const NETWORK_PERIOD: Duration = Duration::from_secs(10 * 60);
/// The most sign-ins that wait in a queue. At 40 checks a second the last of them waits for less than two seconds.
const MAX_WAITING: usize = 64;
/// `Retry-After`, in seconds, when too many sign-ins are waiting.
const RETRY_AFTER: u64 = 5;

/// Where a try of a password comes from, as far as that is known before the check.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// A browser that somebody has signed in with before (its cookie's token), or a session that confirms its password
    /// (its id). Strangers behind the same address cannot use up its tries.
    Known(String),
    Address(Client),
}

/// Permission to check one password, until it is dropped.
pub type Permit = OwnedSemaphorePermit;

pub struct SignIns {
    sources: Rate<Source>,
    networks: Rate,
    /// For known browsers, sessions and addresses, so that they never wait for strangers.
    known: CheckQueue,
    /// For the first try of a network, so that it does not wait for others who guess.
    first_tries: CheckQueue,
    others: CheckQueue,
}

impl SignIns {
    /// `per_minute` is the rate of one client; 0 means no limits.
    pub fn new(per_minute: u32) -> SignIns {
        SignIns {
            sources: Rate::per_minute(per_minute),
            networks: Rate::new(per_minute.saturating_mul(CLIENTS_IN_A_NETWORK), NETWORK_PERIOD),
            known: CheckQueue::default(),
            first_tries: CheckQueue::default(),
            others: CheckQueue::default(),
        }
    }

    /// Uses one of the source's tries.
    pub fn take(&self, source: &Source) -> Result<()> {
        self.sources.take(source.clone())
    }

    /// Waits for a permit to check one password.
    ///
    /// # Errors
    /// [`Error::TooMany`] when a stranger's network exceeds its rate, or too many are waiting.
    pub async fn permit(&self, source: &Source, is_known_address: bool) -> Result<Permit> {
        match source {
            Source::Address(client) if !is_known_address => {
                self.networks.check(client.network())?;
                let is_first = self.networks.count(client.network()) <= 1;
                if is_first { &self.first_tries } else { &self.others }.permit().await
            }
            _ => self.permit_organiser().await,
        }
    }

    /// Like [`SignIns::permit`], for an organiser who sets a password. Hashing one costs as much as checking one.
    pub async fn permit_organiser(&self) -> Result<Permit> {
        self.known.permit().await
    }
}

/// Allows one password check at a time, in order of arrival. When too many are waiting, the newest is refused.
struct CheckQueue {
    check: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Default for CheckQueue {
    fn default() -> CheckQueue {
        CheckQueue { check: Arc::new(Semaphore::new(1)), waiting: Semaphore::new(MAX_WAITING) }
    }
}

impl CheckQueue {
    async fn permit(&self) -> Result<Permit> {
        let _place = self.waiting.try_acquire().map_err(|_| Error::TooMany(RETRY_AFTER))?;
        Arc::clone(&self.check).acquire_owned().await.map_err(|_| Error::TooMany(RETRY_AFTER))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn address(text: &str) -> Source {
        Source::Address(Client(text.parse::<IpAddr>().expect("an address")))
    }

    /// Asks once whether a future is ready.
    fn poll<F: Future + ?Sized>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn known_callers_and_the_first_try_of_a_network_do_not_wait_for_those_who_guess() {
        let sign_ins = SignIns::new(10);
        let [first, second, third] = ["2001:db8::", "2001:db8:0:1::", "2001:db8:0:2::"].map(address);
        drop(sign_ins.permit(&first, false).await.expect("a permit"));
        let guess = sign_ins.permit(&second, false).await.expect("a permit");
        let mut waiting = pin!(sign_ins.permit(&third, false));
        assert!(poll(waiting.as_mut()).is_pending(), "its network has tried twice");
        drop(sign_ins.permit(&address("2001:db8:1::"), false).await.expect("another network's first try"));
        drop(sign_ins.permit(&third, true).await.expect("a known address"));
        drop(sign_ins.permit(&Source::Known("a browser".into()), false).await.expect("a known browser"));
        drop(guess);
        assert!(matches!(poll(waiting.as_mut()), Poll::Ready(Ok(_))));
    }

    #[tokio::test]
    async fn when_too_many_wait_the_newest_is_refused() {
        let queue = CheckQueue::default();
        let busy = queue.permit().await.expect("a permit");
        let mut waiting: Vec<_> = (0..MAX_WAITING).map(|_| Box::pin(queue.permit())).collect();
        assert!(waiting.iter_mut().all(|one| poll(one.as_mut()).is_pending()));
        assert!(matches!(queue.permit().await, Err(Error::TooMany(RETRY_AFTER))));
        // Clients that have disconnected no longer count.
        waiting.truncate(10);
        let mut newest = pin!(queue.permit());
        assert!(poll(newest.as_mut()).is_pending());
        drop((waiting, busy));
        assert!(matches!(poll(newest.as_mut()), Poll::Ready(Ok(_))));
    }
}
