//! How often one client may write; beyond it 429 with the seconds to wait.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::client::Client;
use crate::error::{Error, Result};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_its_own_rate() {
        let rate = Rate::per_minute(2);
        let client = |last: u8| Client(std::net::IpAddr::from([192, 0, 2, last]));
        assert!(rate.check(client(1)).is_ok() && rate.check(client(1)).is_ok());
        assert!(matches!(rate.check(client(1)), Err(Error::TooMany(1..=31))));
        assert!(Error::TooMany(1).to_string().ends_with(" in 1 second."));
        assert!(Error::TooMany(2).to_string().ends_with(" in 2 seconds."));
        assert!(rate.check(client(2)).is_ok());
        let unlimited = Rate::per_minute(0);
        assert!((0..1000).all(|_| unlimited.check(client(1)).is_ok()));
    }
}
