//! What needs the organiser's attention. The reports and the organiser's start page show the same sentences.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rusqlite::Connection;
use serde::Serialize;

use crate::admin::sessions;
use crate::app::App;
use crate::error::Result;
use crate::forms::form;
use crate::judging::{judges, relations};
use crate::mail;
use crate::model::{self, Kind, NominationState, Status};
use crate::ops::backups;
use crate::ops::certificates;
use crate::ops::health::probe;
use crate::ops::health::status::Trouble;
use crate::payments::provider::Provider;
use crate::site::content::{Content, Promise};
use crate::store::door;
use crate::store::outbox::{self, State};
use crate::store::portal::nominations;
use crate::store::registrations::{self, Filter, person};
use crate::store::{audit, folder_of, free_bytes, payment_findings, payments};
use crate::time;

/// Free space below this is too little for a busy week with its backups, in bytes.
const LOW_SPACE: u64 = 500_000_000;

/// Fewer wrong passwords than this in a day count as typing mistakes.
const MANY_REFUSED: i64 = 10;

/// One thing that needs attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AttentionItem {
    /// The organiser's page: `outbox`, `payments`, `backups`, `audit`, `forms`, `nominations`, `judging`, a kind of registration, or empty.
    #[serde(rename = "room")]
    pub page: &'static str,
    /// The path of that page, with its filter; empty if there is none.
    pub path: String,
    pub sentence: String,
    /// The forms that the item's button closes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub closes: Vec<Kind>,
    /// Whether the item has a button that erases the personal data of this edition.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub erases: bool,
}

impl AttentionItem {
    fn new(page: &'static str, sentence: String) -> AttentionItem {
        let path = if page.is_empty() { String::new() } else { format!("/export-data/{page}") };
        AttentionItem { page, path, sentence, closes: Vec::new(), erases: false }
    }

    /// An item whose details are in a page's list, filtered by `query`.
    fn in_list(page: &'static str, query: &str, sentence: String) -> AttentionItem {
        AttentionItem { path: format!("/export-data/{page}?{query}"), ..AttentionItem::new(page, sentence) }
    }
}

/// Everything that needs attention, the most urgent first.
pub fn items(app: &App, connection: &Connection) -> Result<Vec<AttentionItem>> {
    let mut items = Vec::new();
    let without_page = |sentence| AttentionItem::new("", sentence);
    match trouble(app) {
        Some(trouble) => items.push(without_page(trouble.for_organiser())),
        None => items.extend(low_space(app)?.map(without_page)),
    }
    items.extend(app.untrusted_proxy.sentence().map(without_page));
    items.extend(overdue_registrations(app, connection, time::now())?);
    items.extend(nominations_to_check(connection)?);
    items.extend(competing_judges(connection)?);
    items.extend(unmatched_judges(connection)?);
    items.extend(relation_requests(connection)?);
    items.extend(late_backup(app)?.map(|sentence| AttentionItem::new("backups", sentence)));
    items.extend(expiring_certificate(app, connection).map(without_page));
    items.extend(refused_sign_ins(connection)?);
    items.extend(unsent_emails(app, connection)?);
    let (content, now) = (app.content(), time::now());
    let entries_are_open = content.closed_message(Kind::CompetitionEntries, now).is_none();
    if entries_are_open || payments::has_paid(connection)? {
        items.extend(content.unanswered_sentence().map(without_page));
    }
    if entries_are_open && content.today(now) <= content.event.last_day && !app.takes_payments() {
        let sentence = "Payment is not set up, so nobody can enter: the site says that entry opens soon. Set the keys in [stripe] in the configuration.";
        items.push(AttentionItem::new("payments", sentence.into()));
    }
    items.extend(content.passed_dates(now).into_iter().map(|passed| without_page(passed.sentence)));
    items.extend(open_after_the_event(app));
    items.extend(to_erase(app, connection)?);
    let findings = payment_findings::count_open(connection)?;
    if findings > 0 {
        items.push(AttentionItem::new(
            "payments",
            format!("Payments to check: {}. See the payments page.", formatted(findings)),
        ));
    }
    items.extend(paid_twice(&content, connection)?);
    items.extend(unpaid_payments(app));
    for kind in Kind::ALL {
        items.extend(held_for_review(connection, kind)?);
    }
    Ok(items)
}

