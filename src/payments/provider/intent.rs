//! What is asked of the provider, and what it answers, as far as we look at it.

use serde::Deserialize;
use serde_json::Value;

/// A payment intent to be made or changed; always in USD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIntent {
    pub amount_cents: i64,
    /// The pending entry that it will pay for.
    pub entry: Option<EntryMark>,
    /// What stands beside the payment in the provider's dashboard.
    pub description: String,
}

/// What an intent says about the entry that it was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryMark {
    pub id: i64,
    /// Tells the entry from others of its number; empty in an intent that was made before there were tokens.
    pub token: String,
}

/// How far a payment has come (Stripe's `status`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntentStatus {
    Succeeded,
    /// The bank takes its time.
    Processing,
    Canceled,
    /// Waits for the person, in any of the ways that Stripe tells apart.
    Unpaid,
}

/// A payment intent as the provider knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    pub id: String,
    pub client_secret: String,
    pub status: IntentStatus,
    pub amount_cents: i64,
    pub received_cents: i64,
    /// Lower case, such as `usd`.
    pub currency: String,
    pub live: bool,
    /// The entry that it was made for, by its metadata.
    pub entry: Option<EntryMark>,
    /// Money of it went back, or the cardholder's bank wants it back; only told of an intent that was asked for by
    /// its id.
    pub taken_back: bool,
    /// All of it went back; told as `taken_back` is.
    pub given_back: bool,
    /// Cancelled because nobody paid, as [`ABANDONED`] says.
    pub abandoned: bool,
}

/// Money on its way back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: String,
    pub amount_cents: i64,
    /// What it was marked with, when it was asked for here.
    pub mark: Option<String>,
    /// The provider could not give it back.
    pub failed: bool,
}

/// The metadata keys that name our entry.
pub const ENTRY: &str = "entry_id";
pub const ENTRY_TOKEN: &str = "entry_token";
/// The metadata key that tells one of our refunds from another.
pub const MARK: &str = "refund_key";

/// What Stripe's `cancellation_reason` says of an intent that was cancelled as [`Cancellation::Abandoned`]; whoever
/// cancels in the dashboard has other reasons.
pub const ABANDONED: &str = "abandoned";

/// Why we cancel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancellation {
    /// Nobody paid in time.
    Abandoned,
    /// Too many cards failed.
    FailedCards,
}

#[derive(Deserialize)]
struct RawIntent {
    id: String,
    #[serde(default)]
    client_secret: Option<String>,
    status: String,
    amount: i64,
    #[serde(default)]
    amount_received: i64,
    currency: String,
    #[serde(default)]
    livemode: bool,
    #[serde(default)]
    metadata: Value,
    /// An id, or the whole object where it was asked for.
    #[serde(default)]
    latest_charge: Value,
    #[serde(default)]
    cancellation_reason: Option<String>,
}

impl Refund {
    /// Reads Stripe's `refund` object; `None` when it is not one.
    pub fn parse(object: &Value) -> Option<Refund> {
        Some(Refund {
            id: object["id"].as_str()?.to_owned(),
            amount_cents: object["amount"].as_i64()?,
            mark: object["metadata"][MARK].as_str().map(str::to_owned),
            failed: matches!(object["status"].as_str(), Some("failed" | "canceled")),
        })
    }
}

impl Intent {
    /// Reads Stripe's `payment_intent` object; `None` when it is not one.
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
            taken_back: is_taken_back(&raw.latest_charge),
            given_back: raw.latest_charge["refunded"] == true,
            abandoned: raw.cancellation_reason.as_deref() == Some(ABANDONED),
        })
    }
}

/// What Stripe's `charge` object says of it.
fn is_taken_back(charge: &Value) -> bool {
    let refunded = charge["amount_refunded"].as_i64().is_some_and(|cents| cents > 0);
    refunded || charge["refunded"] == true || charge["disputed"] == true
}

impl EntryMark {
    fn parse(metadata: &Value) -> Option<EntryMark> {
        let id = metadata[ENTRY].as_str()?.parse().ok()?;
        let token = metadata[ENTRY_TOKEN].as_str().unwrap_or_default().to_owned();
        Some(EntryMark { id, token })
    }
}
