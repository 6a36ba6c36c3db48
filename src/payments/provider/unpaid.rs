//! Counts the payment intents that were created within a day and are unpaid, by network and in total, because stolen
//! cards are tested on unpaid intents. The counts are in memory, so that no address is stored; a restart resets them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::model::IntentId;

/// An intent counts for this long, even if it is cancelled; otherwise each cancelled one would make room for the next.
const COUNTED_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// When the total limit is reached, each network may still use this fraction of its own limit, and at least
/// [`MIN_LEFT`]: a flood from a few networks must not lock out everybody else.
const GUARANTEED_SHARE: usize = 6;
const MIN_LEFT: usize = 5;

pub struct UnpaidIntents {
    /// 0 means no limit.
    per_network: usize,
    /// 0 means no limit.
    in_all: usize,
    counted: Mutex<Counted>,
}

#[derive(Default)]
struct Counted {
    /// Keyed by the intent's id, or by the number of a reservation.
    intents: HashMap<String, (IpAddr, Instant)>,
    next_number: u64,
    refused_at: Option<Instant>,
}

/// A place for one intent that is about to be created. Dropping it frees the place unless it was confirmed.
#[must_use]
pub struct Reservation<'a> {
    all: &'a UnpaidIntents,
    number: Option<String>,
}

impl UnpaidIntents {
    pub fn new(per_network: usize, in_all: usize) -> UnpaidIntents {
        UnpaidIntents { per_network, in_all, counted: Mutex::default() }
    }

    /// Reserves a place for one more intent of a network, given by its first address.
    ///
    /// # Errors
    /// [`Error::TooManyUnpaid`]: the network has too many. [`Error::PaymentsBusy`]: all networks together have.
    pub fn reserve(&self, network: IpAddr) -> Result<Reservation<'_>> {
        self.reserve_at(network, Instant::now())
    }

    fn reserve_at(&self, network: IpAddr, now: Instant) -> Result<Reservation<'_>> {
        let mut counted = self.counted();
        counted.forget_before(now);
        if let Err(error) = self.require_below_ceilings(&counted, network) {
            counted.refused_at = Some(now);
            return Err(error);
        }
        counted.next_number += 1;
        let number = counted.next_number.to_string();
        counted.intents.insert(number.clone(), (network, now));
        Ok(Reservation { all: self, number: Some(number) })
    }

    /// Stops counting an intent, because it was paid.
    pub fn stop_counting(&self, intent_id: &IntentId) {
        self.counted().intents.remove(intent_id.as_str());
    }

    /// Whether the intent is unpaid and was created here within a day, since the server started.
    pub fn knows(&self, intent_id: &IntentId) -> bool {
        let mut counted = self.counted();
        counted.forget_before(Instant::now());
        counted.intents.contains_key(intent_id.as_str())
    }

    /// The number of unpaid intents, if somebody was refused within the last day.
    pub fn refusing(&self) -> Option<usize> {
        let mut counted = self.counted();
        counted.forget_before(Instant::now());
        let is_recent = counted.refused_at.is_some_and(|at| at.elapsed() < COUNTED_FOR);
        is_recent.then(|| counted.intents.len())
    }

    fn require_below_ceilings(&self, counted: &Counted, network: IpAddr) -> Result<()> {
        let of_network = counted.intents.values().filter(|(of, _)| *of == network).count();
        let is_over = |count: usize, ceiling: usize| ceiling > 0 && count >= ceiling;
        if is_over(of_network, self.per_network) {
            return Err(Error::TooManyUnpaid);
        }
        let guaranteed = (self.per_network / GUARANTEED_SHARE).max(MIN_LEFT);
        if is_over(counted.intents.len(), self.in_all) && of_network >= guaranteed {
            return Err(Error::PaymentsBusy);
        }
        Ok(())
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counted {
    fn forget_before(&mut self, now: Instant) {
        self.intents.retain(|_, (_, at)| now.saturating_duration_since(*at) < COUNTED_FOR);
    }
}

impl Reservation<'_> {
    /// Counts the created intent under its id, once.
    pub fn confirm(mut self, intent_id: &IntentId) {
        let Some(number) = self.number.take() else { return };
        let mut counted = self.all.counted();
        if let Some(place) = counted.intents.remove(&number) {
            counted.intents.entry(intent_id.to_string()).or_insert(place);
        }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            self.all.counted().intents.remove(&number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(number: u8) -> IpAddr {
        IpAddr::from([192, 0, number, 0])
    }

    fn intent(id: &str) -> IntentId {
        IntentId(id.to_owned())
    }

    fn begins(all: &UnpaidIntents, network: IpAddr, id: &str, now: Instant) -> bool {
        all.reserve_at(network, now).map(|reservation| reservation.confirm(&intent(id))).is_ok()
    }

    #[test]
    fn an_intent_that_failed_or_is_known_takes_no_room() {
        let (all, now) = (UnpaidIntents::new(2, 0), Instant::now());
        for _ in 0..3 {
            drop(all.reserve_at(network(1), now).expect("room"));
            assert!(begins(&all, network(1), "a", now));
        }
        assert!(begins(&all, network(1), "b", now) && !begins(&all, network(1), "c", now));
    }

    #[test]
    fn a_day_later_there_is_room_again() {
        let (all, now) = (UnpaidIntents::new(1, 0), Instant::now());
        assert!(begins(&all, network(1), "a", now));
        assert!(!begins(&all, network(1), "b", now + COUNTED_FOR - Duration::from_secs(1)));
        assert!(begins(&all, network(1), "b", now + COUNTED_FOR));
        assert!(!all.knows(&intent("a")) && all.knows(&intent("b")));
    }
}
