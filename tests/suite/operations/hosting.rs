//! Mistakes that a host may make, and the files on the machine.

use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::process::Command;

use showcase::store::migrate::NEXT_MIGRATION_VARIABLE;

use crate::support::unprivileged::{self, NOBODY, is_root};
use crate::support::{Place, names_in, served, text, wait_for, waitlist};

#[test]
fn an_unknown_environment_variable_causes_a_warning() {
    let place = Place::new("");
    let variables = [
        ("SHOWCASE_SMPT_HOST", "mail.example.com"),
        ("SHOWCASE_LISTEN", "127.0.0.1:0"),
        ("SHOWCASE_SMTP_PASSWORD_FILE", "config.toml"),
    ];
    let run = place.command(&["migrate"]).envs(variables).output().expect("it runs");
    let told = text(&run.stderr);
    assert!(run.status.success() && told.contains("did you mean SHOWCASE_SMTP_HOST?"), "{told}");
    assert_eq!(told.matches("did you mean").count(), 1, "{told}");
}

#[test]
fn an_impossible_database_path_is_reported_and_nothing_is_created() {
    let place = Place::new("");
    symlink("nowhere.db", place.path("dangling.db")).expect("a link");
    std::fs::create_dir(place.path("folder")).expect("a folder");
    let before = names_in(place.folder.path());
    for (database, words) in [
        ("dangling.db", "a link to a file that does not exist"),
        ("folder", "is a folder"),
        ("missing/showcase.db", "There is no folder missing"),
        ("/dev/null", "not a regular file"),
    ] {
        for command in
            [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"], &["migrate", "--status"], &["export"]]
        {
            let told = place.refused(&[command, &["--database", database]].concat());
            assert!(told.contains(words) && told.lines().count() == 1, "{command:?} {database}: {told}");
        }
    }
    assert_eq!(names_in(place.folder.path()), before);
}

#[test]
fn one_database_has_one_server_whatever_path_names_it() {
    let (place, server) = served("");
    std::fs::hard_link(place.database(), place.path("hard.db")).expect("a link");
    symlink(place.database(), place.path("soft.db")).expect("a link");
    let any_port = "127.0.0.1:0";
    for (name, address) in [
        ("hard.db", any_port),
        ("soft.db", any_port),
        ("showcase.db", any_port),
        ("showcase.db", server.address.as_str()),
    ] {
        let told = place.refused(&["serve", "--listen", address, "--database", name]);
        assert!(told.contains("Another showcase is serving"), "{name} {address}: {told}");
    }
    assert!(!names_in(place.folder.path()).iter().any(|name| name.ends_with(".lock")));
}

#[test]
fn the_unit_escapes_paths_names_a_typed_database_and_leaves_that_of_the_settings_to_the_service() {
    let place = Place::new("");
    std::fs::write(place.path("far.toml"), "database = '/srv/an event/100%/showcase.db'\n").expect("a file");
    std::fs::write(place.path("near.toml"), "database = 'event.db'\n").expect("a file");
    std::fs::write(place.path("a b%c.toml"), "[backup]\nfolder = '/srv/an event/100%'\n").expect("a file");
    let secrets = ["--config", "a b%c.toml", "--secrets", "/etc/100%"];
    let far = " --database \"/srv/an event/100%%/showcase.db\"";
    for (arguments, flag, written) in [
        (&[][..], "", None),
        (&["--database", "/srv/an event/100%/showcase.db"], far, Some("/srv/an event/100%%")),
        (&["--config", "far.toml"], "", Some("/srv/an event/100%%")),
        (&["--config", "near.toml"], "", None),
        (&secrets, "", Some("/srv/an event/100%%")),
        (
            &["--config", "far.toml", "--database", "/var/lib/showcase/2027.db"],
            " --database \"/var/lib/showcase/2027.db\"",
            None,
        ),
    ] {
        let printed = place.run(&[&["systemd"], arguments].concat());
        let (unit, told) = (text(&printed.stdout), text(&printed.stderr));
        assert!(unit.contains(&format!("/config.toml{flag}\n")), "{arguments:?}: {unit}");
        if arguments == secrets {
            let config = place.path("a b%%c.toml");
            assert!(unit.contains(&format!("\nLoadCredential=config.toml:{}\n", config.display())), "{unit}");
            assert!(unit.contains("\n#LoadCredential=smtp_password:/etc/100%%/smtp_password\n"), "{unit}");
        }
        let line = written.map(|folder| format!("\nReadWritePaths=\"-{folder}\"\n"));
        assert!(line.is_none_or(|line| unit.contains(&line)), "{unit}");
        assert_eq!(unit.contains("ReadWritePaths"), written.is_some(), "{unit}");
        // A dynamic user cannot own a folder elsewhere.
        assert_eq!(told.contains("cannot own /srv/an event/100%"), written.is_some(), "{told}");
        assert_eq!(told.contains("--user"), written.is_some(), "{told}");
        let file = place.path("showcase.service");
        std::fs::write(&file, &unit).expect("a file");
        let verified = Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file).output();
        let verified = verified.expect("systemd-analyze is needed for this test: run tests/install");
        let words = text(&verified.stderr);
        assert!(verified.status.success() && !words.contains("showcase.service:"), "{words}");
    }
    let at_home = place.run(&["systemd", "--database", "/home/me/showcase.db"]);
    assert!(text(&at_home.stderr).contains("Services cannot access /home"), "{}", text(&at_home.stderr));
}