/// Registrations that have waited for an answer longer than the content promises, and entries that were started but not
/// paid. Each links to a list of exactly these.
fn overdue_registrations(
    app: &App,
    connection: &Connection,
    now: DateTime<Utc>,
) -> Result<Vec<AttentionItem>> {
    let content = app.content();
    let today = content.today(now);
    let mut items = Vec::new();
    for kind in Kind::ALL {
        let due_before = app.due_before(kind, now);
        let status = Some(registrations::STATUS_DUE.to_owned());
        let count =
            registrations::count(connection, kind, &Filter { status, due_before, ..Filter::default() })?;
        if count > 0 {
            let sentence = match content.mail.promises.get(kind.as_str()) {
                Some(promise) => overdue(kind, count, *promise, today),
                None => unpaid(count),
            };
            let query = format!("status={}&sort=createdAt", registrations::STATUS_DUE);
            items.push(AttentionItem::in_list(kind.as_str(), &query, sentence));
        }
    }
    Ok(items)
}

/// Nominations that were handed in and are not checked yet.
fn nominations_to_check(connection: &Connection) -> Result<Option<AttentionItem>> {
    let all = nominations::all(connection)?.into_iter();
    let handed_in = all.filter(|nomination| nomination.state == NominationState::HandedIn);
    let sentence = match handed_in.count() {
        0 => return Ok(None),
        1 => "1 nomination is handed in: check it for the judges.".to_owned(),
        count => format!("{count} nominations are handed in: check them for the judges."),
    };
    Ok(Some(AttentionItem::in_list("nominations", "state=handed_in", sentence)))
}

/// Judges who entered after they were invited: the entry form cannot refuse them without telling who judges.
fn competing_judges(connection: &Connection) -> Result<Vec<AttentionItem>> {
    let sentence = |name| {
        AttentionItem::new(
            "judging",
            format!("{name} is a judge and also has an entry. Remove the judge or withdraw the entry."),
        )
    };
    Ok(judges::competing_names(connection)?.into_iter().map(sentence).collect())
}

/// Judges whom competitors know by a name that no invited judge has: without it they would be judged by them.
fn unmatched_judges(connection: &Connection) -> Result<Vec<AttentionItem>> {
    let sentence = |name| {
        AttentionItem::new(
            "judging",
            format!(
                "A competitor knows the judge {name}, but no invited judge has this name. If one is meant, enter it as the name on the site."
            ),
        )
    };
    Ok(relations::unmatched_names(connection)?.into_iter().map(sentence).collect())
}

/// People who paid more than once for a category, each with a link to their entries.
fn paid_twice(content: &Content, connection: &Connection) -> Result<Vec<AttentionItem>> {
    let item = |twice: payments::PaidTwice| {
        let label = content.nomination(&twice.category, &twice.sub_category);
        let entries: Vec<String> = twice.entries.iter().map(ToString::to_string).collect();
        let (times, others) = match entries.len() {
            2 => ("twice".to_owned(), "other"),
            count => (format!("{count} times"), "others"),
        };
        let sentence = format!(
            "{} paid {times} for {label}, in entries {}. Ask which one is meant, and refund the {others}.",
            twice.name,
            entries.join(" and ")
        );
        let email: String = url::form_urlencoded::byte_serialize(twice.email.as_bytes()).collect();
        AttentionItem::in_list(Kind::CompetitionEntries.as_str(), &format!("search={email}"), sentence)
    };
    Ok(payments::paid_twice(connection)?.into_iter().map(item).collect())
}

fn relation_requests(connection: &Connection) -> Result<Option<AttentionItem>> {
    let sentence = match relations::count_requests(connection)? {
        0 => return Ok(None),
        1 => "A competitor says that she knows a judge who should not score her. Please decide.".to_owned(),
        count => {
            format!(
                "{count} times, a competitor says that she knows a judge who should not score her. Please decide."
            )
        }
    };
    Ok(Some(AttentionItem::new("judging", sentence)))
}

fn overdue(kind: Kind, count: i64, promise: Promise, today: NaiveDate) -> String {
    let registrations = if count == 1 {
        format!("1 {}", form(kind).name.to_lowercase())
    } else {
        format!("{} {}", formatted(count), kind.as_str().replace('-', " "))
    };
    let (is, waits) = if count == 1 { ("is", "waits") } else { ("are", "wait") };
    match promise {
        Promise::Hours(_) | Promise::BusinessDays(_) => {
            format!("{registrations} {is} older than the {promise} you promised.")
        }
        Promise::By(day) => {
            let overdue_by = overdue_by((today - day).num_days());
            format!(
                "{registrations} {waits} for an answer (promised by {}{overdue_by}).",
                day.format("%B %-d")
            )
        }
    }
}

/// How long ago a promised day was: ', a week ago'. Empty until it has passed.
fn overdue_by(days: i64) -> String {
    match days {
        ..=0 => String::new(),
        1 => ", yesterday".to_owned(),
        2..=6 => format!(", {days} days ago"),
        7..=13 => ", a week ago".to_owned(),
        _ => format!(", {} weeks ago", days / 7),
    }
}

