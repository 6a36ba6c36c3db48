//! Limits how often and how much one client may write. Beyond a limit the answer is 429 with the seconds to wait.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde_json::Value;

use super::client_ip::Client;
use crate::error::{Error, Result};

/// When a table has more keys than this, those that are no longer needed are removed.
const MANY: usize = 10_000;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A number of requests per minute for each client (or another key), which may all come at once. 0 means no limit.
pub struct Rate<Key: Hash + Eq + Clone = Client> {
    limiter: Option<DefaultKeyedRateLimiter<Key>>,
}

impl<Key: Hash + Eq + Clone> Rate<Key> {
    pub fn per_minute(count: u32) -> Rate<Key> {
        Rate { limiter: NonZeroU32::new(count).map(|count| RateLimiter::keyed(Quota::per_minute(count))) }
    }

    /// # Errors
    /// [`Error::TooMany`] with the whole seconds until the next try is allowed.
    pub fn check(&self, key: Key) -> Result<()> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        // Removes clients that have sent nothing for a minute, so that the table stays small.
        if limiter.len() > MANY {
            limiter.retain_recent();
        }
        limiter.check_key(&key).map_err(|refused| {
            let wait: Duration = refused.wait_time_from(DefaultClock::default().now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }
}

/// How often one client may fail per minute. Only failures count, but at the limit all of the client's requests are
/// refused for a while. 0 means no limit. This is the generic cell rate algorithm, which governor uses too.
pub struct Failures {
    /// The time after which one failure is forgotten.
    every: Option<Duration>,
    /// When each client's last failure will be forgotten.
    forgotten_at: Mutex<HashMap<Client, Instant>>,
}

const MINUTE: Duration = Duration::from_secs(60);

impl Failures {
    pub fn per_minute(count: u32) -> Failures {
        Failures { every: MINUTE.checked_div(count), forgotten_at: Mutex::default() }
    }

    /// # Errors
    /// [`Error::TooMany`] when this client has failed too often.
    pub fn check(&self, client: Client) -> Result<()> {
        self.check_at(client, Instant::now())
    }

    /// Counts a failure.
    pub fn count(&self, client: Client) {
        self.count_at(client, Instant::now());
    }

    fn check_at(&self, client: Client, now: Instant) -> Result<()> {
        let Some(every) = self.every else { return Ok(()) };
        let forgotten_at = self.forgotten_at().get(&client).copied().unwrap_or(now);
        let wait = (forgotten_at + every).saturating_duration_since(now + MINUTE);
        if wait.is_zero() { Ok(()) } else { Err(Error::TooMany(wait.as_secs() + 1)) }
    }

    fn count_at(&self, client: Client, now: Instant) {
        let Some(every) = self.every else { return };
        let mut all = self.forgotten_at();
        if all.len() > MANY {
            all.retain(|_, at| *at > now);
        }
        let forgotten_at = all.entry(client).or_insert(now);
        // Many concurrent requests may fail together. Even then nobody waits longer than a minute.
        *forgotten_at = ((*forgotten_at).max(now) + every).min(now + MINUTE);
    }

    fn forgotten_at(&self) -> MutexGuard<'_, HashMap<Client, Instant>> {
        self.forgotten_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number of bytes per day for each client, which may all come at once. Used bytes become available again evenly over
/// a day. Kept in memory, so a restart resets it.
pub struct DailyBytes {
    /// Counts kilobytes.
    limiter: Option<DefaultKeyedRateLimiter<Client>>,
}

impl DailyBytes {
    /// 0 means no limit.
    pub fn megabytes(count: u32) -> DailyBytes {
        let quota = NonZeroU32::new(count.saturating_mul(1000))
            .and_then(|kilobytes| Some(Quota::with_period(DAY / kilobytes.get())?.allow_burst(kilobytes)));
        DailyBytes { limiter: quota.map(RateLimiter::keyed) }
    }

    /// # Errors
    /// [`Error::TooMany`] with the whole seconds until this many bytes are available.
    pub fn take(&self, client: Client, bytes: usize) -> Result<()> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if limiter.len() > MANY {
            limiter.retain_recent();
        }
        let kilobytes = u32::try_from(bytes / 1000).unwrap_or(u32::MAX).saturating_add(1);
        let kilobytes = NonZeroU32::new(kilobytes).unwrap_or(NonZeroU32::MAX);
        match limiter.check_key_n(&client, kilobytes) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(refused)) => {
                let wait: Duration = refused.wait_time_from(DefaultClock::default().now());
                Err(Error::TooMany(wait.as_secs() + 1))
            }
            // More than the limit of a whole day.
            Err(_) => Err(Error::TooMany(DAY.as_secs())),
        }
    }
}

