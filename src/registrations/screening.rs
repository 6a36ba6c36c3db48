//! Detects submissions by bots without asking people anything. A suspected submission gets the usual answer and is held
//! for the organiser's review; nothing is dropped.
//!
//! A name that would turn the confirmation into an advertisement is held too, because the confirmation goes to whatever
//! address was typed. Other texts are not checked for advertisements.

use serde_json::Value;

use crate::forms::{self, Field, FieldType, Record};
use crate::model::{Kind, text_enum};

/// The field that the page hides from people. Bots fill it in because they read the markup.
pub const HIDDEN_FIELD: &str = "referralNote";
/// Seconds between opening the page and sending the form, as the page counted them.
pub const SECONDS_SPENT: &str = "secondsSpent";

/// The minimum time in which a person can load and submit a form. It is low because a password manager or a saved draft
/// fills in a form at once, and somebody whose submission is held wrongly gets no email. A missing time is not suspicious.
const MIN_SECONDS: f64 = 0.2;

/// A name or company that contains a web address is plausible with at most this many words: "Lash.com Studio".
const MAX_WORDS: usize = 4;

/// Top-level domains that mail programs turn into links: common ones, and those that advertisers use.
const ENDINGS: [&str; 62] = [
    "agency", "app", "at", "au", "be", "beauty", "best", "biz", "br", "ca", "cc", "ch", "click", "cloud",
    "club", "cn", "co", "com", "cz", "de", "dev", "edu", "es", "eu", "fr", "fun", "gov", "hair", "icu", "in",
    "info", "io", "it", "jp", "link", "live", "ly", "me", "mx", "net", "nl", "online", "org", "pl", "pro",
    "pw", "ru", "salon", "shop", "site", "space", "store", "studio", "tech", "top", "tv", "uk", "us", "vip",
    "website", "work", "xyz",
];

/// The most links in one text: a portfolio, a shop and three accounts.
const MAX_LINKS: usize = 5;

text_enum! {
    /// Why a submission is held for review.
    pub enum Suspicion, "a reason to hold a submission for review" {
        /// The hidden field was filled in.
        HiddenField = "hidden_field",
        /// The form was sent faster than a person could.
        TooFast = "too_fast",
        /// The sender's network sends more at once than people do.
        BusyNetwork = "busy_network",
        /// A text has more links than a description of somebody's work needs.
        ManyLinks = "many_links",
        /// A name or company is an advertisement.
        LinkInName = "link_in_name",
        /// The address has reached its ceiling of confirmations.
        RepeatedAddress = "repeated_address",
    }
}

/// The first reason to doubt that a person sent this; `None` for almost everyone.
pub fn suspicion(record: &Record, body: &Value, network_is_busy: bool) -> Option<Suspicion> {
    suspicion_of_form(body)
        .or_else(|| network_is_busy.then_some(Suspicion::BusyNetwork))
        .or_else(|| suspicion_of_links(record))
        .or_else(|| suspicion_of_names(record))
}

/// The names of entries are not checked: an entry is confirmed only after its payment, and nobody pays for an advertisement.
fn suspicion_of_names(record: &Record) -> Option<Suspicion> {
    let is_advertisement =
        ["name", "contactName", "company"].into_iter().any(|field| advertises(record.text(field)));
    let is_entry = record.kind() == Kind::CompetitionEntries;
    (is_advertisement && !is_entry).then_some(Suspicion::LinkInName)
}

/// Whether a name is an advertisement: it contains a link with a scheme, `www.` or a path, an email address, or a domain
/// within a sentence. The name of a business may be its domain.
fn advertises(name: &str) -> bool {
    links(name) > 0
        || domains(name)
            .any(|(before, after)| before == Some('@') || matches!(after, Some('/' | '?' | '#' | ':')))
        || has_link(name) && name.split_whitespace().count() > MAX_WORDS
}

/// Whether a mail program would turn part of a text into a link.
pub fn has_link(text: &str) -> bool {
    links(text) > 0 || domains(text).next().is_some()
}

/// The characters before and after each domain in a text. `lashes.com` is a domain; `Dr.Cruz`, `J.Lo` and `M.Sc` are not.
fn domains(text: &str) -> impl Iterator<Item = (Option<char>, Option<char>)> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '.' | '-');
    let mut from = 0;
    std::iter::from_fn(move || {
        while from < text.len() {
            let Some(start) = text[from..].find(is_part).map(|at| from + at) else { break };
            let end = text[start..].find(|character| !is_part(character)).map_or(text.len(), |at| start + at);
            from = end;
            if is_domain(&text[start..end]) {
                return Some((text[..start].chars().next_back(), text[end..].chars().next()));
            }
        }
        from = text.len();
        None
    })
}

