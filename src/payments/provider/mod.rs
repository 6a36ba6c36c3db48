//! The payment provider: Stripe's HTTP API, its signed events, and the demo's stand-in for both.
//! What a payment means for an entry is decided in `payments`.

mod demo;
mod event;
mod intent;
mod locks;
mod stripe;
mod unpaid;

pub use demo::{Demo, Outcome};
pub use event::{Event, EventKind, Signature};
pub use intent::{Cancellation, EntryMark, Intent, IntentStatus, NewIntent, Refund, RefundOutcome};
pub use locks::EntryLocks;
pub use stripe::{Client, MAX_ID_LENGTH};
pub use unpaid::{Reservation, UnpaidIntents};

use crate::config;
use crate::error::{Error, Result};
use crate::model::{Cents, IntentId};

/// The provider that takes payments.
pub enum Provider {
    /// None is configured; the entry page says so.
    Off,
    Stripe(Client),
    /// `serve --demo`: no money moves.
    Demo(Demo),
}

/// Why a request to the provider failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    Off,
    /// There was no complete response; the request may have been carried out.
    Unreachable(String),
    /// The request timed out; it may have been carried out.
    Slow,
    /// The provider does not know the object.
    Missing,
    /// Rate limited, or the same request is still in progress. It was not carried out.
    Busy,
    /// The provider refused it, with this message.
    Refused {
        status: u16,
        message: String,
        /// The idempotency key was used with other parameters before.
        is_reused_key: bool,
    },
}

impl Failure {
    /// Whether the provider would repeat this response for the same idempotency key.
    pub fn repeats_for_key(&self) -> bool {
        matches!(self, Failure::Refused { .. } | Failure::Missing)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Off => Error::PaymentsOff,
            Failure::Slow => Error::ProviderSlow,
            Failure::Unreachable(cause) => Error::ProviderFailed(cause),
            Failure::Missing => Error::ProviderFailed("the provider does not know this payment".into()),
            Failure::Busy => Error::ProviderFailed("the provider is busy".into()),
            Failure::Refused { status, message, .. } => Error::ProviderFailed(format!("{status}: {message}")),
        }
    }
}

type Answer<T> = std::result::Result<T, Failure>;

impl Provider {
    /// The provider that the settings name.
    ///
    /// # Errors
    /// [`Error::Failed`] if `stripe.api_base` is not a URL.
    pub fn new(settings: &config::Stripe) -> Result<Provider> {
        if settings.secret_key.is_empty() {
            return Ok(Provider::Off);
        }
        Ok(Provider::Stripe(Client::new(settings)?))
    }

    /// The provider's name for the pages: `off`, `stripe` or `demo`.
    pub fn name(&self) -> &'static str {
        match self {
            Provider::Off => "off",
            Provider::Stripe(_) => "stripe",
            Provider::Demo(_) => "demo",
        }
    }

    /// Whether payments are real; `None` if the key does not show it.
    pub fn is_live(&self) -> Option<bool> {
        match self {
            Provider::Stripe(client) => client.is_live(),
            Provider::Off | Provider::Demo(_) => Some(false),
        }
    }

    /// Creates a payment intent, once per key.
    pub fn create(&self, key: &str, new: &NewIntent) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.create(key, new),
            Provider::Demo(demo) => Ok(demo.create(key, new)),
        }
    }

    /// Changes the amount and metadata of an unpaid intent.
    pub fn update(&self, id: &IntentId, new: &NewIntent) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.update(id, new),
            Provider::Demo(demo) => demo.update(id, new),
        }
    }

    pub fn retrieve(&self, id: &IntentId) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.retrieve(id),
            Provider::Demo(demo) => demo.retrieve(id),
        }
    }

    /// Cancels an unpaid intent.
    pub fn cancel(&self, id: &IntentId, reason: Cancellation) -> Answer<Intent> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.cancel(id, reason),
            Provider::Demo(demo) => demo.cancel(id, reason),
        }
    }

    /// Refunds part or all of an intent's amount. `mark` is stored in the refund's metadata and identifies it
    /// among [`Provider::refunds`].
    pub fn refund(&self, key: &str, intent_id: &IntentId, amount: Cents, mark: &str) -> Answer<Refund> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.refund(key, intent_id, amount, mark),
            Provider::Demo(demo) => demo.refund(intent_id, amount, mark),
        }
    }

    /// Every refund of an intent with its current state.
    pub fn refunds(&self, intent_id: &IntentId) -> Answer<Vec<Refund>> {
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

    /// One page of the intents created since an instant (seconds since 1970), newest first, and whether there are more.
    /// `after` is the last id of the previous page.
    pub fn list(&self, since: i64, after: Option<&IntentId>) -> Answer<(Vec<Intent>, bool)> {
        match self {
            Provider::Off => Err(Failure::Off),
            Provider::Stripe(client) => client.list(since, after),
            Provider::Demo(demo) => Ok((demo.list(), false)),
        }
    }
}
