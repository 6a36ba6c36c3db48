//! Exports as Excel workbooks and JSON, read back with an independent reader. The command and HTTP give the same rows.

use std::io::Cursor;

use calamine::{Data, DataType, Reader, Xlsx};
use chrono::Datelike;
use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::samples::whole;
use crate::support::{ADMIN, clock, migrated, open, served, signed_in, speaker, text, waitlist};

fn book(bytes: &[u8]) -> Xlsx<Cursor<Vec<u8>>> {
    Xlsx::new(Cursor::new(bytes.to_vec())).expect("a workbook")
}

/// The rows of a sheet; each cell with its column's heading.
fn rows(bytes: &[u8], sheet: &str) -> Vec<Vec<(String, Data)>> {
    let range = book(bytes).worksheet_range(sheet).expect(sheet);
    let mut rows = range.rows();
    let names: Vec<String> = rows.next().expect("a header").iter().map(ToString::to_string).collect();
    rows.map(|row| names.iter().cloned().zip(row.iter().cloned()).collect()).collect()
}

fn cell<'a>(row: &'a [(String, Data)], name: &str) -> &'a Data {
    &row.iter().find(|(column, _)| column == name).expect(name).1
}

/// A cell's text.
fn words(row: &[(String, Data)], name: &str) -> String {
    cell(row, name).get_string().unwrap_or_default().to_owned()
}

/// A date cell as `2026-03-28 09:30:00`.
fn date(row: &[(String, Data)], name: &str) -> String {
    let days = cell(row, name).get_datetime().expect("a real date").as_f64();
    let seconds = chrono::TimeDelta::seconds((days * 86_400.0).round() as i64);
    let start =
        chrono::NaiveDate::from_ymd_opt(1899, 12, 30).expect("a day").and_time(chrono::NaiveTime::MIN);
    (start + seconds).to_string()
}

const SHEETS: [&str; 8] = [
    "Speaker applications",
    "Judge applications",
    "Sponsor applications",
    "Professional demo registrations",
    "Competition entries",
    "Waitlist signups",
    "Sponsor inquiries",
    "Details",
];

#[test]
fn a_workbook_has_one_sheet_for_each_kind_with_texts_numbers_dates_and_no_formula() {
    let (place, server) = served(ADMIN);
    let mut person = speaker();
    person["company"] = "=HYPERLINK(\"mailto:evil\")".into();
    person["experience"] =
        format!("Lines\nand \"quotes\", <tags> & commas; 💫 _x0041_ {}", "e".repeat(50)).into();
    assert_eq!(server.post("/api/speaker-applications", &person).status, 201);
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let session = server.sign_in();
    let downloaded = server.get("/api/export/xlsx", &[("cookie", &session)]);
    assert_eq!(downloaded.status, 200);
    let disposition = downloaded.header("content-disposition");
    assert!(disposition.contains("registrations-20") && disposition.ends_with(".xlsx\""), "{disposition}");
    assert_eq!(book(&downloaded.body).sheet_names(), SHEETS);
    let row = &rows(&downloaded.body, "Speaker applications")[0];
    for (heading, name) in [
        ("Company or business name", "company"),
        ("Professional experience", "experience"),
        ("Phone", "phone"),
        ("Instagram", "instagram"),
        ("Email", "email"),
    ] {
        assert_eq!(cell(row, heading).get_string(), person[name].as_str(), "{name}");
    }
    assert_eq!(cell(row, "No.").get_float(), Some(1.0));
    assert_eq!(words(row, "I agree to the Speaker Terms & Conditions"), "Yes");
    let stored: String = place.sql("select created_at from speaker_applications");
    let stored = chrono::DateTime::parse_from_rfc3339(&stored).expect("an instant");
    let local = stored.with_timezone(&chrono_tz::America::New_York).naive_local();
    let at: chrono::NaiveDateTime =
        chrono::NaiveDateTime::parse_from_str(&date(row, "Received"), "%Y-%m-%d %H:%M:%S").expect("a time");
    assert!((at - local).num_seconds().abs() <= 1, "{at} is not {local}");
    let formulas = book(&downloaded.body).worksheet_formula("Speaker applications").expect("a sheet");
    assert!(formulas.rows().flatten().all(String::is_empty));
    let commanded = place.run(&["export", "--format", "xlsx", "--kind", "speaker-applications"]);
    assert!(commanded.status.success(), "{}", text(&commanded.stderr));
    assert_eq!(
        rows(&commanded.stdout, "Speaker applications"),
        rows(&downloaded.body, "Speaker applications")
    );
    assert_eq!(book(&commanded.stdout).sheet_names(), ["Speaker applications", "Details"]);
    place.done(&["export", "--format", "xlsx", "--output", "all.xlsx"]);
    assert_eq!(book(&std::fs::read(place.path("all.xlsx")).expect("a file")).sheet_names(), SHEETS);
}

