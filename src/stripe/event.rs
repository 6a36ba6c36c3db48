//! Stripe's signed events (webhooks).

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

/// Reads an event after checking its `Stripe-Signature`: `t=<seconds>,v1=<hex>,…`, where a `v1` is the
/// HMAC-SHA256 of `<t>.<payload>` under the endpoint's secret (Stripe's documentation, 'Verify webhook
/// signatures manually'). `now` is in seconds since 1970.
///
/// # Errors
/// [`Error::Malformed`]: no signature of ours that holds, one that is too old, or no event in it.
pub fn verify(payload: &[u8], header: &str, secret: &Secret, now: i64) -> Result<Event> {
    let refused = |words: &str| Error::Malformed(format!("The event's signature {words}."));
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let made_at = parts().find(|(name, _)| *name == "t").map(|(_, value)| value);
    let made_at = made_at.ok_or_else(|| refused("is missing"))?;
    let holds = parts().filter(|(name, _)| *name == "v1").any(|(_, signature)| {
        hex::decode(signature).is_ok_and(|signature| {
            keyed(payload, made_at, secret).is_some_and(|mac| mac.verify_slice(&signature).is_ok())
        })
    });
    if !holds {
        return Err(refused("does not hold"));
    }
    if made_at.parse::<i64>().map_or(true, |made_at| now - made_at > TOLERANCE_SECONDS) {
        return Err(refused("is too old"));
    }
    let event = serde_json::from_slice(payload).ok().and_then(Event::parse);
    event.ok_or_else(|| Error::Malformed("This is not an event that can be read.".into()))
}

fn keyed(payload: &[u8], made_at: &str, secret: &Secret) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).ok()?;
    mac.update(made_at.as_bytes());
    mac.update(b".");
    mac.update(payload);
    Some(mac)
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
        let mac = keyed(PAYLOAD, &made_at.to_string(), &secret).expect("a key");
        format!("t={made_at},v1={}", hex::encode(mac.finalize().into_bytes()))
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
        ];
        for (header, holds) in cases {
            assert_eq!(verify(PAYLOAD, &header, &secret, NOW).is_ok(), holds, "{header}");
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
