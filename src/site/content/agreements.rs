//! Which legal text each consent box agrees to, and which version of it the page showed.

use serde_json::{Map, Value};

use super::model::Content;
use super::model::forms::LegalText;
use crate::model::Kind;

/// The longest version that a request may name, in code points.
const MAX_VERSION_LENGTH: usize = 100;

impl Content {
    /// The text that each consent field of a form agrees to. The pages show the same ones.
    pub fn documents(&self, kind: Kind) -> Vec<(&'static str, &LegalText)> {
        let legal = &self.legal;
        match kind {
            Kind::SpeakerApplications => vec![
                ("termsAccepted", &legal.speaker_terms),
                ("photographyConsent", &legal.photography_release),
            ],
            Kind::JudgeApplications => vec![
                ("termsAccepted", &legal.judge_terms),
                ("photographyConsent", &legal.photography_release),
            ],
            Kind::ProfessionalDemoRegistrations => {
                vec![("termsAccepted", &legal.demo_terms), ("photographyConsent", &legal.photography_release)]
            }
            Kind::SponsorApplications => vec![("agreementTerms", &legal.sponsor_terms)],
            Kind::CompetitionEntries => vec![
                ("agreementTerms", &legal.competition_terms),
                ("agreementMedia", &legal.photography_release),
            ],
            Kind::WaitlistSignups | Kind::SponsorInquiries => Vec::new(),
        }
    }

    /// The version of every text that a registration agrees to: a JSON object from field to version, or `None`
    /// when its form has nothing to agree to. `body` is the request. The version that it names counts, since the
    /// page showed that one; if it names none, or something that cannot be a version, the current one counts.
    pub fn agreed_to(&self, kind: Kind, body: &Value) -> Option<String> {
        let version = |(field, text): (&'static str, &LegalText)| {
            let seen = body["agreedTo"][field].as_str().map(str::trim).filter(|version| is_version(version));
            (field.to_owned(), Value::from(seen.unwrap_or(&text.version)))
        };
        let versions: Map<String, Value> = self.documents(kind).into_iter().map(version).collect();
        (!versions.is_empty()).then(|| Value::from(versions).to_string())
    }
}

fn is_version(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= MAX_VERSION_LENGTH && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::forms::{FieldType, form};

    #[test]
    fn a_sane_version_is_kept_and_nothing_else_is_trusted() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let now = "2025-09-01";
        let long = "v".repeat(101);
        let cases = [
            (json!({}), now, now),
            (json!({"agreedTo": {"termsAccepted": "2025-08-01"}}), "2025-08-01", now),
            (
                json!({"agreedTo": {"termsAccepted": " 3 ", "photographyConsent": "Fassung vom März"}}),
                "3",
                "Fassung vom März",
            ),
            (json!({"agreedTo": {"termsAccepted": "", "photographyConsent": "  "}}), now, now),
            (json!({"agreedTo": {"termsAccepted": long, "photographyConsent": "a\u{0}b"}}), now, now),
            (json!({"agreedTo": {"termsAccepted": 7, "photographyConsent": ["x"]}}), now, now),
            (json!({"agreedTo": "all of it"}), now, now),
            (json!({"agreedTo": ["x"]}), now, now),
            (json!({"agreedTo": {"somethingElse": "x"}}), now, now),
        ];
        for (body, terms, photography) in cases {
            let stored = content.agreed_to(Kind::SpeakerApplications, &body).expect("two texts");
            let stored: Value = serde_json::from_str(&stored).expect("JSON");
            assert_eq!(stored, json!({"termsAccepted": terms, "photographyConsent": photography}), "{body}");
        }
        assert_eq!(content.agreed_to(Kind::WaitlistSignups, &json!({"agreedTo": {"name": "1"}})), None);
    }

    #[test]
    fn every_text_belongs_to_a_box_of_the_form() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        for kind in Kind::ALL {
            for (name, _) in content.documents(kind) {
                let is_box = form(kind)
                    .fields()
                    .any(|field| field.name == name && field.field_type == FieldType::Consent);
                assert!(is_box, "{kind}: {name}");
            }
        }
    }
}
