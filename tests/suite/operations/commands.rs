//! Failing commands: their messages, and what they leave unchanged.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::unprivileged;
use crate::support::{Place, TIMEOUT, open, text, without_clock_warning};

fn migrated() -> Place {
    let place = Place::new("");
    assert!(place.run(&["migrate"]).status.success());
    place
}

#[test]
fn no_command_creates_a_missing_folder() {
    let place = migrated();
    for arguments in [
        ["backup", "no/such/x.db.gz"].as_slice(),
        &["export", "--output", "no/such/x.csv"],
        &["content", "export", "--output", "no/such/x.toml"],
    ] {
        let told = place.run(arguments);
        assert_eq!(told.status.code(), Some(1), "{arguments:?}");
        assert!(text(&told.stderr).contains("The folder no/such of "), "{}", text(&told.stderr));
        assert!(!place.path("no").exists());
    }
}

#[test]
fn a_backup_without_a_database_leaves_no_folder_behind() {
    let place = Place::new("");
    assert_eq!(place.run(&["backup"]).status.code(), Some(1));
    assert!(!place.path("backups").exists());
}

#[test]
fn a_backup_overwrites_an_earlier_backup_and_no_other_file() {
    let place = migrated();
    fs::write(place.path("empty.db.gz"), "").expect("a file");
    for file in ["same.db.gz", "same.db.gz", "empty.db.gz", "same.db", "same.db"] {
        assert!(place.run(&["backup", file]).status.success(), "{file}");
    }
    // For instance the database of another event.
    open(&place.path("same.db")).pragma_update(None, "journal_mode", "wal").expect("a database in use");
    let in_use = place.run(&["backup", "same.db"]);
    assert!(text(&in_use.stderr).contains("same.db already exists"), "{}", text(&in_use.stderr));
    fs::write(place.path("notes.txt"), "what I must not forget").expect("a file");
    let refused = place.run(&["backup", "notes.txt"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("notes.txt already exists"), "{}", text(&refused.stderr));
    assert_eq!(fs::read(place.path("notes.txt")).expect("the notes"), b"what I must not forget");
    let device = text(&place.run(&["backup", "/dev/full"]).stderr);
    assert!(device.contains("/dev/full") && !device.contains("--output"), "{device}");
}

#[test]
fn only_a_regular_file_is_read_or_overwritten_as_a_backup() {
    let place = migrated();
    let made = Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    for arguments in [
        ["restore", "pipe", "--dry-run"].as_slice(),
        &["restore", "/dev/zero", "--dry-run"],
        &["restore", "/dev/zero", "--yes"],
        &["backup", "pipe"],
        &["backup", "/dev/stdout"],
    ] {
        let told = run_to_end(place.command(arguments));
        let words = text(&told.stderr);
        assert_eq!(told.status.code(), Some(1), "{arguments:?}: {words}");
        assert!(words.contains("not a regular file") && words.lines().count() == 1, "{arguments:?}: {words}");
    }
}

/// Runs a command and returns its output. Panics if it does not end by itself.
fn run_to_end(mut command: Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the binary runs");
    let deadline = Instant::now() + TIMEOUT;
    while child.try_wait().expect("a process").is_none() {
        if Instant::now() > deadline {
            child.kill().expect("ended");
            panic!("{command:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    without_clock_warning(child.wait_with_output().expect("it ends"))
}

#[test]
fn a_wrong_date_is_answered_with_a_valid_example() {
    let place = migrated();
    for arguments in [
        ["export", "--from", "x"].as_slice(),
        &["export", "--to", "2026-02-30"],
        &["report", "daily", "--for", "tomorrow"],
    ] {
        let told = place.run(arguments);
        assert_eq!(told.status.code(), Some(2), "{arguments:?}");
        assert!(text(&told.stderr).contains("write one like 2026-03-28"), "{}", text(&told.stderr));
    }
}

#[test]
fn the_message_about_a_full_disk_ends_with_one_full_stop() {
    let place = migrated();
    let connection = open(&place.database());
    for _ in 0..300 {
        connection
            .execute(
                "insert into sponsor_inquiries (created_at, company, email, interest, message) values ('2026-01-01T00:00:00.000Z', 'c', 'e', 'booth', ?)",
                ["m".repeat(1000)],
            )
            .expect("a row");
    }
    for format in ["csv", "json", "xlsx"] {
        assert_reports_full_disk(&place, format);
    }
}

fn assert_reports_full_disk(place: &Place, format: &str) {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let told = place.command(&["export", "--format", format]).stdout(full).output().expect("the binary runs");
    let words = text(&told.stderr);
    assert!(words.trim_end().ends_with('.') && !words.trim_end().ends_with(".."), "{format}: {words}");
    assert_eq!(words.matches("No space left").count(), 1, "{format}: {words}");
}

#[test]
fn a_manual_page_names_the_program_it_belongs_to() {
    let place = Place::new("");
    let page = text(&place.run(&["man", "person", "erase"]).stdout);
    let title = page.lines().find(|line| line.starts_with(".TH")).expect("a title").to_owned();
    assert!(title.contains("showcase-person-erase") && title.contains("\"showcase "), "{title}");
    assert!(!title.contains("\"erase"), "{title}");
    fs::create_dir(place.path("pages")).expect("a folder");
    assert!(place.run(&["man", "--folder", "pages"]).status.success());
    assert_eq!(fs::read_to_string(place.path("pages/showcase-person-erase.1")).expect("a page"), page);
    assert!(place.path("pages/showcase.1").exists() && !place.path("pages/showcase-help.1").exists());
    let refused = text(&place.run(&["man", "--folder", "missing"]).stderr);
    assert!(refused.contains("missing: "), "{refused}");
}

#[test]
fn a_database_of_another_user_is_not_reported_as_damaged() {
    use std::os::unix::fs::PermissionsExt;
    let place = migrated();
    fs::set_permissions(place.folder.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
    if !unprivileged::is_root() {
        fs::set_permissions(place.database(), fs::Permissions::from_mode(0o000)).expect("a mode");
    }
    let told = unprivileged::run(&place, &["export"]);
    let words = text(&told.stderr);
    assert_eq!(told.status.code(), Some(1), "{words}");
    assert!(words.contains("may not be read by this user") && words.contains("sudo showcase"), "{words}");
}
