//! The shape of the content: what `event.toml` may say, with `snake_case` keys, and what the pages read, with
//! `camelCase` keys. Whether what it says makes sense is decided in `check`.

pub mod event;
pub mod forms;
pub mod home;
pub mod parts;
pub mod program;
pub mod venue;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::payments::pricing::Pricing;
use crate::site::content::opening::Opening;

/// Everything that the site says about the event. Only [`Content::parse`] makes one, so every one is checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
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
    pub categories: Vec<program::Category>,
    pub competition: program::Competition,
    pub people: program::People,
    pub sponsors: venue::Sponsors,
    pub venue: venue::Venue,
    pub schedule: program::Schedule,
    pub faq: program::Faq,
    pub apply: forms::Apply,
    pub legal: forms::Legal,
    pub pricing: Pricing,
    /// By kind; a kind that is not here is open.
    pub openings: BTreeMap<String, Opening>,
    pub mail: event::Mail,
    pub after: event::After,
}
