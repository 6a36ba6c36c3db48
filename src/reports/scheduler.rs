//! Whether reports are sent automatically, and when they last were. Both are stored and survive a restart.

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde::Serialize;

use super::send::{Request, mailbox, queue};
use super::timetable::{Cadence, Timetable};
use crate::app::App;
use crate::error::Result;
use crate::model::Actor;
use crate::store::{audit, settings};
use crate::time;

/// 'true' or 'false'. While it is not set, reports are on if they have a mailbox.
const RUNNING: &str = "reports.running";
/// When reports were switched on. Reports due before it are not sent later.
const STARTED_AT: &str = "reports.started_at";

/// The scheduler's status (docs/reference.md, "HTTP").
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "SchedulerStatus"))]
pub struct Status {
    is_running: bool,
    config: Times,
    next_daily_run: Option<String>,
    last_daily_run: Option<String>,
    next_weekly_run: Option<String>,
    last_weekly_run: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ReportTimes"))]
struct Times {
    daily_report_time: String,
    weekly_report_time: String,
}

pub fn status(app: &App, now: DateTime<Utc>) -> Result<Status> {
    let timetable = timetable(app);
    app.store.read(|connection| {
        let is_running = is_running(app, connection)?;
        let next = |cadence| is_running.then(|| time::stored(timetable.next(cadence, now)));
        let last = |cadence| settings::get(connection, &last_run(cadence));
        Ok(Status {
            is_running,
            config: Times {
                daily_report_time: timetable.daily_at.format("%H:%M").to_string(),
                weekly_report_time: format!(
                    "{} {}",
                    timetable.weekly_on,
                    timetable.weekly_at.format("%H:%M")
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
    let (now, actor) = (time::stored(now), actor.to_owned());
    let is_running_now = app.store.read(|connection| is_running(app, connection))?;
    app.store.write(move |connection| {
        if !is_running_now {
            settings::set(connection, STARTED_AT, &now, &now)?;
        }
        settings::set(connection, RUNNING, "true", &now)?;
        let line = audit::Line { actor: &actor, action: "reports started", subject: None };
        audit::insert(connection, &now, &line)
    })
}

/// Switches reports off.
pub fn stop(app: &App, actor: &Actor, now: DateTime<Utc>) -> Result<()> {
    let (now, actor) = (time::stored(now), actor.to_owned());
    app.store.write(move |connection| {
        settings::set(connection, RUNNING, "false", &now)?;
        let line = audit::Line { actor: &actor, action: "reports stopped", subject: None };
        audit::insert(connection, &now, &line)
    })
}

/// Queues every report that is due. Called each minute, and when the program starts.
pub fn run_due(app: &App, now: DateTime<Utc>) -> Result<()> {
    let (is_running_now, started_at) =
        app.store.read(|connection| Ok((is_running(app, connection)?, instant(connection, STARTED_AT)?)))?;
    if !is_running_now || mailbox(app).is_err() {
        return Ok(());
    }
    let Some(started_at) = started_at else {
        let now = time::stored(now);
        return app.store.write(move |connection| settings::set(connection, STARTED_AT, &now, &now));
    };
    if started_at <= now {
        reset_future_runs(app, now)?;
    }
    for cadence in Cadence::ALL {
        let last = app.store.read(|connection| instant(connection, &last_run(cadence)))?;
        let since = last.map_or(started_at, |last| last.max(started_at));
        if let Some(due) = timetable(app).due(cadence, now, since) {
            let request = Request {
                period: due.period,
                missed: &due.missed,
                recipient: None,
                with_csv: None,
                by: None,
            };
            queue(app, &request)?;
            let now = time::stored(now);
            app.store.write(move |connection| settings::set(connection, &last_run(cadence), &now, &now))?;
        }
    }
    Ok(())
}

/// Sets last is_running_now that lie in the future to now. A clock that was ahead stored them, and no report would be due until
/// they have passed. Must not be called while the clock is behind (some machines start in 1970): with a last run so long
/// ago, every report since then would count as missed.
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
    app.store.write(move |connection| {
        in_future.iter().try_for_each(|key| settings::set(connection, key, &now, &now))
    })
}

fn timetable(app: &App) -> Timetable {
    Timetable::new(&app.config.reports, app.content().event.time_zone.clone())
}

fn is_running(app: &App, connection: &Connection) -> Result<bool> {
    let stored = settings::get(connection, RUNNING)?;
    Ok(stored.map_or(mailbox(app).is_ok(), |stored| stored == "true"))
}

fn last_run(cadence: Cadence) -> String {
    format!("reports.last_{}_run", cadence.as_str())
}

fn instant(connection: &Connection, key: &str) -> Result<Option<DateTime<Utc>>> {
    let stored = settings::get(connection, key)?;
    Ok(stored.and_then(|text| DateTime::parse_from_rfc3339(&text).ok()).map(|at| at.with_timezone(&Utc)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::site::content::Content;
    use crate::store::{Store, migrate};

    #[test]
    fn a_clock_that_was_ahead_does_not_stop_reports() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        migrate::migrate(&path).expect("a database");
        let mut config = Config::default();
        config.reports.recipient = "organiser@example.com".into();
        let store = Store::open(&path).expect("a store");
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let app = App::new(config, store, content, false).expect("an application");
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