#[test]
fn a_port_in_use_is_reported_before_anything_happens() {
    let place = Place::new("");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let refused = place.run(&["serve", "--listen", &address]);
    let told = text(&refused.stderr);
    assert!(told.contains(&format!("Cannot listen on {address}")), "{told}");
    assert!(told.contains("stop the program that uses it"), "{told}");
    assert!(refused.status.code() == Some(1) && refused.stdout.is_empty());
    assert!(!place.database().exists());
}

#[test]
fn other_users_cannot_read_any_file() {
    let place = Place::new("");
    let migrate = |next: &str| {
        let mut migrate = place.command(&["migrate", "--database", "other.db"]);
        if !next.is_empty() {
            migrate.env(NEXT_MIGRATION_VARIABLE, next);
        }
        assert!(migrate.output().expect("it runs").status.success());
    };
    std::fs::write(place.path("next.sql"), "create table next (x)").expect("a file");
    migrate("");
    migrate("next.sql");
    let server = place.serve();
    let backups = place.path("backups");
    wait_for("the first backup", || names_in(&backups).into_iter().find(|name| name.ends_with(".gz")));
    place.done(&["backup", "by-hand.db.gz"]);
    drop(server);
    place.done(&["restore", "by-hand.db.gz", "--yes"]);
    let mut seen = 0;
    for folder in [place.folder.path(), &backups] {
        for name in names_in(folder) {
            let mode = std::fs::metadata(folder.join(&name)).expect("a file").permissions().mode();
            if name.contains(".db") {
                assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
                seen += 1;
            }
        }
    }
    assert!(place.path("other.db.schema-1.backup").exists());
    assert!(seen >= 6, "two databases, one's older copy, two backups, the copy before the restore: {seen}");
}

#[test]
fn a_database_that_cannot_be_written_can_still_be_read() {
    let (place, server) = served("");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("a@example.com")).status, 201);
    stop(server);
    let modes = [(place.database(), 0o444), (place.folder.path().to_owned(), 0o555)];
    for (path, mode) in &modes {
        if is_root() {
            chown(path, Some(NOBODY), Some(NOBODY)).expect("given away");
        }
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(*mode)).expect("a mode");
    }
    let open = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(open.path(), std::fs::Permissions::from_mode(0o777)).expect("a mode");
    let elsewhere = open.path().join("rescued.db.gz").display().to_string();
    for (arguments, words) in [
        (&["export"][..], "a@example.com"),
        (&["outbox", "list"], "a@example.com"),
        (&["outbox", "show", "1"], "Hello"),
        (&["migrate", "--status"], "V1  applied"),
        (&["report", "daily", "--print"], "Waitlist"),
        (&["content", "export"], "[event]"),
        (&["content", "history"], "revision"),
        (&["content", "image", "list"], ""),
        (&["user", "list"], ""),
        (&["person", "export", "a@example.com"], "a@example.com"),
        (&["backup", &elsewhere], &elsewhere),
    ] {
        let read = unprivileged::run(&place, arguments);
        let told = text(&read.stderr);
        assert!(read.status.success(), "{arguments:?}: {told}");
        assert!(text(&read.stdout).contains(words), "{arguments:?}");
        let leaves_a_line = ["export", "person", "backup"].contains(&arguments[0]);
        assert_eq!(told.contains("not in the audit log"), leaves_a_line, "{arguments:?}: {told}");
    }
    let rescued = Place::new("");
    let restored = rescued.run(&["restore", &elsewhere, "--dry-run"]);
    assert!(text(&restored.stdout).contains("1  waitlist-signups"), "{}", text(&restored.stderr));
    for arguments in [&["outbox", "retry"][..], &["person", "erase", "a@example.com", "--yes"], &["backup"]] {
        let refused = unprivileged::run(&place, arguments);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(told.contains("showcase backup") && told.lines().count() == 1, "{arguments:?}: {told}");
    }
    let served = unprivileged::run(&place, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(text(&served.stderr).contains("cannot be written"), "{}", text(&served.stderr));
    std::fs::set_permissions(place.folder.path(), std::fs::Permissions::from_mode(0o755)).expect("a mode");
}

#[test]
fn files_that_root_creates_belong_to_the_servers_user() {
    use std::os::unix::fs::MetadataExt;
    let place = Place::new("");
    if is_root() {
        chown(place.folder.path(), Some(NOBODY), Some(NOBODY)).expect("given away");
    }
    place.done(&["migrate"]);
    place.done(&["backup"]);
    let made = names_in(&place.path("backups")).pop().expect("a backup");
    place.done(&["restore", &format!("backups/{made}"), "--yes"]);
    assert!(unprivileged::run(&place, &["migrate"]).status.success());
    let owner = place.folder.path().metadata().expect("a folder").uid();
    for folder in [place.folder.path().to_owned(), place.path("backups")] {
        for name in names_in(&folder).iter().filter(|name| *name != "config.toml") {
            assert_eq!(folder.join(name).metadata().expect("a file").uid(), owner, "{name}");
        }
    }
}

fn stop(mut server: crate::support::Server) {
    server.stop();
}
