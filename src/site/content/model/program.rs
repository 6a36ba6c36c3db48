//! The competition with its categories and rules, the people, the schedule and the FAQ.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::parts::{Card, Closing, Link, NonEmpty, Points};
use crate::site::content::clock::ClockTime;
use crate::site::content::opening::Moment;

tables! {
    /// A category of the competition. Entries store its slug and the name of the subcategory.
    pub struct Category {
        pub slug: String,
        pub label: String,
        pub subcategories: NonEmpty<String>,
        pub description: String,
    }

    pub struct Competition {
        pub title: String,
        pub introduction: String,
        pub enter_label: String,
        pub waitlist_link: Link,
        pub rules_title: String,
        pub rules_introduction: String,
        /// The heading of `steps`.
        #[serde(default = "default_steps_title")]
        pub steps_title: String,
        #[serde(default)]
        pub steps: Vec<Step>,
        /// Whether competitors compete live, and what the arena is for. Empty: not decided, and nothing is shown.
        #[serde(default)]
        pub live_note: String,
        #[serde(default)]
        pub submission: Submission,
        #[serde(default = "default_prizes_title")]
        pub prizes_title: String,
        /// What winners get. Empty: not decided, and nothing is shown.
        #[serde(default)]
        pub prizes: Vec<String>,
        /// The heading above the judges, here and on the home page. They are shown once one has a photo.
        #[serde(default = "default_jury_title")]
        pub jury_title: String,
        #[serde(default)]
        pub jury_introduction: String,
        pub cards: NonEmpty<CompetitionCard>,
        pub rules: NonEmpty<Points>,
    }

    /// A step from entering to the awards.
    pub struct Step {
        pub title: String,
        pub text: String,
        /// A date for people: 'March 2-15'. Empty: the date of `fact`, if there is one.
        #[serde(default)]
        pub when: String,
        #[serde(default)]
        pub fact: Option<StepFact>,
    }

    /// How and when competitors submit their work. What is not decided is left empty, and the site promises nothing.
    #[derive(Default)]
    pub struct Submission {
        /// A sentence: 'Upload them with the link in your confirmation email.'
        #[serde(default)]
        pub how: String,
        /// When submissions open.
        #[serde(default)]
        pub from: Option<Moment>,
        #[serde(default)]
        pub deadline: Option<Moment>,
        /// The day by which competitors will learn how and by when to submit. Used while there is no `deadline`.
        #[serde(default)]
        pub announced_by: Option<NaiveDate>,
    }

    /// A category with a subcategory.
    pub struct CompetitionCard {
        /// The entry page accepts it as `?category=`.
        pub label: String,
        pub category: String,
        pub subcategory: String,
        pub description: String,
        pub art: String,
        /// A photo of work in this category, shown instead of `art`.
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
        #[serde(default)]
        pub alt: String,
        /// The award that this category can win, one of `schedule.awards.names`. Empty: not decided.
        #[serde(default)]
        pub award: String,
    }

    pub struct People {
        pub title: String,
        pub introduction: String,
        pub groups: NonEmpty<PeopleGroup>,
        pub closing: Closing,
    }

    pub struct PeopleGroup {
        #[serde(rename = "type")]
        pub kind: ProfileKind,
        pub title: String,
        pub introduction: String,
        pub invitation: Card,
        pub profiles: Vec<Profile>,
    }

    /// A person.
    pub struct Profile {
        #[serde(default)]
        pub sample: bool,
        /// Nobody has been chosen yet: only `name` and `bio_short` are shown.
        #[serde(default)]
        pub coming_soon: bool,
        /// By which `speaker` of a schedule line names this profile. Empty: no line does.
        #[serde(default)]
        pub key: String,
        pub name: String,
        pub role: String,
        pub bio_short: String,
        /// Needed unless `coming_soon` is true.
        #[serde(default)]
        pub bio_full: String,
        /// Needs `url`, and the other way round.
        #[serde(default)]
        pub handle: String,
        #[serde(default)]
        pub url: String,
        #[serde(default)]
        #[cfg_attr(test, ts(type = "Image"))]
        pub image: String,
    }

    pub struct Schedule {
        pub title: String,
        pub introduction: String,
        pub print_label: String,
        pub calendar_label: String,
        pub days: NonEmpty<ScheduleDay>,
        pub awards: Awards,
        pub notes: Points,
    }

    pub struct ScheduleDay {
        pub date: NaiveDate,
        pub label: String,
        pub theme: String,
        pub all_day: Vec<String>,
        pub items: NonEmpty<ScheduleItem>,
    }

    pub struct ScheduleItem {
        pub start: ClockTime,
        pub end: ClockTime,
        pub kind: ScheduleKind,
        pub title: String,
        #[serde(default)]
        pub text: String,
        /// The `key` of a profile, whose name the line then shows.
        #[serde(default)]
        pub speaker: String,
    }

    pub struct Awards {
        pub title: String,
        pub names: NonEmpty<String>,
    }

    pub struct Faq {
        pub title: String,
        pub introduction: String,
        pub sections: NonEmpty<FaqSection>,
    }

    pub struct FaqSection {
        pub id: String,
        pub title: String,
        pub items: NonEmpty<FaqItem>,
    }

    pub struct FaqItem {
        pub question: String,
        pub answer: String,
    }
}

fn default_jury_title() -> String {
    "The jury".to_owned()
}

fn default_steps_title() -> String {
    "How it works".to_owned()
}

fn default_prizes_title() -> String {
    "What winners get".to_owned()
}

/// The source of a step's date if the step has no `when`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum StepFact {
    /// `competition.submission.deadline`.
    Deadline,
    /// The first item of kind `award` in the schedule.
    Awards,
}

impl People {
    /// The person whom a schedule line names; `None` for a place that is not filled yet.
    pub fn speaker(&self, key: &str) -> Option<&Profile> {
        let profiles = self.groups.iter().flat_map(|group| &group.profiles);
        profiles.filter(|profile| !profile.coming_soon && !key.is_empty()).find(|profile| profile.key == key)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ProfileKind {
    Speaker,
    Judge,
    Demonstration,
    Business,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ScheduleKind {
    Arrival,
    Talk,
    Panel,
    Demo,
    Competition,
    Break,
    Award,
    Evening,
}
