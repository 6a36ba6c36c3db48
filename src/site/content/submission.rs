//! Texts of the content that depend on the day: `{submission}` is one sentence made from `competition.submission`,
//! `{price}` the current price of the pass, `{prices}` a sentence that adds the regular price while it is ahead, and
//! `{awards}` when the awards are presented. Also lists what the content does not answer yet, and dates of it that have passed.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::Serialize;

use super::model::Content;
use super::model::program::{ScheduleKind, Step, StepFact, Submission};
use super::opening::Moment;
use super::placeholders::fill;
use crate::model::{Cents, Kind};
use crate::payments::pricing::AfterDeadline;

impl Submission {
    /// How and by when to submit, as far as that is decided; otherwise when competitors will be told. `now` is local.
    pub fn sentence(&self, now: NaiveDateTime, time_zone_label: &str) -> String {
        let Some(deadline) = self.deadline else {
            let announced_by = self.announced_by.filter(|day| now.date() <= *day);
            let by = announced_by.map_or(String::new(), |day| format!(" by {}", in_words(day)));
            return format!(
                "We will email you{by} how and by when to send your photos. Until then nothing is due."
            );
        };
        if deadline.ends() <= now {
            return format!("The deadline for photos was {}.", deadline.formatted_with_zone(time_zone_label));
        }
        let mut sentence = format!("Send your photos by {}.", deadline.formatted_with_zone(time_zone_label));
        if let Some(from) = self.from.filter(|from| now < from.begins()) {
            let from = from.formatted_with_zone(time_zone_label);
            sentence.push_str(&format!(" You can send them from {from}."));
        }
        if self.how.is_empty() {
            sentence.push_str(" We will email you how.");
        } else {
            sentence.push_str(&format!(" {}", self.how));
        }
        sentence
    }
}

impl Content {
    /// The content for visitors at an instant: every text that may have a placeholder has its value.
    pub fn as_of(&self, now: DateTime<Utc>) -> Content {
        let values = self.values_at(now);
        let mut content = self.clone();
        content.competition.submission = self.submission();
        let rules = content.competition.rules.iter_mut().flat_map(|group| group.points.iter_mut());
        let questions = content.faq.sections.iter_mut().flat_map(|section| section.items.iter_mut());
        let terms = content.legal.competition_terms.sections.iter_mut().map(|section| &mut section.text);
        let steps = content.mail.next.values_mut().flatten();
        let texts = rules.chain(questions.map(|item| &mut item.answer)).chain(terms).chain(steps);
        for text in texts.chain([&mut content.descriptions.home]) {
            *text = fill(text, &values);
        }
        content
    }

    /// The next steps of a confirmation at an instant. Empty if the content has none for this kind.
    pub fn next_steps(&self, kind: Kind, now: DateTime<Utc>) -> Vec<String> {
        let values = self.values_at(now);
        let steps = self.mail.next.get(kind.as_str()).map(Vec::as_slice).unwrap_or_default();
        steps.iter().map(|step| fill(step, &values)).collect()
    }

    /// A competitor's way from entering to the awards at an instant, with the dates that are known.
    pub fn journey(&self, now: DateTime<Utc>) -> Vec<DatedStep> {
        let local = self.event.time_zone.at(now).naive_local();
        let deadline = || match self.submission().deadline {
            Some(deadline) => {
                let word = if self.submission_is_over(local) { "was due by" } else { "by" };
                format!("{word} {}", deadline.formatted_with_zone(&self.event.time_zone_label))
            }
            None => "date to be announced".to_owned(),
        };
        let dated = |step: &Step| {
            let when = match step.fact {
                _ if !step.when.is_empty() => step.when.clone(),
                Some(StepFact::Deadline) => deadline(),
                Some(StepFact::Awards) => self.awards(),
                None => String::new(),
            };
            DatedStep { title: step.title.clone(), when, text: step.text.clone() }
        };
        self.competition.steps.iter().map(dated).collect()
    }

