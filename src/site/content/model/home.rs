//! The home page, the pass, and the about page.

use super::parts::{Card, Closing, Item, Link, NonEmpty};

tables! {
    pub struct Home {
        pub hero: Hero,
        pub cards: NonEmpty<Card>,
        pub sponsors_card: Card,
        pub carousel: Carousel,
        pub slideshow: Slideshow,
        pub recognition: Recognition,
        #[serde(default)]
        pub quote: Option<Quote>,
        pub closing: Closing,
        pub waitlist: Waitlist,
    }

    pub struct Hero {
        pub introduction: String,
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        pub alt: String,
        pub buttons: NonEmpty<Link>,
        pub schedule_button: Link,
    }

    pub struct Carousel {
        pub title: String,
        pub introduction: String,
        pub button: Link,
        pub items: NonEmpty<CarouselItem>,
    }

    pub struct CarouselItem {
        pub id: String,
        pub title: String,
        pub description: String,
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        pub alt: String,
        pub art: String,
    }

    pub struct Slideshow {
        pub title: String,
        pub introduction: String,
        pub slides: NonEmpty<Slide>,
    }

    pub struct Slide {
        pub id: String,
        pub category: String,
        pub title: String,
        pub description: String,
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        pub alt: String,
        pub art: String,
    }

    pub struct Recognition {
        pub title: String,
        pub text: String,
        pub points: NonEmpty<String>,
        /// A wide photo of the ceremony. Empty: none is shown.
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        #[serde(default)]
        pub alt: String,
    }

    /// What somebody says about the event.
    pub struct Quote {
        pub text: String,
        pub name: String,
        /// Her profession and workplace: 'Lash artist, Studio Uno'.
        pub role: String,
    }

    pub struct Waitlist {
        pub title: String,
        pub text: String,
        pub button_label: String,
        pub success_title: String,
        pub success_text: String,
    }

    /// The pass that is offered. Its prices are in [`crate::payments::pricing::Pricing`].
    pub struct Pass {
        pub name: String,
        pub badge: String,
        pub price_note: String,
        /// Replaces `price_note` from the day after `pricing.priority_deadline`. Empty: there is no note from then on.
        #[serde(default)]
        pub price_note_after: String,
        pub description: String,
        /// The page adds the price.
        pub button_text: String,
        /// Replaces `button_text` while entries are closed.
        pub waitlist_button_text: String,
        pub add_ons_offered: bool,
        /// How many of the first people with two or more nominations have a seat in the front row.
        pub front_row_places: u32,
        pub features: NonEmpty<Feature>,
        pub front_row_note: String,
        /// One for each number of additional categories, in order.
        pub add_ons: Vec<Item>,
    }

    pub struct Feature {
        pub text: String,
        pub included: bool,
    }

    pub struct About {
        pub title: String,
        pub introduction: String,
        pub expect_title: String,
        pub expect: NonEmpty<String>,
        pub venue_link: Link,
        pub organisers_title: String,
        pub organisers: NonEmpty<Person>,
        pub organised_by_title: String,
        pub organised_by_text: String,
    }

    pub struct Person {
        #[serde(default)]
        pub sample: bool,
        pub name: String,
        pub role: String,
        pub bio: String,
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
    }
}
