//! CSV as spreadsheets and scripts read it.

use std::collections::HashMap;

use serde_json::json;

use crate::support::{Place, speaker, text, waitlist};

#[test]
fn a_csv_holds_every_registration_with_safe_cells() {
    let place = Place::new("");
    let server = place.serve();
    let mut person = speaker();
    person["company"] = "=HYPERLINK(\"http://evil.example\")".into();
    person["experience"] = format!("Lines\nand \"quotes\", commas; 💫 {}", "e".repeat(50)).into();
    assert_eq!(server.post("/api/speaker-applications", &person).status, 201);
    let csv = place.run(&["export", "--kind", "speaker-applications"]);
    assert!(csv.status.success());
    let whole = text(&csv.stdout);
    assert!(whole.starts_with("\u{feff}id,createdAt,name,email,phone,"), "{whole}");
    assert!(whole.contains("\r\n"));
    let rows = read(&csv.stdout);
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!(row["company"], "'=HYPERLINK(\"http://evil.example\")");
    assert_eq!(row["experience"], person["experience"].as_str().expect("text"));
    assert_eq!(row["phone"], "+1 201-555-0101", "a phone number is no formula");
    assert_eq!(row["termsAccepted"], "true");
    assert_eq!(row["instagram"], "'@ada");
    assert_eq!(row["status"], "new");
}

#[test]
fn all_kinds_in_one_file_name_their_kind_first() {
    let place = Place::new("");
    let server = place.serve();
    server.post("/api/speaker-applications", &speaker());
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let inquiry = json!({ "company": "Sample Brand", "email": "c@example.com", "interest": "booth" });
    assert_eq!(server.post("/api/sponsor-inquiries", &inquiry).status, 201);
    let csv = place.run(&["export"]);
    assert!(text(&csv.stdout).starts_with("\u{feff}registrationType,id,createdAt,"));
    let kinds: Vec<String> =
        read(&csv.stdout).into_iter().map(|row| row["registrationType"].clone()).collect();
    assert_eq!(kinds, ["speaker-applications", "waitlist-signups", "sponsor-inquiries"]);
}

#[test]
fn days_are_the_events_own_and_inclusive() {
    let place = Place::new("");
    assert!(place.run(&["migrate"]).status.success());
    let connection = crate::support::open(&place.database());
    // In New York: late on March 7, the whole of March 8 (23 hours, the clocks go forward), early on March 9.
    for instant in [
        "2026-03-08T04:59:59.999Z",
        "2026-03-08T05:00:00.000Z",
        "2026-03-09T03:59:59.999Z",
        "2026-03-09T04:00:00.000Z",
    ] {
        connection
            .execute(
                "insert into sponsor_inquiries (created_at, company, email, interest) values (?, 'c', 'e@example.com', 'booth')",
                [instant],
            )
            .expect("a row");
    }
    let days = |from: &str, to: &str| {
        let csv = place.run(&["export", "--kind", "sponsor-inquiries", "--from", from, "--to", to]);
        read(&csv.stdout).into_iter().map(|row| row["createdAt"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(days("2026-03-08", "2026-03-08"), ["2026-03-08 00:00:00", "2026-03-08 23:59:59"]);
    assert_eq!(days("2026-03-07", "2026-03-09").len(), 4);
    let reversed = place.run(&["export", "--from", "2026-03-09", "--to", "2026-03-08"]);
    assert_eq!(reversed.status.code(), Some(2));
    assert!(text(&reversed.stderr).contains("2026-03-09 is after 2026-03-08"));
}

#[test]
fn a_file_appears_only_when_it_is_whole() {
    let place = Place::new("");
    assert!(place.run(&["migrate"]).status.success());
    let told = place.run(&["export", "--output", "all.csv"]);
    assert!(told.status.success() && told.stdout.is_empty());
    assert!(text(&told.stderr).contains("0 registrations in all.csv"));
    assert!(place.path("all.csv").exists() && !place.path("all.csv.partial").exists());
    let nowhere = place.run(&["export", "--output", "no/such/folder/all.csv"]);
    assert_eq!(nowhere.status.code(), Some(1));
}

/// The rows of a CSV by the names of its header.
fn read(bytes: &[u8]) -> Vec<HashMap<String, String>> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).expect("a byte order mark");
    csv::Reader::from_reader(text).deserialize().collect::<Result<_, _>>().expect("CSV")
}
