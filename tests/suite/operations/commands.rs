//! Failing commands: their messages, and what they leave unchanged.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::unprivileged;
use crate::support::{Place, TIMEOUT, migrated, open, text, without_clock_warning};

#[test]
fn no_command_creates_a_missing_folder() {
    let place = migrated("");
    for arguments in [
        ["backup", "no/such/x.db.gz"].as_slice(),
        &["export", "--output", "no/such/x.csv"],
        &["content", "export", "--output", "no/such/x.toml"],
    ] {
        let told = place.refused(arguments);
        assert!(told.contains("The folder no/such of "), "{told}");
        assert!(!place.path("no").exists());
    }
}

#[test]
fn a_backup_without_a_database_leaves_no_folder_behind() {
    let place = Place::new("");
    place.refused(&["backup"]);
    assert!(!place.path("backups").exists());
}

#[test]
fn a_backup_overwrites_an_earlier_backup_and_no_other_file() {
    let place = migrated("");
    fs::write(place.path("empty.db.gz"), "").expect("a file");
    for file in ["same.db.gz", "same.db.gz", "empty.db.gz", "same.db", "same.db"] {
        assert!(place.run(&["backup", file]).status.success(), "{file}");
    }
    // For instance the database of another event.
    open(&place.path("same.db")).pragma_update(None, "journal_mode", "wal").expect("a database in use");
    let in_use = place.run(&["backup", "same.db"]);
    assert!(text(&in_use.stderr).contains("same.db already exists"), "{}", text(&in_use.stderr));
    fs::write(place.path("notes.txt"), "what I must not forget").expect("a file");
    let refused = place.refused(&["backup", "notes.txt"]);
    assert!(refused.contains("notes.txt already exists"), "{refused}");
    assert_eq!(fs::read(place.path("notes.txt")).expect("the notes"), b"what I must not forget");
    let device = text(&place.run(&["backup", "/dev/full"]).stderr);
    assert!(device.contains("/dev/full") && !device.contains("--output"), "{device}");
}

#[test]
fn only_a_regular_file_is_read_or_overwritten_as_a_backup() {
    let place = migrated("");
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
fn a_database_of_another_user_is_not_reported_as_damaged() {
    use std::os::unix::fs::PermissionsExt;
    let place = migrated("");
    fs::set_permissions(place.folder.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
    if !unprivileged::is_root() {
        fs::set_permissions(place.database(), fs::Permissions::from_mode(0o000)).expect("a mode");
    }
    let told = unprivileged::run(&place, &["export"]);
    let words = text(&told.stderr);
    assert_eq!(told.status.code(), Some(1), "{words}");
    assert!(words.contains("may not be read by this user") && words.contains("sudo showcase"), "{words}");
}
