//! How often and how much one client may write; beyond it 429 with the seconds to wait.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde_json::Value;

use super::client::Client;
use crate::error::{Error, Result};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A rate a minute and client, all of it available at once. 0 a minute means no limit.
pub struct Rate {
    limiter: Option<DefaultKeyedRateLimiter<Client>>,
}

impl Rate {
    pub fn per_minute(count: u32) -> Rate {
        Rate { limiter: NonZeroU32::new(count).map(|count| RateLimiter::keyed(Quota::per_minute(count))) }
    }

    /// # Errors
    /// [`Error::TooMany`] with the whole seconds until the next try is allowed.
    pub fn check(&self, client: Client) -> Result<()> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        // Clients that have been quiet for a full minute are forgotten, so the table stays small.
        if limiter.len() > 10_000 {
            limiter.retain_recent();
        }
        limiter.check_key(&client).map_err(|refused| {
            let wait: Duration = refused.wait_time_from(DefaultClock::default().now());
            Error::TooMany(wait.as_secs() + 1)
        })
    }
}

/// So many bytes a day and client, which may all come at once; what was used comes back evenly over a day. Kept in
/// memory: it begins anew with the server.
pub struct DailyBytes {
    /// In kilobytes.
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
    /// [`Error::TooMany`] with the whole seconds until there is room for so much.
    pub fn take(&self, client: Client, bytes: usize) -> Result<()> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if limiter.len() > 10_000 {
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
            // More than a whole day's.
            Err(_) => Err(Error::TooMany(DAY.as_secs())),
        }
    }
}

/// About what a submission takes of the disk, in bytes: the texts that were sent, and what is kept beside them of any
/// submission (its row and indexes, its audit line, its confirmation).
pub fn stored_bytes(body: &Value) -> usize {
    const BESIDE: usize = 8_000;
    fn texts(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(texts).sum(),
            Value::Object(items) => items.iter().map(|(name, value)| name.len() + texts(value)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        }
    }
    BESIDE + texts(body)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn client(last: u8) -> Client {
        Client(std::net::IpAddr::from([192, 0, 2, last]))
    }

    #[test]
    fn a_client_has_so_many_bytes_a_day() {
        let daily = DailyBytes::megabytes(1);
        for _ in 0..15 {
            assert!(daily.take(client(1), 65_000).is_ok());
        }
        // A kilobyte comes back in a minute and a half.
        assert!(matches!(daily.take(client(1), 65_000), Err(Error::TooMany(1_000..=6_000))));
        assert!(daily.take(client(1), 5_000).is_ok(), "what is small still fits");
        assert!(daily.take(client(2), 65_000).is_ok());
        assert!(matches!(daily.take(client(3), 2_000_000), Err(Error::TooMany(86_400))));
        let unlimited = DailyBytes::megabytes(0);
        assert!((0..1000).all(|_| unlimited.take(client(1), 1_000_000).is_ok()));
    }

    #[test]
    fn five_hundred_people_in_one_hall_fit_into_a_day() {
        let limits = crate::config::Config::default().limits;
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
        assert!(rate.check(client(2)).is_ok());
        let unlimited = Rate::per_minute(0);
        assert!((0..1000).all(|_| unlimited.check(client(1)).is_ok()));
    }
}
