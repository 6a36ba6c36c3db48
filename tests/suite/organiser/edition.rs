//! An edition ends, and the next one starts from its archive.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::emails::mailings::{AT_ONCE, Organiser, fill_waitlist};
use crate::judging::judging_site::{JudgingSite, code};
use crate::support::content::{edited, import};
use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::{ADMIN, Place, contains, migrated, open, served, speaker, text};

fn closed(place: &Place) -> PathBuf {
    let done = place.done(&["edition", "close"]);
    place.folder.path().join(done.trim())
}

fn names(archive: &Path) -> Vec<String> {
    let zip = zip::ZipArchive::new(std::fs::File::open(archive).expect("a file")).expect("a zip file");
    zip.file_names().map(|name| name.expect("a name").into_owned()).collect()
}

fn read(archive: &Path, name: &str) -> String {
    let mut zip = zip::ZipArchive::new(std::fs::File::open(archive).expect("a file")).expect("a zip file");
    let mut text = String::new();
    zip.by_name(name).expect(name).read_to_string(&mut text).expect("text");
    text
}

#[test]
fn the_next_edition_starts_from_the_archive_of_the_last() {
    let (place, server) = served(ADMIN);
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    let pixels = image::RgbImage::from_pixel(640, 480, image::Rgb([20, 40, 90]));
    pixels.save(place.path("lake.jpg")).expect("a picture");
    place.done(&["content", "image", "add", "lake", "lake.jpg", "--alt", "A lake"]);
    let winner = "[[after.winners]]\naward = \"Lash Lift\"\nname = \"Wanda Winner\"";
    import(
        &place,
        &edited(&[
            (
                "# [[after.winners]]\n# award = \"Lash Lift\"\n# name = \"Name of the artist\"\n# business = \"Studio, city\"",
                winner,
            ),
            ("image = \"\"\nalt = \"A closed eye", "image = \"lake\"\nalt = \"A closed eye"),
        ]),
    );
    // Beside a running server.
    let archive = closed(&place);
    let files = names(&archive);
    for name in [
        "showcase.db",
        "content.toml",
        "manifest.json",
        "pages/index.html",
        "pages/faq.html",
        "exports/speaker-applications.csv",
        "exports/registrations.xlsx",
        "exports/nominations.csv",
        "exports/scores.csv",
        "exports/results.csv",
    ] {
        assert!(files.iter().any(|file| file == name), "{name}: {files:?}");
    }
    assert!(!files.iter().any(|file| file.contains("export-data")), "{files:?}");
    let email = speaker()["email"].as_str().expect("an address").to_owned();
    assert!(read(&archive, "exports/speaker-applications.csv").contains(&email));
    let left: Vec<_> = std::fs::read_dir(place.path("archive"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name())
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
    drop(server);

    let archive = archive.to_str().expect("a path");
    let start = |database: &str| {
        place.run(&["edition", "new", "--from", archive, "--shift-days", "364", "--database", database])
    };
    let done = start("next.db");
    let said = text(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("now on March 27-28, 2027") && said.contains(", 1 picture,"), "{said}");
    let again = start("next.db");
    assert_eq!(again.status.code(), Some(1), "an edition is not started twice");
    assert!(text(&again.stderr).contains("exists already"));
    let toml = place.done(&["content", "export", "--database", "next.db"]);
    assert!(toml.contains("Wanda Winner") && toml.contains("image = \"lake\""));
    let next = open(&place.path("next.db"));
    let count = |sql: &str| next.query_row(sql, [], |row| row.get::<_, i64>(0)).expect(sql);
    assert_eq!(count("select count(*) from speaker_applications"), 0);
    assert_eq!(count("select count(*) from outbox"), 0);
    assert_eq!(count("select count(*) from image_sizes"), 2);
    let bytes = std::fs::read(place.path("next.db")).expect("a file");
    assert!(!contains(&bytes, &email), "no address of the former edition");
    let partial = std::fs::read_dir(place.folder.path()).expect("a folder");
    let partial: Vec<_> = partial
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .filter(|name| name.contains("partial"))
        .collect();
    assert_eq!(partial, [""; 0]);
    // It serves, and its organisers see what is to be confirmed.
    let server = place.serve_with(&["--database", "next.db"]);
    assert!(server.get("/", &[]).text().contains("March 27-28, 2027"));
    let cookie = server.sign_in();
    let draft = server.get("/api/content/draft", &[("cookie", &cookie)]).json();
    let samples = draft["samples"].as_array().expect("samples");
    let is_marked = |key: &str| samples.iter().any(|sample| sample == key);
    assert!(is_marked("event.summary") && is_marked("venue") && is_marked("pass.priceNote"), "{samples:?}");
    let unconfirmed = draft["unconfirmed"].as_array().expect("texts");
    assert!(unconfirmed.contains(&"event.summary".into()) && !unconfirmed.contains(&"venue".into()));
    let steps = server.get("/api/first-steps", &[("cookie", &cookie)]).json();
    let expected =
        format!("{} texts of the former edition name a date and are to be confirmed.", unconfirmed.len());
    assert_eq!(
        (&steps["items"][1]["detail"], &steps["items"][1]["view"]),
        (&expected.into(), &"unconfirmed".into())
    );
    // A text is confirmed by saving it.
    let summary = draft["content"]["event"]["summary"].clone();
    let body = json!({ "changes": [{ "path": "event.summary", "value": summary }] });
    let saved = server.call(&cookie, "PATCH", "/api/content/draft", &body).expect(200);
    let samples = saved.json()["samples"].clone();
    assert!(samples.as_array().expect("samples").iter().all(|sample| sample != "event.summary"), "{samples}");
    let confirmed = json!({ "kind": "confirmed", "path": "event.summary", "value": summary });
    assert_eq!(saved.json()["changes"], json!([confirmed]));
    assert_eq!(saved.json()["unconfirmed"].as_array().map(Vec::len), Some(unconfirmed.len() - 1));
}

/// Starts the next edition, 364 days later, and returns what the command says.
fn started(place: &Place, archive: &Path, database: &str) -> String {
    let archive = archive.to_str().expect("a path");
    let done =
        place.run(&["edition", "new", "--from", archive, "--shift-days", "364", "--database", database]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stderr)
}

#[test]
fn published_winners_that_nobody_typed_are_those_of_a_past_edition_in_the_next() {
    let site = JudgingSite::with_nominations(2);
    let judge = site.judge("Mona");
    assert_eq!(site.set_panel(&[&judge], &[]).status, 200);
    for (number, total) in [(0, 80), (1, 90)] {
        site.score(&judge, &code(number), total);
    }
    let place = site.place();
    let next = |database: &str| {
        started(place, &closed(place), database);
        place.done(&["content", "export", "--database", database])
    };
    assert_eq!(site.act("seal", &json!({})).status, 200);
    assert!(!next("sealed.db").contains("Artist Canary"), "sealed results are not public");
    assert_eq!(site.act("publish", &json!({})).status, 200);
    let content: toml::Table = next("published.db").parse().expect("TOML");
    let past = content["after"].get("past").and_then(|past| past.get(0)).expect("a past edition");
    assert!(past["dates"].as_str().is_some_and(|dates| dates.starts_with("March 28-29, ")), "{past}");
    let winners = past["winners"].as_array().expect("winners");
    let [winner] = winners.as_slice() else { panic!("first places alone: {winners:?}") };
    assert_eq!(
        (winner["award"].as_str(), winner["name"].as_str(), winner["business"].as_str()),
        (Some("Lash Extensions - Volume"), Some("Artist Canary 1"), Some("Canary Studio 1"))
    );
}

#[test]
fn who_has_unsubscribed_stays_so_in_the_next_edition_and_old_links_work() {
    let mails = SmtpServer::start(Behaviour { max_connections: usize::MAX, min_concurrent: 1 });
    let (place, server) = served(&format!("{ADMIN}{}{AT_ONCE}", mails.settings(2)));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 2);
    let id = organiser.draft(&json!({ "kind": "waitlist-signups" }), "News", "Hello");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    let link = |email: &str| {
        let sql =
            format!("select count(*) from outbox where cause like 'mailing/%' and recipient = '{email}'");
        place.wait_for_sql("the email", &sql, 1);
        let mail = place.mail_text(&format!("cause like 'mailing/%' and recipient = '{email}'"));
        let token = mail.split("/unsubscribe/").nth(1).expect("a link").trim().to_owned();
        format!("/unsubscribe/{token}")
    };
    let (first, second) = (link("p1@example.com"), link("p2@example.com"));
    let form = [("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(server.send("POST", &first, &form, "List-Unsubscribe=One-Click").status, 200);
    // A text of a standard email that names a date, and one that names none.
    let cookie = server.sign_in();
    for (name, body) in
        [("reminder", "Please pay until March 1."), ("confirmation.waitlist-signups", "Thanks.")]
    {
        let body = json!({ "subject": "A subject", "text": body });
        server.call(&cookie, "PATCH", &format!("/api/mail-texts/{name}"), &body).expect(200);
    }
    let said = started(&place, &closed(&place), "next.db");
    assert!(said.contains("2 edited texts of standard emails"), "{said}");
    assert!(
        said.contains("reminder") && !said.contains("confirmation.waitlist"),
        "which names a date: {said}"
    );
    drop(server);

    let next = open(&place.path("next.db"));
    let count = |sql: &str| next.query_row(sql, [], |row| row.get::<_, i64>(0)).expect(sql);
    assert_eq!(count("select count(*) from unsubscribed"), 1);
    assert_eq!(count("select count(*) from waitlist_signups"), 0);
    assert_eq!(count("select count(*) from mail_texts where actor = 'command line'"), 2);
    let bytes = std::fs::read(place.path("next.db")).expect("a file");
    assert!(!bytes.windows(14).any(|part| part == b"p1@example.com"), "only a hash");
    next.execute(
        "insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations)
         values ('2027-01-01T00:00:00.000Z', 'Person', 'P1@example.com', 1, '0')",
        [],
    )
    .expect("a signup");
    let server = place.serve_with(&["--database", "next.db"]);
    let organiser = Organiser::of(&server);
    let group = json!({ "group": { "kind": "waitlist-signups" } });
    let counted = organiser.done("POST", "/count", &group);
    assert_eq!((&counted["recipients"], &counted["unsubscribed"]), (&json!(0), &json!(1)), "{counted}");
    assert_eq!(server.send("POST", &second, &form, "List-Unsubscribe=One-Click").status, 200);
    assert_eq!(count("select count(*) from unsubscribed"), 2);
}

#[test]
fn a_damaged_archive_starts_nothing() {
    let place = migrated("");
    let archive = closed(&place);
    let whole = std::fs::read(&archive).expect("a file");
    let start = |bytes: &[u8]| {
        std::fs::write(place.path("a.zip"), bytes).expect("written");
        let done =
            place.run(&["edition", "new", "--from", "a.zip", "--shift-days", "364", "--database", "b.db"]);
        assert!(!place.path("b.db").exists() || done.status.success());
        done
    };
    let mut flipped = whole.clone();
    flipped[5_000] ^= 1;
    for bytes in [&b""[..], b"no archive", &whole[..whole.len() / 2], &flipped] {
        let done = start(bytes);
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    }
    let far = ["edition", "new", "--from", "a.zip", "--shift-days", "99999999", "--database", "b.db"];
    std::fs::write(place.path("a.zip"), &whole).expect("written");
    let done = place.refused(&far);
    assert!(done.contains("cannot be moved"), "{done}");
    assert!(start(&whole).status.success());
}

#[test]
fn a_command_killed_while_it_archives_leaves_no_archive_that_looks_complete() {
    let place = migrated("");
    for round in 0..3 {
        let mut command = place.command(&["edition", "close"]);
        let quiet = std::process::Stdio::null;
        let mut child = command.stdout(quiet()).stderr(quiet()).spawn().expect("it runs");
        std::thread::sleep(std::time::Duration::from_millis(150 * round));
        child.kill().expect("killed");
        child.wait().expect("it ended");
        let Ok(files) = std::fs::read_dir(place.path("archive")) else { continue };
        for file in files.map(|entry| entry.expect("a file").path()) {
            if file.extension().is_some_and(|ending| ending == "zip") {
                let manifest = read(&file, "manifest.json");
                assert!(manifest.contains("showcase.db"), "{manifest}");
            }
        }
    }
    closed(&place);
}
