//! Erasure reaches every column. Each one is filled with its own token, and the file is searched for all tokens.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::content::{edited, import};
use crate::support::paid_site::entry;
use crate::support::samples::{path, whole};
use crate::support::{
    ADMIN, Place, Server, clock, contains, open, served, signed_in, speaker, text, waitlist,
};

const EMAIL: &str = "zoe@example.com";

/// The columns that are kept of a paid entry: what was bought, what it cost, and what the law requires.
const KEPT: [&str; 20] = [
    "competition_entries.additional_category1",
    "competition_entries.additional_category1_sub",
    "competition_entries.additional_category2",
    "competition_entries.additional_category2_sub",
    "competition_entries.agreed_to",
    "competition_entries.payment_token",
    "competition_entries.primary_category",
    "competition_entries.quote",
    "competition_entries.set_aside_reason",
    "competition_entries.stripe_payment_intent_id",
    "competition_entries.sub_category",
    "competition_entries.tax_location",
    "payment_findings.currency",
    "payment_findings.intent_id",
    "payment_findings.settled_by",
    "refunds.actor",
    "refunds.category",
    "refunds.key",
    "refunds.refund_id",
    "ticket_transfers.actor",
];

/// Columns that refer to a record.
const LINKS: [&str; 3] = ["kind", "email", "recipient"];

/// Tables, besides those of registrations, with texts by or to people.
const PERSONAL: [&str; 30] = [
    "tickets",
    "scans",
    "reviews",
    "outbox",
    "outbox_attachments",
    "idempotency_keys",
    "refunds",
    "payment_findings",
    "nominations",
    "artist_links",
    "artist_codes",
    "artist_sessions",
    "media",
    "media_chunks",
    "uploads",
    "upload_chunks",
    "releases",
    "judges",
    "judge_links",
    "judge_codes",
    "judge_sessions",
    "judging_conflicts",
    "relations",
    "sheets",
    "photo_tokens",
    "entrant_tokens",
    "receipt_details",
    "ticket_transfers",
    "mailing_recipients",
    "refused_addresses",
];

/// Tables without personal data; the audit log names records by kind and id, the log of scores judges by their number and
/// entries by their code, and who has unsubscribed is a keyed hash.
const IMPERSONAL: [&str; 28] = [
    "sponsor_places",
    "door_devices",
    "accounts",
    "audit_log",
    "certificates",
    "content_draft",
    "content_revisions",
    "disputes",
    "failed_cards",
    "image_sizes",
    "images",
    "judged_categories",
    "known_addresses",
    "receipt_links",
    "mail_texts",
    "mailings",
    "panels",
    "refinery_schema_history",
    "report_registrations",
    "score_log",
    "sessions",
    "settings",
    "stripe_attempts",
    "stripe_events",
    "tie_decisions",
    "tls_cache",
    "unsubscribed",
    "waitlist_invitations",
];

/// Sets every text and blob column of a table's rows to a token, except times and references. A column that refuses the
/// token has fixed values.
fn fill(connection: &Connection, table: &str, rows: &str) -> BTreeSet<String> {
    let sql = "select name from pragma_table_info(?) where type in ('TEXT', 'BLOB')";
    let mut filled = BTreeSet::new();
    for column in texts(connection, sql, table) {
        if LINKS.contains(&column.as_str()) || column == "at" || column.ends_with("_at") {
            continue;
        }
        // In a unique column each row has its own.
        let number = match table {
            "idempotency_keys" => "kind",
            "artist_links" | "artist_codes" | "artist_sessions" | "uploads" | "judge_links"
            | "judge_codes" | "judge_sessions" => "created_at",
            "relations" => "entry_id",
            "judging_conflicts" | "photo_tokens" | "entrant_tokens" => "judge_id",
            _ => "rowid",
        };
        let token = format!("'{table}.{column} token ' || {number}");
        for value in [format!("cast({token} as blob)"), format!("json_object('a', {token})"), token] {
            let sql = format!("update {table} set {column} = {value} where {rows}");
            if connection.execute(&sql, []).is_ok_and(|count| count > 0) {
                filled.insert(format!("{table}.{column}"));
            }
        }
    }
    filled
}

