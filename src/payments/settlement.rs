//! What an intent means for its entry, decided in one transaction: the only place that makes an entry a paid one.
//!
//! Whoever comes first settles (the browser's call, an event, the sweeper, a command); whoever comes later
//! finds it done and changes nothing, so that there is one confirmation mail.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::provider_refunds;
use crate::app::{App, Published};
use crate::error::{Error, Result};
use crate::forms::Record;
use crate::mail::outbox::{self, Notices};
use crate::mail::{self, Message};
use crate::model::{Actor, FindingKind, Kind, PaymentStatus};
use crate::payments::provider::{Intent, IntentStatus, UnpaidIntents};
use crate::site;
use crate::site::content::Content;
use crate::site::publish;
use crate::store::outbox::{self as mails, Priority};
use crate::store::payment_findings::{self, New};
use crate::store::payments::{self, Payment};
use crate::store::{audit, registrations};
use crate::time;

/// What settling takes beside the intent.
pub struct Clerk {
    pub content: Arc<Content>,
    /// The event's calendar file; empty where no pages are made.
    calendar: Arc<str>,
    pub public_url: String,
    /// The organiser's notice of each paid entry, when the content asks for notices.
    notices: Option<Notices>,
    live: Option<bool>,
    unpaid_intents: Arc<UnpaidIntents>,
    pub at: DateTime<Utc>,
}

impl Clerk {
    pub fn new(app: &App) -> Clerk {
        let Published { content, calendar, .. } = app.published();
        Clerk {
            public_url: app.public_url(),
            notices: Notices::of(app, &content),
            live: app.payments.is_live(),
            unpaid_intents: Arc::clone(&app.unpaid_intents),
            at: Utc::now(),
            content,
            calendar,
        }
    }
}

/// Settles what an intent, just fetched from the provider, means; returns its entry's payment as it is then,
/// `None` when it belongs to no entry.
///
/// # Errors
/// [`Error::Unavailable`]: nothing was changed. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: what went back of
/// it is not known yet.
pub fn settle(app: &App, intent: Intent) -> Result<Option<Payment>> {
    let (clerk, id, taken_back) = (Clerk::new(app), intent.id.clone(), intent.taken_back);
    let settled = app.store.write(move |connection| apply(connection, &clerk, &intent))?;
    match settled {
        Some(payment) if taken_back && payment.status == PaymentStatus::Paid && payment.is_paid_by(&id) => {
            // It is not shown as paid until an event tells of what went back before anybody had heard of it.
            provider_refunds::take_in_all(app, &id, payment.entry_id)?;
            app.store.read(|connection| again(connection, payment.entry_id)).map(Some)
        }
        settled => Ok(settled),
    }
}

/// As [`settle`], within the transaction of the caller.
pub fn apply(connection: &Connection, clerk: &Clerk, intent: &Intent) -> Result<Option<Payment>> {
    let found = entry_of(connection, intent)?;
    if intent.status == IntentStatus::Succeeded {
        clerk.unpaid_intents.paid(&intent.id);
    }
    if clerk.live.is_some_and(|live| live != intent.live) {
        tracing::warn!(intent = intent.id, "a payment of the other mode (live or test) was left alone");
        return Ok(found);
    }
    match (intent.status, found) {
        (IntentStatus::Succeeded, None) => {
            find(connection, clerk, intent, FindingKind::NoEntry, None)?;
            Ok(None)
        }
        (IntentStatus::Succeeded, Some(payment)) => succeeded(connection, clerk, intent, payment).map(Some),
        (IntentStatus::Canceled, Some(payment)) => {
            if is_its_own(&payment, intent) {
                let end = if intent.abandoned { PaymentStatus::Abandoned } else { PaymentStatus::Failed };
                end_pending(connection, payment.entry_id, end, &time::stored(clerk.at))?;
            }
            again(connection, payment.entry_id).map(Some)
        }
        (_, found) => Ok(found),
    }
}

/// Ends an entry that still waits for its payment, which cannot come any more.
pub fn end_pending(connection: &Connection, entry_id: i64, end: PaymentStatus, at: &str) -> Result<()> {
    if again(connection, entry_id)?.status != PaymentStatus::Pending {
        return Ok(());
    }
    payments::set_status(connection, entry_id, end)?;
    let subject = Some((Kind::CompetitionEntries, entry_id));
    audit::insert(connection, at, &audit::Line { actor: &Actor::Program, action: end.as_str(), subject })
}

/// The entry that an intent pays for: the one that names it, or the one that it was made for, when the program
/// ended before the intent's name was written down. The number of an entry alone says nothing: another database
/// on the same account has one of that number too.
pub fn entry_of(connection: &Connection, intent: &Intent) -> Result<Option<Payment>> {
    let named = payments::by_intent(connection, &intent.id)?;
    let Some(mark) = &intent.entry else { return Ok(named) };
    match named {
        // An intent that was made for another entry pays for none but that one.
        Some(payment) => Ok(Some(payment).filter(|payment| {
            payment.entry_id == mark.id && (mark.token.is_empty() || mark.token == payment.token)
        })),
        None => Ok(payments::get(connection, mark.id)?
            .filter(|payment| !mark.token.is_empty() && mark.token == payment.token)),
    }
}

fn is_its_own(payment: &Payment, intent: &Intent) -> bool {
    payment.intent_id.as_deref().is_none_or(|id| id == intent.id)
}

