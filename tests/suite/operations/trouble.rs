//! A nearly full disk, a full one, or a damaged database. The site shows its pages, loses nothing, says what is wrong,
//! and recovers by itself.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;

use serde_json::json;

use crate::support::{Place, Server, limit_files, served, text, wait_for, waitlist};

const REPORTS: &str = "[reports]\nrecipient = 'organiser@example.com'\n";

fn sent(server: &Server, email: &str) -> u16 {
    server.post("/api/waitlist-signups", &waitlist(email)).status
}

#[test]
fn a_nearly_full_disk_makes_the_site_read_only_and_warns_the_organiser_once() {
    // No disk has this much space.
    let limits = "[limits]\nfree_megabytes = 1000000000000\n[admin]\npassword = 'correct-horse-battery'\n";
    let (place, server) = served(&format!("{REPORTS}{limits}"));
    wait_for("the look at the disk", || (sent(&server, "a@example.com") == 503).then_some(()));
    let refused = server.post("/api/waitlist-signups", &waitlist("b@example.com"));
    assert_eq!((refused.status, refused.header("retry-after")), (503, "120"));
    assert!(
        refused.json()["detail"].as_str().expect("a sentence").contains("nearly full"),
        "{}",
        refused.text()
    );
    for path in ["/", "/healthz", "/readyz"] {
        assert_eq!(server.get(path, &[]).status, 200, "{path}");
    }
    let backup = text(&place.run(&["backup"]).stderr);
    assert!(backup.contains("that stay free (limits.free_megabytes)"), "{backup}");
    let other_disk = tempfile::tempdir_in("/dev/shm").expect("a folder");
    let elsewhere = other_disk.path().join("rescued.db.gz");
    place.done(&["backup", &elsewhere.to_string_lossy()]);
    let signed_in = server.post("/api/admin/session", &json!({ "password": "correct-horse-battery" }));
    assert_eq!(signed_in.status, 204, "the organiser may look, and save what is there");
    wait_for("the line in the log", || place.log().contains("Free some space").then_some(()));
    let alarms = "select count(*) from outbox where cause like 'trouble/%'";
    place.wait_for_sql("the mail", alarms, 1);
    drop(server);
    let again = place.serve();
    wait_for("the look at the disk", || (sent(&again, "c@example.com") == 503).then_some(()));
    let recipients: String =
        place.sql("select group_concat(recipient) from outbox where cause like 'trouble/%'");
    assert_eq!(recipients, "organiser@example.com");
    let told = place.mail_text("cause like 'trouble/%'");
    assert!(told.contains("nearly full"), "{told}");
    let report = place.done(&["report", "daily", "--print"]);
    assert!(report.contains("nearly full"), "{report}");
}

/// A database that has more pages than its schema needs, without a server.
fn place_of_sixty() -> Place {
    let (place, mut server) = served(REPORTS);
    for number in 0..60 {
        assert_eq!(sent(&server, &format!("n{number}@example.com")), 201);
    }
    server.stop();
    place
}

#[test]
fn a_damaged_database_is_detected_and_a_repaired_one_too() {
    let place = place_of_sixty();
    let page: i64 =
        place.sql("select rootpage from sqlite_master where tbl_name = 'waitlist_signups' and type = 'index' and sql is not null");
    let file = OpenOptions::new().read(true).write(true).open(place.database()).expect("the file");
    let offset = (u64::try_from(page).expect("a page") - 1) * 4096;
    let mut whole = vec![0; 4096];
    file.read_exact_at(&mut whole, offset).expect("a page");
    file.write_all_at(&[0xff; 4096], offset).expect("damaged");
    let server = place.serve();
    wait_for("the damage to be noticed", || place.log().contains("is damaged").then_some(()));
    wait_for("the refusal", || (sent(&server, "late@example.com") == 503).then_some(()));
    assert_eq!(server.get("/", &[]).status, 200);
    assert!(place.log().contains("showcase restore"), "{}", place.log());
    file.write_all_at(&whole, offset).expect("mended");
    wait_for("the recovery", || place.log().contains("accepts registrations again").then_some(()));
    assert_eq!(sent(&server, "later@example.com"), 201);
}

#[test]
fn damage_while_serving_is_detected() {
    let place = place_of_sixty();
    let server = place.serve();
    wait_for("the first check", || (sent(&server, "early@example.com") == 201).then_some(()));
    let file = OpenOptions::new().write(true).open(place.database()).expect("the file");
    let size = file.metadata().expect("its size").len();
    let noise = vec![0xa5; usize::try_from(size - 10 * 4096).expect("a size")];
    file.write_all_at(&noise, 10 * 4096).expect("damaged");
    wait_for("the damage to be met", || (sent(&server, "late@example.com") == 503).then_some(()));
    wait_for("the damage to be noticed", || place.log().contains("is damaged").then_some(()));
    assert_eq!(server.get("/", &[]).status, 200);
    let repeated = place.log().matches("publishing the new content").count();
    assert!(repeated < 5, "said {repeated} times:\n{}", place.log());
}

#[test]
fn a_missing_database_beside_backups_is_no_new_installation() {
    let place = Place::new(REPORTS);
    drop(place.serve());
    place.done(&["backup"]);
    std::fs::remove_file(place.database()).expect("lost");
    let again = place.serve();
    wait_for("the warning", || place.log().contains("showcase restore").then_some(()));
    drop(again);
}

#[test]
fn a_full_disk_stores_nothing_partially_and_the_site_recovers_when_there_is_space() {
    let (place, server) = served("[backup]\nevery_hours = 0\n");
    assert_eq!(sent(&server, "before@example.com"), 201);
    // Files may not grow any more, which looks like a full disk.
    limit_files(&server, &place.path("showcase.db-wal").metadata().expect("the log").len().to_string());
    let refused = server.post("/api/waitlist-signups", &waitlist("during@example.com"));
    assert_eq!((refused.status, refused.header("retry-after")), (503, "5"), "{}", refused.text());
    assert_eq!(server.get("/faq", &[]).status, 200);
    limit_files(&server, "unlimited");
    assert_eq!(sent(&server, "after@example.com"), 201);
    let kept: String =
        place.sql("select group_concat(email) from (select email from waitlist_signups order by id)");
    assert_eq!(kept, "before@example.com,after@example.com");
    let unmatched: i64 =
        place.sql("select (select count(*) from waitlist_signups) - (select count(*) from outbox)");
    assert_eq!(unmatched, 0);
}
