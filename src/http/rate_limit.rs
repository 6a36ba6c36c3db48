//! Limits how often and how much one client may write. Beyond a limit the answer is 429 with the seconds to wait.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::client_ip::Client;
use crate::error::{Error, Result};

/// A network's rate is this many times a client's.
pub const CLIENTS_IN_A_NETWORK: u32 = 3;

/// When a table has more keys than this, those that have used nothing are removed.
const MANY: usize = 10_000;

pub const MINUTE: Duration = Duration::from_secs(60);
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A number of units within a period for each client (or another key), which may all be used at once and come back evenly
/// (the generic cell rate algorithm). Kept in memory, so a restart resets it.
pub struct Rate<Key = Client> {
    period: Duration,
    /// The time after which one unit comes back; `None` means no limit.
    every: Option<Duration>,
    /// When all that a key has used will have come back.
    restored_at: Mutex<HashMap<Key, Instant>>,
}

impl<Key: Hash + Eq> Rate<Key> {
    /// 0 means no limit.
    pub fn new(count: u32, period: Duration) -> Rate<Key> {
        Rate { period, every: period.checked_div(count), restored_at: Mutex::default() }
    }

    pub fn per_minute(count: u32) -> Rate<Key> {
        Rate::new(count, MINUTE)
    }

    /// Uses one unit.
    ///
    /// # Errors
    /// [`Error::TooMany`] with the whole seconds until it is available.
    pub fn take(&self, key: Key) -> Result<()> {
        self.take_many(key, 1)
    }

    /// Uses so many units, or none of them.
    ///
    /// # Errors
    /// [`Error::TooMany`] with the whole seconds until they are available.
    pub fn take_many(&self, key: Key, units: u32) -> Result<()> {
        self.take_at(key, units, Instant::now())
    }

    /// Whether a unit is available. For what counts failures alone, and then refuses everything.
    pub fn check(&self, key: Key) -> Result<()> {
        self.check_at(key, Instant::now())
    }

    /// Uses a unit whether it is available or not. Nobody has to wait for longer than the period because of that.
    /// Returns how many are in use now; 0 if there is no limit.
    pub fn count(&self, key: Key) -> u32 {
        self.count_at(key, Instant::now())
    }

    fn take_at(&self, key: Key, units: u32, now: Instant) -> Result<()> {
        let Some(every) = self.every else { return Ok(()) };
        self.with_restored_at(key, now, |restored_at| {
            *restored_at = self.require_within_period(*restored_at + every * units, now)?;
            Ok(())
        })
    }

    fn check_at(&self, key: Key, now: Instant) -> Result<()> {
        let Some(every) = self.every else { return Ok(()) };
        self.with_restored_at(key, now, |restored_at| {
            self.require_within_period(*restored_at + every, now).map(drop)
        })
    }

    /// Returns the time, unless it is more than a period ahead: then more units than the limit would be in use.
    fn require_within_period(&self, restored_at: Instant, now: Instant) -> Result<Instant> {
        let wait = restored_at.saturating_duration_since(now + self.period);
        if wait.is_zero() {
            return Ok(restored_at);
        }
        // More units at once than the whole limit never fit.
        Err(Error::TooMany(wait.min(self.period).as_secs() + 1))
    }

    fn count_at(&self, key: Key, now: Instant) -> u32 {
        let Some(every) = self.every else { return 0 };
        self.with_restored_at(key, now, |restored_at| {
            *restored_at = (*restored_at + every).min(now + self.period);
            (*restored_at - now).as_nanos().div_ceil(every.as_nanos()) as u32
        })
    }

    fn with_restored_at<T>(&self, key: Key, now: Instant, work: impl FnOnce(&mut Instant) -> T) -> T {
        let mut all = self.restored_at.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > MANY {
            all.retain(|_, at| *at > now);
        }
        let restored_at = all.entry(key).or_insert(now);
        *restored_at = (*restored_at).max(now);
        work(restored_at)
    }
}

