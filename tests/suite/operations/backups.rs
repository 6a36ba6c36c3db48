//! Backups and restores.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::emails::mailings::{AT_ONCE, Organiser};
use crate::support::paid_site::{PaidSite, entry};
use crate::support::small_disk::SmallDisk;
use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::{
    ADMIN, BINARY, Place, clock, migrated, names_in, open, served, text, wait_for, waitlist,
};

#[test]
fn a_backup_made_while_the_server_runs_is_restored_completely() {
    let (place, mut server) = served("");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("before@example.com")).status, 201);
    let made = place.done(&["backup", "kept.db.gz"]);
    assert_eq!(made.trim(), "kept.db.gz");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("after@example.com")).status, 201);
    let running = place.refused(&["restore", "kept.db.gz", "--yes"]);
    assert!(running.contains("Stop it first"), "{running}");
    let live = place.refused(&["restore", "showcase.db", "--database", "other.db", "--yes"]);
    assert!(live.contains("showcase.db is the database of a running server"));
    server.stop();
    let dry = place.run(&["restore", "kept.db.gz", "--dry-run"]);
    assert!(text(&dry.stdout).contains("1  waitlist-signups"), "{}", text(&dry.stdout));
    let unasked = place.run(&["restore", "kept.db.gz"]);
    assert!(text(&unasked.stderr).contains("--yes"));
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 2, "nothing was changed");
    place.done(&["restore", "kept.db.gz", "--yes"]);
    assert_eq!(place.sql::<String>("select group_concat(email) from waitlist_signups"), "before@example.com");
    let safety = names_in(place.folder.path()).into_iter().find(|name| name.contains(".before-restore-"));
    let kept: i64 = open(&place.path(&safety.expect("the safety copy")))
        .query_row("select count(*) from waitlist_signups", [], |row| row.get(0))
        .expect("a count");
    assert_eq!(kept, 2);
    assert_eq!(place.serve().get("/readyz", &[]).status, 200);
}

#[test]
fn a_restore_sends_nothing_twice_and_forgets_no_wish() {
    let mails = SmtpServer::start(Behaviour { max_connections: 10, min_concurrent: 1 });
    let (place, mut server) = served(&(mails.settings(1) + ADMIN + AT_ONCE));
    for name in ["ada", "bea", "cleo", "dora"] {
        let email = format!("{name}@example.com");
        assert_eq!(server.post("/api/waitlist-signups", &waitlist(&email)).status, 201);
    }
    wait_for("the confirmations", || (mails.recipients().len() == 4).then_some(()));
    let ended = server.sign_in();
    // Two emails wait, a mailing is under way.
    mails.refuse_with(Some("550 5.4.5 Daily user sending limit exceeded."));
    let organiser = Organiser::of(&server);
    let id = organiser.draft(&json!({ "kind": "waitlist-signups" }), "News", "Doors open at nine.");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    let waiting = "select count(*) from outbox where state = 'waiting'";
    place.wait_for_sql("the emails", waiting, 4);
    let begun =
        "insert into judges (created_at, name, email) values ('2026-01-01', 'Mona', 'mona@example.org')";
    place.execute(begun);
    place.done(&["backup", "kept.db"]);

    // They leave, and people have wishes.
    let daily = "insert into outbox (created_at, state, due_at, sent_at, cause, message_id, recipient, subject)
         values ('2026-01-02', 'sent', '2026-01-02', '2026-01-02', 'report/daily/2026-01-02', '<1@x>', 'o@example.com', 'Report');
         insert into settings (key, value, changed_at) values ('reports.last_daily_run', '2026-01-02', '2026-01-02');
         update judges set name = '(erased)', email = '(erased) 1', removed_at = '2026-01-02'";
    place.execute(daily);
    mails.refuse_with(None);
    place.done(&["outbox", "retry"]);
    wait_for("the news", || (mails.recipients().len() == 8).then_some(()));
    place.wait_for_sql("the notes", waiting, 0);
    let news = mails.last_to("ada@example.com").expect("the news");
    let link = news.split_once("/unsubscribe/").expect("a link").1;
    let token: String = link.chars().take_while(char::is_ascii_alphanumeric).collect();
    assert_eq!(server.post(&format!("/unsubscribe/{token}"), &json!({})).status, 200);
    place.done(&["person", "erase", "bea@example.com", "--yes"]);
    assert_eq!(server.send("DELETE", "/api/admin/session", &[("cookie", &ended)], "").status, 204);
    server.stop();

    let restored = place.run(&["restore", "kept.db", "--yes"]);
    let told = text(&restored.stderr);
    assert!(restored.status.success(), "{told}");
    for expected in ["stay unsubscribed: 1.", "erased again: 1.", "stay ended: 1."] {
        assert!(told.contains(expected), "{expected}: {told}");
    }
    let stored: String =
        place.sql("select group_concat(email) from (select email from waitlist_signups order by id)");
    assert_eq!(stored, "ada@example.com,cleo@example.com,dora@example.com", "erased again");
    let again = "select (select count(*) from outbox where cause = 'report/daily/2026-01-02') || ' '
         || (select value from settings where key = 'reports.last_daily_run') || ' ' || (select name from judges)";
    assert_eq!(place.sql::<String>(again), "1 2026-01-02 (erased)");
    let server = place.serve();
    assert_eq!(server.get("/api/attention", &[("cookie", &ended)]).status, 401, "signed out before");
    place.done(&["outbox", "retry"]);
    let organiser = Organiser::of(&server);
    assert_eq!(organiser.done("GET", &format!("/{id}"), &Value::Null)["state"], "sent");
    let again = organiser.draft(&json!({ "kind": "waitlist-signups" }), "More news", "Bring a friend.");
    organiser.done("POST", &format!("/{again}/send"), &Value::Null);
    wait_for("more news", || (mails.recipients().len() == 10).then_some(()));
    let mut last = mails.recipients().split_off(8);
    last.sort();
    assert_eq!(last, ["cleo@example.com", "dora@example.com"], "nobody else, and nothing twice");
}

