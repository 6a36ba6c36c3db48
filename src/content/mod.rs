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
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use url::Url;

use crate::model::Kind;
use crate::rules::{Offered, OfferedCategory};
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
        if problems.is_empty() { Ok(content.with_submission()) } else { Err(problems) }
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

    /// The origins that a page may embed its map from, as a security policy lists them.
    pub fn frame_origins(&self) -> String {
        Url::parse(&self.venue.map.embed_url)
            .map(|url| url.origin().ascii_serialization())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
