//! The venue, and what is offered to sponsors.

use super::parts::{Item, Link, NonEmpty};

tables! {
    pub struct Venue {
        #[serde(default)]
        pub sample: bool,
        pub title: String,
        pub name: String,
        pub introduction: String,
        pub overview: String,
        /// The lines of the address, for people. The fields from `street` to `country` are for machines.
        pub address: NonEmpty<String>,
        pub street: String,
        pub locality: String,
        pub state: String,
        #[serde(default)]
        pub postal_code: String,
        pub country: String,
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        pub alt: String,
        pub waitlist_link: Link,
        pub amenities: Vec<Item>,
        pub map: Map,
        pub transport: Vec<Travel>,
        pub parking: Travel,
        pub gallery: Vec<Picture>,
        pub spaces: Vec<Item>,
        pub nearby: Vec<Travel>,
        pub hotels: Vec<Hotel>,
    }

    pub struct Travel {
        #[serde(default)]
        pub sample: bool,
        pub title: String,
        pub text: String,
    }

    pub struct Picture {
        pub title: String,
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        pub alt: String,
        pub art: String,
    }

    /// A hotel and its distance from the venue.
    pub struct Hotel {
        #[serde(default)]
        pub sample: bool,
        pub name: String,
        pub text: String,
        /// The shortest and the longest trip by car, in minutes.
        pub minutes_from: u32,
        pub minutes_to: u32,
        pub url: String,
    }

    pub struct Sponsors {
        pub title: String,
        pub introduction: String,
        pub ways_title: String,
        pub ways: Vec<Item>,
        pub contact_title: String,
        pub contact_text: String,
        pub contact_label: String,
        pub contact_subject: String,
        pub apply_link: Link,
        pub organiser_title: String,
        pub organiser_link_label: String,
        pub inquiry_title: String,
        pub inquiry_text: String,
        pub inquiry_button_label: String,
        pub inquiry_success_title: String,
        pub inquiry_success_text: String,
        /// The heading above `logos`.
        #[serde(default = "default_logos_title")]
        pub logos_title: String,
        /// Who sponsors the event. Empty: nothing is shown.
        #[serde(default)]
        pub logos: Vec<Logo>,
    }

    /// A sponsor, shown on the site.
    pub struct Logo {
        #[serde(default)]
        pub sample: bool,
        pub name: String,
        /// Such as 'Gold'. Sponsors of one tier stand together. Empty: none.
        #[serde(default)]
        pub tier: String,
        #[serde(default)]
        pub url: String,
        /// Empty: the name is shown.
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
    }

    /// A link to a maps service, and a map that is loaded when a visitor asks for it.
    #[cfg_attr(test, ts(rename = "VenueMap"))]
    pub struct Map {
        #[serde(default)]
        pub sample: bool,
        /// Empty in the file: [`super::Content::parse`] sets it to a search for the venue's address.
        #[serde(default)]
        pub search_url: String,
        pub search_label: String,
        pub embed_url: String,
        pub embed_title: String,
    }
}

impl Venue {
    /// The name, and the lines of the address that differ from it.
    pub fn lines(&self) -> Vec<&str> {
        let address = self.address.iter().filter(|line| **line != self.name);
        std::iter::once(&self.name).chain(address).map(String::as_str).collect()
    }
}

fn default_logos_title() -> String {
    "Our sponsors".to_owned()
}
