//! Detects submissions by bots without asking people anything. A suspected submission gets the usual answer and is set
//! aside for the organiser to check; nothing is dropped.
//!
//! A name that would turn the confirmation into an advertisement is set aside too, because the confirmation goes to
//! whatever address was typed. Other text is not judged.

use serde_json::Value;

use crate::forms::{self, Field, FieldType, Record};
use crate::model::{Kind, text_enum};

/// The field that the page hides from people. Bots fill it in because they read the markup.
pub const HIDDEN_FIELD: &str = "referralNote";
/// Seconds between opening the page and sending the form, as the page counted them.
pub const SECONDS_SPENT: &str = "secondsSpent";

/// The minimum time in which a person can load and submit a form. It is low because a password manager or a saved draft
/// fills in a form at once, and somebody who is set aside wrongly gets no email. A missing time is not judged.
const LEAST_SECONDS: f64 = 0.2;

/// A name or company that holds a web address is an honest one with so many words at most: "Lash.com Studio".
const MOST_WORDS: usize = 4;

/// Endings of web addresses that mail programs make links of: common ones, and those that advertisements like.
const ENDINGS: [&str; 62] = [
    "agency", "app", "at", "au", "be", "beauty", "best", "biz", "br", "ca", "cc", "ch", "click", "cloud",
    "club", "cn", "co", "com", "cz", "de", "dev", "edu", "es", "eu", "fr", "fun", "gov", "hair", "icu", "in",
    "info", "io", "it", "jp", "link", "live", "ly", "me", "mx", "net", "nl", "online", "org", "pl", "pro",
    "pw", "ru", "salon", "shop", "site", "space", "store", "studio", "tech", "top", "tv", "uk", "us", "vip",
    "website", "work", "xyz",
];

/// Links in one text; somebody's portfolio, shop and three accounts are five.
const MOST_LINKS: usize = 5;

text_enum! {
    /// Why a submission is set aside.
    pub enum Suspicion, "a reason to set a submission aside" {
        /// The hidden field was filled in.
        HiddenField = "hidden_field",
        /// The form was sent faster than a person could.
        TooFast = "too_fast",
        /// More came from the sender's network at once than people send.
        BusyNetwork = "busy_network",
        /// A text with more links than somebody's work needs.
        ManyLinks = "many_links",
        /// A name or company that is an advertisement.
        LinkInName = "link_in_name",
        /// More confirmations were asked for than one address is sent.
        RepeatedAddress = "repeated_address",
    }
}

/// The first reason to doubt that a person sent this; `None` for almost everyone.
pub fn suspicion(record: &Record, body: &Value, network_is_busy: bool) -> Option<Suspicion> {
    of_sending(body, network_is_busy).or_else(|| of_links(record)).or_else(|| of_names(record))
}

/// An entry is confirmed only once it was paid, and nobody pays for an advertisement: its names are not judged.
fn of_names(record: &Record) -> Option<Suspicion> {
    let is_judged = record.kind() != Kind::CompetitionEntries;
    let advertises =
        ["name", "contactName", "company"].into_iter().any(|field| advertises(record.text(field)));
    (is_judged && advertises).then_some(Suspicion::LinkInName)
}

/// Whether a name is one for the sake of what it leads to: an address with its scheme, `www.` or a path, or a web or
/// email address within a sentence. A business that is called by its domain is none.
fn advertises(name: &str) -> bool {
    links(name) > 0
        || domains(name)
            .any(|(before, after)| before == Some('@') || matches!(after, Some('/' | '?' | '#' | ':')))
        || holds_address(name) && name.split_whitespace().count() > MOST_WORDS
}

/// Whether a text holds what a mail program makes a link of.
pub fn holds_address(text: &str) -> bool {
    links(text) > 0 || domains(text).next().is_some()
}

/// What stands right before and after each domain in a text: `lashes.com`, but not `Dr.Cruz`, `J.Lo` or `M.Sc`.
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

fn is_domain(word: &str) -> bool {
    let word = word.trim_matches(['.', '-']).to_lowercase();
    let Some((rest, ending)) = word.rsplit_once('.') else { return false };
    // One letter before the dot is an initial or a degree.
    let name = rest.rsplit('.').next().unwrap_or_default();
    name.chars().count() > 1 && ENDINGS.contains(&ending)
}

fn of_sending(body: &Value, network_is_busy: bool) -> Option<Suspicion> {
    let is_filled = body[HIDDEN_FIELD].as_str().is_some_and(|text| !text.trim().is_empty());
    let seconds = body[SECONDS_SPENT].as_f64();
    if is_filled {
        Some(Suspicion::HiddenField)
    } else if seconds.is_some_and(|seconds| seconds < LEAST_SECONDS) {
        Some(Suspicion::TooFast)
    } else if network_is_busy {
        Some(Suspicion::BusyNetwork)
    } else {
        None
    }
}

fn of_links(record: &Record) -> Option<Suspicion> {
    let has_many = |(field, value): (&Field, &forms::Value)| match value {
        forms::Value::Text(text) if field.field_type == FieldType::LongText => links(text) > MOST_LINKS,
        _ => false,
    };
    record.fields().any(has_many).then_some(Suspicion::ManyLinks)
}

/// How many addresses a mail program would make links of: `https://example.com` is one, `www.example.com` too.
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
            (json!({}), false, None),
            (json!({"referralNote": ""}), false, None),
            (json!({"referralNote": "  "}), false, None),
            (json!({"referralNote": null, "secondsSpent": null}), false, None),
            (json!({"referralNote": "cheap pills"}), false, Some(Suspicion::HiddenField)),
            (json!({"secondsSpent": 0.2}), false, None),
            (json!({"secondsSpent": 86_400}), false, None),
            (json!({"secondsSpent": "1"}), false, None),
            (json!({"secondsSpent": 0.1}), false, Some(Suspicion::TooFast)),
            (json!({"secondsSpent": -5.5}), false, Some(Suspicion::TooFast)),
            (json!({"secondsSpent": 60}), true, Some(Suspicion::BusyNetwork)),
            (json!({"referralNote": "x", "secondsSpent": 0}), true, Some(Suspicion::HiddenField)),
            (json!([]), false, None),
            (json!("text"), false, None),
        ];
        for (body, busy, expected) in cases {
            assert_eq!(of_sending(&body, busy), expected, "{body}");
        }
    }

    #[test]
    fn names_that_advertise_are_told_from_those_of_people_and_businesses() {
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
    fn endings_are_in_order_so_that_a_missing_one_is_seen() {
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
