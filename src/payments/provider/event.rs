//! Stripe's signed events (webhooks).

use hmac::digest::CtOutput;
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::error::{Error, Result};
use crate::model::{Secret, text_enum};

/// A signature is accepted for this many seconds (as in Stripe's libraries).
const TOLERANCE_SECONDS: i64 = 300;

text_enum! {
    /// The events that we use. `doctor` checks that the webhook endpoint is subscribed to each of them, and
    /// docs/payments.md lists them.
    pub enum EventKind, "an event that we use" {
        PaymentSucceeded = "payment_intent.succeeded",
        PaymentProcessing = "payment_intent.processing",
        /// A card was declined, or a slow payment failed.
        PaymentFailed = "payment_intent.payment_failed",
        PaymentCanceled = "payment_intent.canceled",
        ChargeRefunded = "charge.refunded",
        /// For some payment methods Stripe reports a failed refund only with this event (API reference, 'Refunds').
        ChargeRefundUpdated = "charge.refund.updated",
        RefundCreated = "refund.created",
        RefundUpdated = "refund.updated",
        RefundFailed = "refund.failed",
        DisputeCreated = "charge.dispute.created",
        DisputeUpdated = "charge.dispute.updated",
        DisputeClosed = "charge.dispute.closed",
        DisputeFundsReinstated = "charge.dispute.funds_reinstated",
        DisputeFundsWithdrawn = "charge.dispute.funds_withdrawn",
    }
}

impl EventKind {
    /// Whether its object is a payment intent.
    pub fn is_payment(self) -> bool {
        self.as_str().starts_with("payment_intent.")
    }

    /// Whether its object is a dispute.
    pub fn is_dispute(self) -> bool {
        self.as_str().starts_with("charge.dispute.")
    }

    /// Whether it is about refunds.
    pub fn is_refund(self) -> bool {
        !self.is_payment() && !self.is_dispute()
    }
}

/// An event with a valid signature.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: String,
    /// Stripe's `type`, such as `payment_intent.succeeded`.
    pub name: String,
    /// `None` for an event that we don't use.
    pub kind: Option<EventKind>,
    pub live: bool,
    /// The event's object, as it was at the time of the event.
    pub object: Value,
}

/// The maximum of `v1` signatures in a `Stripe-Signature` header. Stripe sends one for each of the endpoint's secrets:
/// two while one is being replaced.
const MAX_SIGNATURES: usize = 8;

/// A well-formed `Stripe-Signature` header of an acceptable age: `t=<seconds>,v1=<64 hex digits>,…`. The signatures are
/// verified once the payload is there.
#[derive(Debug)]
pub struct Signature {
    /// The text that was sent, because the signature covers it.
    made_at: String,
    candidates: Vec<[u8; 32]>,
}

impl Signature {
    /// Parses the header; `now` is in seconds since 1970. A time in the future is accepted, as in Stripe's libraries:
    /// only the holder of the secret can set it, and a slow clock of ours must not lose events.
    ///
    /// # Errors
    /// [`Error::Malformed`]: the header is missing or malformed, has too many signatures, or is too old.
    pub fn parse(header: &str, now: i64) -> Result<Signature> {
        let (mut made_at, mut candidates) = (None, Vec::new());
        for (name, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
            match name {
                "t" => made_at = Some(value),
                "v1" if candidates.len() == MAX_SIGNATURES => {
                    return Err(refused("header has too many signatures"));
                }
                "v1" => {
                    let mut digest = [0; 32];
                    hex::decode_to_slice(value, &mut digest).map_err(|_| refused("cannot be read"))?;
                    candidates.push(digest);
                }
                // Other schemes, such as the `v0` of test events.
                _ => {}
            }
        }
        let made_at = made_at.filter(|_| !candidates.is_empty()).ok_or_else(|| refused("is missing"))?;
        let is_number = made_at.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = made_at.parse::<i64>().ok().filter(|_| is_number);
        let seconds = seconds.ok_or_else(|| refused("cannot be read"))?;
        if now - seconds > TOLERANCE_SECONDS {
            return Err(refused("is too old"));
        }
        Ok(Signature { made_at: made_at.to_owned(), candidates })
    }

    /// Verifies the payload and parses its event. A signature is the HMAC-SHA256 of `<t>.<payload>` with the endpoint's
    /// secret (Stripe's documentation, 'Verify webhook signatures manually').
    ///
    /// # Errors
    /// [`Error::Malformed`]: no signature is valid, or the payload is not an event.
    pub fn verify(&self, payload: &[u8], secret: &Secret) -> Result<Event> {
        let expected = authentication_code(payload, &self.made_at, secret)?;
        // `CtOutput` compares in constant time.
        let is_valid = self.candidates.iter().any(|candidate| expected == CtOutput::new((*candidate).into()));
        if !is_valid {
            return Err(refused("is not valid"));
        }
        let event = serde_json::from_slice(payload).ok().and_then(Event::parse);
        event.ok_or_else(|| Error::Malformed("This is not a valid event.".into()))
    }
}

