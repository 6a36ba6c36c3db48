//! Tests that need no running server.

use serde_json::json;

use super::*;
use crate::app::App;
use crate::config::Config;
use crate::model::{Cents, Kind};
use crate::registrations::submit::Submission;
use crate::site::content::Content;
use crate::store::{Store, migrate};

#[test]
fn the_demo_charges_the_price_that_its_pages_show() {
    // The deadline has passed by the machine's clock, but not on the demo's day.
    let toml = Content::default_toml()
        .replace("after_deadline = \"keep\"", "after_deadline = \"regular\"")
        .replace("demo_day = \"2025-09-10\"", "demo_day = \"2025-09-25\"")
        .replace("[openings.competition-entries]", "[openings.competition-entries]\nuntil = \"2025-09-25\"");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.db");
    migrate::migrate(&path).expect("a database");
    let store = Store::open(&path).expect("a store");
    let content = Content::parse(&toml).expect("valid content");
    let app = App::new(Config::default(), store, content, true).expect("an application");
    let entry = json!({
        "name": "Ada Sample", "email": "ada@example.com", "phone": "+1 201-555-0101", "businessName": "Sample Studio",
        "location": "Jersey City, NJ", "primaryCategory": "lash-extensions", "subCategory": "Volume",
        "agreementTerms": true, "agreementMedia": true
    });
    let data = json!({ "primaryCategory": "lash-extensions", "subCategory": "Volume" });
    for body in [
        json!({ "amount": 48_492, "competitionData": data, "entry": entry }),
        json!({ "amount": 48_492, "competitionData": data }),
    ] {
        let request = IntentRequest { body: &body, key: None, network: [127, 0, 0, 1].into() };
        payment_intent(&app, &request).unwrap_or_else(|error| panic!("{body}: {error:?}"));
    }
    let saved = save(&app, &Submission::new(Kind::CompetitionEntries, &entry)).expect("an entry");
    assert_eq!(saved.amount_cents, Cents(48_492));
}
