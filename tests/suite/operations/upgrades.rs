//! A newer version on older data, an older version on newer data, and an interrupted upgrade. Until a second migration is
//! published, the newer version is this program with a migration that the tests made up.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use showcase::store::migrate::{self, NEXT_MIGRATION_VARIABLE};

use crate::support::{Place, migrated, open, served, text};

/// Rewrites every row of a table and adds a column, as migrations do.
const NEXT: &str = "
    alter table waitlist_signups add column salutation text;
    update waitlist_signups set salutation = 'Dear ' || name;";

/// A database of this version with this many signups.
fn older(path: &Path, people: u32) {
    migrate::migrate(path).expect("a database");
    open(path)
        .execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
             insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations)
             select '2026-01-01T00:00:00.000Z', 'n' || i, 'e' || i || '@example.com', 0, '0' from n",
            [people],
        )
        .expect("people");
}

fn version(database: &Path) -> i64 {
    let sql = "select max(version) from refinery_schema_history";
    open(database).query_row(sql, [], |row| row.get(0)).expect("a whole database")
}

/// A command of the next version.
fn newer(place: &Place, arguments: &[&str]) -> Command {
    std::fs::write(place.path("next.sql"), NEXT).expect("a file");
    let mut command = place.command(arguments);
    command.env(NEXT_MIGRATION_VARIABLE, "next.sql");
    command
}

fn run_newer(place: &Place, arguments: &[&str]) -> Output {
    newer(place, arguments).output().expect("the binary runs")
}

#[test]
fn serve_backs_up_and_migrates_an_older_database() {
    let place = Place::new("");
    older(&place.database(), 10);
    let told = text(&run_newer(&place, &["export"]).stderr);
    assert!(told.contains("made by an older showcase") && told.contains("showcase migrate"), "{told}");
    let status = text(&run_newer(&place, &["migrate", "--status"]).stdout);
    assert!(status.contains("V1  applied") && status.contains("V2  pending"), "{status}");
    let server = place.serve_in(&[], &[(NEXT_MIGRATION_VARIABLE, "next.sql")]);
    assert_eq!(server.get("/readyz", &[]).status, 200);
    let dear = "select count(*) from waitlist_signups where salutation like 'Dear n%'";
    assert_eq!(place.sql::<i64>(dear), 10);
    let backup = place.path("showcase.db.schema-1.backup");
    assert_eq!(version(&backup), 1);
}

#[test]
fn a_migration_that_fails_changes_nothing_and_names_the_backup() {
    let place = Place::new("");
    older(&place.database(), 10);
    std::fs::write(place.path("wrong.sql"), format!("{NEXT} insert into nowhere values (1);"))
        .expect("a file");
    let mut migrate = place.command(&["migrate"]);
    let refused = migrate.env(NEXT_MIGRATION_VARIABLE, "wrong.sql").output().expect("it runs");
    let told = text(&refused.stderr);
    assert!(told.contains("could not be migrated") && told.contains("schema-1.backup"), "{told}");
    assert_eq!(version(&place.database()), 1);
    let columns = "select count(*) from pragma_table_info('waitlist_signups') where name = 'salutation'";
    assert_eq!(place.sql::<i64>(columns), 0);
}

#[test]
fn a_running_server_keeps_its_schema() {
    let (place, mut server) = served("");
    let refused = run_newer(&place, &["migrate"]);
    assert_eq!(refused.status.code(), Some(1));
    let told = text(&refused.stderr);
    assert!(told.contains("A server is running on") && told.contains("then migrate."), "{told}");
    let status = text(&run_newer(&place, &["migrate", "--status"]).stdout);
    assert!(status.contains("V2  pending"), "{status}");
    server.stop();
    assert!(run_newer(&place, &["migrate"]).status.success());
}

#[test]
fn the_status_of_migrations_fails_if_the_server_would_not_start() {
    let place = Place::new("[limits]\nconnections = 0\n");
    older(&place.database(), 1);
    let refused = run_newer(&place, &["migrate", "--status"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("limits.connections must be 1 or more"));
    assert!(text(&refused.stdout).contains("V2  pending"), "{}", text(&refused.stdout));
}

#[test]
fn an_upgrade_killed_at_any_moment_leaves_the_old_or_the_new() {
    let place = Place::new("");
    let mut seen_old = false;
    for round in 0..12_u64 {
        let database = place.path(&format!("round-{round}.db"));
        older(&database, 4000);
        let name = database.display().to_string();
        let mut migrating = newer(&place, &["migrate", "--database", &name]).spawn().expect("it runs");
        // This does not wait for anything: it varies the moment at which the process is killed.
        std::thread::sleep(Duration::from_millis(8 * round));
        let _ = migrating.kill();
        let _ = migrating.wait();
        let version = version(&database);
        assert!(version == 1 || version == 2, "round {round}: {version}");
        seen_old |= version == 1;
        let again = run_newer(&place, &["migrate", "--database", &name]);
        assert!(again.status.success(), "round {round}: {}", text(&again.stderr));
        let connection = open(&database);
        let count: i64 = connection
            .query_row("select count(salutation) from waitlist_signups", [], |row| row.get(0))
            .expect("a count");
        let check: String =
            connection.query_row("pragma integrity_check", [], |row| row.get(0)).expect("a check");
        assert_eq!((count, check.as_str()), (4000, "ok"), "round {round}");
    }
    assert!(seen_old, "no upgrade was interrupted");
}

#[test]
fn an_older_version_refuses_newer_data_and_says_what_to_do() {
    let place = migrated("");
    place.execute("insert into refinery_schema_history values (999, 'later', '2030-01-01', '1')");
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["migrate"],
        &["migrate", "--status"],
        &["export"],
        &["backup"],
    ] {
        let told = place.refused(command);
        assert!(
            told.contains("newer than this showcase") && told.contains("Run the newer showcase"),
            "{told}"
        );
    }
}
