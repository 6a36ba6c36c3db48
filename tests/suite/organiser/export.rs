//! CSV exports, as spreadsheets and scripts read them.

use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::{ADMIN, Place, migrated, served, speaker, text, waitlist};

#[test]
fn a_csv_holds_every_registration_with_safe_cells() {
    let (place, server) = served("");
    let mut person = speaker();
    person["company"] = "=HYPERLINK(\"mailto:evil\")".into();
    person["experience"] = format!("Lines\nand \"quotes\", commas; 💫 {}", "e".repeat(50)).into();
    assert_eq!(server.post("/api/speaker-applications", &person).status, 201);
    let csv = place.run(&["export", "--kind", "speaker-applications"]);
    assert!(csv.status.success());
    let whole = text(&csv.stdout);
    assert!(whole.starts_with("\u{feff}\"id\",\"createdAt\",\"name\",\"email\",\"phone\","), "{whole}");
    assert!(whole.contains("\r\n"));
    let rows = read(&csv.stdout);
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!(row["company"], "'=HYPERLINK(\"mailto:evil\")");
    assert_eq!(row["experience"], person["experience"].as_str().expect("text"));
    assert_eq!(row["phone"], "+1 201-555-0101", "a phone number is no formula");
    assert_eq!(row["termsAccepted"], "true");
    assert_eq!(row["instagram"], "'@ada");
    assert_eq!(row["status"], "new");
    // All kinds in one file name their kind first.
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let inquiry = json!({ "company": "Sample Brand", "email": "c@example.com", "interest": "booth" });
    assert_eq!(server.post("/api/sponsor-inquiries", &inquiry).status, 201);
    let csv = place.run(&["export"]);
    assert!(text(&csv.stdout).starts_with("\u{feff}\"registrationType\",\"id\",\"createdAt\","));
    let kinds: Vec<String> =
        read(&csv.stdout).into_iter().map(|row| row["registrationType"].clone()).collect();
    assert_eq!(kinds, ["speaker-applications", "waitlist-signups", "sponsor-inquiries"]);
}

