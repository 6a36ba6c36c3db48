//! How competitors submit their work. One sentence, made from `competition.submission`, replaces `{submission}` in the
//! rules, the FAQ, the competition terms and the emails' next steps. Also lists what the content does not answer yet.

use super::model::Content;
use super::model::program::Submission;
use super::placeholders::fill;

/// The placeholder for the sentence.
const SUBMISSION: &str = "submission";

impl Submission {
    /// How and by when to submit, as far as that is decided; otherwise when competitors will be told.
    pub fn sentence(&self, time_zone_label: &str) -> String {
        let Some(deadline) = self.deadline else {
            let by =
                self.announced_by.map_or(String::new(), |day| format!(" by {}", day.format("%B %-d, %Y")));
            return format!(
                "We will email you{by} how and by when to send your photos. Until then nothing is due."
            );
        };
        let mut sentence = format!("Send your photos by {}.", deadline.formatted_with_zone(time_zone_label));
        if let Some(from) = self.from {
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
    /// Replaces `{submission}` in every text that may have it.
    pub(super) fn with_submission(mut self) -> Content {
        let sentence = self.competition.submission.sentence(&self.event.time_zone_label);
        let rules = self.competition.rules.iter_mut().flat_map(|group| group.points.iter_mut());
        let questions = self.faq.sections.iter_mut().flat_map(|section| section.items.iter_mut());
        let terms = self.legal.competition_terms.sections.iter_mut().map(|section| &mut section.text);
        let steps = self.mail.next.values_mut().flatten();
        let texts = rules.chain(questions.map(|item| &mut item.answer)).chain(terms).chain(steps);
        for text in texts {
            *text = fill(text, &[(SUBMISSION, &sentence)]);
        }
        self
    }

    /// What competitors need to know and the content does not say yet.
    pub fn unanswered(&self) -> Vec<Unanswered> {
        let competition = &self.competition;
        let unanswered = |key: &str, what: &'static str| Unanswered { key: key.to_owned(), what };
        let mut found = Vec::new();
        if competition.submission.how.is_empty() {
            found.push(unanswered("competition.submission.how", "how to send their work"));
        }
        if competition.submission.deadline.is_none() {
            found.push(unanswered("competition.submission.deadline", "when to send it by"));
        }
        if competition.live_note.is_empty() {
            found.push(unanswered("competition.live_note", "whether they compete live or by photo"));
        }
        if competition.prizes.is_empty() {
            found.push(unanswered("competition.prizes", "what winners get"));
        }
        if let Some(index) = competition.cards.iter().position(|card| card.award.is_empty()) {
            let key = format!("competition.cards[{index}].award");
            found.push(unanswered(&key, "which award every category can win"));
        }
        found
    }

    /// The same as one sentence for the organiser; `None` if nothing is missing.
    pub fn unanswered_sentence(&self) -> Option<String> {
        let missing: Vec<&str> = self.unanswered().iter().map(|missing| missing.what).collect();
        let (last, others) = missing.split_last()?;
        let list =
            if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
        Some(format!("The content does not yet tell competitors {list}."))
    }
}

/// Something that competitors need to know and the content does not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// The key to set.
    pub key: String,
    /// Completes 'The content does not yet tell competitors …'.
    pub what: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(toml: &str) -> Submission {
        toml::from_str(toml).expect(toml)
    }

    #[test]
    fn the_sentence_promises_only_what_is_decided() {
        let cases = [
            ("", "We will email you how and by when to send your photos. Until then nothing is due."),
            (
                "announced_by = '2026-01-15'",
                "We will email you by January 15, 2026 how and by when to send your photos. Until then nothing is due.",
            ),
            (
                "deadline = '2026-03-01'\nannounced_by = '2026-01-15'",
                "Send your photos by March 1, 2026. We will email you how.",
            ),
            (
                "deadline = '2026-03-01 23:59'\nfrom = '2026-02-01'\nhow = 'Upload them with your link.'",
                "Send your photos by March 1, 2026 at 11:59 PM (Eastern Time). You can send them from February 1, 2026. Upload them with your link.",
            ),
        ];
        for (toml, sentence) in cases {
            assert_eq!(submission(toml).sentence("Eastern Time"), sentence, "{toml}");
        }
    }

    #[test]
    fn the_sentence_replaces_every_placeholder() {
        let toml = Content::default_toml();
        assert!(toml.contains("{submission}"), "the default content says what is due");
        let whole = serde_json::to_string(&Content::parse(toml).expect("the default")).expect("JSON");
        assert!(!whole.contains("{submission}"));
        // The rules, the FAQ, the terms and the receipt's next steps.
        assert_eq!(whole.matches("We will email you how and by when").count(), 4);
    }

    #[test]
    fn missing_answers_are_listed_until_they_are_given() {
        let content = Content::parse(Content::default_toml()).expect("the default");
        let keys: Vec<String> = content.unanswered().into_iter().map(|missing| missing.key).collect();
        assert_eq!(
            keys,
            [
                "competition.submission.how",
                "competition.submission.deadline",
                "competition.live_note",
                "competition.prizes",
                "competition.cards[5].award",
            ]
        );
        let complete = Content::default_toml()
            .replace("how = \"\"", "how = 'Upload them.'\ndeadline = '2026-03-01 23:59'")
            .replace("live_note = \"\"", "live_note = 'You do not compete live.'")
            .replace("award = \"\"", "award = 'Brow Lamination'")
            .replace("prizes = []", "prizes = ['A trophy']");
        assert_eq!(Content::parse(&complete).expect("content").unanswered(), []);
    }
}