/// How many forms each network has sent within a day of its first one. Kept in memory, so a restart resets it.
#[derive(Default)]
pub struct DailyForms(Mutex<HashMap<Client, (u32, Instant)>>);

impl DailyForms {
    /// Counts a form of a network and returns how many it has sent, including this one.
    pub fn count(&self, network: Client) -> u32 {
        self.count_at(network, Instant::now())
    }

    fn count_at(&self, network: Client, now: Instant) -> u32 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_today = |since: Instant| now.saturating_duration_since(since) < DAY;
        if all.len() > MANY {
            all.retain(|_, (_, since)| is_today(*since));
        }
        let (count, since) = all.entry(network).or_insert((0, now));
        if !is_today(*since) {
            (*count, *since) = (0, now);
        }
        *count = count.saturating_add(1);
        *count
    }
}

/// The approximate disk space of a submission, in bytes: its texts, and a constant for its row, indexes, audit line and
/// confirmation.
pub fn stored_bytes(body: &Value) -> usize {
    const OVERHEAD: usize = 8_000;
    fn texts(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(texts).sum(),
            Value::Object(items) => items.iter().map(|(name, value)| name.len() + texts(value)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        }
    }
    OVERHEAD + texts(body)
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;
    use serde_json::json;

    use super::*;
    use crate::config::Config;
    use crate::http::api::state::{CLIENTS_IN_A_NETWORK, COMPLETING_CALLS};

    #[test]
    fn only_failures_are_counted_and_they_are_forgotten_after_a_while() {
        let client = Client(std::net::IpAddr::from([192, 0, 2, 1]));
        let other = Client(std::net::IpAddr::from([192, 0, 2, 2]));
        let (failures, now) = (Failures::per_minute(3), Instant::now());
        let at = |seconds: u64| now + Duration::from_secs(seconds);
        for _ in 0..3 {
            assert!((0..100).all(|_| failures.check_at(client, now).is_ok()));
            failures.count_at(client, now);
        }
        assert!(matches!(failures.check_at(client, now), Err(Error::TooMany(20..=21))));
        assert!(failures.check_at(other, now).is_ok());
        assert!(failures.check_at(client, at(19)).is_err() && failures.check_at(client, at(20)).is_ok());
        failures.count_at(client, at(20));
        assert!(failures.check_at(client, at(39)).is_err() && failures.check_at(client, at(40)).is_ok());
        // A minute is enough, regardless of how many failed at once.
        (0..1000).for_each(|_| failures.count_at(client, at(40)));
        assert!(failures.check_at(client, at(59)).is_err() && failures.check_at(client, at(60)).is_ok());
        let unlimited = Failures::per_minute(0);
        (0..1000).for_each(|_| unlimited.count_at(client, now));
        assert!(unlimited.check_at(client, now).is_ok());
    }

    /// How many seconds it takes until each of `people` behind one address has made `calls` calls. They arrive `pause`
    /// seconds apart, and those who are refused retry as soon as they may.
    fn seconds_for(people: u32, calls: u32, per_minute: u32, pause: f64) -> u64 {
        let clock = FakeRelativeClock::default();
        let quota = Quota::per_minute(NonZeroU32::new(per_minute).expect("a limit"));
        let limiter = RateLimiter::dashmap_with_clock(quota, clock.clone());
        let mut spent = Duration::ZERO;
        for person in 0..people {
            let arrival = Duration::from_secs_f64(f64::from(person) * pause);
            clock.advance(arrival.saturating_sub(spent));
            spent = spent.max(arrival);
            for _ in 0..calls {
                while let Err(refused) = limiter.check_key(&()) {
                    let wait = refused.wait_time_from(clock.now());
                    clock.advance(wait);
                    spent += wait;
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

    fn client(last: u8) -> Client {
        Client(std::net::IpAddr::from([192, 0, 2, last]))
    }

    #[test]
    fn a_client_has_a_daily_limit_of_bytes() {
        let daily = DailyBytes::megabytes(1);
        for _ in 0..15 {
            assert!(daily.take(client(1), 65_000).is_ok());
        }
        // A kilobyte comes back in a minute and a half.
        assert!(matches!(daily.take(client(1), 65_000), Err(Error::TooMany(1_000..=6_000))));
        assert!(daily.take(client(1), 5_000).is_ok(), "a small submission still fits");
        assert!(daily.take(client(2), 65_000).is_ok());
        assert!(matches!(daily.take(client(3), 2_000_000), Err(Error::TooMany(86_400))));
        let unlimited = DailyBytes::megabytes(0);
        assert!((0..1000).all(|_| unlimited.take(client(1), 1_000_000).is_ok()));
    }

    #[test]
    fn five_hundred_people_behind_one_address_stay_within_the_daily_limit() {
        let limits = Config::default().limits;
        for megabytes in [limits.megabytes_per_day, limits.network_megabytes_per_day] {
            let daily = DailyBytes::megabytes(megabytes);
            // An application with thorough answers; or an entry, which is sent twice.
            let application = json!({ "experience": "e".repeat(6_000), "topicProposal": "t".repeat(6_000) });
            let entry = json!({ "amount": 1, "entry": { "name": "n".repeat(1_000) } });
            for _ in 0..500 {
                assert!(daily.take(client(1), stored_bytes(&application)).is_ok());
                assert!(daily.take(client(2), stored_bytes(&entry)).is_ok());
                assert!(daily.take(client(2), stored_bytes(&entry["entry"])).is_ok());
            }
        }
    }

    #[test]
    fn forms_are_counted_by_network_and_day() {
        let (forms, now) = (DailyForms::default(), Instant::now());
        let counts = |network: u8, at: Instant| forms.count_at(client(network), at);
        assert_eq!([counts(1, now), counts(1, now), counts(2, now)], [1, 2, 1]);
        assert_eq!([counts(1, now + DAY / 2), counts(1, now + DAY), counts(1, now + DAY)], [3, 1, 2]);
    }

    #[test]
    fn all_texts_of_a_submission_are_counted() {
        let small = stored_bytes(&json!({}));
        let body = json!({ "name": "12345", "list": ["123", "45"], "entry": { "a": "12345" } });
        assert_eq!(stored_bytes(&body) - small, 15 + "namelistentrya".len());
    }

    #[test]
    fn a_client_has_its_own_rate() {
        let rate = Rate::per_minute(2);
        assert!(rate.check(client(1)).is_ok() && rate.check(client(1)).is_ok());
        assert!(matches!(rate.check(client(1)), Err(Error::TooMany(1..=31))));
        assert!(Error::TooMany(1).to_string().ends_with(" in 1 second."));
        assert!(Error::TooMany(2).to_string().ends_with(" in 2 seconds."));
        assert!(Error::TooMany(121).to_string().ends_with(" in 3 minutes."));
        assert!(Error::TooMany(86_400).to_string().ends_with(" in 24 hours."));
        assert!(rate.check(client(2)).is_ok());
        let unlimited = Rate::per_minute(0);
        assert!((0..1000).all(|_| unlimited.check(client(1)).is_ok()));
    }
}
