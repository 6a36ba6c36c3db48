//! A complete registration of every kind, and a way to change the event's content.

use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::content::edited;
use crate::support::{Place, open, speaker, waitlist};

/// All kinds except entries, which also need a payment.
pub const FREE_KINDS: [Kind; 6] = [
    Kind::SpeakerApplications,
    Kind::JudgeApplications,
    Kind::SponsorApplications,
    Kind::ProfessionalDemoRegistrations,
    Kind::WaitlistSignups,
    Kind::SponsorInquiries,
];

pub fn path(kind: Kind) -> String {
    format!("/api/{kind}")
}

/// A registration with every field of its form.
pub fn whole(kind: Kind) -> Value {
    match kind {
        Kind::SpeakerApplications => speaker(),
        Kind::WaitlistSignups => {
            let mut person = waitlist("bea@example.com");
            person["instagram"] = "bea.example".into();
            person["categories"] = "Lash Lift".into();
            person["additionalNominations"] = "1".into();
            person
        }
        Kind::JudgeApplications => json!({
            "name": "Dana Sample", "email": "dana@example.com", "phone": "(201) 555-0102", "instagram": "@dana",
            "company": "Example Brow Bar", "expertise": "makeup", "experience": "e".repeat(50),
            "availability": "both-days", "portfolio": "https://example.com/dana",
            "termsAccepted": true, "photographyConsent": true
        }),
        Kind::SponsorApplications => json!({
            "company": "Placeholder Beauty", "contactName": "Elle Example", "email": "elle@example.com",
            "phone": "201-555-0103", "website": "https://example.com", "businessType": "equipment",
            "yearsFounded": "2014", "employeeCount": "11-50", "sponsorshipTier": "gold", "budgetRange": "5k-15k",
            "previousSponsorship": "no", "marketingGoals": "m".repeat(50), "targetAudience": "t".repeat(30),
            "productCategories": ["Lash Extensions", "Professional Tools"], "specialRequests": "A corner booth",
            "agreementTerms": true, "agreementMarketing": true
        }),
        Kind::ProfessionalDemoRegistrations => json!({
            "name": "Faye Sample", "email": "faye@example.com", "phone": "+44 20 7946 0018", "instagram": "faye",
            "company": "Sample Academy", "businessType": "salon", "specializations": "Brow lamination",
            "demoTopics": "From bare brow to finished look", "targetAudience": "Artists in their first years",
            "equipmentNeeds": "A ring light", "portfolio": "https://example.com/faye", "previousDemos": "Two",
            "termsAccepted": true, "photographyConsent": true
        }),
        Kind::CompetitionEntries => json!({
            "name": "Gia Example", "email": "gia@example.com", "phone": "201-555-0104", "instagram": "@gia",
            "businessName": "Gia Studio", "location": "Jersey City, NJ", "taxLocation": "new-jersey",
            "primaryCategory": "lash-extensions", "subCategory": "Volume", "additionalCategories": 1,
            "additionalCategory1": "brows", "additionalCategory1Sub": "Creative",
            "portfolio": "https://example.com/gia", "agreementTerms": true, "agreementMedia": true,
            "paymentAmount": 58_225
        }),
        Kind::SponsorInquiries => json!({
            "company": "Sample Brand", "email": "hana@example.com", "interest": "booth",
            "message": "What does a booth near the arena cost?"
        }),
    }
}

/// Stores the default content with these replacements as the newest revision.
pub fn give_content(place: &Place, replacements: &[(&str, &str)]) {
    store_content(place, &edited(replacements));
}

/// Stores a content file as the newest revision, before a server starts.
pub fn store_content(place: &Place, toml: &str) {
    showcase::store::migrate::migrate(&place.database()).expect("a database");
    let stored = open(&place.database()).execute(
        "insert into content_revisions (created_at, actor, toml) values ('2026-01-01T00:00:00.000Z', 'test', ?)",
        [toml],
    );
    stored.expect("a revision");
}