#[test]
fn a_mailing_that_began_since_the_backup_has_the_text_that_people_have_got() {
    let (place, mut server) = served(ADMIN);
    let organiser = Organiser::of(&server);
    let group = json!({ "kind": "waitlist-signups" });
    organiser.draft(&group, "First thoughts", "Doors open at eight.");
    place.done(&["backup", "kept.db"]);
    let sent =
        "update mailings set state = 'sending', started_at = '2026-01-02', version = 2, subject = 'News',
         text = 'Doors open at nine.', notice = 'time', audience = json_set(audience, '$.status', 'new')";
    place.execute(sent);
    server.stop();
    place.done(&["restore", "kept.db", "--yes"]);
    let stored = "select state || ', ' || version || ', ' || subject || ', ' || text || ' ' || notice || ', '
         || json_extract(audience, '$.status') from mailings";
    assert_eq!(place.sql::<String>(stored), "paused, 2, News, Doors open at nine. time, new");
}

#[test]
fn a_restore_over_an_unreadable_database_keeps_it_with_its_log_holds_what_waits_and_says_what_is_lost() {
    let (place, mut server) = served("");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("ada@example.com")).status, 201);
    place.done(&["backup", "kept.db"]);
    server.stop();
    std::fs::write(place.database(), "damaged").expect("a file");
    std::fs::write(place.path("showcase.db-wal"), "the newest writes").expect("a file");
    let restored = place.run(&["restore", "kept.db", "--yes"]);
    let told = text(&restored.stderr);
    assert!(restored.status.success() && told.contains("Nothing was carried over"), "{told}");
    let safety = told.lines().find_map(|line| line.strip_prefix("The previous database is kept as "));
    let safety = safety.expect("where").trim_end_matches('.');
    assert_eq!(std::fs::read_to_string(safety).expect("it"), "damaged");
    assert_eq!(std::fs::read_to_string(format!("{safety}-wal")).expect("it"), "the newest writes");
    assert!(told.contains("may have been sent already are held (send"), "{told}");
    assert!(told.contains("No mail server is set (smtp.host)"), "{told}");
    let held: String = place.sql("select state || ' ' || last_error from outbox");
    assert!(held.starts_with("failed This email is from a backup"), "{held}");
    assert_eq!(text(&place.run(&["outbox", "retry"]).stdout).trim(), "1");
    assert_eq!(place.sql::<String>("select state from outbox"), "waiting", "released");
}

