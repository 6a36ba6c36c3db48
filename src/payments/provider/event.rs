//! Stripe's signed events (webhooks).

use hmac::digest::CtOutput;
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::error::{Error, Result};
use crate::model::Secret;

/// A signature is taken for this many seconds after it was made (Stripe's libraries do the same).
const TOLERANCE_SECONDS: i64 = 300;

/// An event whose signature holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: String,
    /// Such as `payment_intent.succeeded`.
    pub name: String,
    pub live: bool,
    /// What it happened to, as it was then.
    pub object: Value,
}

/// A `Stripe-Signature` header names at most this many `v1` signatures; Stripe sends one for each of the endpoint's
/// secrets, of which there are two while one is being replaced.
const MOST_SIGNATURES: usize = 8;

/// A well-formed `Stripe-Signature` header of an acceptable age: `t=<seconds>,v1=<64 hex digits>,…`. Whether one of
/// its signatures holds is only known once there is a payload.
#[derive(Debug)]
pub struct Signature {
    /// As it was sent, since that is what was signed.
    made_at: String,
    candidates: Vec<[u8; 32]>,
}

impl Signature {
    /// Reads the header; `now` is in seconds since 1970. One that is dated ahead is taken, as by Stripe's own
    /// libraries: only who has the secret can date it, and a clock of ours that is slow must not lose events.
    ///
    /// # Errors
    /// [`Error::Malformed`]: the header is missing or of another form, names too many signatures, or is too old.
    pub fn parse(header: &str, now: i64) -> Result<Signature> {
        let (mut made_at, mut candidates) = (None, Vec::new());
        for (name, value) in header.split(',').filter_map(|part| part.trim().split_once('=')) {
            match name {
                "t" => made_at = Some(value),
                "v1" if candidates.len() == MOST_SIGNATURES => {
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

    /// Reads the event that was signed: a signature is the HMAC-SHA256 of `<t>.<payload>` under the endpoint's secret
    /// (Stripe's documentation, 'Verify webhook signatures manually'). The payload is hashed once, however many
    /// signatures there are.
    ///
    /// # Errors
    /// [`Error::Malformed`]: no signature of ours holds, or no event was signed.
    pub fn verify(&self, payload: &[u8], secret: &Secret) -> Result<Event> {
        let expected = authentication_code(payload, &self.made_at, secret)?;
        // `CtOutput` compares in constant time.
        let holds = self.candidates.iter().any(|candidate| expected == CtOutput::new((*candidate).into()));
        if !holds {
            return Err(refused("does not hold"));
        }
        let event = serde_json::from_slice(payload).ok().and_then(Event::parse);
        event.ok_or_else(|| Error::Malformed("This is not an event that can be read.".into()))
    }
}

fn refused(words: &str) -> Error {
    Error::Malformed(format!("The event's signature {words}."))
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
    /// Reads Stripe's `event` object; `None` when it is not one.
    pub fn parse(mut event: Value) -> Option<Event> {
        Some(Event {
            id: event["id"].as_str().filter(|id| !id.is_empty() && id.len() <= 255)?.to_owned(),
            name: event["type"].as_str()?.to_owned(),
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
    fn a_header_has_at_most_eight_whole_signatures() {
        let one = format!(",v1={}", "ab".repeat(32));
        let cases = [
            (one.repeat(8), true),
            (one.repeat(9), false),
            (",v1=".to_owned(), false),
            (format!(",v1={}", "ab".repeat(31)), false),
            (format!(",v1={}", "ab".repeat(33)), false),
            (format!(",v1={}", "AB".repeat(32)), true),
            (format!(",v1={}", "äb".repeat(21)), false),
            // Schemes that are not looked at.
            (format!(",v0=abc{one}"), true),
            (",v0=abc".to_owned(), false),
        ];
        for (signatures, is_taken) in cases {
            let header = format!("t={NOW}{signatures}");
            assert_eq!(Signature::parse(&header, NOW).is_ok(), is_taken, "{header}");
        }
    }

    #[test]
    fn an_event_of_nothing_is_none_of_ours() {
        for data in [json!([]), json!("text"), json!(null), json!({ "object": [] })] {
            let event = Event::parse(json!({ "id": "evt_1", "type": "ping", "data": data }));
            assert!(event.is_some_and(|event| event.object["id"].is_null()), "{data}");
        }
    }

    #[test]
    fn an_event_is_read() {
        let event = verify(PAYLOAD, &signed(NOW, "s"), &Secret::new("s"), NOW).expect("an event");
        assert_eq!((event.id.as_str(), event.name.as_str()), ("evt_1", "payment_intent.succeeded"));
        assert_eq!(event.object["id"], "pi_1");
    }
}
