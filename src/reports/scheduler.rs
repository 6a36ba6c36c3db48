//! Whether reports are sent automatically, and when they last were. Both are stored and survive a restart.

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde::Serialize;

use super::send::{ReportRequest, mailbox, queue};
use super::timetable::{Cadence, Timetable};
use crate::app::App;
use crate::error::Result;
use crate::mail::outbox;
use crate::model::Actor;
use crate::store::{audit, installation};
use crate::time;

/// The setting that is 'true' or 'false'. Without it, reports are on if they have a recipient.
const RUNNING: &str = "reports.running";
/// When reports were switched on. Reports due before it are not sent later.
const STARTED_AT: &str = "reports.started_at";

/// The scheduler's status (docs/reference.md, "HTTP").
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SchedulerStatus {
    is_running: bool,
    config: ReportTimes,
    next_daily_run: Option<String>,
    last_daily_run: Option<String>,
    next_weekly_run: Option<String>,
    last_weekly_run: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ReportTimes {
    daily_report_time: String,
    weekly_report_time: String,
}

pub fn status(app: &App, now: DateTime<Utc>) -> Result<SchedulerStatus> {
    let timetable = timetable(app);
    app.store.read(|connection| {
        let is_running = is_running(app, connection)?;
        let next = |cadence| is_running.then(|| time::stored(timetable.next(cadence, now)));
        let last = |cadence| installation::get(connection, &last_run(cadence));
        Ok(SchedulerStatus {
            is_running,
            config: ReportTimes {
                daily_report_time: app.config.reports.daily_at.format("%H:%M").to_string(),
                weekly_report_time: format!(
                    "{} {}",
                    app.config.reports.weekly_on,
                    app.config.reports.weekly_at.format("%H:%M")
                ),
            },
            next_daily_run: next(Cadence::Daily),
            last_daily_run: last(Cadence::Daily)?,
            next_weekly_run: next(Cadence::Weekly),
            last_weekly_run: last(Cadence::Weekly)?,
        })
    })
}

/// Switches reports on. Those that were due while they were off are not sent. Without a mailbox none is sent, and
/// `ops::health::attention` says so.
pub fn start(app: &App, actor: &Actor, now: DateTime<Utc>) -> Result<()> {
    let now = time::stored(now);
    let was_running = app.store.read(|connection| is_running(app, connection))?;
    app.store.write(|connection| {
        if !was_running {
            installation::set(connection, STARTED_AT, &now, &now)?;
        }
        installation::set(connection, RUNNING, "true", &now)?;
        let line = audit::Line { actor, action: "reports started", subject: None };
        audit::insert(connection, &now, &line)
    })
}

/// Switches reports off.
pub fn stop(app: &App, actor: &Actor, now: DateTime<Utc>) -> Result<()> {
    let now = time::stored(now);
    app.store.write(|connection| {
        installation::set(connection, RUNNING, "false", &now)?;
        let line = audit::Line { actor, action: "reports stopped", subject: None };
        audit::insert(connection, &now, &line)
    })
}

/// Queues every report that is due. Called each minute, and when the program starts.
pub fn run_due(app: &App, now: DateTime<Utc>) -> Result<()> {
    let (was_running, started_at) =
        app.store.read(|connection| Ok((is_running(app, connection)?, instant(connection, STARTED_AT)?)))?;
    if mailbox(app).is_err() && started_at.is_some() {
        // With a mailbox they begin anew: what was due without one was not missed while the server was offline.
        app.store.write(|connection| installation::delete(connection, STARTED_AT))?;
    }
    if !was_running || mailbox(app).is_err() {
        return Ok(());
    }
    let Some(started_at) = started_at else {
        let now = time::stored(now);
        return app.store.write(|connection| installation::set(connection, STARTED_AT, &now, &now));
    };
    if started_at <= now {
        reset_future_runs(app, now)?;
    }
    let mut outcome = Ok(());
    for cadence in Cadence::ALL {
        outcome = outcome.and(run_if_due(app, cadence, started_at, now));
    }
    outcome
}

/// Queues a report if it is due. One that cannot be composed is recorded in the outbox.
fn run_if_due(app: &App, cadence: Cadence, started_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<()> {
    let last = app.store.read(|connection| instant(connection, &last_run(cadence)))?;
    let since = last.map_or(started_at, |last| last.max(started_at));
    let Some(due) = timetable(app).due(cadence, now, since) else { return Ok(()) };
    let (period, missed) = (due.period, due.missed.as_slice());
    let queued = queue(app, &ReportRequest { period, missed, recipient: None, with_csv: None, by: None });
    let now = time::stored(now);
    app.store.write(|connection| {
        if let Err(error) = queued {
            let cause = format!("report/{}/{}", cadence.as_str(), period.last_day);
            outbox::record_uncomposed(connection, cause, None, mailbox(app)?, error, &app.public_url())?;
        }
        installation::set(connection, &last_run(cadence), &now, &now)
    })
}

/// Sets last runs that lie in the future to now. A clock that was ahead stored them, and no report would be due until they
/// have passed. Must not be called while the clock is behind (some machines start in 1970): with a last run so long ago,
/// every report since then would count as missed.
fn reset_future_runs(app: &App, now: DateTime<Utc>) -> Result<()> {
    let in_future = app.store.read(|connection| {
        let mut in_future = Vec::new();
        for key in Cadence::ALL.map(last_run) {
            if instant(connection, &key)?.is_some_and(|at| at > now) {
                in_future.push(key);
            }
        }
        Ok(in_future)
    })?;
    if in_future.is_empty() {
        return Ok(());
    }
    tracing::warn!("the clock was ahead and has been set back: reports continue from now");
    let now = time::stored(now);
    app.store.write(|connection| {
        in_future.iter().try_for_each(|key| installation::set(connection, key, &now, &now))
    })
}

pub fn timetable(app: &App) -> Timetable<'_> {
    Timetable::new(&app.config.reports, app.content().event.time_zone.clone())
}

fn is_running(app: &App, connection: &Connection) -> Result<bool> {
    let stored = installation::get(connection, RUNNING)?;
    Ok(stored.map_or(mailbox(app).is_ok(), |stored| stored == "true"))
}

fn last_run(cadence: Cadence) -> String {
    format!("reports.last_{}_run", cadence.as_str())
}

fn instant(connection: &Connection, key: &str) -> Result<Option<DateTime<Utc>>> {
    Ok(installation::get(connection, key)?.and_then(|stored| stored.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn reports_that_had_no_mailbox_are_not_called_missed() {
        let mut config = Config::default();
        config.reports.recipient = "organiser@example.com".into();
        let (_folder, mut app) = App::for_test(config);
        for (day, recipient) in [
            ("2026-03-10", "organiser@example.com"),
            ("2026-03-11", "organiser@example.com"),
            ("2026-03-12", ""),
            ("2026-03-15", ""),
            ("2026-03-16", "organiser@example.com"),
            ("2026-03-17", "organiser@example.com"),
        ] {
            app.config.reports.recipient = recipient.into();
            run_due(&app, format!("{day}T20:00:00Z").parse().expect("an instant")).expect("a run");
        }
        let sql = "select count(*) || ' ' || count(*) filter (where words like '%\"missed\":[]%')
             from outbox where cause like 'report/daily/%'";
        let counts = app.store.read(|connection| Ok(connection.query_row(sql, [], |row| row.get(0))?));
        assert_eq!(counts.unwrap_or_else(|error| error.to_string()), "2 2");
    }

    #[test]
    fn a_report_that_cannot_be_composed_is_recorded_and_the_other_one_is_tried() {
        let mut config = Config::default();
        config.reports.recipient = "organiser@example.com".into();
        let (_folder, app) = App::for_test(config);
        let fails = "create trigger broken before insert on outbox
                 when new.cause like 'report/daily/%' and new.template <> 'uncomposed'
             begin select raise(abort, 'broken'); end";
        app.store.write(|connection| Ok(connection.execute_batch(fails)?)).expect("a report that fails");
        for day in ["2026-03-10", "2026-03-17"] {
            run_due(&app, format!("{day}T20:00:00Z").parse().expect("an instant")).expect("a run");
        }
        let sql = "select group_concat(state || ' ' || cause, ', ') || ' ' || max(last_error like '%broken%')
             from (select * from outbox order by id)";
        let stored: Result<String> =
            app.store.read(|connection| Ok(connection.query_row(sql, [], |row| row.get(0))?));
        let expected = "failed report/daily/2026-03-16, waiting report/weekly/2026-03-15 1";
        assert_eq!(stored.expect("two reports"), expected);
        let status = status(&app, "2026-03-17T20:00:00Z".parse().expect("an instant")).expect("a status");
        assert_eq!(status.last_daily_run, status.last_weekly_run, "neither is tried each minute");
    }

    #[test]
    fn a_clock_that_was_ahead_does_not_stop_reports() {
        let mut config = Config::default();
        config.reports.recipient = "organiser@example.com".into();
        let (_folder, app) = App::for_test(config);
        let mut reports = Vec::new();
        for now in
            ["2026-03-10", "2026-03-11", "2026-08-01", "2026-03-12", "1970-01-02", "2026-03-13", "2026-03-14"]
        {
            let now = format!("{now}T20:00:00Z").parse().expect("an instant");
            run_due(&app, now).expect("a run");
            let sql = "select count(*) from outbox where cause like 'report/daily/%'";
            let count =
                app.store.read(|connection| Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))?));
            reports.push(count.expect("a count"));
        }
        assert_eq!(reports, [0, 1, 2, 2, 2, 3, 4]);
        let missed = "select count(*) from outbox where words like '%\"missed\":[\"%January 2, 1970%'";
        let count =
            |connection: &Connection| Ok(connection.query_row(missed, [], |row| row.get::<_, i64>(0))?);
        assert_eq!(
            app.store.read(count).expect("a count"),
            0,
            "a clock that is behind causes no missed reports"
        );
    }
}