fn texts(connection: &Connection, sql: &str, value: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).expect(sql);
    let rows = statement.query_map([value], |row| row.get(0)).expect(sql);
    rows.collect::<rusqlite::Result<_>>().expect(sql)
}

#[test]
fn an_erasure_reaches_every_column_that_holds_personal_data() {
    let (place, server) = served("[reports]\nrecipient = 'desk@example.com'\n");
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::CompetitionEntries) {
        let mut body = whole(kind);
        body["email"] = EMAIL.into();
        let headers = [("content-type", "application/json"), ("idempotency-key", "form-1")];
        assert_eq!(server.send("POST", &path(kind), &headers, &body.to_string()).status, 201, "{kind}");
    }
    let connection = open(&place.database());
    // As the program's own connections: overwritten data leaves no copy in the file.
    connection.pragma_update(None, "secure_delete", "on").expect("a setting");
    connection
        .execute_batch(&format!(
            "insert into outbox (created_at, due_at, cause, message_id, recipient, subject)
             values ('', '', 'report/daily/2026-01-01', 'report', 'desk@example.com', '');
             insert into report_registrations (outbox_id, kind, registration_id)
             select max(id), 'competition-entries', 1 from outbox;
             insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                 primary_category, sub_category, additional_categories, agreement_terms, agreement_media,
                 payment_amount_cents, payment_status)
             values ('2026-01-01T00:00:00.000Z', '', '{EMAIL}', '', '', '', '', '', '', 0, 1, 1, 48492, 'paid');
             insert into nominations (created_at, entry_id, code, category, sub_category) values ('', 1, 'LL-100', '', '');
             insert into media (created_at, nomination_id, slot, width, height, bytes, sha256, thumbnail_bytes, thumbnail_sha256)
             values ('', 1, '', 1, 1, 1, '', 1, '');
             insert into media_chunks (media_id, size, number, content) values (1, 'full', 0, x'00');
             insert into uploads (id, created_at, expires_at, nomination_id, slot, length) values ('1', '', '', 1, '', 1);
             insert into upload_chunks (upload_id, start, content) values ('1', 0, x'00');
             insert into releases (nomination_id, key) values (1, '');
             insert into artist_links (token_hash, email, created_at) values (x'00', '{EMAIL}', '');
             insert into artist_codes (email, code_hash, created_at) values ('{EMAIL}', x'00', '');
             insert into artist_sessions (token_hash, email, created_at, last_seen_at) values (x'00', '{EMAIL}', '', '');
             insert into judges (created_at, name, email) values ('', '', '{EMAIL}');
             insert into judge_links (token_hash, email, created_at) values (x'00', '{EMAIL}', '');
             insert into judge_codes (email, code_hash, created_at) values ('{EMAIL}', x'00', '');
             insert into judge_sessions (token_hash, email, created_at, last_seen_at) values (x'00', '{EMAIL}', '', '');
             insert into judging_conflicts (judge_id, nomination_id, source, reason, created_at) values (1, 1, 'judge', '', '');
             insert into relations (entry_id, judge, kind, created_at) values (1, '', 'works_for', '');
             insert into sheets (created_at, judge_id, nomination_id, token, position) values ('', 1, 1, '', 0);
             insert into photo_tokens (token, judge_id, media_id) values ('', 1, 1);
             insert into entrant_tokens (token, judge_id, nomination_id) values ('', 1, 1);
             insert into refunds (created_at, actor, entry_id, amount_cents, state) values ('', '', 1, 100, 'done');
             insert into payment_findings (found_at, intent_id, problem, entry_id, amount_cents, currency)
             values ('', 'pi_1', 'wrong_amount', 1, 100, 'usd');
             insert into ticket_transfers (created_at, actor, entry_id, name, email) values ('', '', 1, '', '{EMAIL}');
             insert into tickets (created_at, code, role, name, email) values ('', '', 'guest', '', '{EMAIL}');
             insert into door_devices (created_at, name, until, token_hash) values ('', '', '', x'00');
             insert into scans (id, device_id, ticket_id, received_at, code, list, at, sent, answer, lets_in, is_corrected, is_late)
             values ('1', 1, (select max(id) from tickets), '', '', '', '', '{{}}', '{{}}', 1, 0, 0);
             insert into receipt_details (entry_id, changed_at) values (1, '');
             insert into outbox_attachments (outbox_id, file_name, content_type, content)
             select id, 'a', 'text/plain', x'' from outbox;
             insert into mailings (created_at, actor, audience, subject, text) values ('', '', '{{}}', '', '');
             insert into mailing_recipients (mailing_id, recipient, kind, registration_id)
             values (1, '{EMAIL}', 'competition-entries', 1);
             insert into refused_addresses (recipient, at, reply) values ('{EMAIL}', '', '');
             insert into reviews (at, actor, kind, registration_id, from_status, to_status)
             values ('', '', 'competition-entries', 1, 'new', 'new');"
        ))
        .expect("what the provider and the organiser add");
    let mut filled = BTreeSet::new();
    for table in texts(
        &connection,
        "select name from sqlite_master where type = ? and name not like 'sqlite%'",
        "table",
    ) {
        if Kind::ALL.iter().any(|kind| kind.as_str().replace('-', "_") == table) {
            filled.extend(fill(&connection, &table, &format!("email = '{EMAIL}'")));
        } else if PERSONAL.contains(&table.as_str()) {
            filled.extend(fill(&connection, &table, "true"));
        } else {
            assert!(IMPERSONAL.contains(&table.as_str()), "does {table} hold personal data? Say so above");
        }
    }
    drop(connection);
    assert!(filled.len() > 100, "{} columns: {filled:?}", filled.len());
    place.done(&["person", "erase", EMAIL, "--yes"]);
    let mut bytes = std::fs::read(place.database()).expect("a file");
    bytes.extend(std::fs::read(place.path("showcase.db-wal")).unwrap_or_default());
    let left: BTreeSet<&str> =
        filled.iter().map(String::as_str).filter(|name| contains(&bytes, format!("{name} token"))).collect();
    assert_eq!(left, BTreeSet::from(KEPT), "what is left of the person");
}

