//! What an organiser should look at: the same sentences in the reports and on the dashboard's first page.

use std::path::Path;

use chrono::{TimeDelta, Utc};
use rusqlite::Connection;
use serde::Serialize;

use crate::app::App;
use crate::backups;
use crate::certificates;
use crate::checkup;
use crate::condition::Trouble;
use crate::error::Result;
use crate::model::Kind;
use crate::store::outbox::{self, State};
use crate::store::payment_findings;
use crate::store::registrations::{self, Filter};
use crate::time;

/// Less free space than this is too little for a busy week with its backups, in bytes.
const ROOM: u64 = 500_000_000;

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Matter {
    /// Where on the dashboard: `outbox`, `payments`, `backups`, `content`, or nowhere.
    pub room: &'static str,
    pub sentence: String,
}

/// Everything, the most pressing first; `connection` reads the database.
pub fn matters(app: &App, connection: &Connection) -> Result<Vec<Matter>> {
    let mut matters = Vec::new();
    let mut add = |room, sentence| matters.push(Matter { room, sentence });
    match trouble(app) {
        Some(trouble) => add("", trouble.for_organiser()),
        None => {
            if let Some(sentence) = little_room(app)? {
                add("", sentence);
            }
        }
    }
    for sentence in [late_backup(app)?, backups::last_failure(connection)?].into_iter().flatten() {
        add("backups", sentence);
    }
    if let Some(sentence) = ending_certificate(app, connection) {
        add("", sentence);
    }
    let failed = outbox::count(connection, State::Failed)?;
    if failed > 0 {
        add("outbox", format!("Mails that could not be sent: {failed}. See the outbox."));
    }
    let waiting = outbox::count_tried(connection)?;
    if waiting > 0 {
        add(
            "outbox",
            format!("Mails that the mail server has not taken yet: {waiting}. They are tried again."),
        );
    }
    let findings = payment_findings::count_open(connection)?;
    if findings > 0 {
        add("payments", format!("Payments that need a look: {findings}. See the payments on the dashboard."));
    }
    let mut set_aside = 0;
    for kind in Kind::ALL {
        let filter = Filter { status: Some("set_aside".to_owned()), ..Filter::default() };
        set_aside += registrations::count(connection, kind, &filter)?;
    }
    if set_aside > 0 {
        add("", format!("Submissions set aside as spam: {set_aside}. Please look through them."));
    }
    Ok(matters)
}

/// Why the site takes nothing in; a command beside the server looks for itself.
fn trouble(app: &App) -> Option<Trouble> {
    let low_disk = || checkup::judge_disk(&app.config, checkup::free_bytes(&app.config).ok()?);
    app.condition.trouble().or_else(low_disk)
}

/// A certificate that is close to its end should have been renewed by now.
fn ending_certificate(app: &App, connection: &Connection) -> Option<String> {
    let until = certificates::validity(&app.config.tls, connection).ok().flatten()?.until;
    let zone = app.content().event.time_zone.tz();
    (until - Utc::now() < TimeDelta::days(14)).then(|| {
        format!(
            "The website's certificate ends on {} and was not renewed. `showcase doctor` looks for the reason.",
            time::local_date(&time::stored(until), zone)
        )
    })
}

/// A backup that is more than half a round late has failed; the log says why.
fn late_backup(app: &App) -> Result<Option<String>> {
    let hours = i64::from(app.config.backup.every_hours);
    let newest = backups::until(&app.config, Utc::now())?.into_iter().next();
    let newest_at = newest.map(|made| made.at);
    let is_late = newest_at.is_none_or(|at| Utc::now() - at > TimeDelta::minutes(hours * 90));
    if app.demo || hours == 0 || !is_late {
        return Ok(None);
    }
    let zone = app.content().event.time_zone.tz();
    let last = newest_at.map_or("none was ever made".to_owned(), |at| {
        format!("the last one is from {}", time::local(&time::stored(at), zone))
    });
    Ok(Some(format!("Backups are late: {last}. The server's log says why.")))
}

fn little_room(app: &App) -> Result<Option<String>> {
    let folder = app.store.path().parent().filter(|folder| !folder.as_os_str().is_empty());
    let free = backups::free_bytes(folder.unwrap_or(Path::new(".")))?;
    Ok((free < ROOM).then(|| {
        format!(
            "The disk is nearly full: {} MB are left. Make room before nothing can be stored.",
            free / 1_000_000
        )
    }))
}