fn unpaid(count: i64) -> String {
    if count == 1 {
        "1 entry was begun more than an hour ago and is not paid yet.".to_owned()
    } else {
        format!("{} entries were begun more than an hour ago and are not paid yet.", formatted(count))
    }
}

/// The number of registrations with status `new`, by kind. Entries have no review status.
pub fn count_new(connection: &Connection) -> Result<BTreeMap<Kind, i64>> {
    let filter = Filter { status: Some(Status::New.as_str().to_owned()), ..Filter::default() };
    let reviewed = Kind::ALL.into_iter().filter(|kind| *kind != Kind::CompetitionEntries);
    reviewed.map(|kind| Ok((kind, registrations::count(connection, kind, &filter)?))).collect()
}

/// So many payments are unpaid that new ones are refused. Only the server's process counts them, not a command's.
fn unpaid_payments(app: &App) -> Option<AttentionItem> {
    let count = i64::try_from(app.unpaid_intents.refusing()?).unwrap_or(i64::MAX);
    let sentence = format!(
        "Card payments begun within a day and not finished: {}. New ones are being refused. Somebody may be testing \
         stolen cards: check the declined payments in your payment provider's dashboard.",
        formatted(count)
    );
    Some(AttentionItem::new("payments", sentence))
}

/// Forms that are still open although the event is over.
fn open_after_the_event(app: &App) -> Option<AttentionItem> {
    let content = app.content();
    let now = time::now();
    let closes = content.open_after_the_event(now);
    let mut sentence = still_open(&closes)?;
    let takes_payments = !matches!(app.payments, Provider::Off);
    if closes.contains(&Kind::CompetitionEntries) && takes_payments {
        sentence.push_str(" People can still enter and pay.");
    }
    Some(AttentionItem { closes, ..AttentionItem::new("forms", sentence) })
}

/// Personal data that is kept beyond the day that the organiser has set.
fn to_erase(app: &App, connection: &Connection) -> Result<Option<AttentionItem>> {
    let content = app.content();
    let Some(day) = content.erasure_day().filter(|day| *day <= content.today(time::now())) else {
        return Ok(None);
    };
    let people = person::all_addresses(connection, &[app.config.reports.recipient.as_str()])?.len();
    let stored = match people {
        0 => "guests without an address".to_owned(),
        _ => format!("{} people", model::format_count(people as u64)),
    };
    let sentence = format!(
        "The personal data of this edition was to be erased on {}. Stored: {stored}.",
        day.format("%B %-d, %Y")
    );
    Ok((people > 0 || door::has_unaddressed(connection)?)
        .then(|| AttentionItem { erases: true, ..AttentionItem::new("", sentence) }))
}

/// The sentence about forms that are open after the event; `None` if there are none.
pub fn still_open(forms: &[Kind]) -> Option<String> {
    let names: Vec<String> = forms.iter().map(|kind| kind.as_str().replace('-', " ")).collect();
    match names.as_slice() {
        [] => None,
        [name] => Some(format!("The event is over, but the form for {name} is open.")),
        names => Some(format!("The event is over, but these forms are open: {}.", names.join(", "))),
    }
}

/// Emails that were not sent, and settings that prevent sending.
fn unsent_emails(app: &App, connection: &Connection) -> Result<Vec<AttentionItem>> {
    let mut items = Vec::new();
    let failed = outbox::count(connection, State::Failed)?;
    if failed > 0 {
        let sentence = format!("Emails that could not be sent: {}. See the outbox.", formatted(failed));
        items.push(AttentionItem::in_list("outbox", "state=failed", sentence));
    }
    let waiting = outbox::count_retried(connection)?;
    if waiting > 0 {
        let sentence = format!(
            "Emails that the mail server has not accepted yet: {}. They are retried.",
            formatted(waiting)
        );
        items.push(AttentionItem::in_list("outbox", &format!("state={}", outbox::RETRIED), sentence));
    }
    if waiting > 0
        && let Some(pause) = mail::outbox::Pause::read(connection)?.filter(|pause| time::now() < pause.until)
    {
        let reply = outbox::get(connection, pause.mail)?.and_then(|mail| mail.last_error).unwrap_or_default();
        let reply: String = reply.chars().take(300).collect();
        let at = app.content().event.time_zone.at(pause.until);
        let sentence = format!(
            "The mail server refuses our emails, and nothing is sent until {}: \u{201c}{reply}\u{201d}. If it is a daily limit, just wait; \
             otherwise ask whoever runs the server to check the account and its password. Everything waits in the outbox.",
            at.format("%-I:%M %p")
        );
        items.push(AttentionItem::in_list("outbox", &format!("state={}", outbox::RETRIED), sentence));
    }
    let held_back = mail::outbox::count_held_back(app, connection, time::now())?;
    if held_back > 0 {
        let sentence = format!(
            "This hour's limit of {} emails is reached, and {} more are held back. If they look automated, discard them in the outbox; otherwise raise limits.mails_per_hour.",
            formatted(app.config.limits.mails_per_hour.into()),
            formatted(held_back)
        );
        items.push(AttentionItem::in_list("outbox", "state=waiting", sentence));
    }
    // The demo sends nothing on purpose.
    if !app.demo && app.config.smtp.host.is_empty() {
        let sentence =
            "No emails are sent: smtp.host is not set in the configuration. They wait in the outbox.";
        items.push(AttentionItem::new("outbox", sentence.into()));
    }
    if !app.demo && app.config.reports.recipient.is_empty() {
        let sentence = "No reports are sent: reports.recipient is not set in the configuration.";
        items.push(AttentionItem::new("", sentence.into()));
    }
    Ok(items)
}