fn is_domain(text: &str) -> bool {
    let text = text.trim_matches(['.', '-']).to_lowercase();
    let Some((rest, ending)) = text.rsplit_once('.') else { return false };
    // A single character before the dot is an initial or part of a degree.
    let name = rest.rsplit('.').next().unwrap_or_default();
    name.chars().count() > 1 && ENDINGS.contains(&ending)
}

/// Whether a script seems to have filled in the form.
pub fn suspicion_of_form(body: &Value) -> Option<Suspicion> {
    let is_filled = body[HIDDEN_FIELD].as_str().is_some_and(|text| !text.trim().is_empty());
    let seconds = body[SECONDS_SPENT].as_f64();
    if is_filled {
        Some(Suspicion::HiddenField)
    } else if seconds.is_some_and(|seconds| seconds < MIN_SECONDS) {
        Some(Suspicion::TooFast)
    } else {
        None
    }
}

fn suspicion_of_links(record: &Record) -> Option<Suspicion> {
    let has_many = |(field, value): (&Field, &forms::Value)| match value {
        forms::Value::Text(text) if field.field_type == FieldType::LongText => links(text) > MAX_LINKS,
        _ => false,
    };
    record.fields().any(has_many).then_some(Suspicion::ManyLinks)
}

/// The number of links with a scheme or `www.`, which mail programs turn into links.
fn links(text: &str) -> usize {
    let text = text.to_ascii_lowercase();
    let begins = |at: usize| !text[..at].ends_with("://") && !text[..at].ends_with(char::is_alphanumeric);
    let bare = text.match_indices("www.").filter(|(at, _)| begins(*at));
    text.matches("://").count() + bare.count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn people_are_not_suspected_and_machines_are() {
        let cases = [
            (json!({}), None),
            (json!({"referralNote": "  "}), None),
            (json!({"referralNote": null, "secondsSpent": null}), None),
            (json!({"referralNote": "cheap pills"}), Some(Suspicion::HiddenField)),
            (json!({"secondsSpent": 0.2}), None),
            (json!({"secondsSpent": 86_400}), None),
            (json!({"secondsSpent": "1"}), None),
            (json!({"secondsSpent": 0.1}), Some(Suspicion::TooFast)),
            (json!({"secondsSpent": -5.5}), Some(Suspicion::TooFast)),
            (json!({"referralNote": "x", "secondsSpent": 0}), Some(Suspicion::HiddenField)),
            (json!([]), None),
        ];
        for (body, expected) in cases {
            assert_eq!(suspicion_of_form(&body), expected, "{body}");
        }
    }

    #[test]
    fn only_names_that_advertise_are_suspicious() {
        for honest in [
            "Ada Sample",
            "Dr. Ana M. Cruz",
            "Dr.Cruz",
            "St. John",
            "St.John",
            "J.Lo Beauty",
            "Jane Doe, M.Sc., L.Ac",
            "T.J. Maxx",
            "Lash.com",
            "Lash.com Studio",
            "Ana Cruz of Lashes.com",
            "Brows & Co.",
            "Salon No.5",
            "Lash/Brow/Nails",
            "A very long name of a studio, and one that ends with Inc.",
            "Ewww.Studio",
            "",
        ] {
            assert!(!advertises(honest), "{honest}");
        }
        for hostile in [
            "https://evil.example",
            "Your parcel is held! Pay the 2.99 fee now: https://evil.example/pay?id=1",
            "www.evil.example",
            "Go to WWW.evil.example",
            "ftp://x",
            "evil.com/pay",
            "Evil.com?id=1",
            "evil.com:8080",
            "write to pay@evil.com",
            "pay@evil.com",
            "Your parcel is held, pay at evil.com",
            "You have won: visit evil.co.uk now",
            "You have won; see my.evil.shop.",
        ] {
            assert!(advertises(hostile), "{hostile}");
        }
    }

    #[test]
    fn endings_are_sorted() {
        assert!(ENDINGS.is_sorted());
    }

    #[test]
    fn links_are_counted_as_mail_programs_make_them() {
        for (text, count) in [
            ("", 0),
            ("Lash.com", 0),
            ("http://a.example", 1),
            ("HTTPS://WWW.a.example and www.b.example", 2),
            ("ftp://a.example,https://b.example", 2),
        ] {
            assert_eq!(links(text), count, "{text}");
        }
    }
}