#[test]
fn no_text_that_a_visitor_types_breaks_a_workbook_of_any_size() {
    let place = migrated(ADMIN);
    let connection = open(&place.database());
    let insert = |company: &str| {
        connection
            .execute(
                "insert into sponsor_inquiries (created_at, company, email, interest, message)
                 values ('2026-03-01T12:00:00.000Z', ?1, 'e@example.com', 'booth', 'm')",
                [company],
            )
            .expect("a row");
    };
    let texts = [
        "<r></b></r>",
        "<r><t>no</t></r>",
        "]]><c>",
        " spaces ",
        "tab\tand\nline",
        "=1+1",
        "_x000D_",
        "\u{1}\u{fffe}",
    ];
    for text in texts {
        insert(text);
    }
    let small = place.run(&["export", "--format", "xlsx", "--kind", "sponsor-inquiries"]).stdout;
    connection.execute_batch("begin").expect("a transaction");
    for _ in 0..10_000 {
        insert("another");
    }
    connection.execute_batch("commit").expect("the rows");
    // Too many rows to be kept in memory.
    let large = place.run(&["export", "--format", "xlsx", "--kind", "sponsor-inquiries"]).stdout;
    for (book, count) in [(small, 8), (large, 10_008)] {
        let rows = rows(&book, "Sponsor inquiries");
        assert_eq!(rows.len(), count);
        let first = rows.iter().map(|row| words(row, "Company name")).take(7);
        assert_eq!(first.collect::<Vec<_>>(), texts[..7]);
    }
}

