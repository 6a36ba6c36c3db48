//! No JSON causes a panic, and nothing of a refused submission is stored.

use proptest::prelude::*;
use proptest::test_runner::{Config as Cases, TestRunner};
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::config::Config;
use crate::forms::tests::any_body;
use crate::store::registrations::Filter;

/// An application without ceilings on confirmations.
fn unlimited() -> (TempDir, App) {
    let mut config = Config::default();
    config.limits.confirmations_per_day = 0;
    App::for_test(config)
}

/// The number of rows that registrations can add.
fn rows(app: &App) -> i64 {
    let count = |connection: &Connection| {
        let mut rows = connection.query_row(
            "select (select count(*) from outbox) + (select count(*) from audit_log) + (select count(*) from idempotency_keys)",
            [],
            |row| row.get::<_, i64>(0),
        )?;
        for kind in Kind::ALL {
            for status in [None, Some("set_aside".to_owned())] {
                rows += registrations::count(connection, kind, &Filter { status, ..Filter::default() })?;
            }
        }
        Ok(rows)
    };
    app.store.read(count).expect("a count")
}

#[test]
fn no_json_panics_and_nothing_of_what_is_refused_is_stored() {
    let (_folder, app) = unlimited();
    let mut runner = TestRunner::new(Cases { cases: 400, failure_persistence: None, ..Cases::default() });
    let accepted = std::cell::Cell::new(0);
    let keys = proptest::option::of("[ab]{0,2}");
    let outcome = runner.run(&(any_body(), keys, any::<bool>()), |((kind, body), key, network_is_busy)| {
        let before = rows(&app);
        let submission = Submission { key: key.as_deref(), network_is_busy, ..Submission::new(kind, &body) };
        match register(&app, &submission) {
            Ok(_) => accepted.set(accepted.get() + 1),
            Err(Error::Malformed(_) | Error::Invalid(_) | Error::Conflict(_)) => {
                prop_assert_eq!(rows(&app), before);
            }
            // `register` is not for entries, which need a price.
            Err(Error::Internal(message)) if kind == Kind::CompetitionEntries => {
                prop_assert!(message.contains("payment_amount_cents"));
            }
            Err(other) => prop_assert!(false, "{other:?}"),
        }
        Ok(())
    });
    outcome.expect("no counterexample");
    assert!(accepted.get() > 20, "only {} were accepted", accepted.get());
}

#[test]
fn five_hundred_people_in_one_hall_are_all_confirmed() {
    let (_folder, app) = App::for_test(Config::default());
    for index in 0..500 {
        let body = json!({"name": "Ada Sample", "email": format!("ada.{index}@example.com")});
        register(&app, &Submission::new(Kind::WaitlistSignups, &body)).expect("stored");
    }
    let waiting = app.store.read(|connection| {
        let sql = "select count(*) from outbox where counted_as like 'ada.%@example.com'";
        Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))?)
    });
    assert_eq!(waiting.expect("a count"), 500);
    // The confirmations and an hour's notices fit into one hour of emails.
    let limits = &app.config.limits;
    assert!(limits.mails_per_hour >= 500 + outbox::NOTICES_PER_HOUR);
}

#[test]
fn concurrent_registrations_of_one_person_refer_to_the_first() {
    let (_folder, app) = unlimited();
    let body = json!({"name": "Ada Sample", "email": "ada@example.com"});
    let kind = Kind::WaitlistSignups;
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| register(&app, &Submission::new(kind, &body)).expect("stored"));
        }
    });
    let counts = app.store.read(|connection| {
        let sql = "select (select count(*) from waitlist_signups where earlier_id is not null),
                          (select count(*) from outbox where words like '%We already have your%')";
        Ok(connection.query_row(sql, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?)
    });
    assert_eq!(counts.expect("counts"), (15, 15));
}
