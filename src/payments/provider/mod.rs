//! The payment provider: Stripe's HTTP API, its signed events, and the demo's stand-in for both.
//! Left out on purpose: what a payment means for an entry, which is the use case `enter`'s business.

mod demo;
mod event;
mod intent;
mod locks;
mod stripe;
mod unpaid;

pub use demo::{Demo, Outcome};
pub use event::{Event, Signature};
pub use intent::{Cancellation, EntryMark, Intent, IntentStatus, NewIntent, Refund};
pub use locks::Turns;
pub use stripe::{Client, LONGEST_ID};
pub use unpaid::{Begun, UnpaidIntents};

use crate::config;
use crate::error::{Error, Result};

/// Who takes the money here.
pub enum Provider {
    /// Nobody: the entry page says so.
    Off,
    Stripe(Client),
    /// `serve --demo`: no money moves.
    Demo(Demo),
}

/// Why the provider did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    Off,
    /// Nobody answered, or not to the end: it may have been done all the same.
    Unreachable(String),
    /// No answer in time: it may have been done all the same.
    Slow,
    /// There is no such thing at the provider's.
    Missing,
    /// Asked again too soon, or while the same request is at work: nothing was done for this one.
    Busy,
    /// An answer that it was not done, with the provider's words.
    Refused {
        status: u16,
        words: String,
        /// The idempotency key was used for another request before.
        is_reused_key: bool,
    },
}

impl Failure {
    /// Whether the provider would give the same answer again for as long as the idempotency key is the same.
    pub fn sticks(&self) -> bool {
        matches!(self, Failure::Refused { .. } | Failure::Missing)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Off => Error::PaymentsOff,
            Failure::Slow => Error::ProviderSlow,
            Failure::Unreachable(cause) => Error::ProviderFailed(cause),
            Failure::Missing => Error::ProviderFailed("the provider knows no such payment".into()),
            Failure::Busy => Error::ProviderFailed("the provider is busy".into()),
            Failure::Refused { status, words, .. } => Error::ProviderFailed(format!("{status}: {words}")),
        }
    }
}

type Answer<T> = std::result::Result<T, Failure>;

impl Provider {
    /// The provider that the settings name.
    ///
    /// # Errors
    /// [`Error::Failed`] when `stripe.api_base` is not an address.
    pub fn new(settings: &config::Stripe, demo: bool) -> Result<Provider> {
        if demo {
            return Ok(Provider::Demo(Demo::default()));
        }
        if settings.secret_key.is_empty() {
            return Ok(Provider::Off);
        }
        Ok(Provider::Stripe(Client::new(settings)?))
    }

    /// The word that the pages know it by (`off`, `stripe`, `demo`).
    pub fn name(&self) -> &'static str {
        match self {
            Provider::Off => "off",
            Provider::Stripe(_) => "stripe",
            Provider::Demo(_) => "demo",
        }
    }

    /// Whether money is real here; `None` when the key does not tell.
    pub fn is_live(&self) -> Option<bool> {
        match self {
            Provider::Stripe(client) => client.is_live(),
            Provider::Off | Provider::Demo(_) => Some(false),
        }
    }

    /// Makes a payment intent; the same key makes only one.
    pub fn create(&self, key: &str, new: &NewIntent) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.create(key, new),
            Provider::Demo(demo) => Ok(demo.create(key, new)),
        }
    }

    /// Gives an unpaid intent another amount and other metadata.
    pub fn update(&self, id: &str, new: &NewIntent) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.update(id, new),
            Provider::Demo(demo) => demo.update(id, new),
        }
    }

    pub fn retrieve(&self, id: &str) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.retrieve(id),
            Provider::Demo(demo) => demo.retrieve(id),
        }
    }

    /// Ends an unpaid intent.
    pub fn cancel(&self, id: &str, why: Cancellation) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.cancel(id, why),
            Provider::Demo(demo) => demo.cancel(id, why),
        }
    }

    /// Gives back a part or all of what an intent brought in, in cents. `mark` is kept beside the refund, so
    /// that it is known again among [`Provider::refunds`].
    pub fn refund(&self, key: &str, intent_id: &str, amount_cents: i64, mark: &str) -> Answer<Refund> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.refund(key, intent_id, amount_cents, mark),
            Provider::Demo(demo) => demo.refund(intent_id, amount_cents, mark),
        }
    }

    /// Every refund of an intent, as it stands now.
    pub fn refunds(&self, intent_id: &str) -> Answer<Vec<Refund>> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.refunds(intent_id),
            Provider::Demo(_) => Ok(Vec::new()),
        }
    }

    /// The events of these types since an instant, as [`Provider::list`] lists intents; Stripe keeps them for 30 days.
    pub fn events(&self, types: &[&str], since: i64, after: Option<&str>) -> Answer<(Vec<Event>, bool)> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.events(types, since, after),
            Provider::Demo(_) => Ok((Vec::new(), false)),
        }
    }

    /// The intents made since an instant (seconds since 1970), a page at a time, the newest first; `after` is
    /// the last id of the page before. `false` beside them: there are no more.
    pub fn list(&self, since: i64, after: Option<&str>) -> Answer<(Vec<Intent>, bool)> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.list(since, after),
            Provider::Demo(demo) => Ok((demo.list(), false)),
        }
    }
}