fn refused(message: &str) -> Error {
    Error::Malformed(format!("The event's signature {message}."))
}

fn authentication_code(payload: &[u8], made_at: &str, secret: &Secret) -> Result<CtOutput<Hmac<Sha256>>> {
    let mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes());
    let mut mac = mac.map_err(|error| Error::Internal(error.to_string()))?;
    mac.update(made_at.as_bytes());
    mac.update(b".");
    mac.update(payload);
    Ok(mac.finalize())
}

impl Event {
    /// Parses Stripe's `event` object; `None` if it is not one.
    pub fn parse(mut event: Value) -> Option<Event> {
        let name = event["type"].as_str().filter(|name| !name.is_empty())?.to_owned();
        Some(Event {
            id: event["id"].as_str().filter(|id| !id.is_empty() && id.len() <= 255)?.to_owned(),
            kind: name.parse().ok(),
            name,
            live: event["livemode"].as_bool().unwrap_or(false),
            object: event.pointer_mut("/data/object").map(Value::take).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PAYLOAD: &[u8] =
        br#"{"id":"evt_1","object":"event","type":"payment_intent.succeeded","livemode":false,"data":{"object":{"id":"pi_1"}}}"#;
    const NOW: i64 = 1_700_000_000;

    fn signed(made_at: i64, secret: &str) -> String {
        let secret = Secret::new(secret);
        let code = authentication_code(PAYLOAD, &made_at.to_string(), &secret).expect("a key");
        format!("t={made_at},v1={}", hex::encode(code.into_bytes()))
    }

    fn verify(payload: &[u8], header: &str, secret: &Secret, now: i64) -> Result<Event> {
        Signature::parse(header, now)?.verify(payload, secret)
    }

    #[test]
    fn only_a_fresh_signature_of_our_secret_holds() {
        let secret = Secret::new("whsec_right");
        let good = signed(NOW, "whsec_right");
        let forged = signed(NOW, "whsec_wrong");
        let cases = [
            (good.clone(), true),
            // A clock that is off by minutes, either way.
            (signed(NOW - 299, "whsec_right"), true),
            (signed(NOW + 240, "whsec_right"), true),
            (signed(NOW - 301, "whsec_right"), false),
            // Two secrets while one is being replaced.
            (format!("{forged},{}", good.split_once(',').expect("two parts").1), true),
            (forged, false),
            (good.replace(&NOW.to_string(), &(NOW + 1).to_string()), false),
            (good.replace("v1=", "v0="), false),
            (format!("t={NOW}"), false),
            (format!("t={NOW},v1=zz"), false),
            (String::new(), false),
            (good.replace("t=", "t=+"), false),
            // Dated ahead by whoever has the secret.
            (signed(NOW + 86_400, "whsec_right"), true),
        ];
        for (header, holds) in cases {
            assert_eq!(verify(PAYLOAD, &header, &secret, NOW).is_ok(), holds, "{header}");
        }
    }

    #[test]
    fn an_event_has_an_id_and_a_type() {
        let long = "e".repeat(256);
        for (id, name, is_event) in [
            ("evt_1", "ping", true),
            ("", "ping", false),
            ("evt_1", "", false),
            (long.as_str(), "ping", false),
        ] {
            assert_eq!(Event::parse(json!({ "id": id, "type": name })).is_some(), is_event, "{id} {name}");
        }
        assert!(Event::parse(json!({ "id": 1, "type": "ping" })).is_none());
        assert!(Event::parse(json!({ "id": "evt_1" })).is_none());
    }

    #[test]
    fn an_event_without_an_object_has_no_id() {
        for data in [json!([]), json!("text"), json!(null), json!({ "object": [] })] {
            let event = Event::parse(json!({ "id": "evt_1", "type": "ping", "data": data }));
            assert!(event.is_some_and(|event| event.object["id"].is_null()), "{data}");
        }
    }

    #[test]
    fn the_payment_guide_lists_every_event_that_we_use() {
        let guide = include_str!("../../../docs/payments.md");
        for kind in EventKind::ALL {
            assert!(guide.contains(&format!("`{kind}`")), "docs/payments.md, step 3 does not list {kind}");
            assert!(
                u8::from(kind.is_payment()) + u8::from(kind.is_refund()) + u8::from(kind.is_dispute()) == 1
            );
        }
    }
}
