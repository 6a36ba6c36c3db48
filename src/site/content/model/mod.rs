//! The types of the content: `event.toml` has `snake_case` keys, the JSON for the pages `camelCase` ones. Left out: the
//! rules that types cannot express, which are in `check`.
//!
//! `sample` marks a table with invented data, which the organiser still has to replace.
//! A text must not be empty unless `check::texts` lists it. A list may be empty unless it is a [`NonEmpty`].

/// Defines tables of the content file, which may have no other keys. JSON and TypeScript have the same keys in `camelCase`.
macro_rules! tables {
    ($($(#[$attribute:meta])* pub struct $name:ident $fields:tt)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
            #[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
            #[cfg_attr(test, derive(ts_rs::TS), ts(rename_all = "camelCase"))]
            $(#[$attribute])*
            pub struct $name $fields
        )*
    };
}

pub mod door;
pub mod event;
pub mod forms;
pub mod home;
pub mod judging;
pub mod parts;
pub mod portal;
pub mod program;
pub mod venue;

use std::collections::BTreeMap;

use self::parts::NonEmpty;
use crate::payments::pricing::Pricing;
use crate::site::content::opening::Opening;

tables! {
    /// Everything that the site says about the event. Only [`Content::parse`] creates one, so it is always valid.
    pub struct Content {
        pub phase: event::Phase,
        pub event: event::EventFacts,
        pub organiser: event::Organiser,
        pub contact: event::Contact,
        pub chat: event::Chat,
        pub social_links: Vec<event::SocialLink>,
        pub descriptions: event::Descriptions,
        pub home: home::Home,
        pub pass: home::Pass,
        pub about: home::About,
        pub categories: NonEmpty<program::Category>,
        pub competition: program::Competition,
        #[serde(default)]
        pub portal: portal::Portal,
        #[serde(default)]
        pub judging: judging::Judging,
        #[serde(default)]
        pub door: door::Door,
        pub people: program::People,
        pub sponsors: venue::Sponsors,
        pub venue: venue::Venue,
        pub schedule: program::Schedule,
        pub faq: program::Faq,
        pub apply: forms::Apply,
        pub legal: forms::Legal,
        pub pricing: Pricing,
        /// By kind. The form of a kind without an entry is open.
        pub openings: BTreeMap<String, Opening>,
        pub mail: event::Mail,
        pub after: event::After,
        /// The dotted keys of texts that are to be confirmed, such as those of a former edition. The editor removes a key when
        /// its text is saved.
        #[serde(default)]
        pub unconfirmed: Vec<String>,
    }
}