/// The approximate disk space of a submission, in kilobytes: its texts, and a constant for its row, indexes, audit line and
/// confirmation.
pub fn stored_kilobytes(body: &Value) -> u32 {
    const OVERHEAD: usize = 8_000;
    fn texts(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(texts).sum(),
            Value::Object(items) => items.iter().map(|(name, value)| name.len() + texts(value)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        }
    }
    u32::try_from((OVERHEAD + texts(body)) / 1000 + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::Config;
    use crate::http::api::state::{COMPLETING_CALLS, kilobytes_per_day};

    fn client(last: u8) -> Client {
        Client(std::net::IpAddr::from([192, 0, 2, last]))
    }

    #[test]
    fn all_units_may_be_used_at_once_and_come_back_evenly() {
        let (rate, now) = (Rate::per_minute(3), Instant::now());
        let take = |who: u8, units: u32, after: u64| {
            rate.take_at(client(who), units, now + Duration::from_secs(after))
        };
        assert!((0..3).all(|_| take(1, 1, 0).is_ok()));
        assert!(matches!(take(1, 1, 0), Err(Error::TooMany(21))));
        assert!(take(2, 3, 0).is_ok(), "each has its own");
        assert!(take(1, 1, 19).is_err() && take(1, 2, 20).is_err() && take(1, 1, 20).is_ok());
        assert!(matches!(take(3, 4, 0), Err(Error::TooMany(21))), "more than the limit");
        assert!(take(1, 3, 80).is_ok());
        let unlimited = Rate::per_minute(0);
        assert!((0..1000).all(|_| unlimited.take(client(1)).is_ok()) && unlimited.count(client(1)) == 0);
        for (seconds, text) in
            [(1, "1 second."), (2, "2 seconds."), (121, "3 minutes."), (86_400, "24 hours.")]
        {
            assert!(Error::TooMany(seconds).to_string().ends_with(&format!(" in {text}")));
        }
    }

    #[test]
    fn failures_are_counted_beyond_the_limit_and_forgotten_within_the_period() {
        let (failures, now) = (Rate::per_minute(3), Instant::now());
        let is_ok = |seconds: u64| failures.check_at(client(1), now + Duration::from_secs(seconds)).is_ok();
        let count = |seconds: u64| failures.count_at(client(1), now + Duration::from_secs(seconds));
        assert!((0..100).all(|_| is_ok(0)), "what does not fail is not counted");
        assert_eq!([count(0), count(0), count(0)], [1, 2, 3]);
        assert!(!is_ok(0) && !is_ok(19) && is_ok(20));
        // A minute is enough, regardless of how many failed at once.
        assert!((0..1000).all(|_| count(20) == 3));
        assert!(!is_ok(39) && is_ok(40));
        assert_eq!(count(80), 1);
    }

    /// How many seconds it takes until each of `people` behind one address has made `calls` calls. They arrive `pause`
    /// seconds apart, and those who are refused retry as soon as they may.
    fn seconds_for(people: u32, calls: u32, per_minute: u32, pause: f64) -> u64 {
        let (rate, start) = (Rate::per_minute(per_minute), Instant::now());
        let mut spent = Duration::ZERO;
        for person in 0..people {
            spent = spent.max(Duration::from_secs_f64(f64::from(person) * pause));
            for _ in 0..calls {
                while rate.take_at((), 1, start + spent).is_err() {
                    spent += Duration::from_millis(100);
                }
            }
        }
        spent.as_secs()
    }

    #[test]
    fn five_hundred_people_behind_one_address_register_within_ten_minutes() {
        let writes = Config::default().limits.writes_per_minute;
        // A form is one write, and so is starting an entry with its payment.
        for pause in [0.0, 0.5, 1.1] {
            assert!(seconds_for(500, 1, writes, pause) < 600, "{pause}");
            assert!(seconds_for(500, 1, writes * CLIENTS_IN_A_NETWORK, pause) < 600, "{pause}");
            // The calls that complete an entry: checking whether its form is known, querying the payment twice, the
            // demo's payment, and saving.
            assert!(seconds_for(500, 5, writes * COMPLETING_CALLS, pause) < 600, "{pause}");
            assert!(seconds_for(500, 2, writes * CLIENTS_IN_A_NETWORK, pause) < 600, "{pause}");
        }
        // With one limit for all calls, 500 payments would take half an hour.
        assert!(seconds_for(500, 4, writes, 0.0) > 1800);
        assert!(Config::default().limits.unpaid_payments_per_network >= 500);
        assert!(Config::default().limits.unpaid_payments >= 500);
    }

    #[test]
    fn five_hundred_people_behind_one_address_stay_within_the_daily_limit() {
        let per_day = kilobytes_per_day(&Config::default().limits);
        for kilobytes in [per_day, per_day * CLIENTS_IN_A_NETWORK] {
            let daily = Rate::new(kilobytes, DAY);
            // An application with thorough answers; or an entry, which is sent twice.
            let application = json!({ "experience": "e".repeat(6_000), "topicProposal": "t".repeat(6_000) });
            let entry = json!({ "amount": 1, "entry": { "name": "n".repeat(1_000) } });
            for _ in 0..500 {
                assert!(daily.take_many(client(1), stored_kilobytes(&application)).is_ok());
                assert!(daily.take_many(client(2), stored_kilobytes(&entry)).is_ok());
                assert!(daily.take_many(client(2), stored_kilobytes(&entry["entry"])).is_ok());
            }
        }
    }

    #[test]
    fn all_texts_of_a_submission_are_counted() {
        let texts = json!({ "name": "x".repeat(3000), "list": ["y".repeat(2000)], "entry": { "a": "z".repeat(1000) } });
        assert_eq!((stored_kilobytes(&json!({})), stored_kilobytes(&texts)), (9, 15));
    }
}