#[test]
fn days_are_in_event_time_and_inclusive() {
    let place = migrated("");
    // In New York: late on March 7, the whole of March 8 (23 hours, the clocks go forward), early on March 9.
    for instant in [
        "2026-03-08T04:59:59.999Z",
        "2026-03-08T05:00:00.000Z",
        "2026-03-09T03:59:59.999Z",
        "2026-03-09T04:00:00.000Z",
    ] {
        place.execute_with(
            "insert into sponsor_inquiries (created_at, company, email, interest) values (?, 'c', 'e@example.com', 'booth')",
            [instant],
        );
    }
    let days = |from: &str, to: &str| {
        let csv = place.run(&["export", "--kind", "sponsor-inquiries", "--from", from, "--to", to]);
        read(&csv.stdout).into_iter().map(|row| row["createdAt"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(days("2026-03-08", "2026-03-08"), ["2026-03-08 00:00:00", "2026-03-08 23:59:59"]);
    assert_eq!(days("2026-03-07", "2026-03-09").len(), 4);
    assert_eq!(days("0001-01-01", "9999-12-31").len(), 4, "no day is after the last that can be stored");
    assert_eq!(place.run(&["export", "--to", "+12026-01-01"]).status.code(), Some(2));
    let reversed = place.run(&["export", "--from", "2026-03-09", "--to", "2026-03-08"]);
    assert_eq!(reversed.status.code(), Some(2));
    assert!(text(&reversed.stderr).contains("2026-03-09 is after 2026-03-08"));
}

#[test]
fn a_search_narrows_an_export_as_it_narrows_a_list() {
    let (place, server) = served(ADMIN);
    for email in ["bea@example.com", "ada@example.com", "ada@example.org"] {
        assert_eq!(server.post("/api/waitlist-signups", &waitlist(email)).status, 201);
    }
    let session = server.sign_in();
    for format in ["csv", "json"] {
        let path = format!("/api/export/{format}?kind=waitlist-signups&search=ADA@");
        let got = server.get(&path, &[("cookie", &session)]);
        assert_eq!(got.status, 200);
        assert!(got.text().contains("ada@example.org") && !got.text().contains("bea@"), "{}", got.text());
    }
    let csv = place.run(&["export", "--kind", "waitlist-signups", "--search", "ADA@"]);
    assert_eq!(read(&csv.stdout).len(), 2);
    let noted: String = place.sql("select group_concat(detail) from audit_log where action = 'exported'");
    assert!(noted.contains("\"search\":true") && !noted.to_lowercase().contains("ada"), "{noted}");
}

#[test]
fn every_time_in_a_row_is_in_event_time() {
    let place = migrated("");
    let server = place.serve();
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    let entry = crate::support::samples::whole(showcase::model::Kind::CompetitionEntries);
    assert_eq!(server.post("/api/competition-entries", &entry).status, 201);
    place.execute(
        "update competition_entries set created_at = '2026-03-08T06:30:00.000Z', paid_at = '2026-03-08T07:30:00.000Z', payment_status = 'paid';
             update speaker_applications set agreed_at = '2026-11-20T17:05:09.123Z';",
    );
    let csv = read(&place.run(&["export", "--kind", "competition-entries"]).stdout);
    assert_eq!((&*csv[0]["createdAt"], &*csv[0]["paidAt"]), ("2026-03-08 01:30:00", "2026-03-08 03:30:00"));
    let all = read(&place.run(&["export"]).stdout);
    assert_eq!(all[0]["agreedAt"], "2026-11-20 12:05:09");
    let json = place.done(&["export", "--format", "json"]);
    assert!(json.contains("\"paidAt\":\"2026-03-08T07:30:00.000Z\""), "programs get instants: {json}");
}

#[test]
fn a_file_appears_only_when_it_is_complete() {
    let place = migrated("");
    let told = place.run(&["export", "--output", "all.csv"]);
    assert!(told.status.success() && told.stdout.is_empty());
    assert!(text(&told.stderr).contains("Wrote 0 registrations to all.csv."));
    assert!(place.path("all.csv").exists());
    let mut names = std::fs::read_dir(place.folder.path())
        .expect("a folder")
        .map(|file| file.expect("a file").file_name());
    assert!(names.all(|name| !name.to_string_lossy().starts_with(".tmp")), "no file is left half written");
}

#[test]
fn a_replaced_file_keeps_its_permissions_and_a_symbolic_link_stays_one() {
    let place = migrated("");
    std::fs::create_dir(place.path("shared")).expect("a folder");
    let target = place.path("shared/all.csv");
    std::fs::write(&target, "old").expect("a file");
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o600)).expect("permissions");
    std::os::unix::fs::symlink(&target, place.path("all.csv")).expect("a link");
    place.done(&["export", "--output", "all.csv"]);
    assert!(place.path("all.csv").is_symlink());
    assert!(std::fs::read_to_string(&target).expect("a file").contains("createdAt"));
    assert_eq!(target.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
}

#[test]
fn no_spreadsheet_finds_a_formula_in_a_csv_whatever_the_separator() {
    let (place, server) = served("");
    for (at, hostile) in
        ["=1+1", "a;=HYPERLINK(1)", "a|=HYPERLINK(1)", "a\";\"=HYPERLINK(1)", "＝HYPERLINK(1)", "a;＠sum(1)"]
            .into_iter()
            .enumerate()
    {
        let mut body = speaker();
        body["name"] = hostile.into();
        body["phone"] = "201-555-0101".into();
        body["experience"] = format!("{}\n=HYPERLINK(1)\n-cmd|' /C calc'!A0", "e".repeat(50)).into();
        body["email"] = format!("ana{at}@example.com").into();
        assert_eq!(server.post("/api/speaker-applications", &body).status, 201, "{hostile}");
    }
    let csv = place.run(&["export", "--kind", "speaker-applications"]).stdout;
    let csv = csv.strip_prefix("\u{feff}".as_bytes()).expect("a byte order mark");
    let (header, rows) = csv.split_at(csv.iter().position(|byte| *byte == b'\n').expect("a line"));
    assert!(text(header).split(',').all(|cell| cell.trim().starts_with('"')), "{}", text(header));
    for separator in [b',', b';', b'|', b'\t'] {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader =
            reader.delimiter(separator).has_headers(false).flexible(true).from_reader(&rows[1..]);
        let mut cells = 0;
        for record in reader.records() {
            // Every cell except the normalised phone number.
            for cell in record.expect("a record").iter().filter(|cell| *cell != "+12015550101") {
                cells += 1;
                assert!(
                    !cell.starts_with(['=', '+', '@', '＝', '＠']),
                    "{}: {cell:?}",
                    char::from(separator)
                );
                assert!(
                    !(cell.starts_with('-') && cell.contains('!')),
                    "{}: {cell:?}",
                    char::from(separator)
                );
            }
        }
        assert!(cells > 6, "{}", char::from(separator));
    }
}

/// The rows of a CSV; each cell with its column's name.
fn read(bytes: &[u8]) -> Vec<HashMap<String, String>> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).expect("a byte order mark");
    csv::Reader::from_reader(text).deserialize().collect::<Result<_, _>>().expect("CSV")
}

/// What a terminal shows of a command.
fn on_a_terminal(place: &Place, arguments: &str) -> String {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_showcase"));
    let mut command = std::process::Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).current_dir(place.path(""));
    let done = command.stdin(std::process::Stdio::null()).output().expect("`script` is on every Debian");
    text(&done.stdout)
}

#[test]
fn no_terminal_gets_a_workbook() {
    let place = migrated("");
    for arguments in ["export --format xlsx", "lists names --format xlsx"] {
        let shown = on_a_terminal(&place, arguments);
        assert!(shown.contains("A workbook cannot be printed to a terminal."), "{arguments}: {shown}");
    }
}

#[test]
fn a_terminal_shows_the_progress_of_a_long_export_unless_it_shows_the_export_itself() {
    let place = migrated("");
    place.execute(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
             insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations)
             select '2026-03-10T12:00:00.000Z', 'Ada', 'ada@example.com', 0, '0' from n;",
    );
    let shown = on_a_terminal(&place, "export --kind waitlist-signups --output all.csv");
    let expected = "\r10000 registrations\r20000 registrations\r\nWrote 20000 registrations to all.csv.\r\n";
    assert_eq!(shown, expected);
    assert_eq!(on_a_terminal(&place, "--quiet export --kind waitlist-signups --output all.csv"), "");
    let whole = on_a_terminal(&place, "export --kind waitlist-signups");
    assert!(!whole.contains("10000 registrations") && whole.lines().count() == 20_001, "{}", whole.len());
}
