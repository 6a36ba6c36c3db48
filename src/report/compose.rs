//! What a report says: counts against the period before, new names, revenue, and what needs attention.

use chrono::{Days, TimeDelta, Utc};
use minijinja::context;
use rusqlite::Connection;
use serde::Serialize;

use super::timetable::{Cadence, Period};
use crate::app::App;
use crate::backups;
use crate::certificates;
use crate::checkup;
use crate::error::Result;
use crate::export::{Selection, write_csv};
use crate::mail::{self, Attachment, Message};
use crate::model::Kind;
use crate::pricing;
use crate::rules::form;
use crate::store::outbox::{self, State};
use crate::store::registrations::{self, Filter};
use crate::store::{payment_findings, payments};
use crate::time;

/// Names listed a kind, so that a busy week stays readable; the CSV has them all.
const NAMES: usize = 20;

/// A report's facts.
#[derive(Serialize)]
pub struct Report {
    /// 'Daily report' or 'Weekly report'.
    pub title: &'static str,
    /// The days covered, as a person reads them.
    pub days: String,
    kinds: Vec<KindCount>,
    total: i64,
    total_before: i64,
    /// Paid by card for entries of the period, as money.
    revenue: String,
    revenue_before: String,
    /// What needs a look, a sentence each.
    attention: Vec<String>,
    /// Reports that were never made because the program was down.
    missed: Vec<String>,
}

#[derive(Serialize)]
struct KindCount {
    name: &'static str,
    count: i64,
    before: i64,
    names: Vec<String>,
    more: i64,
}

/// Composes the report as a mail to `recipient`, with its CSV when asked for.
pub fn compose(
    app: &App,
    period: Period,
    missed: &[Period],
    recipient: &str,
    with_csv: bool,
) -> Result<Message> {
    let content = app.content();
    let report = app.store.read(|connection| facts(app, connection, period, missed))?;
    let subject = format!("{}: {}, {}", content.event.name, report.title, report.days);
    let event = context! {
        name => content.event.name, dates => content.event.dates, place => content.event.city,
        url => app.public_url(),
    };
    let (text, html) = mail::render(
        "report",
        &context! { subject, report, event, mail => content.mail, dashboard => format!("{}/export-data", app.public_url()) },
    )?;
    let attachments = if with_csv { vec![csv(app, period)?] } else { Vec::new() };
    Ok(Message {
        to: recipient.to_owned(),
        subject,
        text,
        html,
        attachments,
        ..mail::blank(&app.public_url())
    })
}

fn facts(app: &App, connection: &Connection, period: Period, missed: &[Period]) -> Result<Report> {
    let (now, before) = (filter(app, period), filter(app, period.before()));
    let mut kinds = Vec::new();
    for kind in Kind::ALL {
        let count = registrations::count(connection, kind, &now)?;
        let names = registrations::newest_names(connection, kind, &now, NAMES)?;
        kinds.push(KindCount {
            name: &form(kind).name,
            count,
            before: registrations::count(connection, kind, &before)?,
            more: count - i64::try_from(names.len()).unwrap_or(count),
            names,
        });
    }
    let money = |filter: &Filter| {
        let (from, until) = (filter.from.map(time::stored), filter.until.map(time::stored));
        payments::revenue_cents(connection, from.as_deref(), until.as_deref()).map(pricing::money)
    };
    Ok(Report {
        title: match period.cadence {
            Cadence::Daily => "Daily report",
            Cadence::Weekly => "Weekly report",
        },
        days: days(period),
        total: kinds.iter().map(|kind| kind.count).sum(),
        total_before: kinds.iter().map(|kind| kind.before).sum(),
        kinds,
        revenue: money(&now)?,
        revenue_before: money(&before)?,
        attention: attention(app, connection)?,
        missed: missed.iter().map(|period| days(*period)).collect(),
    })
}

fn attention(app: &App, connection: &Connection) -> Result<Vec<String>> {
    let mut sentences = Vec::new();
    let trouble = app.condition.trouble().or_else(|| {
        checkup::free_bytes(&app.config).ok().and_then(|free| checkup::judge_disk(&app.config, free))
    });
    sentences.extend(trouble.map(|trouble| trouble.for_organiser()));
    sentences.extend(late_backup(app)?);
    sentences.extend(backups::last_failure(connection)?);
    sentences.extend(ending_certificate(app));
    let failed = outbox::count(connection, State::Failed)?;
    if failed > 0 {
        sentences.push(format!("Mails that could not be sent: {failed}. See the outbox."));
    }
    let findings = payment_findings::count_open(connection)?;
    if findings > 0 {
        sentences.push(format!("Payments that need a look: {findings}. See the payments on the dashboard."));
    }
    let mut set_aside = 0;
    for kind in Kind::ALL {
        let filter = Filter { status: Some("set_aside".to_owned()), ..Filter::default() };
        set_aside += registrations::count(connection, kind, &filter)?;
    }
    if set_aside > 0 {
        sentences.push(format!("Submissions set aside as spam: {set_aside}. Please look through them."));
    }
    Ok(sentences)
}

/// A backup that is more than half a round late has failed; the log says why.
fn late_backup(app: &App) -> Result<Option<String>> {
    let hours = i64::from(app.config.backup.every_hours);
    let newest = backups::list(&app.config)?.into_iter().next();
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

/// A certificate that is close to its end should have been renewed by now.
fn ending_certificate(app: &App) -> Option<String> {
    let until = certificates::validity(&app.config.tls, &app.store).ok().flatten()?.until;
    let zone = app.content().event.time_zone.tz();
    (until - Utc::now() < TimeDelta::days(14)).then(|| {
        format!(
            "The website's certificate ends on {} and was not renewed. `showcase doctor` looks for the reason.",
            time::local_date(&time::stored(until), zone)
        )
    })
}

fn filter(app: &App, period: Period) -> Filter {
    let zone = app.content().event.time_zone.tz();
    Filter {
        from: Some(time::day_start(period.first_day(), zone)),
        until: Some(time::day_start(period.last_day + Days::new(1), zone)),
        ..Filter::default()
    }
}

fn days(period: Period) -> String {
    match period.cadence {
        Cadence::Daily => period.last_day.format("%B %-d, %Y").to_string(),
        Cadence::Weekly => {
            format!("{} to {}", period.first_day().format("%B %-d"), period.last_day.format("%B %-d, %Y"))
        }
    }
}

fn csv(app: &App, period: Period) -> Result<Attachment> {
    let zone = app.content().event.time_zone.tz();
    let selection = Selection { kind: None, filter: filter(app, period), zone };
    let mut bytes = Vec::new();
    app.store.read(|connection| write_csv(connection, &selection, &mut bytes, &mut |_| {}))?;
    Ok(Attachment {
        // Short enough for every mail program: a longer name is cut into pieces on its way.
        file_name: format!("registrations-{}.csv", period.last_day),
        content_type: "text/csv; charset=utf-8".to_owned(),
        content: bytes,
    })
}