fn succeeded(connection: &Connection, clerk: &Clerk, intent: &Intent, payment: Payment) -> Result<Payment> {
    if !payment.status.is_unpaid() {
        if !is_its_own(&payment, intent) {
            find(connection, clerk, intent, FindingKind::SecondPayment, Some(payment.entry_id))?;
        }
        return Ok(payment);
    }
    if payment.is_erased {
        find(connection, clerk, intent, FindingKind::NoEntry, Some(payment.entry_id))?;
        return Ok(payment);
    }
    let is_dealt_with = payment_findings::is_settled(connection, &intent.id)?;
    let fits = intent.currency == "usd" && intent.received_cents == payment.amount_cents;
    if fits && !is_dealt_with {
        pay(connection, clerk, intent, &payment)?;
    } else if !is_dealt_with {
        find(connection, clerk, intent, FindingKind::WrongAmount, Some(payment.entry_id))?;
    }
    // What went back without having paid can pay no more; the same form begins another payment.
    if intent.given_back && is_its_own(&payment, intent) {
        end_pending(connection, payment.entry_id, PaymentStatus::Failed, &time::stored(clerk.at))?;
    }
    again(connection, payment.entry_id)
}

fn pay(connection: &Connection, clerk: &Clerk, intent: &Intent, payment: &Payment) -> Result<()> {
    let (id, at) = (payment.entry_id, time::stored(clerk.at));
    let places = i64::from(clerk.content.pass.front_row_places);
    let front_row = payment.additional_categories >= 1 && payments::front_row_taken(connection)? < places;
    payments::mark_paid(connection, id, &intent.id, &at, front_row, intent.live)?;
    payment_findings::settle_intent(connection, &intent.id, &at)?;
    let subject = (Kind::CompetitionEntries, id);
    let line = audit::Line { actor: &Actor::PaymentProvider, action: "paid", subject: Some(subject) };
    audit::insert(connection, &at, &line)?;
    confirm(connection, clerk, intent, payment, &at)
}

/// The confirmation with its receipt and calendar, and the organiser's notice.
fn confirm(
    connection: &Connection,
    clerk: &Clerk,
    intent: &Intent,
    payment: &Payment,
    at: &str,
) -> Result<()> {
    let kind = Kind::CompetitionEntries;
    let stored = registrations::get(connection, kind, payment.entry_id)?
        .ok_or_else(|| Error::Internal(format!("entry {} is gone", payment.entry_id)))?;
    let subject = (kind, payment.entry_id);
    let cause = |word: &str| format!("{word}/{kind}/{}", payment.entry_id);
    // Of this entry, and of another one that the same person began.
    let (_, address) = stored.record.person();
    mails::discard_reminders(connection, address)?;
    if mails::find_cause(connection, &cause("confirmation"))?.is_none()
        && let Some(message) = confirmation(connection, clerk, intent, payment, &stored.record, at)?
    {
        outbox::queue(connection, Priority::Urgent, cause("confirmation"), subject, &message, at)?;
    }
    match &clerk.notices {
        Some(notices) if mails::find_cause(connection, &cause("notice"))?.is_none() => {
            let (content, public_url) = (&clerk.content, &clerk.public_url);
            notices.queue(connection, content, public_url, &stored.record, payment.entry_id, clerk.at)
        }
        _ => Ok(()),
    }
}

/// The confirmation of a paid entry; `None`, with an error in the log, when its receipt would have no lines.
fn confirmation(
    connection: &Connection,
    clerk: &Clerk,
    intent: &Intent,
    payment: &Payment,
    record: &Record,
    at: &str,
) -> Result<Option<Message>> {
    let quote = match payment.quote.as_deref().map(serde_json::from_str).transpose() {
        Ok(quote) => quote,
        Err(error) => {
            let entry = payment.entry_id;
            tracing::error!(
                "the stored quote of entry {entry} cannot be read, so it is not confirmed: {error}"
            );
            return Ok(None);
        }
    };
    let receipt = mail::Receipt {
        entry_id: payment.entry_id,
        intent_id: &intent.id,
        paid_at: at,
        amount_cents: payment.amount_cents,
        quote,
        agreed_to: registrations::agreed_to(connection, Kind::CompetitionEntries, payment.entry_id)?,
    };
    let mut message = mail::entry_confirmation(&clerk.content, &clerk.public_url, record, &receipt)?;
    let calendar = if clerk.calendar.is_empty() {
        publish::calendar(&site::load_current(connection)?, &clerk.public_url)
    } else {
        clerk.calendar.to_string()
    };
    message.attachments.push(mail::Attachment {
        file_name: "event.ics".into(),
        content_type: "text/calendar; charset=utf-8; method=PUBLISH".into(),
        content: calendar.into_bytes(),
    });
    Ok(Some(message))
}

/// Puts money that cannot be placed in front of the organiser.
pub fn find(
    connection: &Connection,
    clerk: &Clerk,
    intent: &Intent,
    problem: FindingKind,
    entry_id: Option<i64>,
) -> Result<()> {
    let amount_cents = if intent.received_cents > 0 { intent.received_cents } else { intent.amount_cents };
    let new = New { intent_id: &intent.id, problem, entry_id, amount_cents, currency: &intent.currency };
    if payment_findings::insert(connection, &new, &time::stored(clerk.at))? {
        tracing::warn!(intent = intent.id, %problem, "a payment needs a person's look");
    }
    Ok(())
}

fn again(connection: &Connection, entry_id: i64) -> Result<Payment> {
    payments::get(connection, entry_id)?.ok_or_else(|| Error::Internal(format!("entry {entry_id} is gone")))
}
