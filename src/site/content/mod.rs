//! The event's content: one TOML file with everything that the site says about the event. A default is compiled in;
//! the organiser's own replaces it. This module reads it, checks it and answers questions about it. Left out: storing
//! revisions (`site::revisions`) and rendering pages (`site::publish`).

mod agreements;
mod check;
pub(crate) mod clock;
mod deserialize;
pub mod edit;
pub mod edition;
pub mod model;
pub(crate) mod opening;
pub mod placeholders;
mod problem;
pub(crate) mod promise;
mod source;
mod submission;
#[cfg(test)]
mod tests;
mod walk;

use std::collections::BTreeSet;

use chrono::{DateTime, Days, NaiveDate, Utc};
use url::Url;

use crate::forms::{Field, Offered, OfferedCategory, Record};
use crate::model::Kind;
use model::event::Phase;
use model::program::CompetitionCard;

pub use clock::ClockTime;
pub use model::Content;
pub use opening::{Moment, Opening};
pub use problem::Problem;
pub use promise::Promise;
pub use submission::{DatedStep, MissingAnswer, PassedDate};

/// The fields of an entry that choose a category, each with that for its subcategory.
pub const CATEGORY_FIELDS: [(&str, &str); 3] = [
    ("primaryCategory", "subCategory"),
    ("additionalCategory1", "additionalCategory1Sub"),
    ("additionalCategory2", "additionalCategory2Sub"),
];

/// The categories of an entry, each with its subcategory.
pub fn chosen_categories(entry: &Record) -> impl Iterator<Item = (&str, &str)> {
    let chosen = CATEGORY_FIELDS.into_iter().map(|(category, sub)| (entry.text(category), entry.text(sub)));
    chosen.filter(|(category, _)| !category.is_empty())
}

