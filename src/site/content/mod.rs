//! The event's content: one TOML file that holds everything the site says, compiled in as a default and
//! replaced by the organiser's own. This module reads it, checks it and answers questions about it; where
//! revisions are kept, and when pages are rendered again, is not its business.

mod agreements;
mod check;
mod clock;
pub mod model;
mod opening;
pub mod placeholders;
mod problem;
mod promise;
mod shape;
mod source;
mod submission;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use url::Url;

use crate::forms::{Field, Offered, OfferedCategory, Record};
use crate::model::Kind;
use model::event::Phase;

pub use clock::ClockTime;
pub use model::Content;
pub use opening::{Moment, Opening, OpeningState};
pub use problem::Problem;
pub use promise::Promise;
pub use submission::Unanswered;

impl Content {
    /// The content that is compiled in, as an organiser would edit it.
    pub const fn default_toml() -> &'static str {
        include_str!("event.toml")
    }

    /// Reads and checks a content file.
    ///
    /// # Errors
    /// Everything found wrong, in the order of the file: first how the file is written, then which keys it has,
    /// then what they say; each of these is looked at only when the one before is right.
    pub fn parse(toml_text: &str) -> Result<Content, Vec<Problem>> {
        let source = source::Source::read(toml_text)?;
        let content = shape::read(&source)?;
        let problems = check::problems(&content, &source);
        if problems.is_empty() { Ok(content.with_submission().with_map_link()) } else { Err(problems) }
    }

    /// Makes the link to the maps of the venue's address where the file names none.
    fn with_map_link(mut self) -> Content {
        if self.venue.map.search_url.is_empty() {
            let address: Vec<&str> = std::iter::once(self.venue.name.as_str())
                .chain(self.venue.address.iter().map(String::as_str).filter(|line| *line != self.venue.name))
                .collect();
            let query = [("api", "1"), ("query", &address.join(", "))];
            self.venue.map.search_url = Url::parse_with_params("https://www.google.com/maps/search/", query)
                .map_or_else(|_| String::new(), String::from);
        }
        self
    }

    /// The dotted keys of what is still a sample, like `venue.hotels[0]`.
    pub fn samples(&self) -> Vec<String> {
        walk::samples(self)
    }

    /// Reads and checks a content file, and that every picture it names is one of `pictures`.
    ///
    /// # Errors
    /// Everything found wrong, as in [`Content::parse`].
    pub fn parse_with(toml_text: &str, pictures: &BTreeSet<String>) -> Result<Content, Vec<Problem>> {
        let content = Content::parse(toml_text)?;
        let source = source::Source::read(toml_text)?;
        let missing = |(key, name): (String, String)| Problem {
            line: source.line_of(&key),
            rule: problem::no_picture(&name, pictures),
            key,
        };
        let unknown = content.images().into_iter().filter(|(_, name)| !pictures.contains(name));
        let mut problems: Vec<Problem> = unknown.map(missing).collect();
        problems.sort_by_key(|problem| problem.line);
        if problems.is_empty() { Ok(content) } else { Err(problems) }
    }

    /// The content as the pages read it: JSON, with what `picture` gives in the place of a picture's name.
    ///
    /// # Errors
    /// None that is known: content is plain data.
    pub fn for_pages(
        &self,
        picture: &dyn Fn(&str) -> serde_json::Value,
    ) -> serde_json::Result<serde_json::Value> {
        walk::with_images(self, picture)
    }

    /// The pictures that the content names, by dotted key; whether they exist is for the store to say.
    pub fn images(&self) -> BTreeMap<String, String> {
        walk::images(self)
    }

    /// The day in the event's time zone.
    pub fn today(&self, now: DateTime<Utc>) -> NaiveDate {
        self.event.time_zone.at(now).date_naive()
    }

    /// The instant that a demonstration shows the site at: this time of day on `event.demo_day`.
    pub fn demo_time(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let zone = &self.event.time_zone;
        match self.event.demo_day {
            Some(day) => zone.instant(day.and_time(zone.at(now).time())).to_utc(),
            None => now,
        }
    }

    /// Whether the form of a kind is open. After the event the waitlist alone stays open by itself.
    pub fn opening(&self, kind: &str, now: DateTime<Utc>) -> OpeningState {
        let (opening, zone) = (self.openings.get(kind).cloned().unwrap_or_default(), &self.event.time_zone);
        if self.phase == Phase::After && kind != Kind::WaitlistSignups.as_str() {
            opening.state_after_the_event(now, zone)
        } else {
            opening.state(now, zone)
        }
    }

    /// What an entry may choose from.
    pub fn offered(&self) -> Offered {
        let offered = |category: &model::program::Category| OfferedCategory {
            value: category.slug.clone(),
            subcategories: category.subcategories.clone(),
        };
        Offered { categories: self.categories.iter().map(offered).collect() }
    }

    /// What a person reads for a stored answer: the label of a choice, whether the form has it or the content.
    pub fn answer_label<'a>(&'a self, field: &'static Field, value: &'a str) -> &'a str {
        let of_content = match field.name.as_str() {
            "primaryCategory" | "additionalCategory1" | "additionalCategory2" => self.category_label(value),
            "taxLocation" => self
                .pricing
                .tax_locations
                .iter()
                .find(|location| location.value == value)
                .map(|location| location.label.as_str()),
            _ => None,
        };
        of_content.unwrap_or_else(|| field.shown(value))
    }

    fn category_label(&self, slug: &str) -> Option<&str> {
        let category = self.categories.iter().find(|category| category.slug == slug)?;
        Some(&category.label)
    }

    /// A category with its subcategory, as its card is called: 'Lash Extensions - Volume'.
    pub fn nomination(&self, slug: &str, subcategory: &str) -> String {
        let mut cards = self.competition.cards.iter();
        if let Some(card) = cards.find(|card| card.category == slug && card.subcategory == subcategory) {
            return card.label.clone();
        }
        let label = self.category_label(slug).unwrap_or(slug);
        if subcategory.is_empty() { label.to_owned() } else { format!("{label} - {subcategory}") }
    }

    /// All categories of an entry, as their cards are called.
    pub fn nominations(&self, entry: &Record) -> Vec<String> {
        let places = [
            ("primaryCategory", "subCategory"),
            ("additionalCategory1", "additionalCategory1Sub"),
            ("additionalCategory2", "additionalCategory2Sub"),
        ];
        let texts = places.map(|(category, subcategory)| (entry.text(category), entry.text(subcategory)));
        let entered = texts.into_iter().filter(|(category, _)| !category.is_empty());
        entered.map(|(category, subcategory)| self.nomination(category, subcategory)).collect()
    }

    /// The categories of an entry without their subcategories: 'Lash Lift', 'Brows'.
    pub fn categories_of<'a>(&'a self, entry: &'a Record) -> Vec<&'a str> {
        let slugs =
            ["primaryCategory", "additionalCategory1", "additionalCategory2"].map(|field| entry.text(field));
        let entered = slugs.into_iter().filter(|slug| !slug.is_empty());
        entered.map(|slug| self.category_label(slug).unwrap_or(slug)).collect()
    }

    /// The categories and subcategories that somebody means who writes one's label, its slug or its card's label,
    /// whatever the case and the signs between the words: each a slug, with a subcategory when one is meant.
    pub fn categories_called(&self, name: &str) -> Vec<(&str, Option<&str>)> {
        let words = |text: &str| {
            let lower = text.to_lowercase();
            let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
            words.collect::<Vec<_>>().join(" ")
        };
        let wanted = words(name);
        let is_wanted = |text: &str| !wanted.is_empty() && words(text) == wanted;
        let mut called = Vec::new();
        for category in &self.categories {
            if is_wanted(&category.label) || is_wanted(&category.slug) {
                called.push((category.slug.as_str(), None));
                continue;
            }
            for subcategory in &category.subcategories {
                if is_wanted(subcategory) || is_wanted(&self.nomination(&category.slug, subcategory)) {
                    called.push((category.slug.as_str(), Some(subcategory.as_str())));
                }
            }
        }
        called
    }

    /// The origins that a page may embed its map from, as a security policy lists them.
    pub fn frame_origins(&self) -> String {
        Url::parse(&self.venue.map.embed_url)
            .map(|url| url.origin().ascii_serialization())
            .unwrap_or_default()
    }
}
