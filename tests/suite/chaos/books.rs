//! What must hold after everything: what people were told is so, exactly once.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, TimeZone, Utc};
use chrono_tz::America::New_York;
use rusqlite::Connection;
use serde_json::json;

use super::plan::Plan;
use super::world::{CONNECTIONS, Ledger, World};
use crate::support::paid_site::PaidSite;
use crate::support::samples::FREE_KINDS;
use crate::support::{open, text, wait_for};

/// Lets everything that waits happen, and compares what there is with what people were told. Returns what this seed has done.
pub fn balance(world: World, plan: &Plan) -> String {
    world.heal();
    world.deliver_events_at_once();
    // No email waits longer than twelve hours for its next attempt.
    let end = world.latest() + TimeDelta::hours(13);
    world.restart_at(end);
    world.stripe.control("release", &json!({ "order": "reverse", "times": 2 }));
    world.stripe.control("idle", &json!({}));
    world.stripe.control("redeliver", &json!({}));
    let reconciled = world.run_command(&["payments", "reconcile"], "");
    assert!(reconciled.status.success(), "{}", text(&reconciled.stderr));
    reports(&world, plan.start, end);
    wait_for("the outbox to be sent", || {
        let waiting: i64 = world.place.sql("select count(*) from outbox where state = 'waiting'");
        (waiting == 0).then_some(())
    });
    let done = world.run_command(&["doctor"], "");
    let said = format!("{}{}", text(&done.stdout), text(&done.stderr));
    assert!(done.status.success(), "doctor: {said}");
    let log = world.log();
    assert!(!log.contains("panicked") && !log.contains("is damaged"), "{log}");
    let kills = world.kills();
    let ledger = std::mem::take(&mut *world.ledger.lock().expect("a lock"));
    // Dropped last, and the disk after everything that is on it.
    let (server, place, stripe, mail, _disk) = world.into_parts();
    let connection = open(&place.database());
    sound(&connection);
    registrations(&connection, &ledger);
    for (name, answered) in &ledger.backups {
        backup(&open(&place.path(name)), &ledger, *answered);
    }
    let (mails, doubled) = emails(&connection, &mail.accepted_by_id(), kills);
    for email in &ledger.uploaded {
        let sql = "select count(*) from media m join nominations n on n.id = m.nomination_id
             join competition_entries e on e.id = n.entry_id where e.email = ? and m.slot = 'left'";
        assert_eq!(count(&connection, sql, email), 1, "the photo of {email}");
    }
    content(&connection, &ledger, &server.get("/", &[]).text());
    drop(connection);
    let site = PaidSite { stripe, place, server };
    let paid = site.assert_books_agree();
    for email in &ledger.paid {
        assert_eq!(site.status(email), "paid", "{email}");
    }
    let taken = site.stripe.objects("intents").iter().filter(|one| one["status"] == "succeeded").count();
    assert_eq!(paid, taken, "paid entries, and payments that were taken");
    format!(
        "{} registrations answered, {paid} entries paid, {} photos, {mails} emails ({doubled} of them twice), {kills} kills",
        ledger.registered.len(),
        ledger.uploaded.len()
    )
}

fn count(connection: &Connection, sql: &str, value: &str) -> i64 {
    connection.query_row(sql, [value], |row| row.get(0)).expect(sql)
}

fn sound(connection: &Connection) {
    let found: String =
        connection.query_row("pragma integrity_check", [], |row| row.get(0)).expect("a check");
    assert_eq!(found, "ok");
    let broken =
        connection.prepare("pragma foreign_key_check").expect("a check").exists([]).expect("a check");
    assert!(!broken, "a row refers to one that does not exist");
}

/// Each registration that was answered is there once, with its confirmation and its line in the audit log. One whose
/// request was not answered, and not repeated, is there once or not at all.
fn registrations(connection: &Connection, ledger: &Ledger) {
    for kind in FREE_KINDS {
        let table = kind.as_str().replace('-', "_");
        for one in ledger.registered.iter().filter(|one| one.kind == kind) {
            let sql = format!(
                "select (select count(*) from {table} r where r.id = ?1 and r.email = ?2)
                 + 10 * (select count(*) from outbox o where o.cause = 'confirmation/{kind}/' || ?1)
                 + 100 * (select count(*) from audit_log a where a.kind = '{kind}' and a.subject_id = ?1 and a.action = 'registered')"
            );
            let found: i64 =
                connection.query_row(&sql, (one.id, &one.email), |row| row.get(0)).expect("counts");
            assert_eq!(
                found, 111,
                "audit lines, confirmations and rows of {kind} {} of {}",
                one.id, one.email
            );
        }
        for (_, email, is_repeated) in ledger.attempted.iter().filter(|(other, ..)| *other == kind) {
            let found = count(connection, &format!("select count(*) from {table} where email = ?"), email);
            let answered = ledger.registered.iter().filter(|one| one.email == *email).count();
            assert!(
                found <= 1 && found >= i64::try_from(answered).expect("a count"),
                "{email} is there {found} times"
            );
            assert!(
                !is_repeated || found == 1,
                "{email} was repeated until it was answered, and is there {found} times"
            );
        }
        let sql = format!(
            "select count(*) from {table} r where not exists
             (select 1 from outbox o where o.cause = 'confirmation/{kind}/' || r.id)
             or not exists (select 1 from audit_log a where a.kind = ? and a.subject_id = r.id and a.action = 'registered')"
        );
        assert_eq!(
            count(connection, &sql, kind.as_str()),
            0,
            "{kind} without a confirmation or an audit line"
        );
    }
}