#[test]
fn a_backup_is_a_plain_database_unless_its_name_ends_in_gz_and_both_are_restored() {
    let (place, mut server) = served("");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("kept@example.com")).status, 201);
    for name in ["plain.db", "packed.db.gz"] {
        place.done(&["backup", name]);
        let mode = std::fs::metadata(place.path(name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let start = |name: &str| std::fs::read(place.path(name)).expect("a file")[..2].to_owned();
    assert_eq!((start("plain.db"), start("packed.db.gz")), (b"SQ".to_vec(), vec![0x1f, 0x8b]));
    let kept: String = open(&place.path("plain.db"))
        .query_row("select email from waitlist_signups", [], |row| row.get(0))
        .expect("the database as it is");
    assert_eq!(kept, "kept@example.com");
    let left = names_in(place.folder.path());
    assert!(!left.iter().any(|name| name.contains(".copy") || name.contains(".partial")), "{left:?}");
    server.stop();
    // The content decides, not the name.
    std::fs::rename(place.path("plain.db"), place.path("renamed.gz")).expect("a name");
    std::fs::rename(place.path("packed.db.gz"), place.path("renamed.db")).expect("a name");
    // Packed, and no backup.
    let photos = gzip(&[7; 1_000], 0);
    std::fs::write(place.path("photos.tar.gz"), &photos).expect("a file");
    place.refused(&["backup", "photos.tar.gz"]);
    assert_eq!(std::fs::read(place.path("photos.tar.gz")).expect("the file"), photos);
    for name in ["renamed.gz", "renamed.db"] {
        place.execute("delete from waitlist_signups");
        place.done(&["restore", name, "--yes"]);
        assert_eq!(place.sql::<String>("select email from waitlist_signups"), "kept@example.com");
    }
}

#[test]
fn a_restore_through_a_symbolic_link_replaces_its_target() {
    let place = migrated("");
    place.done(&["backup", "kept.db.gz"]);
    // On another disk than the link, so that files cannot be renamed to it.
    let disk = tempfile::tempdir_in("/dev/shm").expect("a folder");
    let own = disk.path().join("event.db");
    std::fs::copy(place.database(), &own).expect("a copy");
    std::fs::remove_file(place.database()).expect("removed");
    std::os::unix::fs::symlink(&own, place.database()).expect("a link");
    for _ in 0..2 {
        place.done(&["restore", "kept.db.gz", "--yes"]);
    }
    assert!(place.database().is_symlink(), "the link stays one");
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 0);
    let names = names_in(disk.path());
    let safety = names.iter().filter(|name| name.contains(".before-restore-")).count();
    assert_eq!((safety, names.len()), (2, 3), "both copies of what was there, and nothing else: {names:?}");
}

#[test]
fn a_plain_file_is_restored_with_the_log_beside_it() {
    let (place, mut server) = served("");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("newest@example.com")).status, 201);
    // The files of a server that was killed.
    server.signal("KILL");
    server.wait_for_exit();
    std::fs::create_dir(place.path("saved")).expect("a folder");
    for name in ["showcase.db", "showcase.db-wal"] {
        std::fs::copy(place.path(name), place.path("saved").join(name)).expect("a copy");
    }
    let elsewhere = Place::new("");
    // Left behind by a restore that was killed.
    std::fs::write(elsewhere.path("showcase.db.restoring-wal"), "of another file").expect("a file");
    let saved = place.path("saved").join("showcase.db");
    let restored = elsewhere.done(&["restore", &saved.to_string_lossy(), "--yes"]);
    assert!(restored.contains("1  waitlist-signups"), "{restored}");
    assert_eq!(elsewhere.sql::<String>("select email from waitlist_signups"), "newest@example.com");
    assert!(!elsewhere.path("showcase.db.restoring-wal").exists());
}

