//! A disk that is truly full or read-only. The organiser can still sign in, and read and save everything.

use serde_json::json;

use crate::support::small_disk::SmallDisk;
use crate::support::{ADMIN, PASSWORD, Place, Server, wait_for, waitlist};

const READS: [&str; 9] = [
    "/api/waitlist-signups",
    "/api/waitlist-signups/1",
    "/api/export/csv",
    "/api/export/json",
    "/api/export/xlsx",
    "/api/audit",
    "/api/attention",
    "/api/outbox",
    "/api/admin/sessions",
];

/// A site on this disk with a registration, and the cookie of an organiser who signed in some time ago.
fn site(place: &Place) -> (Server, String) {
    let limits = "[limits]\nwrites_per_minute = 0\nfree_megabytes = 0\n[backup]\nevery_hours = 0\n";
    std::fs::write(place.path("config.toml"), format!("{ADMIN}{limits}")).expect("a file");
    let server = place.serve();
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("ada@example.com")).status, 201);
    let cookie = server.sign_in();
    place.execute(
        "update sessions set last_seen_at = strftime('%Y-%m-%dT%H:%M:%fZ', last_seen_at, '-5 minutes')",
    );
    (server, cookie)
}

fn can_read_and_save_everything(server: &Server, cookie: &str) {
    for path in READS {
        let reply = server.get(path, &[("cookie", cookie)]);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    }
    let csv = server.get("/api/export/csv", &[("cookie", cookie)]).text();
    assert!(csv.contains("ada@example.com"), "{csv}");
}

fn while_nothing_can_be_written(server: &Server, signed_in_before: &str) -> String {
    let refused = server.post("/api/waitlist-signups", &waitlist("late@example.com"));
    assert_eq!(refused.status, 503, "{}", refused.text());
    can_read_and_save_everything(server, signed_in_before);
    let wrong = server.post("/api/admin/session", &json!({ "password": "a-wrong-guess" }));
    assert_eq!(wrong.status, 401, "{}", wrong.text());
    let cookie = server.sign_in_with(&json!({ "password": PASSWORD }));
    can_read_and_save_everything(server, &cookie);
    let other = server.sign_in_with(&json!({ "password": PASSWORD }));
    let signed_out = server.send("DELETE", "/api/admin/session", &[("cookie", &other)], "");
    assert_eq!(signed_out.status, 204, "{}", signed_out.text());
    assert!(!server.is_signed_in(&other) && server.is_signed_in(&cookie));
    cookie
}

#[test]
fn on_a_full_disk_an_organiser_reads_and_saves_everything() {
    let place = Place::new("");
    let Some(disk) = SmallDisk::mount(place.folder.path(), "30m") else {
        return eprintln!("skipped: this user may not mount a file system, so that no disk can be filled");
    };
    let (server, cookie) = site(&place);
    let filling = disk.fill();
    let signed_in = while_nothing_can_be_written(&server, &cookie);
    std::fs::remove_file(filling).expect("space again");
    // The session is stored when there is space, and ends with the others.
    wait_for("the session in the database", || {
        can_read_and_save_everything(&server, &signed_in);
        (place.sql::<i64>("select count(*) from sessions") == 2).then_some(())
    });
    wait_for("the recovery", || {
        (server.post("/api/waitlist-signups", &waitlist("later@example.com")).status == 201).then_some(())
    });
    let ended = server.send("DELETE", "/api/admin/session", &[("cookie", &signed_in)], "");
    assert_eq!((ended.status, server.is_signed_in(&signed_in)), (204, false));
    drop((server, place, disk));
}

#[test]
fn the_first_organiser_signs_in_on_a_full_disk_and_a_new_password_ends_that_session() {
    let place = Place::new("");
    let Some(disk) = SmallDisk::mount(place.folder.path(), "30m") else {
        return eprintln!("skipped: this user may not mount a file system, so that no disk can be filled");
    };
    let limits = "[limits]\nfree_megabytes = 0\n[backup]\nevery_hours = 0\n";
    std::fs::write(place.path("config.toml"), limits).expect("a file");
    let set = |password: &str| {
        let done = place.run_with_input(&["password"], &format!("{password}\n"));
        assert!(done.status.success(), "{}", crate::support::text(&done.stderr));
    };
    set(PASSWORD);
    let server = place.serve();
    let filling = disk.fill();
    let cookie = server.sign_in();
    assert!(server.is_signed_in(&cookie));
    std::fs::remove_file(filling).expect("space again");
    set("another-password-of-the-test");
    assert!(!server.is_signed_in(&cookie));
    drop((server, place, disk));
}

#[test]
fn on_a_disk_that_became_read_only_an_organiser_reads_and_saves_everything() {
    let place = Place::new("");
    let Some(disk) = SmallDisk::mount_ext4(place.folder.path()) else {
        return eprintln!(
            "skipped: this user may not mount a file system, so that none can become read-only"
        );
    };
    let (server, cookie) = site(&place);
    if !disk.fail() {
        return eprintln!("skipped: this kernel makes no ext4 fail on request");
    }
    while_nothing_can_be_written(&server, &cookie);
    drop((server, place, disk));
}
