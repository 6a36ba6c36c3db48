//! The provider's payment intents and refunds: the fields that we send and read.

use serde::Deserialize;
use serde_json::Value;

use crate::model::{Cents, EntryId, IntentId};

/// A payment intent to be created or updated; always in USD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIntent {
    pub amount_cents: Cents,
    /// The pending entry that it will pay for.
    pub entry: Option<EntryMark>,
    /// Shown in the provider's dashboard.
    pub description: String,
}

/// An intent's metadata about its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryMark {
    pub id: EntryId,
    /// Distinguishes the entry from others with the same number, in another database.
    pub token: String,
}

/// Stripe's `status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentStatus {
    Succeeded,
    /// The bank has not confirmed it yet.
    Processing,
    Canceled,
    /// Any of the statuses in which Stripe waits for the payer.
    Unpaid,
}

/// The provider's payment intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    pub id: IntentId,
    pub client_secret: String,
    pub status: IntentStatus,
    pub amount_cents: Cents,
    pub received_cents: Cents,
    /// Lowercase, such as `usd`.
    pub currency: String,
    pub live: bool,
    /// The entry that it was created for, from its metadata.
    pub entry: Option<EntryMark>,
    /// Part of it was refunded, or it is disputed. Only set in an intent that was fetched by its id.
    pub has_reversal: bool,
    /// All of it was refunded. Only set in an intent that was fetched by its id.
    pub fully_refunded: bool,
    /// We cancelled it because nobody paid (`ABANDONED`).
    pub abandoned: bool,
}

/// The provider's refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: String,
    pub amount_cents: Cents,
    /// The key of our own refund, from the metadata.
    pub mark: Option<String>,
    pub outcome: RefundOutcome,
}

/// Whether the bank has taken a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundOutcome {
    Made,
    /// On its way: it may still fail.
    Pending,
    /// It failed or was cancelled.
    Failed,
}

/// The metadata keys that identify our entry.
pub const ENTRY: &str = "entry_id";
pub const ENTRY_TOKEN: &str = "entry_token";
/// The metadata key that identifies one of our refunds.
pub const MARK: &str = "refund_key";

/// Stripe's `cancellation_reason` for [`Cancellation::Abandoned`]. The dashboard sets other reasons.
pub const ABANDONED: &str = "abandoned";

/// Why we cancel an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancellation {
    /// Nobody paid in time.
    Abandoned,
    /// Too many cards failed.
    FailedCards,
}

#[derive(Deserialize)]
struct RawIntent {
    id: IntentId,
    #[serde(default)]
    client_secret: Option<String>,
    status: String,
    amount: Cents,
    #[serde(default)]
    amount_received: Cents,
    currency: String,
    #[serde(default)]
    livemode: bool,
    #[serde(default)]
    metadata: Value,
    /// An id, or the whole object if the request expanded it.
    #[serde(default)]
    latest_charge: Value,
    #[serde(default)]
    cancellation_reason: Option<String>,
}

impl Refund {
    /// Parses Stripe's `refund` object; `None` if it is not one.
    pub fn parse(object: &Value) -> Option<Refund> {
        Some(Refund {
            id: object["id"].as_str()?.to_owned(),
            amount_cents: Cents(object["amount"].as_i64()?),
            mark: object["metadata"][MARK].as_str().map(str::to_owned),
            outcome: match object["status"].as_str() {
                Some("failed" | "canceled") => RefundOutcome::Failed,
                Some("succeeded") | None => RefundOutcome::Made,
                // `pending`, `requires_action`, and whatever is added to them.
                Some(_) => RefundOutcome::Pending,
            },
        })
    }
}

impl Intent {
    /// Parses Stripe's `payment_intent` object; `None` if it is not one.
    pub fn parse(object: Value) -> Option<Intent> {
        let raw: RawIntent = serde_json::from_value(object).ok()?;
        let status = match raw.status.as_str() {
            "succeeded" => IntentStatus::Succeeded,
            "processing" => IntentStatus::Processing,
            "canceled" => IntentStatus::Canceled,
            _ => IntentStatus::Unpaid,
        };
        Some(Intent {
            id: raw.id,
            client_secret: raw.client_secret.unwrap_or_default(),
            status,
            amount_cents: raw.amount,
            received_cents: raw.amount_received,
            currency: raw.currency.to_ascii_lowercase(),
            live: raw.livemode,
            entry: EntryMark::parse(&raw.metadata),
            has_reversal: has_reversal(&raw.latest_charge),
            fully_refunded: raw.latest_charge["refunded"] == true,
            abandoned: raw.cancellation_reason.as_deref() == Some(ABANDONED),
        })
    }
}

/// Whether Stripe's `charge` object was refunded, in part or in full, or is disputed.
fn has_reversal(charge: &Value) -> bool {
    let refunded = charge["amount_refunded"].as_i64().is_some_and(|cents| cents > 0);
    refunded || charge["refunded"] == true || charge["disputed"] == true
}

impl EntryMark {
    fn parse(metadata: &Value) -> Option<EntryMark> {
        let id = EntryId(metadata[ENTRY].as_str()?.parse().ok()?);
        let token = metadata[ENTRY_TOKEN].as_str().unwrap_or_default().to_owned();
        Some(EntryMark { id, token })
    }
}
