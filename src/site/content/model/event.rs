//! The event itself: its facts, who organises it and how to reach them, the words of its mails, and what
//! the site says once it is over.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::site::content::clock::ClockTime;
use crate::site::content::promise::Promise;
use crate::time::Zone;

/// Whether the site still invites or already thanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Before,
    After,
}

/// What, when, where, for whom.
/// The dates as people read them; `first_day` and `last_day` are for computing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct EventFacts {
    pub name: String,
    pub short_name: String,
    pub tagline: String,
    pub summary: String,
    pub dates: String,
    pub first_day: NaiveDate,
    pub last_day: NaiveDate,
    pub opens: ClockTime,
    pub closes: ClockTime,
    pub hours: String,
    pub time_zone: Zone,
    pub time_zone_label: String,
    pub city: String,
    pub region: String,
    pub selected_professionals: String,
    pub expected_professionals: String,
    pub arena_stations: String,
    pub vendor_booths: String,
    pub days: Vec<EventDay>,
    /// The day that `serve --demo` shows the site as of. Missing: today.
    #[serde(default)]
    pub demo_day: Option<NaiveDate>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct EventDay {
    pub label: String,
    pub date: NaiveDate,
    pub theme: String,
    pub points: Vec<String>,
}

/// The brand behind the event, as receipts name it.
/// Lines.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Organiser {
    #[serde(default)]
    pub sample: bool,
    pub name: String,
    pub legal_name: String,
    pub description: String,
    pub address: Vec<String>,
    pub website: String,
    pub website_label: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Contact {
    #[serde(default)]
    pub sample: bool,
    pub email: String,
    pub partnership_email: String,
    pub phone: String,
    pub heading: String,
    pub introduction: String,
}

/// The chat button; an empty number means that there is none.
/// Digits with the country code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Chat {
    #[serde(default)]
    pub sample: bool,
    pub number: String,
    pub prefilled_text: String,
    pub tooltip: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct SocialLink {
    #[serde(default)]
    pub sample: bool,
    pub label: String,
    pub url: String,
}

/// The voice of the mails. What may stand in braces is listed in [`crate::site::content::placeholders`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Mail {
    pub greeting: String,
    /// Told to a person whose earlier registration of the same kind is here already.
    pub again: String,
    pub sign_off: String,
    pub signature: String,
    pub footer: String,
    /// Whether each registration is told to `reports.recipient` at once.
    pub notify_organiser: bool,
    /// Whether who begins an entry and does not pay is reminded once, after an hour.
    #[serde(default)]
    pub remind_unpaid: bool,
    /// What happens next, step by step, by kind of registration.
    #[serde(default)]
    pub next: BTreeMap<String, Vec<String>>,
    /// By when people hear, by kind of registration; a kind that is left out is promised nothing.
    #[serde(default)]
    pub promises: BTreeMap<String, Promise>,
    pub decisions: Decisions,
    #[serde(default = "Letter::refund")]
    pub refund: Letter,
    #[serde(default = "Letter::reminder")]
    pub reminder: Letter,
}

impl Letter {
    /// What a content file says to whoever left an entry unpaid that says nothing.
    fn reminder() -> Letter {
        Letter {
            subject: "Your place is not booked yet".to_owned(),
            body: "You began an entry for {event}. It is not paid, so your place is not booked yet.\n\n\
                   If you have changed your mind, there is nothing to do."
                .to_owned(),
            sign_off: "With best wishes,".to_owned(),
        }
    }

    /// What a content file says of a refund that says nothing.
    fn refund() -> Letter {
        Letter {
            subject: "Your refund from {event}".to_owned(),
            body: "We have refunded {amount} for your competition entry, number {number}.\n\n\
                   It reaches your card in 5 to 10 days."
                .to_owned(),
            sign_off: "With best wishes,".to_owned(),
        }
    }
}

/// The letters that go with a decision.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Decisions {
    pub accepted: Decision,
    pub waitlisted: Decision,
    pub declined: Decision,
}

/// A letter to every applicant, and those for kinds of registration that have their own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Decision {
    pub subject: String,
    pub body: String,
    /// In place of the sign-off of all mails; empty for that one.
    #[serde(default)]
    pub sign_off: String,
    #[serde(default)]
    pub for_kind: BTreeMap<String, Letter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Letter {
    pub subject: String,
    /// Paragraphs, with an empty line between them.
    pub body: String,
    /// In place of the one of the decision; empty for that one.
    #[serde(default)]
    pub sign_off: String,
}

/// What the site shows once the phase is [`Phase::After`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct After {
    pub title: String,
    pub text: String,
    pub winners_title: String,
    #[serde(default)]
    pub winners: Vec<Winner>,
    pub next_title: String,
    pub next_text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Winner {
    pub award: String,
    pub name: String,
    #[serde(default)]
    pub business: String,
}

/// One sentence a page for search engines and link previews.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Descriptions {
    pub home: String,
    pub about: String,
    pub competition: String,
    pub speakers_judges: String,
    pub sponsors: String,
    pub venue: String,
    pub schedule: String,
    pub faq: String,
    pub apply_speaker: String,
    pub apply_judge: String,
    pub apply_sponsor: String,
    pub apply_professional_demo: String,
    pub enter_competition: String,
    pub privacy: String,
    pub terms: String,
    pub refund_policy: String,
    pub contact: String,
}