/// A backup has what had been answered before it began.
fn backup(copy: &Connection, ledger: &Ledger, answered: usize) {
    sound(copy);
    for one in &ledger.registered[..answered] {
        let sql = format!("select count(*) from {} where email = ?", one.kind.as_str().replace('-', "_"));
        assert_eq!(count(copy, &sql, &one.email), 1, "{} in a backup", one.email);
    }
}

/// Each email is sent, and accepted once by the mail server. The server cannot know whether an email was accepted when
/// it was killed before it heard so, and sends it again under the same `Message-ID`: at most one for each connection.
/// Returns how many there were, and how many were sent twice.
fn emails(connection: &Connection, accepted: &BTreeMap<String, usize>, kills: usize) -> (usize, usize) {
    let mut statement = connection.prepare("select message_id, state, cause from outbox").expect("a query");
    type Row = (String, String, String);
    let rows = statement.query_map([], |row| row.try_into()).expect("rows");
    let rows: Vec<Row> = rows.collect::<rusqlite::Result<_>>().expect("rows");
    for (id, state, cause) in &rows {
        assert_eq!(state, "sent", "{cause}");
        assert!(accepted.contains_key(id), "{cause} is recorded as sent, but was never accepted");
    }
    for id in accepted.keys() {
        assert!(rows.iter().any(|(other, ..)| other == id), "{id} was sent and is not in the outbox");
    }
    let sent: usize = accepted.values().sum();
    let doubled = sent - accepted.len();
    assert!(doubled <= CONNECTIONS * kills, "{doubled} emails were sent twice in {kills} kills");
    (accepted.len(), doubled)
}

/// Each import that was answered is a revision, and the site shows the newest one.
fn content(connection: &Connection, ledger: &Ledger, home: &str) {
    let title = |number: usize| format!("Edition {number} of the Showcase");
    for (revision, number) in &ledger.imported {
        let sql = "select toml from content_revisions where id = ?";
        let toml: String = connection.query_row(sql, [revision], |row| row.get(0)).expect("a revision");
        assert!(toml.contains(&title(*number)), "revision {revision}");
    }
    let sql = "select toml from content_revisions order by id desc limit 1";
    let newest: String = connection.query_row(sql, [], |row| row.get(0)).expect("a revision");
    let shown = newest.split_once("Edition ").map_or("Lash & Brow Showcase".to_owned(), |(_, rest)| {
        title(rest.split(' ').next().and_then(|number| number.parse().ok()).expect("a number"))
    });
    let shown = shown.replace('&', "&amp;");
    assert!(home.contains(&shown), "the site does not show the newest content, {shown}");
}

/// The last report that was due is there, none is there twice or for a day whose time has not come.
fn reports(world: &World, start: DateTime<Utc>, end: DateTime<Utc>) {
    let nine = |day: NaiveDate| {
        let nine = day.and_hms_opt(9, 0, 0).expect("a time");
        New_York.from_local_datetime(&nine).single().expect("one instant").to_utc()
    };
    let first = start.with_timezone(&New_York).date_naive();
    let due: Vec<NaiveDate> =
        first.iter_days().take(8).filter(|day| nine(*day) > start && nine(*day) <= end).collect();
    let cause = |day: &NaiveDate| format!("report/daily/{}", day.pred_opt().expect("a day"));
    let last = cause(due.last().expect("a report is due"));
    let reports = || -> Vec<String> {
        let connection = open(&world.place.database());
        let mut statement = connection
            .prepare("select cause from outbox where cause like 'report/daily/%'")
            .expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<rusqlite::Result<_>>().expect("rows")
    };
    wait_for("the last report", || reports().contains(&last).then_some(()));
    for report in reports() {
        assert!(due.iter().any(|day| cause(day) == report), "{report} was not due");
    }
}
