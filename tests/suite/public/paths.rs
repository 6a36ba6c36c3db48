//! The table of paths in `src/http/api/mod.rs`, row by row: who may call, from which origin, and with which methods.

use std::collections::BTreeSet;
use std::path::Path;

use crate::judging::judging_site::{JudgingSite, PATH};
use crate::support::content::{edited, import};
use crate::support::{ADMIN, served};

/// A row: an address that its path matches, and the methods with the word that says who may call.
type Row = (String, Vec<(String, String)>);

fn rows() -> Vec<Row> {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/api/mod.rs");
    let source = std::fs::read_to_string(table).expect("the table of paths");
    let rows = source.lines().filter_map(|line| {
        let (path, endpoints) = line.trim().strip_prefix("(\"")?.split_once("\", vec![")?;
        let address = path.replace("{kind}", "waitlist-signups").replace("{id}", "1");
        let address =
            address.replace("{name}", "0123").replace("{other}", "0123").replace("{request}", "0123");
        let endpoints = endpoints.split(", ").filter_map(|part| part.rsplit_once('('));
        // The others are calls of a handler with more than the request and the session.
        let methods = endpoints.filter(|(_, method)| method.bytes().all(|byte| byte.is_ascii_uppercase()));
        let methods = methods.map(|(before, method)| {
            (before.rsplit('(').next().expect("a word").to_owned(), method.to_owned())
        });
        Some((address, methods.collect()))
    });
    rows.collect()
}

#[test]
fn reading_writes_nothing() {
    // A download of data is noted in the audit log, which is why that is not counted.
    let (site, mona) = JudgingSite::with_judge(2);
    let place = site.place();
    let accepted = "insert into speaker_applications (created_at, status, name, email, phone, company, expertise,
             speaking_experience, experience, topic_proposal, terms_accepted, photography_consent)
         values ('2026-01-01T00:00:00.000Z', 'accepted', 'Sela', 'sela@example.com', '+1 201-555-0100', '', '', '', '', '', 1, 1)";
    place.execute(accepted);
    site.store_photo();
    let artist = site.portal.sign_in("artist-0@example.com");
    let organiser = site.portal.site.cookie();
    let stored = || {
        let tables = [
            "certificates",
            "sheets",
            "photo_tokens",
            "entrant_tokens",
            "judging_conflicts",
            "releases",
            "nominations",
            "score_log",
            "outbox",
        ];
        let count = |table: &str| place.sql::<i64>(&format!("select count(*) from {table}"));
        tables.map(|table| (table, count(table)))
    };
    let unread = "delete from certificates; delete from photo_tokens";
    let mut before = stored();
    let mut read = 0;
    for (path, endpoints) in rows() {
        let Some((who, _)) = endpoints.iter().find(|(_, method)| method == "GET") else { continue };
        let cookie = match who.as_str() {
            "artist" => &artist,
            "judge" => &mona.cookie,
            _ => &organiser,
        };
        let path = path.replace("/api/judging/0123/0123", PATH);
        let get = || site.send("GET", &path, cookie, &serde_json::Value::Null).status;
        let status = get();
        assert_ne!(status, 500, "{path}");
        read += u32::from(status == 200);
        if stored() != before {
            // The clock gives out what is missing once a minute, so not twice in a row.
            place.execute(unread);
            before = stored();
            get();
            assert_eq!(stored(), before, "{path}");
        }
    }
    assert!(read > 40, "{read}");
}

#[test]
fn every_path_needs_the_session_of_its_row_and_names_its_methods() {
    let (place, server) = served(ADMIN);
    import(&place, &edited(&[]));
    let session = server.sign_in();
    let rows = rows();
    assert!(rows.len() > 100, "{}", rows.len());
    let mut closed = 0;
    for (path, endpoints) in rows {
        for (who, method) in &endpoints {
            let json = [("content-type", "application/json")];
            let reply = server.send(method, &path, &json, "{}");
            let is_closed = ["organiser", "artist", "judge", "tie_decider", "device", "scan_sender"]
                .contains(&who.as_str());
            if is_closed {
                closed += 1;
                assert_eq!(reply.status, 401, "{who} {method} {path}: {}", reply.text());
            }
            if who == "organiser" && method != "GET" {
                let foreign = [json[0], ("cookie", session.as_str()), ("origin", "https://evil.example")];
                assert_eq!(server.send(method, &path, &foreign, "{}").status, 403, "{method} {path}");
            }
        }
        let mut allowed: BTreeSet<&str> = endpoints.iter().map(|(_, method)| method.as_str()).collect();
        if allowed.contains("GET") {
            allowed.insert("HEAD");
        }
        let unknown = if allowed.contains("PUT") { "PATCH" } else { "PUT" };
        let other = server.send(unknown, &path, &[("cookie", &session)], "");
        assert_eq!(other.status, 405, "{path}");
        assert_eq!(other.header("allow").split(", ").collect::<BTreeSet<_>>(), allowed, "{path}");
    }
    assert!(closed > 100, "{closed}");
}
