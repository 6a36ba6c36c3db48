//! Arbitrary bytes as a submission: the first byte selects the kind, the rest is the request's body. Everything that is
//! computed from an accepted record before it is stored must not panic.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use showcase::model::Kind;
use showcase::registrations::screening;
use showcase::site::content::Content;
use showcase::{forms, mail};

static CONTENT: LazyLock<Content> =
    LazyLock::new(|| Content::parse(Content::default_toml()).expect("the default content"));

fuzz_target!(|bytes: &[u8]| {
    let Some((first, body)) = bytes.split_first() else { return };
    let kind = Kind::ALL[usize::from(*first) % Kind::ALL.len()];
    let Ok(body) = serde_json::from_slice::<Value>(body) else { return };
    let agreed = CONTENT.agreed_to(kind, &body);
    assert!(agreed.is_none_or(|agreed| serde_json::from_str::<Value>(&agreed).is_ok()));
    let Ok(record) = forms::parse(kind, &body, &CONTENT.offered()) else { return };
    let _ = screening::suspicion(&record, &body, false);
    for (_, value) in record.fields() {
        if let forms::Value::Text(text) = value {
            assert!(!text.is_empty() && text.trim() == text && text.chars().count() <= 10_000);
            assert!(!text.contains('\0'));
        }
    }
    let (_, address) = record.person();
    assert!(address.is_ascii() && !address.contains(char::is_whitespace));
    assert!(record.phone().is_none_or(|number| number.starts_with('+')));
    assert!(record.instagram().is_none_or(|name| name.starts_with('@')));
    let message = mail::confirmation(&CONTENT, "https://example.com", &record, 1, None).expect("a mail");
    assert!(!message.subject.contains(['\r', '\n']));
});