#[test]
fn a_workbook_uses_labels_and_keeps_identifiers_on_the_last_sheet() {
    let (place, server) = served(ADMIN);
    for kind in Kind::ALL {
        let reply = server.post(&format!("/api/{kind}"), &whole(kind));
        assert_eq!(reply.status, 201, "{kind}: {}", reply.text());
    }
    let session = server.sign_in();
    for kind in [Kind::WaitlistSignups, Kind::SponsorInquiries] {
        server.decide(&session, &format!("{kind}/1"), &json!({ "status": "accepted" }));
    }
    place.execute(
        "update competition_entries set payment_status = 'partially_refunded', refunded_cents = 9900,
                    stripe_payment_intent_id = 'pi_of_the_test', created_at = '2026-03-08T06:30:00.000Z',
                    paid_at = '2026-03-08T07:30:00.000Z'",
    );
    let all = place.run(&["export", "--format", "xlsx"]).stdout;
    let entry = &rows(&all, "Competition entries")[0];
    for (heading, value) in [
        ("Full name", "Gia Example"),
        ("Tax location", "New Jersey"),
        ("Category", "Lash Extensions - Volume"),
        ("Second category", "Brows - Creative"),
        ("Third category", ""),
        ("Status", ""),
        ("Payment", "Partially refunded"),
        ("Also applied as a judge", "No"),
    ] {
        assert_eq!(words(entry, heading), value, "{heading}");
    }
    // Cents in the database, dollars in a cell with a currency's format.
    assert_eq!(cell(entry, "Amount").get_float(), Some(582.25));
    assert_eq!(cell(entry, "Refunded").get_float(), Some(99.0));
    // Before and after the change to daylight saving time.
    assert_eq!(date(entry, "Received"), "2026-03-08 01:30:00");
    assert_eq!(date(entry, "Paid on"), "2026-03-08 03:30:00");
    let sponsor = &rows(&all, "Sponsor applications")[0];
    assert_eq!(words(sponsor, "Budget range"), "$5,000-$15,000");
    assert_eq!(words(sponsor, "Have you sponsored an event before?"), "No");
    assert_eq!(words(sponsor, "Product categories"), "Lash Extensions, Professional Tools");
    assert_eq!(words(&rows(&all, "Waitlist signups")[0], "I want to compete"), "Yes");
    // As on the organiser's pages.
    assert_eq!(words(&rows(&all, "Waitlist signups")[0], "Status"), "Invited");
    assert_eq!(words(&rows(&all, "Sponsor inquiries")[0], "Status"), "Answered");
    let name = |row: &Vec<(String, Data)>| row.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    for sheet in &SHEETS[..7] {
        for heading in name(&rows(&all, sheet)[0]) {
            let is_internal =
                heading.contains("ormalised") || heading.chars().next().is_some_and(char::is_lowercase);
            assert!(!is_internal, "{sheet}: {heading}");
        }
    }
    let details = rows(&all, "Details");
    assert_eq!(details.len(), 7);
    let detail = details.iter().find(|row| words(row, "Kind") == "competition-entries").expect("the entry");
    for (heading, value) in [
        ("Received (UTC)", "2026-03-08T06:30:00.000Z"),
        ("Status", "new"),
        ("Payment status", "partially_refunded"),
        ("Payment reference", "pi_of_the_test"),
        ("Phone, normalised", "+12015550104"),
        ("Instagram, normalised", "@gia"),
    ] {
        assert_eq!(words(detail, heading), value, "{heading}");
    }
    assert_eq!(cell(detail, "No.").get_float(), cell(entry, "No.").get_float());
    assert!(words(detail, "Agreed versions").contains("agreementTerms"));
}

#[test]
fn a_file_is_named_after_the_chosen_days() {
    let (_place, server, session) = signed_in(ADMIN);
    let year: i32 = clock::now().year();
    let name = |query: &str| {
        let reply = server.get(&format!("/api/export/xlsx?{query}"), &[("cookie", &session)]);
        reply
            .header("content-disposition")
            .to_owned()
            .trim_start_matches("attachment; filename=\"lash-brow-showcase-")
            .trim_end_matches('"')
            .to_owned()
    };
    for (query, expected) in [
        (
            "kind=competition-entries&from=2021-11-10&to=2021-11-20",
            "competition-entries-Nov-10-to-20-2021.xlsx",
        ),
        ("from=2021-11-28&to=2021-12-03", "registrations-Nov-28-to-Dec-3-2021.xlsx"),
        ("from=2021-12-28&to=2022-01-03", "registrations-Dec-28-2021-to-Jan-3-2022.xlsx"),
        ("from=2021-11-10&to=2021-11-10", "registrations-Nov-10-2021.xlsx"),
        ("from=2021-11-10", "registrations-from-Nov-10-2021.xlsx"),
        ("to=2021-11-20", "registrations-until-Nov-20-2021.xlsx"),
        (&format!("from={year}-03-10&to={year}-03-20"), "registrations-Mar-10-to-20.xlsx"),
    ] {
        assert_eq!(name(query), expected, "{query}");
    }
}

