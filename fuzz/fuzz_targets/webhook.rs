//! Arbitrary bytes as a webhook: the first line is the `Stripe-Signature` header, the rest the payload. A payload whose
//! signature is right is parsed, too: only the provider can send one, but what it sends must not end the server either.

#![no_main]

use std::sync::LazyLock;

use hmac::{Hmac, Mac};
use libfuzzer_sys::fuzz_target;
use sha2::Sha256;
use showcase::model::Secret;
use showcase::payments::provider::Signature;

const KEY: &str = "whsec_fuzz";
static SECRET: LazyLock<Secret> = LazyLock::new(|| Secret::new(KEY));
/// 2026-11-19 15:00 UTC.
const NOW: i64 = 1_795_100_400;

fuzz_target!(|bytes: &[u8]| {
    let (header, payload) = match bytes.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let header = String::from_utf8_lossy(header);
    if let Ok(signature) = Signature::parse(&header, NOW) {
        assert!(signature.verify(payload, &SECRET).is_err(), "a guessed signature is accepted: {header}");
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(KEY.as_bytes()).expect("a key of any length");
    mac.update(format!("{NOW}.").as_bytes());
    mac.update(payload);
    let right = format!("t={NOW},v1={}", hex::encode(mac.finalize().into_bytes()));
    let signature = Signature::parse(&right, NOW).expect("a well-formed header");
    if let Ok(event) = signature.verify(payload, &SECRET) {
        assert!(!event.name.is_empty() && !event.id.is_empty());
    }
});
