//! What tells a machine's submission from a person's, without asking the person anything. Whoever is
//! suspected is answered like everyone and set aside for the organiser to look at; nothing is dropped.
//!
//! What would make an advertisement of its own confirmation is set aside too, since that goes to whatever
//! address was typed. Left out on purpose: judging any other words. A person with odd words is still a person.

use std::fmt;

use serde_json::Value;

use crate::rules::{self, Field, Record, Shape};

/// The field that the page hides from people; whatever fills it reads markup, not pages.
pub const HIDDEN_FIELD: &str = "referralNote";
/// Seconds between opening the page and sending the form, as the page counted them.
pub const SECONDS_SPENT: &str = "secondsSpent";

/// What no page takes to arrive, be drawn and be sent. Not more: a password manager, a kept draft or an
/// organiser's own check of the site fills a form at once, and whoever is set aside wrongly gets no mail. A script
/// that sends no time is not judged.
const LEAST_SECONDS: f64 = 0.2;

/// Links in one text; somebody's portfolio, shop and three accounts are five.
const MOST_LINKS: usize = 5;

/// Why a submission is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// The hidden field was filled in.
    HiddenField,
    /// The form was sent faster than a person could.
    TooFast,
    /// More came from the sender's network at once than people send.
    BusyNetwork,
    /// A text with more links than somebody's work needs.
    ManyLinks,
}

impl Suspicion {
    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Suspicion::HiddenField => "hidden_field",
            Suspicion::TooFast => "too_fast",
            Suspicion::BusyNetwork => "busy_network",
            Suspicion::ManyLinks => "many_links",
        }
    }
}

impl fmt::Display for Suspicion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The first reason to doubt that a person sent this; `None` for almost everyone.
pub fn suspicion(record: &Record, body: &Value, network_is_busy: bool) -> Option<Suspicion> {
    of_sending(body, network_is_busy).or_else(|| of_links(record))
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
    let has_many = |(field, value): (&Field, &rules::Value)| match value {
        rules::Value::Text(text) if field.shape == Shape::LongText => links(text) > MOST_LINKS,
        _ => false,
    };
    record.fields().any(has_many).then_some(Suspicion::ManyLinks)
}

/// How many addresses a mail program would make links of: `https://example.com` is one, `www.example.com` too.
fn links(text: &str) -> usize {
    let text = text.to_ascii_lowercase();
    let bare = text.match_indices("www.").filter(|(at, _)| !text[..*at].ends_with("://"));
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
