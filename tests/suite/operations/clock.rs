//! The clock that tests set.

use chrono::{DateTime, TimeDelta, Utc};
use showcase::time::OFFSET_VARIABLE;

use crate::support::{Place, Server, clock, text, wait_for, waitlist};

/// When the server stored a registration by its own clock.
fn time_of(place: &Place, server: &Server) -> DateTime<Utc> {
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    place.sql::<String>("select max(created_at) from waitlist_signups").parse().expect("an instant")
}

#[test]
fn a_test_sets_the_clock_of_a_server_and_of_a_command() {
    let place = Place::with_machine_clock("");
    let new_year: DateTime<Utc> = "2030-01-01T15:00:00Z".parse().expect("an instant");
    let offset = (new_year - clock::machine_time()).num_seconds().to_string();
    let server = place.serve_in(&[], &[(OFFSET_VARIABLE, &offset)]);
    let first = time_of(&place, &server);
    assert!(first > new_year - TimeDelta::seconds(2) && first < new_year + TimeDelta::hours(1), "{first}");
    wait_for("a later time", || (time_of(&place, &server) > first).then_some(()));
    assert!(place.log().contains("WARN a test has set the clock to 2030-01-01T1"), "{}", place.log());
    drop(server);
    let command = |arguments: &[&str]| {
        place.command(arguments).env(OFFSET_VARIABLE, &offset).output().expect("the binary runs")
    };
    let report = command(&["report", "daily", "--print"]);
    assert!(text(&report.stdout).contains("December 31, 2029"), "{}", text(&report.stdout));
    assert!(text(&report.stderr).contains("WARN a test has set the clock"), "{}", text(&report.stderr));
}

#[test]
fn nobody_sets_the_clock_of_a_server_for_others() {
    let place = Place::with_machine_clock("");
    let refused = |arguments: &[&str], offset: &str| {
        let output = place.command(arguments).env(OFFSET_VARIABLE, offset).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        text(&output.stderr)
    };
    for arguments in [
        &["serve", "--listen", "0.0.0.0:0"][..],
        &["serve", "--domain", "a.example.com"],
        &["serve", "--listen", "[::]:0"],
    ] {
        let said = refused(arguments, "-3600");
        assert!(said.contains("only for tests on this machine"), "{arguments:?}: {said}");
    }
    for wrong in ["", "soon", "1.5", "9223372036854775807"] {
        let said = refused(&["export"], wrong);
        assert!(said.contains("must be a number of seconds"), "{wrong:?}: {said}");
    }
    assert!(!place.database().exists());
}

#[test]
fn without_the_variable_the_clock_is_the_machines() {
    let place = Place::with_machine_clock("");
    let difference = time_of(&place, &place.serve()) - clock::machine_time();
    assert!(difference.abs() < TimeDelta::minutes(5), "{difference}");
    assert!(!place.log().contains("has set the clock"), "{}", place.log());
}
