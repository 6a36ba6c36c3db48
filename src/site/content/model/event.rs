//! The event's facts, its organiser and contacts, the texts of its emails, and what the site shows once it is over.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveDateTime};
use serde::{Deserialize, Serialize};

use super::parts::NonEmpty;
use crate::site::content::clock::ClockTime;
use crate::site::content::promise::Promise;
use crate::time::Zone;

/// Whether the site announces the event or looks back on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Phase {
    Before,
    After,
}

tables! {
    pub struct EventFacts {
        pub name: String,
        pub short_name: String,
        pub tagline: String,
        pub summary: String,
        /// The dates for people: 'March 28-29, 2026'. Must match `first_day` and `last_day`.
        pub dates: String,
        pub first_day: NaiveDate,
        pub last_day: NaiveDate,
        pub opens: ClockTime,
        pub closes: ClockTime,
        /// The hours for people.
        pub hours: String,
        pub time_zone: Zone,
        pub time_zone_label: String,
        pub city: String,
        pub region: String,
        /// For people, like the three below: '125 hand-selected professionals'.
        pub selected_professionals: String,
        pub expected_professionals: String,
        pub arena_stations: String,
        pub vendor_booths: String,
        pub days: NonEmpty<EventDay>,
        /// The day on which `serve --demo` starts its clock. Missing: today.
        #[serde(default)]
        pub demo_day: Option<NaiveDate>,
    }

    pub struct EventDay {
        pub label: String,
        pub date: NaiveDate,
        pub theme: String,
        pub points: NonEmpty<String>,
    }

    /// The brand behind the event.
    pub struct Organiser {
        #[serde(default)]
        pub sample: bool,
        pub name: String,
        /// The seller on receipts.
        pub legal_name: String,
        pub description: String,
        /// The lines of the seller's address on receipts.
        pub address: NonEmpty<String>,
        pub website: String,
        pub website_label: String,
    }

    pub struct Contact {
        #[serde(default)]
        pub sample: bool,
        pub email: String,
        pub partnership_email: String,
        pub phone: String,
        pub heading: String,
        pub introduction: String,
    }

    /// The chat button on every page.
    pub struct Chat {
        #[serde(default)]
        pub sample: bool,
        /// Digits with the country code. Empty: no chat button.
        pub number: String,
        pub prefilled_text: String,
        pub tooltip: String,
    }

    pub struct SocialLink {
        #[serde(default)]
        pub sample: bool,
        pub label: String,
        pub url: String,
    }

    /// The texts of the emails. [`crate::site::content::placeholders`] lists the placeholders of each.
    pub struct Mail {
        pub greeting: String,
        /// Added to a confirmation if the same person has registered for the same kind before.
        pub again: String,
        pub sign_off: String,
        pub signature: String,
        pub footer: String,
        /// Whether `reports.recipient` gets an email about each registration.
        pub notify_organiser: bool,
        /// Whether a person who begins an entry and does not pay gets a reminder, once, after an hour.
        #[serde(default)]
        pub remind_unpaid: bool,
        /// The next steps in the confirmation, by kind of registration. A kind without any gets the note of its form.
        #[serde(default)]
        pub next: BTreeMap<String, Vec<String>>,
        /// By when people are promised an answer, by kind of registration.
        #[serde(default)]
        pub promises: BTreeMap<String, Promise>,
        pub decisions: Decisions,
        #[serde(default = "EmailText::refund")]
        pub refund: EmailText,
        #[serde(default = "EmailText::reminder")]
        pub reminder: EmailText,
        #[serde(default = "EmailText::invitation")]
        pub invitation: EmailText,
        /// The texts that organisers have edited in the browser, by the email's name. They are in the database, not in the
        /// content file.
        #[serde(skip)]
        pub texts: BTreeMap<String, EmailText>,
    }

    /// The emails about a decision, by the new status.
    pub struct Decisions {
        pub accepted: Decision,
        pub waitlisted: Decision,
        pub declined: Decision,
    }

    /// The email to every applicant, and those for kinds of registration that have their own.
    pub struct Decision {
        pub subject: String,
        /// Paragraphs, with an empty line between them.
        pub body: String,
        /// Replaces `mail.sign_off`. Missing: that one.
        #[serde(default)]
        pub sign_off: String,
        /// By kind of registration.
        #[serde(default)]
        pub for_kind: BTreeMap<String, EmailText>,
    }

    pub struct EmailText {
        pub subject: String,
        /// Paragraphs, with an empty line between them.
        pub body: String,
        /// Empty: that of the decision, if there is one, or `mail.sign_off`.
        #[serde(default)]
        pub sign_off: String,
    }

    /// Shown in [`Phase::After`].
    pub struct After {
        pub title: String,
        pub text: String,
        pub winners_title: String,
        #[serde(default)]
        pub winners: Vec<Winner>,
        #[serde(default = "default_gallery_title")]
        pub gallery_title: String,
        /// Pictures of the event.
        #[serde(default)]
        pub gallery: Vec<GalleryPicture>,
        pub next_title: String,
        pub next_text: String,
        /// The winners of former editions, the newest first. Shown in both phases.
        #[serde(default)]
        pub past: Vec<PastEdition>,
        /// Days after the last day on which the organiser is reminded to erase the personal data of this edition. 0: never.
        #[serde(default)]
        pub erase_after_days: u16,
    }

    pub struct GalleryPicture {
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        pub alt: String,
        #[serde(default)]
        pub caption: String,
    }

    /// A former edition, with its name and dates for people.
    pub struct PastEdition {
        pub title: String,
        pub dates: String,
        pub winners: Vec<Winner>,
    }

    pub struct Winner {
        pub award: String,
        pub name: String,
        #[serde(default)]
        pub business: String,
    }

    /// One sentence for each page, for search engines and link previews.
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
}