/// Whether a text has only lowercase letters, digits and hyphens.
pub fn is_slug(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

impl Content {
    /// The compiled-in default, as the file that an organiser would edit.
    pub const fn default_toml() -> &'static str {
        include_str!("event.toml")
    }

    /// Reads and checks a content file.
    ///
    /// # Errors
    /// All problems of one stage, in the order of the file. The stages are the TOML syntax; the keys, their types and the
    /// rules for single texts; and the other rules of `check`. Each runs only when the one before found nothing.
    pub fn parse(toml_text: &str) -> Result<Content, Vec<Problem>> {
        Content::parse_checked(toml_text, None)
    }

    /// Like [`Content::parse`], and also checks that every picture it names is one of `pictures`.
    ///
    /// # Errors
    /// Those of [`Content::parse`].
    pub fn parse_with(toml_text: &str, pictures: &BTreeSet<String>) -> Result<Content, Vec<Problem>> {
        Content::parse_checked(toml_text, Some(pictures))
    }

    fn parse_checked(toml_text: &str, pictures: Option<&BTreeSet<String>>) -> Result<Content, Vec<Problem>> {
        let source = source::Source::read(toml_text)?;
        let content = deserialize::read(&source).map_err(|mut problems| {
            for problem in check::text_problems(&source) {
                if !problems.iter().any(|known| known.key == problem.key) {
                    problems.push(problem);
                }
            }
            problems.sort_by_key(|problem| problem.line);
            problems
        })?;
        let problems = content.problems(&source, pictures);
        if problems.is_empty() { Ok(content.with_map_link()) } else { Err(problems) }
    }

    /// Reads a content file whose values may break rules. Its keys and types must be right.
    ///
    /// # Errors
    /// The problems of its syntax, or of its keys and types.
    pub fn read(
        toml_text: &str,
        pictures: &BTreeSet<String>,
    ) -> Result<(Content, Vec<Problem>), Vec<Problem>> {
        let source = source::Source::read(toml_text)?;
        let content = deserialize::read(&source)?;
        let problems = content.problems(&source, Some(pictures));
        Ok((content, problems))
    }

    /// The broken rules, in the order of the file.
    fn problems(&self, source: &source::Source<'_>, pictures: Option<&BTreeSet<String>>) -> Vec<Problem> {
        let mut problems = check::problems(self, source);
        let Some(pictures) = pictures else { return problems };
        let missing = |(key, name): (String, String)| Problem {
            line: source.line_of(&key),
            rule: problem::no_picture(&name, pictures),
            key,
        };
        let unknown = self.images().into_iter().filter(|(_, name)| !pictures.contains(name));
        problems.extend(unknown.map(missing));
        problems.sort_by_key(|problem| problem.line);
        problems
    }

    /// Sets the maps link to a search for the venue's address, unless the file names a link.
    pub fn with_map_link(mut self) -> Content {
        if self.venue.map.search_url.is_empty() {
            let query = [("api", "1"), ("query", &self.venue.lines().join(", "))];
            self.venue.map.search_url = Url::parse_with_params("https://www.google.com/maps/search/", query)
                .map_or_else(|_| String::new(), String::from);
        }
        self
    }

    /// The dotted keys of the tables that are still marked as samples, like `venue.hotels[0]`, and of the texts that are
    /// to be confirmed.
    pub fn samples(&self) -> Vec<String> {
        walk::samples(self).into_iter().chain(self.unconfirmed.iter().cloned()).collect()
    }

    /// The current day in the event's time zone.
    pub fn today(&self, now: DateTime<Utc>) -> NaiveDate {
        self.event.time_zone.at(now).date_naive()
    }

    /// The instant at which a demo starts: the current time of day on `event.demo_day`.
    pub fn demo_time(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let zone = &self.event.time_zone;
        match self.event.demo_day {
            Some(day) => zone.instant(day.and_time(zone.at(now).time())).to_utc(),
            None => now,
        }
    }

    /// Why the form of a kind is closed, as a sentence for visitors; `None` if it is open. After the event only the
    /// waitlist stays open by default.
    pub fn closed_message(&self, kind: Kind, now: DateTime<Utc>) -> Option<String> {
        self.message_if_closed(&self.openings.get(kind.as_str()).cloned().unwrap_or_default(), kind, now)
    }

    fn message_if_closed(&self, opening: &Opening, kind: Kind, now: DateTime<Utc>) -> Option<String> {
        let (zone, label) = (&self.event.time_zone, &self.event.time_zone_label);
        if self.phase == Phase::After && kind != Kind::WaitlistSignups {
            opening.closed_message_after_the_event(now, zone, label)
        } else {
            opening.closed_message(now, zone, label)
        }
    }

    /// Whether somebody with an invitation may enter. `open = false` closes entries to everybody else only, because
    /// the places that become free afterwards are filled by invitation. Dates and the event's end apply to all.
    pub fn is_open_to_invited(&self, now: DateTime<Utc>) -> bool {
        let kind = Kind::CompetitionEntries;
        let opening = self.openings.get(kind.as_str()).cloned().unwrap_or_default();
        self.message_if_closed(&Opening { open: true, ..opening }, kind, now).is_none()
    }

    /// The day on which the personal data of this edition is to be erased. `None`: the organiser has not set any.
    pub fn erasure_day(&self) -> Option<NaiveDate> {
        let days = Days::new(self.after.erase_after_days.into());
        if self.after.erase_after_days == 0 { None } else { self.event.last_day.checked_add_days(days) }
    }

    /// The first instant after the deadline of the Artist Portal.
    pub fn portal_deadline(&self) -> Option<DateTime<Utc>> {
        self.portal.deadline.map(|deadline| self.event.time_zone.instant(deadline.ends()))
    }

    /// The categories and subcategories that an entry may choose from.
    pub fn offered(&self) -> Offered {
        let offered = |category: &model::program::Category| OfferedCategory {
            value: category.slug.clone(),
            subcategories: category.subcategories.to_vec(),
        };
        Offered { categories: self.categories.iter().map(offered).collect() }
    }

    /// The label of a stored answer. Choices have theirs in the form or in the content; other answers are returned as
    /// they are.
    pub fn answer_label<'a>(&'a self, field: &'static Field, value: &'a str) -> &'a str {
        let label = match field.name.as_str() {
            "taxLocation" => {
                let mut locations = self.pricing.tax_locations.iter();
                locations.find(|location| location.value == value).map(|location| location.label.as_str())
            }
            name if CATEGORY_FIELDS.iter().any(|(category, _)| *category == name) => {
                self.category_label(value)
            }
            _ => None,
        };
        label.unwrap_or_else(|| field.label_of(value))
    }

    pub fn category_label(&self, slug: &str) -> Option<&str> {
        let category = self.categories.iter().find(|category| category.slug == slug)?;
        Some(&category.label)
    }

    /// The label of a category with its subcategory, as on its card: 'Lash Extensions - Volume'.
    pub fn nomination(&self, slug: &str, subcategory: &str) -> String {
        if let Some(card) = self.competition_card(slug, subcategory) {
            return card.label.clone();
        }
        let label = self.category_label(slug).unwrap_or(slug);
        if subcategory.is_empty() { label.to_owned() } else { format!("{label} - {subcategory}") }
    }

    fn competition_card(&self, slug: &str, subcategory: &str) -> Option<&CompetitionCard> {
        let mut cards = self.competition.cards.iter();
        cards.find(|card| card.category == slug && card.subcategory == subcategory)
    }

    /// The award that a category with its subcategory can win; empty if that is not decided.
    pub fn award(&self, slug: &str, subcategory: &str) -> &str {
        self.competition_card(slug, subcategory).map_or("", |card| &card.award)
    }

    /// The labels of all categories of an entry, with their subcategories.
    pub fn nominations(&self, entry: &Record) -> Vec<String> {
        chosen_categories(entry).map(|(category, sub)| self.nomination(category, sub)).collect()
    }

    /// The labels of an entry's categories without their subcategories: 'Lash Lift', 'Brows'.
    pub fn categories_of<'a>(&'a self, entry: &'a Record) -> Vec<&'a str> {
        chosen_categories(entry).map(|(slug, _)| self.category_label(slug).unwrap_or(slug)).collect()
    }

    /// Categories and subcategories by name: the label or slug of a category, a subcategory, or the label of its card.
    /// Case and punctuation do not matter. Each result is a slug, with the subcategory if the name is one's.
    pub fn categories_called(&self, name: &str) -> Vec<(&str, Option<&str>)> {
        let normalised = |text: &str| {
            let lower = text.to_lowercase();
            let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.collect::<Vec<_>>().join(" ")
        };
        let wanted = normalised(name);
        let matches = |text: &str| !wanted.is_empty() && normalised(text) == wanted;
        let mut found = Vec::new();
        for category in &self.categories {
            if matches(&category.label) || matches(&category.slug) {
                found.push((category.slug.as_str(), None));
                continue;
            }
            for subcategory in &category.subcategories {
                if matches(subcategory) || matches(&self.nomination(&category.slug, subcategory)) {
                    found.push((category.slug.as_str(), Some(subcategory.as_str())));
                }
            }
        }
        found
    }

    /// The origins from which a page may embed the map, for the content security policy.
    pub fn frame_origins(&self) -> String {
        Url::parse(&self.venue.map.embed_url)
            .map(|url| url.origin().ascii_serialization())
            .unwrap_or_default()
    }
}