#[test]
fn a_report_that_names_somebody_with_a_longer_name_is_kept() {
    let (place, server) = served("[reports]\nrecipient = 'desk@example.com'\n");
    for (name, email) in [("Al", EMAIL), ("Alice Example", "alice@example.com")] {
        let mut body = waitlist(email);
        body["name"] = name.into();
        assert_eq!(server.post("/api/waitlist-signups", &body).status, 201, "{name}");
    }
    place.execute("update waitlist_signups set created_at = '2026-03-0' || id || 'T12:00:00.000Z'");
    for day in ["2026-03-01", "2026-03-02"] {
        assert!(place.run(&["report", "daily", "--for", day]).status.success(), "{day}");
    }
    place.done(&["person", "erase", EMAIL, "--yes"]);
    let left = "select group_concat(substr(cause, 1, 23)) from outbox where cause like 'report/%'";
    assert_eq!(place.sql::<String>(left), "report/daily/2026-03-02");
}

#[test]
fn everybody_of_a_past_edition_is_erased_once_the_organiser_asks_for_it() {
    let (place, server, cookie) = signed_in(ADMIN);
    for (kind, body) in [
        ("speaker-applications", speaker()),
        ("waitlist-signups", waitlist("Wanda@example.com")),
        ("waitlist-signups", waitlist("wanda@example.com")),
        ("competition-entries", entry("paula@example.com")),
    ] {
        assert_eq!(server.post(&format!("/api/{kind}"), &body).status, 201, "{kind}");
    }
    place.execute("update competition_entries set payment_status = 'paid'");
    place.execute("insert into judges (created_at, name, email) values ('', 'Jo Judge', 'jo@example.com')");
    let call = |method: &str, body: &Value| server.call(&cookie, method, "/api/edition/erasure", body);
    // A ticket without an address, as guests have and whoever a sponsor brings.
    server.call(&cookie, "POST", "/api/tickets", &json!({ "name": "Pat Press" })).expect(201);
    let to_erase = || {
        let items = server.get("/api/attention", &[("cookie", &cookie)]).json()["items"].clone();
        let items = items.as_array().expect("items").clone();
        items.into_iter().find(|item| item["erases"] == true).map(|item| item["sentence"].clone())
    };
    assert_eq!(to_erase(), None, "no day is set");
    // The last day of the sample event is March 29, 2026.
    import(&place, &edited(&[("erase_after_days = 0", "erase_after_days = 300")]));
    crate::support::wait_for("the day", || {
        (call("GET", &Value::Null).json()["eraseOn"] == "2027-01-23").then_some(())
    });
    assert_eq!(to_erase(), None, "the day is ahead");
    import(&place, &edited(&[("erase_after_days = 0", "erase_after_days = 30")]));
    let sentence = "The personal data of this edition was to be erased on April 28, 2026. Stored: 4 people.";
    crate::support::wait_for("the reminder", || (to_erase() == Some(sentence.into())).then_some(()));

    assert_eq!(server.send("GET", "/api/edition/erasure", &[], "").status, 401);
    let refused = call("POST", &json!({ "confirm": "yes" }));
    assert_eq!(refused.status, 422);
    assert!(refused.json()["errors"]["confirm"].as_str().is_some_and(|text| text.contains("Lash & Brow")));
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 2);
    let done = call("POST", &json!({ "confirm": "Lash & Brow Showcase" }));
    assert_eq!(done.status, 200, "{}", done.text());
    let erased = done.json();
    assert_eq!(
        (&erased["people"], &erased["registrations"], &erased["paymentsKept"]),
        (&json!(4), &json!(3), &json!(1)),
        "{erased}"
    );
    assert_eq!(place.sql::<i64>("select count(*) from competition_entries where payment_status = 'paid'"), 1);
    assert_eq!(to_erase(), None, "nobody is left");
    assert_eq!(call("GET", &Value::Null).json()["people"], 0);
    let bytes = std::fs::read(place.database()).expect("the file").to_ascii_lowercase();
    let email = speaker()["email"].as_str().expect("an address").to_owned();
    for address in [email.as_str(), "wanda@example.com", "paula@example.com", "jo@example.com"] {
        assert!(!contains(&bytes, address), "{address} is in the file");
    }
}

#[test]
fn the_command_erases_everybody_from_the_day_after_the_event() {
    let place = Place::new(ADMIN);
    let server: Server = place.serve();
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("wanda@example.com")).status, 201);
    let erase = || place.run(&["edition", "erase", "--yes"]);
    // In the first minutes of the event's last day.
    let before = "2026-03-29T04:10:00Z".parse::<chrono::DateTime<chrono::Utc>>().expect("an instant");
    let offset = (before - clock::machine_time()).num_seconds().to_string();
    let early = place
        .command(&["edition", "erase", "--yes"])
        .env("SHOWCASE_TEST_CLOCK_OFFSET", offset)
        .output()
        .expect("run");
    assert_eq!(early.status.code(), Some(1), "{}", text(&early.stderr));
    assert!(text(&early.stderr).contains("from the day after"), "{}", text(&early.stderr));
    place.refused(&["edition", "erase"]);
    let done = erase();
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("Erased 1 person"), "{}", text(&done.stderr));
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 0);
    assert!(text(&erase().stderr).contains("No personal data"));
}
