//! The home page, the pass that it offers, and the about page.

use serde::{Deserialize, Serialize};

use super::parts::{Card, Closing, Item, Link};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Home {
    pub hero: Hero,
    pub cards: Vec<Card>,
    pub sponsors_card: Card,
    pub carousel: Carousel,
    pub slideshow: Slideshow,
    pub recognition: Recognition,
    #[serde(default)]
    pub quote: Option<Quote>,
    pub closing: Closing,
    pub waitlist: Waitlist,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Hero {
    pub introduction: String,
    #[serde(default)]
    pub image: String,
    pub alt: String,
    pub buttons: Vec<Link>,
    pub schedule_button: Link,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Carousel {
    pub title: String,
    pub introduction: String,
    pub button: Link,
    pub items: Vec<CarouselItem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct CarouselItem {
    pub id: String,
    pub title: String,
    pub description: String,
    #[serde(default)]
    pub image: String,
    pub alt: String,
    pub art: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Slideshow {
    pub title: String,
    pub introduction: String,
    pub slides: Vec<Slide>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Slide {
    pub id: String,
    pub category: String,
    pub title: String,
    pub description: String,
    #[serde(default)]
    pub image: String,
    pub alt: String,
    pub art: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Recognition {
    pub title: String,
    pub text: String,
    pub points: Vec<String>,
    /// A wide photo of the ceremony. Empty: none is shown.
    #[serde(default)]
    pub image: String,
    #[serde(default)]
    pub alt: String,
}

/// What somebody says about the event.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Quote {
    pub text: String,
    pub name: String,
    /// What she is, and where: 'Lash artist, Studio Uno'.
    pub role: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Waitlist {
    pub title: String,
    pub text: String,
    pub button_label: String,
    pub success_title: String,
    pub success_text: String,
}

/// The pass offer; what it costs is in [`crate::payments::pricing::Pricing`].
/// Takes the place of `button_text` while entries are closed.
/// So many of the first people with two or more nominations sit in the front row.
/// One for each count of additional categories, in order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Pass {
    pub name: String,
    pub badge: String,
    pub price_note: String,
    /// Takes its place from the day after `pricing.priority_deadline`. Empty: nothing is said of the price then.
    #[serde(default)]
    pub price_note_after: String,
    pub description: String,
    pub button_text: String,
    pub waitlist_button_text: String,
    pub add_ons_offered: bool,
    pub front_row_places: u32,
    pub features: Vec<Feature>,
    pub front_row_note: String,
    pub add_ons: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Feature {
    pub text: String,
    pub included: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct About {
    pub title: String,
    pub introduction: String,
    pub expect_title: String,
    pub expect: Vec<String>,
    pub venue_link: Link,
    pub organisers_title: String,
    pub organisers: Vec<Person>,
    pub organised_by_title: String,
    pub organised_by_text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Person {
    #[serde(default)]
    pub sample: bool,
    pub name: String,
    pub role: String,
    pub bio: String,
    #[serde(default)]
    pub image: String,
}