#[test]
fn an_incomplete_backup_is_refused_and_changes_nothing() {
    let place = migrated("");
    place.done(&["backup", "kept.db.gz"]);
    let whole = std::fs::read(place.path("kept.db.gz")).expect("the backup");
    std::fs::write(place.path("cut.db.gz"), &whole[..whole.len() / 2]).expect("a file");
    std::fs::File::create(place.path("text.db"))
        .and_then(|mut file| file.write_all(b"no database"))
        .expect("a file");
    let other = rusqlite::Connection::open(place.path("other.db")).expect("a database");
    other.execute_batch("create table x (y)").expect("a table");
    for name in ["cut.db.gz", "text.db", "other.db", "missing.db"] {
        let refused = place.refused(&["restore", name, "--yes"]);
        assert!(refused.contains(name), "{refused}");
        assert_eq!(refused.lines().count(), 1);
    }
    place.done(&["migrate", "--status"]);
    assert!(!place.path("showcase.db.restoring").exists());
    place.refused(&["backup", "/proc/no/such/place.db.gz"]);
}

/// A gzip file of these bytes and then of zeros.
fn gzip(start: &[u8], zeros: u64) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(start).expect("gzip");
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), zeros), &mut packed).expect("gzip");
    packed.finish().expect("gzip")
}

/// Runs a command that can write at most so many blocks of 512 bytes to a file.
fn run_with_small_files(place: &Place, blocks: u64, command: &str) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {BINARY} {command}");
    let ended = Command::new("sh").args(["-c", &script]).current_dir(place.folder.path()).output();
    ended.expect("a shell")
}

#[test]
fn a_backup_is_unpacked_only_if_it_holds_a_database_and_only_up_to_its_size() {
    let place = migrated("");
    let database = std::fs::read(place.database()).expect("the database");
    let mut huge = database.clone();
    huge[28..32].copy_from_slice(&u32::MAX.to_be_bytes());
    let limit = 50_000_000;
    for (name, bytes, words) in [
        ("zeros.db.gz", gzip(b"", 4 * limit), "zeros.db.gz does not contain a database"),
        ("more.db.gz", gzip(&database, 4 * limit), "there is more data after the "),
        ("huge.db.gz", gzip(&huge, 4 * limit), "the disk has "),
    ] {
        std::fs::write(place.path(name), bytes).expect("a file");
        // A file that grows beyond the limit would be reported as a write error.
        let refused = run_with_small_files(&place, limit / 512, &format!("restore {name} --yes"));
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{name}: {told}");
        assert!(told.contains(words) && !told.contains("too large"), "{name}: {told}");
        assert!(!place.path("showcase.db.restoring").exists(), "{name}");
    }
    std::fs::write(place.path("whole.db.gz"), gzip(&database, 0)).expect("a file");
    place.done(&["restore", "whole.db.gz", "--yes"]);
}

#[test]
fn a_full_disk_is_reported_to_the_host_and_not_with_the_message_for_visitors() {
    let place = migrated("");
    place.done(&["backup", "kept.db.gz"]);
    for (command, words) in [
        ("backup more.db.gz", "disk I/O error"),
        ("restore kept.db.gz --yes", "cannot be unpacked to"),
        ("migrate --database other.db", "disk I/O error"),
    ] {
        // A limit on the size of files simulates a full disk.
        let refused = run_with_small_files(&place, 0, command);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{command}: {told}");
        assert!(told.contains(words) && !told.contains("on your side"), "{command}: {told}");
    }
    place.done(&["migrate", "--status"]);
}

