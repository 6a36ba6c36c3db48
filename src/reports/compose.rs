//! Composes a report: counts compared with the period before, new names, revenue, and what needs attention.

use chrono::Days;
use minijinja::context;
use rusqlite::Connection;
use serde::Serialize;

use super::timetable::{Cadence, Period};
use crate::app::App;
use crate::error::Result;
use crate::forms::form;
use crate::mail::{self, Attachment, Event, Message};
use crate::model::Kind;
use crate::ops::health::attention::{self, AttentionItem};
use crate::portal::progress;
use crate::registrations::export::{Selection, write_csv};
use crate::store::payments;
use crate::store::registrations::{self, Filter};
use crate::time;

/// How many names are listed for each kind, so that a busy week stays readable. The CSV has all of them.
const NAMES: usize = 20;

/// The values of a report's template.
#[derive(Serialize)]
pub struct Report {
    /// 'Daily report' or 'Weekly report'.
    pub title: &'static str,
    /// The days covered, for people: 'March 2 to March 8, 2026'.
    pub days: String,
    kinds: Vec<KindCount>,
    total: i64,
    total_before: i64,
    /// Card payments of the period without what was refunded of them since, formatted.
    revenue: String,
    revenue_before: String,
    /// What needs the organiser's attention.
    attention: Vec<AttentionLine>,
    /// The days of reports that were not sent because the program was not running.
    missed: Vec<String>,
    /// How many nominations of the Artist Portal are complete, and what is missing most.
    #[serde(skip_serializing_if = "Option::is_none")]
    portal: Option<String>,
}

#[derive(Serialize)]
struct AttentionLine {
    sentence: String,
    /// The dashboard's page about it.
    url: Option<String>,
}

#[derive(Serialize)]
struct KindCount {
    name: &'static str,
    count: i64,
    before: i64,
    names: Vec<String>,
    more: i64,
}

/// A report as an email, and the registrations that it names or has in its CSV.
pub struct Composed {
    pub message: Message,
    pub registrations: Vec<(Kind, i64)>,
}

/// Composes the report as an email to `recipient`, with the registrations as CSV if `with_csv`.
pub fn compose(
    app: &App,
    period: Period,
    missed: &[Period],
    recipient: &str,
    with_csv: bool,
) -> Result<Composed> {
    let mut registrations = Vec::new();
    let (subject, body) = text(app, period, missed, &mut registrations)?;
    let attachments = if with_csv { vec![csv(app, period, &mut registrations)?] } else { Vec::new() };
    let message =
        Message { to: recipient.to_owned(), subject, body, attachments, ..mail::blank(&app.public_url()) };
    Ok(Composed { message, registrations })
}

/// The text of the report, without the registrations as CSV.
pub fn preview(app: &App, period: Period) -> Result<String> {
    let (_, body) = text(app, period, &[], &mut Vec::new())?;
    body.text()
}

/// The subject and the body of a report. The registrations that it names are added to `registrations`.
fn text(
    app: &App,
    period: Period,
    missed: &[Period],
    registrations: &mut Vec<(Kind, i64)>,
) -> Result<(String, mail::Body)> {
    let content = app.content();
    let report = app.store.read(|connection| facts(app, connection, period, missed, registrations))?;
    let subject = format!("{}, {}: {}", report.title, report.days, content.event.name);
    let url = app.public_url();
    let body = mail::Body::new(
        "report",
        &context! { subject, report, event => Event::new(&content, &url), dashboard => format!("{url}/export-data"), mail => context! { footer => content.mail.footer } },
    )?;
    Ok((subject, body))
}

fn facts(
    app: &App,
    connection: &Connection,
    period: Period,
    missed: &[Period],
    registrations: &mut Vec<(Kind, i64)>,
) -> Result<Report> {
    let (now, before) = (filter(app, period), filter(app, period.before()));
    let mut kinds = Vec::new();
    for kind in Kind::ALL {
        let count = registrations::count(connection, kind, &now)?;
        let newest = registrations::newest_names(connection, kind, &now, NAMES)?;
        registrations.extend(newest.iter().map(|(id, _)| (kind, *id)));
        let mut names: Vec<String> = newest.into_iter().map(|(_, name)| name).collect();
        // Plain text cannot isolate a name's text direction.
        names.iter_mut().for_each(|name| name.retain(|character| !is_bidi_control(character)));
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
        payments::revenue_cents(connection, from.as_deref(), until.as_deref())
            .map(|revenue| revenue.to_string())
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
        attention: attention::items(app, connection)?
            .into_iter()
            .map(|AttentionItem { sentence, path, .. }| {
                let url = (!path.is_empty()).then(|| format!("{}{path}", app.public_url()));
                AttentionLine { sentence, url }
            })
            .collect(),
        missed: missed.iter().map(|period| days(*period)).collect(),
        portal: progress::sentence(connection, &app.content())?,
    })
}

fn filter(app: &App, period: Period) -> Filter {
    let zone = app.content().event.time_zone.clone();
    Filter {
        from: Some(time::day_start(period.first_day(), &zone)),
        until: Some(time::day_start(period.last_day + Days::new(1), &zone)),
        without_abandoned: true,
        ..Filter::default()
    }
}

/// Embeddings, overrides and isolates of the bidirectional algorithm (UAX 9). Without its end, such a character would
/// reverse all names that follow.
fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn days(period: Period) -> String {
    match period.cadence {
        Cadence::Daily => period.last_day.format("%B %-d, %Y").to_string(),
        Cadence::Weekly => {
            format!("{} to {}", period.first_day().format("%B %-d"), period.last_day.format("%B %-d, %Y"))
        }
    }
}

fn csv(app: &App, period: Period, registrations: &mut Vec<(Kind, i64)>) -> Result<Attachment> {
    let zone = app.content().event.time_zone.clone();
    let selection = Selection::of_days(None, Some(period.first_day()), Some(period.last_day), zone)?;
    let mut bytes = Vec::new();
    app.store.read(|connection| {
        for kind in Kind::ALL {
            let newest = registrations::newest_names(connection, kind, &selection.filter, usize::MAX >> 1)?;
            registrations.extend(newest.into_iter().map(|(id, _)| (kind, id)));
        }
        write_csv(connection, &selection, &mut bytes, &mut |_| {})
    })?;
    Ok(Attachment {
        file_name: match period.cadence {
            Cadence::Daily => format!("registrations-{}.csv", period.last_day),
            Cadence::Weekly => format!("registrations-{}-to-{}.csv", period.first_day(), period.last_day),
        },
        content_type: "text/csv; charset=utf-8".to_owned(),
        content: bytes,
    })
}
