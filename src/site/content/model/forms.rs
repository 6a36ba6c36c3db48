//! The texts around the forms, and the legal texts that people agree to. Left out: the forms' fields, options and
//! messages, which are in `forms/rules.json`.

use super::parts::{Item, Link, NonEmpty};

tables! {
    pub struct Apply {
        pub speaker: ApplyPage,
        pub judge: ApplyPage,
        pub sponsor: ApplyPage,
        pub demo: ApplyPage,
        pub entry: EntryPage,
    }

    pub struct ApplyPage {
        pub title: String,
        pub introduction: String,
        pub note: String,
        pub submit_label: String,
        pub success_title: String,
        pub success_text: String,
        #[serde(default)]
        pub tiles: Vec<Item>,
        #[serde(default)]
        pub next_title: String,
        #[serde(default)]
        pub next: Vec<String>,
    }

    pub struct EntryPage {
        pub title: String,
        pub introduction: String,
        /// For people who want to attend but not compete; links to the waitlist while that is open. Empty: not shown.
        #[serde(default)]
        pub attend_note: String,
        pub note: String,
        pub submit_label: String,
        pub success_title: String,
        pub success_text: String,
        pub rules_notice: String,
        pub rules_link: Link,
        pub categories_title: String,
        pub payment_title: String,
        pub payment_note: String,
        /// Shown instead of the form while no payment provider is connected.
        pub payment_closed: String,
        /// The button on the success page that leads home.
        pub return_label: String,
    }

    pub struct Legal {
        pub photography_release: LegalText,
        pub speaker_terms: LegalText,
        pub judge_terms: LegalText,
        pub competition_terms: LegalText,
        pub demo_terms: LegalText,
        pub sponsor_terms: LegalText,
        pub privacy: LegalText,
        pub terms: LegalText,
        pub refund_policy: LegalText,
    }

    /// A text that people agree to.
    pub struct LegalText {
        #[serde(default)]
        pub sample: bool,
        /// Stored with every agreement to the text.
        pub version: String,
        pub title: String,
        pub introduction: String,
        pub sections: NonEmpty<Item>,
        #[serde(default)]
        pub binding_note: String,
    }
}