#[test]
fn a_server_backs_up_by_itself_and_keeps_the_newest() {
    let place = Place::new("[backup]\nkeep = 2\n");
    let folder = place.path("backups");
    std::fs::create_dir(&folder).expect("a folder");
    // Files that do not count: another database's backup, another file, and a backup dated in the future.
    let others = ["event-20240101T000000Z.db.gz", "notes.txt", "showcase-20990101T000000Z.db.gz"];
    let ours = ["showcase-20250101T000000Z.db.gz", "showcase-20250102T000000Z.db.gz"];
    for name in others.into_iter().chain(ours) {
        std::fs::write(folder.join(name), "old").expect("a file");
    }
    // Copies of the database: from an upgrade before the oldest backup, from a later one, and from a restore.
    let copies = ["showcase.db.schema-5.backup", "showcase.db.schema-6.backup"];
    let of_a_restore = "showcase.db.before-restore-20240101T000000Z";
    for name in copies.into_iter().chain([of_a_restore]) {
        let file = std::fs::File::create(place.path(name)).expect("a file");
        if name != copies[1] {
            file.set_modified(SystemTime::UNIX_EPOCH).expect("an older file");
        }
    }
    // Temporary files: some of a killed process, and one in use.
    let halves = ["showcase-20250103T000000Z.db.gz.copy.partial", "showcase-20250103T000000Z.db.gz.partial"];
    for name in halves {
        let file = std::fs::File::create(folder.join(name)).expect("a file");
        file.set_modified(SystemTime::from(clock::now() - chrono::TimeDelta::hours(2)))
            .expect("an older file");
    }
    let in_hand = "showcase-20990102T000000Z.db.gz.copy";
    std::fs::write(folder.join(in_hand), "by another process").expect("a file");
    let of_the_host = "showcase-20250102T000000Z.db.gz.sha256";
    std::fs::File::create(folder.join(of_the_host))
        .and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH))
        .expect("an older file");
    let _server = place.serve();
    wait_for("the oldest backup to go", || (!folder.join(ours[0]).exists()).then_some(()));
    wait_for("the older copy to go", || (!place.path(copies[0]).exists()).then_some(()));
    assert!(place.path(copies[1]).exists() && place.path(of_a_restore).exists());
    let names = names_in(&folder);
    let expected = [others[0], others[1], ours[1], of_the_host, names[4].as_str(), others[2], in_hand];
    assert_eq!(names, expected, "the one before the newest stays, and what is not ours");
    place.done(&["restore", &format!("backups/{}", names[4]), "--dry-run"]);
}

#[test]
fn a_restore_without_room_for_a_copy_of_the_current_database_changes_nothing() {
    let place = migrated("");
    place.done(&["backup", "kept.db.gz"]);
    // A file with a hole: it takes no space, but a copy of it might.
    let current = std::fs::OpenOptions::new().write(true).open(place.database()).expect("the database");
    current.set_len(1 << 43).expect("a length");
    let refused = place.run(&["restore", "kept.db.gz", "--yes"]);
    let told = text(&refused.stderr);
    assert!(told.contains("A restore needs 8796") && told.contains("nothing was changed"), "{told}");
    let names = names_in(place.folder.path());
    assert!(!names.iter().any(|name| name.contains("restor")), "{names:?}");
}

#[test]
fn a_slow_backup_delays_no_payment_sweep() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::mount_ext4(folder.path()) else {
        return eprintln!("skipped: this user may not mount a file system, so that none can be frozen");
    };
    let backups = disk.folder().join("backups");
    let mut site = PaidSite::with_config(&format!("[backup]\nfolder = '{}'\n", backups.display()));
    site.stripe.pay(&site.create_intent("key-1", &entry("ada@example.com")));
    site.server.kill();
    site.place.execute("update competition_entries set created_at = '2026-11-18T12:00:00.000Z'");
    let _ = std::fs::remove_dir_all(&backups);
    // Every write to the disk waits until it is thawed.
    let frozen = disk.freeze();
    site.server = site.place.serve();
    wait_for("the sweep", || (site.status("ada@example.com") == "paid").then_some(()));
    assert!(!backups.exists(), "the backup still waits");
    drop(frozen);
    wait_for("the backup", || names_in(&backups).iter().any(|name| name.ends_with(".gz")).then_some(()));
}