#[test]
fn a_text_of_60_kb_is_complete_in_json_and_visibly_truncated_for_spreadsheets() {
    let place = migrated(ADMIN);
    let long = format!("{}\r\n\"{}", "💫é,".repeat(9_000), "x".repeat(6_000));
    assert!(long.len() > 60_000);
    place.execute_with(
        "insert into sponsor_inquiries (created_at, company, email, interest, message) values ('2026-03-01T12:00:00.000Z', ?1, 'e@example.com', 'booth', ?2)",
        ["+cmd|' /C calc'!A0", &long],
    );
    let csv = place.run(&["export", "--kind", "sponsor-inquiries"]).stdout;
    let mut reader = csv::Reader::from_reader(&csv[3..]);
    let at = reader.headers().expect("a header").iter().position(|name| name == "message").expect("it");
    let row = reader.records().next().expect("a row").expect("CSV");
    assert!(row[at].encode_utf16().count() <= 32_767 && row[at].len() > 30_000);
    let kept = row[at].strip_suffix(" [truncated: longer than an Excel cell]");
    assert!(long.starts_with(kept.expect("a visible end")));
    let json: Value = serde_json::from_slice(
        &place.run(&["export", "--format", "json", "--kind", "sponsor-inquiries"]).stdout,
    )
    .expect("JSON");
    assert_eq!(json["registrations"]["sponsorInquiries"][0]["message"], long.as_str());
    let xlsx = place.run(&["export", "--format", "xlsx", "--kind", "sponsor-inquiries"]).stdout;
    let row = &rows(&xlsx, "Sponsor inquiries")[0];
    let message = cell(row, "Message").get_string().expect("a text");
    assert!(message.encode_utf16().count() <= 32_767 && message.len() > 30_000);
    assert!(message.ends_with("[truncated: longer than an Excel cell]"));
    assert!(
        long.replace("\r\n", "\n")
            .starts_with(message.trim_end_matches(" [truncated: longer than an Excel cell]"))
    );
    assert_eq!(
        cell(row, "Company name").get_string(),
        Some("+cmd|' /C calc'!A0"),
        "the text as it was typed, not a formula"
    );
}

#[test]
fn every_format_can_be_filtered_by_day_and_status_and_invalid_filters_are_refused() {
    let (place, server) = served(ADMIN);
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let session = server.sign_in();
    let get = |path: &str| server.get(path, &[("cookie", &session)]);
    let workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    for (format, content_type) in
        [("csv", "text/csv; charset=utf-8"), ("json", "application/json"), ("xlsx", workbook)]
    {
        for (query, arguments) in [
            ("status=accepted", vec!["--status", "accepted"]),
            ("from=2031-01-01", vec!["--from", "2031-01-01"]),
            ("kind=waitlist-signups", vec!["--kind", "waitlist-signups"]),
            ("", vec![]),
        ] {
            let downloaded = get(&format!("/api/export/{format}?{query}"));
            assert_eq!(downloaded.header("content-type"), content_type);
            let disposition = downloaded.header("content-disposition");
            assert!(disposition.starts_with("attachment; filename=\"lash-brow-showcase-"), "{disposition}");
            let commanded =
                place.run(&[&["export", "--format", format], arguments.as_slice()].concat()).stdout;
            assert!(!downloaded.body.is_empty() && downloaded.body == commanded, "{format} {query}");
        }
        for wrong in [
            "status=famous",
            "kind=cakes",
            "kind=waitlist-signups&status=paid",
            "from=2026-03-09&to=2026-03-08",
            "to=soon",
        ] {
            assert_eq!(get(&format!("/api/export/{format}?{wrong}")).status, 400, "{format} {wrong}");
        }
        for wrong in [["--status", "famous"], ["--from", "soon"], ["--kind", "cakes"]] {
            let refused = place.run(&[&["export", "--format", format], wrong.as_slice()].concat());
            assert_eq!(refused.status.code(), Some(2), "{format} {wrong:?}: {}", text(&refused.stderr));
        }
        assert_eq!(server.get(&format!("/api/export/{format}"), &[]).status, 401);
        assert_eq!(server.send("POST", &format!("/api/export/{format}"), &[], "").status, 405);
    }
    assert_eq!(get("/api/competition-entries?status=paid").status, 200);
    assert_eq!(get("/api/waitlist-signups?status=paid").status, 400);
    let log = get("/api/audit?action=exported&pageSize=100").json();
    assert_eq!((&log["total"], &log["items"][0]["actor"]), (&json!(24), &json!("command line")));
    assert_eq!(log["items"][23]["actor"], "organiser");
    assert_eq!(
        log["items"][23]["detail"],
        json!({ "format": "csv", "kind": null, "from": null, "to": null, "status": "accepted" })
    );
}
