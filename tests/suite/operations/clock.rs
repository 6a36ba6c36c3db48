//! The clock that tests set.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
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
fn the_demo_has_one_clock_on_a_day_before_the_event() {
    let place = Place::with_machine_clock("");
    let server = place.serve_with(&["--demo"]);
    let home = server.get("/", &[]).text();
    assert!(home.contains("Shown as of September 10, 2025."), "the banner");
    assert!(home.contains("data-clock-offset=\"-"), "for the browser");
    let cookie = server.sign_in_with(&json!({ "password": server.generated_password() }));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    let (first, last) = ("2025-08", "2025-09-12");
    for (path, field) in [
        ("/api/waitlist-signups", "createdAt"),
        ("/api/competition-entries", "paidAt"),
        ("/api/nominations", "createdAt"),
        ("/api/outbox", "createdAt"),
        ("/api/audit", "at"),
    ] {
        let items = server.get(path, &[("cookie", &cookie)]).json()["items"].clone();
        let times: Vec<&str> =
            items.as_array().expect(path).iter().filter_map(|item| item[field].as_str()).collect();
        assert!(!times.is_empty(), "{path}");
        for time in times {
            assert!(time >= first && time < last, "{path}: {time}");
        }
    }
    // What is due, and what is past, is judged by the same day.
    let nomination = server.get("/api/nominations/1", &[("cookie", &cookie)]).json();
    assert_eq!(nomination["deadline"], "2026-03-02T04:59:00.000Z", "{nomination}");
    let overview = server.get("/api/attention", &[("cookie", &cookie)]).text();
    assert!(!overview.contains("The event is over"), "{overview}");
    let banner = "Demonstration: nothing here is real, no card is charged. Shown as of September 10, 2025.";
    for path in ["/verify/X", "/receipt/x", "/transfer/x", "/unsubscribe/x", "/api/lists/door/html"] {
        let page = server.get(path, &[("cookie", &cookie)]).text();
        assert!(page.contains(banner), "{path}: {page}");
    }
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