impl EventFacts {
    /// The local time at which the event begins.
    pub fn begins(&self) -> NaiveDateTime {
        self.first_day.and_time(self.opens.time())
    }

    /// The local time at which the event ends.
    pub fn ends(&self) -> NaiveDateTime {
        self.last_day.and_time(self.closes.time())
    }
}

impl Mail {
    /// The text of the email with this name: the edited one with the sign-off of `default`, or `default`.
    pub fn text<'a>(&'a self, name: &str, default: &'a EmailText) -> Cow<'a, EmailText> {
        match self.texts.get(name) {
            Some(edited) => Cow::Owned(EmailText { sign_off: default.sign_off.clone(), ..edited.clone() }),
            None => Cow::Borrowed(default),
        }
    }
}

impl EmailText {
    /// The default for a content file without `mail.reminder`.
    fn reminder() -> EmailText {
        EmailText {
            subject: "Your place is not booked yet".to_owned(),
            body: "You began an entry for {event}. It is not paid, so your place is not booked yet.\n\n\
                   If you have changed your mind, there is nothing to do."
                .to_owned(),
            sign_off: "With best wishes,".to_owned(),
        }
    }

    /// The default for a content file without `mail.invitation`.
    fn invitation() -> EmailText {
        EmailText {
            subject: "There is a place for you at {event}".to_owned(),
            body: "You are on our waitlist, and now there is a place for you at {event}, {dates}.\n\n\
                   The link below is only for you. It leads to the entry form and holds until {until}. After that we \
                   invite the next person on the list."
                .to_owned(),
            sign_off: "With best wishes,".to_owned(),
        }
    }

    /// The default for a content file without `mail.refund`.
    fn refund() -> EmailText {
        EmailText {
            subject: "Your refund from {event}".to_owned(),
            body: "We have refunded {amount} for your competition entry, number {number}.\n\n\
                   The money reaches your card in 5 to 10 days."
                .to_owned(),
            sign_off: "With best wishes,".to_owned(),
        }
    }
}

fn default_gallery_title() -> String {
    "Moments".to_owned()
}
