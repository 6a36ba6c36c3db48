//! What happens and who takes part: categories and rules of the competition, people, timetable, questions.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::parts::{Card, Closing, Link, Points};
use crate::site::content::clock::ClockTime;
use crate::site::content::opening::Moment;

/// A category that can be entered; entries store its slug and the name of the subcategory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Category {
    pub slug: String,
    pub label: String,
    pub subcategories: Vec<String>,
    pub description: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Competition {
    pub title: String,
    pub introduction: String,
    pub enter_label: String,
    pub waitlist_link: Link,
    pub rules_title: String,
    pub rules_introduction: String,
    /// Heads the steps from entering to the awards.
    #[serde(default = "default_steps_title")]
    pub steps_title: String,
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Whether competitors compete live, and what the arena is for. Empty: not settled.
    #[serde(default)]
    pub live_note: String,
    #[serde(default)]
    pub submission: Submission,
    #[serde(default = "default_prizes_title")]
    pub prizes_title: String,
    /// What winners get. Empty: not settled, and nothing is shown.
    #[serde(default)]
    pub prizes: Vec<String>,
    /// Heads the judges, who are shown once one has a photo; here and on the home page.
    #[serde(default = "default_jury_title")]
    pub jury_title: String,
    #[serde(default)]
    pub jury_introduction: String,
    pub cards: Vec<CompetitionCard>,
    pub rules: Vec<Points>,
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

/// A step of a competitor's way, in order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Step {
    pub title: String,
    pub text: String,
    /// As people read it: 'March 2-15'. Empty: where the step has a `fact`, its date is taken from there.
    #[serde(default)]
    pub when: String,
    #[serde(default)]
    pub fact: Option<StepFact>,
}

/// Where a step's date comes from when it names none itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepFact {
    /// `competition.submission.deadline`.
    Deadline,
    /// The first item of kind `award` in the schedule.
    Awards,
}

/// How and when competitors hand in their work. What is not settled is empty, and nothing is promised then.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Submission {
    /// A sentence: 'Upload them with the link in your confirmation email.'
    #[serde(default)]
    pub how: String,
    /// From when work is taken.
    #[serde(default)]
    pub from: Option<Moment>,
    #[serde(default)]
    pub deadline: Option<Moment>,
    /// The day by which competitors hear how and by when, while that is not settled.
    #[serde(default)]
    pub announced_by: Option<NaiveDate>,
}

/// A category with a subcategory under one label, which the entry page also takes as `?category=`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct CompetitionCard {
    pub label: String,
    pub category: String,
    pub subcategory: String,
    pub description: String,
    pub art: String,
    /// A photo of work in this category; takes the place of `art`.
    #[serde(default)]
    pub image: String,
    #[serde(default)]
    pub alt: String,
    /// One of `schedule.awards.names`: what can be won in this category. Empty: not settled.
    #[serde(default)]
    pub award: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct People {
    pub title: String,
    pub introduction: String,
    pub groups: Vec<PeopleGroup>,
    pub closing: Closing,
}

impl People {
    /// The person whom a schedule line names; `None` for a place that is not filled yet.
    pub fn speaker(&self, key: &str) -> Option<&Profile> {
        let profiles = self.groups.iter().flat_map(|group| &group.profiles);
        profiles.filter(|profile| !profile.coming_soon && !key.is_empty()).find(|profile| profile.key == key)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct PeopleGroup {
    #[serde(rename = "type")]
    pub kind: ProfileKind,
    pub title: String,
    pub introduction: String,
    pub invitation: Card,
    pub profiles: Vec<Profile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProfileKind {
    Speaker,
    Judge,
    Demonstration,
    Business,
}

/// A person, or with `coming_soon` a place that is not filled yet.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Profile {
    #[serde(default)]
    pub sample: bool,
    #[serde(default)]
    pub coming_soon: bool,
    /// By which `speaker` of a schedule line names this profile. Empty: no line does.
    #[serde(default)]
    pub key: String,
    pub name: String,
    pub role: String,
    pub bio_short: String,
    #[serde(default)]
    pub bio_full: String,
    #[serde(default)]
    pub handle: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub image: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Schedule {
    pub title: String,
    pub introduction: String,
    pub print_label: String,
    pub calendar_label: String,
    pub days: Vec<ScheduleDay>,
    pub awards: Awards,
    pub notes: Points,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct ScheduleDay {
    pub date: NaiveDate,
    pub label: String,
    pub theme: String,
    pub all_day: Vec<String>,
    pub items: Vec<ScheduleItem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
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

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Awards {
    pub title: String,
    pub names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct Faq {
    pub title: String,
    pub introduction: String,
    pub sections: Vec<FaqSection>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct FaqSection {
    pub id: String,
    pub title: String,
    pub items: Vec<FaqItem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all(serialize = "camelCase"))]
pub struct FaqItem {
    pub question: String,
    pub answer: String,
}
