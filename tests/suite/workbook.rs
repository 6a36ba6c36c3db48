//! Excel workbooks and JSON, read back with an independent reader; the same rows by command and over HTTP.

use std::io::Cursor;

use calamine::{Data, DataType, Reader, Xlsx};
use serde_json::{Value, json};

use crate::support::{Place, speaker, text, waitlist};

const ADMIN: &str = "[admin]\npassword = 'a-password-of-the-test'\n";

fn cookie(server: &crate::support::Server) -> String {
    let reply = server.post("/api/admin/session", &json!({ "password": "a-password-of-the-test" }));
    reply.header("set-cookie").split(';').next().expect("a pair").to_owned()
}

fn book(bytes: &[u8]) -> Xlsx<Cursor<Vec<u8>>> {
    Xlsx::new(Cursor::new(bytes.to_vec())).expect("a workbook")
}

/// The rows of a sheet, by the names of its header.
fn rows(bytes: &[u8], sheet: &str) -> Vec<Vec<(String, Data)>> {
    let range = book(bytes).worksheet_range(sheet).expect(sheet);
    let mut rows = range.rows();
    let names: Vec<String> = rows.next().expect("a header").iter().map(ToString::to_string).collect();
    rows.map(|row| names.iter().cloned().zip(row.iter().cloned()).collect()).collect()
}

fn cell<'a>(row: &'a [(String, Data)], name: &str) -> &'a Data {
    &row.iter().find(|(column, _)| column == name).expect(name).1
}

#[test]
fn a_workbook_has_a_sheet_a_kind_with_texts_numbers_dates_and_no_formula() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    let mut person = speaker();
    person["company"] = "=HYPERLINK(\"mailto:evil\")".into();
    person["experience"] =
        format!("Lines\nand \"quotes\", <tags> & commas; 💫 _x0041_ {}", "e".repeat(50)).into();
    assert_eq!(server.post("/api/speaker-applications", &person).status, 201);
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let session = cookie(&server);
    let downloaded = server.get("/api/export/xlsx", &[("cookie", &session)]);
    assert_eq!(downloaded.status, 200);
    assert_eq!(
        downloaded.header("content-type"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    );
    let disposition = downloaded.header("content-disposition");
    assert!(disposition.contains("registrations-20") && disposition.ends_with(".xlsx\""), "{disposition}");
    let names = book(&downloaded.body).sheet_names();
    assert_eq!(names.len(), 7, "{names:?}");
    assert_eq!(names[0], "Speaker application");
    let row = &rows(&downloaded.body, "Speaker application")[0];
    for name in ["company", "experience", "phone", "instagram", "email"] {
        assert_eq!(cell(row, name).get_string(), person[name].as_str(), "{name}");
    }
    assert_eq!(cell(row, "id").get_float(), Some(1.0));
    assert_eq!(cell(row, "termsAccepted").get_bool(), Some(true));
    let days = cell(row, "createdAt").get_datetime().expect("a real date").as_f64();
    let seconds = chrono::TimeDelta::seconds((days * 86_400.0).round() as i64);
    let at = chrono::NaiveDate::from_ymd_opt(1899, 12, 30).expect("a day").and_time(chrono::NaiveTime::MIN)
        + seconds;
    let stored: String = place.sql("select created_at from speaker_applications");
    let stored = chrono::DateTime::parse_from_rfc3339(&stored).expect("an instant");
    let local = stored.with_timezone(&chrono_tz::America::New_York).naive_local();
    assert!((at - local).num_seconds().abs() <= 1, "{at} is not {local}");
    let formulas = book(&downloaded.body).worksheet_formula("Speaker application").expect("a sheet");
    assert!(formulas.rows().flatten().all(String::is_empty));
    let commanded = place.run(&["export", "--format", "xlsx", "--kind", "speaker-applications"]);
    assert!(commanded.status.success(), "{}", text(&commanded.stderr));
    assert_eq!(rows(&commanded.stdout, "Speaker application"), rows(&downloaded.body, "Speaker application"));
    assert_eq!(book(&commanded.stdout).sheet_names().len(), 1);
    assert!(place.run(&["export", "--format", "xlsx", "--output", "all.xlsx"]).status.success());
    assert_eq!(book(&std::fs::read(place.path("all.xlsx")).expect("a file")).sheet_names().len(), 7);
}

#[test]
fn a_cell_of_60_kb_is_whole_in_csv_and_json_and_cut_with_a_mark_for_excel() {
    let place = Place::new(ADMIN);
    assert!(place.run(&["migrate"]).status.success());
    let long = format!("{}\r\n\"{}", "💫é,".repeat(9_000), "x".repeat(6_000));
    assert!(long.len() > 60_000);
    crate::support::open(&place.database())
        .execute(
            "insert into sponsor_inquiries (created_at, company, email, interest, message) values ('2026-03-01T12:00:00.000Z', ?1, 'e@example.com', 'booth', ?2)",
            ["+cmd|' /C calc'!A0", &long],
        )
        .expect("a row");
    let csv = place.run(&["export", "--kind", "sponsor-inquiries"]).stdout;
    let mut reader = csv::Reader::from_reader(&csv[3..]);
    let at = reader.headers().expect("a header").iter().position(|name| name == "message").expect("it");
    assert_eq!(&reader.records().next().expect("a row").expect("CSV")[at], long);
    let json: Value = serde_json::from_slice(
        &place.run(&["export", "--format", "json", "--kind", "sponsor-inquiries"]).stdout,
    )
    .expect("JSON");
    assert_eq!(json["registrations"]["sponsorInquiries"][0]["message"], long.as_str());
    let xlsx = place.run(&["export", "--format", "xlsx", "--kind", "sponsor-inquiries"]).stdout;
    let row = &rows(&xlsx, "Sponsor inquiry")[0];
    let message = cell(row, "message").get_string().expect("a text");
    assert!(message.encode_utf16().count() <= 32_767 && message.len() > 30_000);
    assert!(message.ends_with("[cut here: longer than a cell of Excel]"));
    assert!(
        long.replace("\r\n", "\n")
            .starts_with(message.trim_end_matches(" [cut here: longer than a cell of Excel]"))
    );
    assert_eq!(
        cell(row, "company").get_string(),
        Some("+cmd|' /C calc'!A0"),
        "a text as it was typed, no formula"
    );
}

#[test]
fn days_and_statuses_narrow_every_format_and_nonsense_is_refused() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let session = cookie(&server);
    let get = |path: &str| server.get(path, &[("cookie", &session)]);
    for format in ["csv", "json", "xlsx"] {
        for (query, arguments) in [
            ("status=accepted", vec!["--status", "accepted"]),
            ("from=2031-01-01", vec!["--from", "2031-01-01"]),
            ("kind=waitlist-signups", vec!["--kind", "waitlist-signups"]),
        ] {
            let downloaded = get(&format!("/api/export/{format}?{query}")).body;
            let commanded =
                place.run(&[&["export", "--format", format], arguments.as_slice()].concat()).stdout;
            assert!(!downloaded.is_empty() && downloaded == commanded, "{format} {query}");
        }
        for wrong in
            ["status=famous", "kind=waitlist-signups&status=paid", "from=2026-03-09&to=2026-03-08", "to=soon"]
        {
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
    assert_eq!((&log["total"], &log["items"][0]["actor"]), (&json!(18), &json!("command line")));
    assert_eq!(log["items"][17]["actor"], "organiser");
    assert_eq!(
        log["items"][17]["detail"],
        json!({ "format": "csv", "kind": null, "from": null, "to": null, "status": "accepted" })
    );
}