fn held_for_review(connection: &Connection, kind: Kind) -> Result<Option<AttentionItem>> {
    let filter = Filter { status: Some("set_aside".to_owned()), ..Filter::default() };
    let count = registrations::count(connection, kind, &filter)?;
    let sentence = format!(
        "Submissions held for review as possible spam among the {}: {}. Please review them.",
        kind.as_str().replace('-', " "),
        formatted(count)
    );
    Ok((count > 0).then(|| AttentionItem::in_list(kind.as_str(), "status=set_aside", sentence)))
}

fn refused_sign_ins(connection: &Connection) -> Result<Option<AttentionItem>> {
    let count =
        audit::sum_counts(connection, sessions::REFUSED, &time::stored(time::now() - TimeDelta::days(1)))?;
    let sentence = format!(
        "Wrong passwords in the last 24 hours: {}. If it wasn't one of you, set longer passwords for the accounts.",
        formatted(count)
    );
    let query = format!("action={}", sessions::REFUSED.replace(' ', "+"));
    Ok((count >= MANY_REFUSED).then(|| AttentionItem::in_list("audit", &query, sentence)))
}

fn formatted(count: i64) -> String {
    model::format_count(count.unsigned_abs())
}

/// Why the site is read-only. A command's process has no probe, so it checks the disk itself.
fn trouble(app: &App) -> Option<Trouble> {
    let low_disk = || probe::check_disk(&app.config, probe::free_bytes(&app.config).ok()?);
    app.health.trouble().or_else(low_disk)
}

/// A certificate that expires soon should have been renewed already.
fn expiring_certificate(app: &App, connection: &Connection) -> Option<String> {
    let until = certificates::validity(&app.config.tls, connection).ok().flatten()?.until;
    let zone = app.content().event.time_zone.clone();
    (until - time::now() < TimeDelta::days(14)).then(|| {
        format!(
            "The website's certificate expires on {} and was not renewed. Run `showcase doctor` to find out why.",
            time::local_date(&time::stored(until), &zone)
        )
    })
}

/// A backup is reported when it is late by more than half its interval.
fn late_backup(app: &App) -> Result<Option<String>> {
    let hours = i64::from(app.config.backup.every_hours);
    let newest_at = match backups::until(&app.config, time::now()) {
        Ok(made) => made.first().map(|newest| newest.at),
        // A failing backup disk is reported here and must not keep the report from being written.
        Err(error) if hours > 0 => return Ok(Some(error.to_string())),
        Err(_) => None,
    };
    let is_late = newest_at.is_none_or(|at| time::now() - at > TimeDelta::minutes(hours * 90));
    // After a downtime the server creates one as soon as it has started.
    let is_pending = app.backup_is_pending.load(Ordering::Relaxed);
    if app.demo || hours == 0 || !is_late || is_pending {
        return Ok(None);
    }
    let zone = app.content().event.time_zone.clone();
    let last = newest_at.map_or("there is none yet".to_owned(), |at| {
        format!("the last one is from {}", time::local(&time::stored(at), &zone))
    });
    Ok(Some(format!("Backups are late: {last}. The server's log says why.")))
}

fn low_space(app: &App) -> Result<Option<String>> {
    let free = free_bytes(folder_of(app.store.path()))?;
    Ok((free < LOW_SPACE).then(|| {
        format!(
            "The disk is nearly full: {} MB are left. Free some space before the site stops accepting registrations.",
            free / 1_000_000
        )
    }))
}