    /// The placeholders and their values.
    pub fn values_at(&self, now: DateTime<Utc>) -> [(&'static str, String); 4] {
        let local = self.event.time_zone.at(now).naive_local();
        let (pricing, current) = (&self.pricing, self.pricing.fee_cents(local.date()));
        let mut prices = format!("{current} with one nomination");
        if current < pricing.regular_fee_cents {
            prices
                .push_str(&format!("; the regular price is {}", in_whole_dollars(pricing.regular_fee_cents)));
        }
        let submission = self.submission_sentence(local);
        [
            ("submission", submission),
            ("price", in_whole_dollars(current)),
            ("prices", format!("{prices}.")),
            ("awards", self.awards()),
        ]
    }

    /// How and by when to submit. While the Artist Portal is open, this follows from its deadline.
    fn submission(&self) -> Submission {
        let Some(deadline) = self.open_portal_deadline() else { return self.competition.submission.clone() };
        let how = "Submit them in the Artist Portal. We email you a link to it.".to_owned();
        Submission { how, deadline: Some(deadline), ..Submission::default() }
    }

    /// How and by when to submit, in a sentence; `now` is local.
    pub fn submission_sentence(&self, now: NaiveDateTime) -> String {
        let zone = &self.event.time_zone_label;
        let Some(deadline) = self.open_portal_deadline() else {
            return self.competition.submission.sentence(now, zone);
        };
        let submit = if now < deadline.ends() { "Submit your photos" } else { "Photos were due" };
        let deadline = deadline.formatted_with_zone(zone);
        format!("{submit} by the deadline set in the Artist Portal: {deadline}.")
    }

    /// Whether the deadline has passed; `now` is local.
    pub fn submission_is_over(&self, now: NaiveDateTime) -> bool {
        self.submission().deadline.is_some_and(|deadline| deadline.ends() <= now)
    }

    /// The deadline of an open Artist Portal.
    fn open_portal_deadline(&self) -> Option<Moment> {
        self.portal.deadline.filter(|_| self.portal.open)
    }

    /// When the awards are presented: 'March 29 at 6:00 PM', or the event's last day if the schedule has no award.
    fn awards(&self) -> String {
        let days = self.schedule.days.iter();
        let mut awards = days.flat_map(|day| day.items.iter().map(move |item| (day.date, item)));
        match awards.find(|(_, item)| item.kind == ScheduleKind::Award) {
            Some((day, item)) => {
                format!("{} at {}", day.format("%B %-d"), item.start.time().format("%-I:%M %p"))
            }
            None => self.event.last_day.format("%B %-d").to_string(),
        }
    }

    /// The keys of texts that name the priority price and would be wrong once the regular one is charged.
    pub fn outdated_prices(&self) -> Vec<String> {
        let pricing = &self.pricing;
        if pricing.after_deadline == AfterDeadline::Keep
            || pricing.participant_fee_cents == pricing.regular_fee_cents
        {
            return Vec::new();
        }
        let price = in_whole_dollars(pricing.participant_fee_cents);
        super::walk::texts(self)
            .into_iter()
            .filter(|(_, text)| has_price(text, &price))
            .map(|(key, _)| key)
            .collect()
    }

    /// Dates of `competition.submission` that have passed while the event is ahead, as sentences for the organiser.
    pub fn passed_dates(&self, now: DateTime<Utc>) -> Vec<PassedDate> {
        let local = self.event.time_zone.at(now).naive_local();
        let Submission { deadline, announced_by, .. } = self.submission();
        let is_open = self.closed_message(Kind::CompetitionEntries, now).is_none();
        let mut passed = Vec::new();
        if local.date() > self.event.last_day {
            return passed;
        }
        if let Some(deadline) = deadline.filter(|deadline| is_open && deadline.ends() <= local) {
            passed.push(PassedDate {
                key: if self.portal.open { "portal.deadline" } else { "competition.submission.deadline" },
                sentence: format!(
                    "The deadline for photos ({}) has passed, but people can still enter. Move it, or close the form for \
                     competition entries.",
                    deadline.formatted()
                ),
            });
        }
        if let Some(day) = announced_by.filter(|day| deadline.is_none() && *day < local.date()) {
            passed.push(PassedDate {
                key: "competition.submission.announced_by",
                sentence: format!(
                    "The day by which competitors were to hear how to send their work ({}) has passed. Set the deadline, or \
                     another day.",
                    in_words(day)
                ),
            });
        }
        passed
    }

    /// The forms that are open although the event is over, without the waitlist, which is for the next event.
    pub fn open_after_the_event(&self, now: DateTime<Utc>) -> Vec<Kind> {
        let is_over = self.today(now) > self.event.last_day;
        let is_open = |kind: &Kind| self.closed_message(*kind, now).is_none();
        let kinds = Kind::ALL.into_iter().filter(|kind| is_over && *kind != Kind::WaitlistSignups);
        kinds.filter(is_open).collect()
    }

    /// What competitors need to know and the content does not say yet.
    pub fn unanswered(&self) -> Vec<MissingAnswer> {
        let (competition, submission) = (&self.competition, self.submission());
        let unanswered = |key: &str, what: &str| MissingAnswer { key: key.to_owned(), what: what.to_owned() };
        let mut found = Vec::new();
        if submission.how.is_empty() {
            found.push(unanswered("competition.submission.how", "how to send their work"));
        }
        if submission.deadline.is_none() {
            found.push(unanswered("competition.submission.deadline", "when to send it by"));
        }
        if submission.deadline.is_none() && submission.announced_by.is_none() {
            found.push(unanswered(
                "competition.submission.announced_by",
                "by what day they will hear about it",
            ));
        }
        if competition.live_note.is_empty() {
            found.push(unanswered("competition.live_note", "what the competition stations are for"));
        }
        if competition.prizes.is_empty() {
            found.push(unanswered("competition.prizes", "what winners get"));
        }
        let cards = competition.cards.iter().enumerate().filter(|(_, card)| card.award.is_empty());
        let (keys, categories): (Vec<String>, Vec<&str>) = cards
            .map(|(index, card)| (format!("competition.cards[{index}].award"), card.label.as_str()))
            .unzip();
        if !keys.is_empty() {
            found.push(MissingAnswer {
                key: keys.join(", "),
                what: format!("which award can be won in {}", enumerated(&categories)),
            });
        }
        found
    }

    /// The same as one sentence for the organiser; `None` if nothing is missing.
    pub fn unanswered_sentence(&self) -> Option<String> {
        let missing = self.unanswered();
        let missing: Vec<&str> = missing.iter().map(|missing| missing.what.as_str()).collect();
        (!missing.is_empty())
            .then(|| format!("The content does not yet tell competitors {}.", enumerated(&missing)))
    }
}

/// A step of [`Content::journey`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DatedStep {
    pub title: String,
    /// For people: 'by March 1, 2026'. Empty if the step has no date.
    pub when: String,
    pub text: String,
}

/// A date of the content that has passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedDate {
    pub key: &'static str,
    /// For the organiser: what has passed and what to do.
    pub sentence: String,
}

/// An amount, without cents if it is whole dollars: '$449'.
fn in_whole_dollars(cents: Cents) -> String {
    let price = cents.to_string();
    price.strip_suffix(".00").map_or(price.clone(), str::to_owned)
}

/// Whether a text has this price and not only the start of a longer number.
fn has_price(text: &str, price: &str) -> bool {
    text.match_indices(price)
        .any(|(at, _)| !text[at + price.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

fn in_words(day: NaiveDate) -> String {
    day.format("%B %-d, %Y").to_string()
}

/// 'a, b and c'.
fn enumerated(parts: &[&str]) -> String {
    match parts {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        parts => parts.concat(),
    }
}

/// Something that competitors need to know and the content does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingAnswer {
    /// The key to set, or several.
    pub key: String,
    /// Completes 'The content does not yet tell competitors …'.
    pub what: String,
}

#[cfg(test)]
mod tests;
