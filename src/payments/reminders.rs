//! One reminder to somebody who started an entry and left before paying, with a link back.
//!
//! Nobody who has paid is reminded: the provider is asked first, the email is queued in the transaction that finds the
//! entry still unpaid, and the transaction that marks an entry as paid discards a waiting reminder.

use chrono::{DateTime, TimeDelta, Utc};

use super::settle::settle;
use super::sweep_budget::SweepBudget;
use crate::app::App;
use crate::error::Result;
use crate::mail;
use crate::mail::outbox;
use crate::model::{EntryId, Kind, PaymentStatus};
use crate::payments::provider::{Failure, IntentStatus};
use crate::store::outbox::Priority;
use crate::store::payments::{self, Payment};
use crate::store::{outbox as stored_emails, registrations};
use crate::time;

/// Somebody who started or changed an entry more recently may still be paying.
const AFTER: TimeDelta = TimeDelta::hours(1);
/// An older entry is about to be abandoned.
const UNTIL: TimeDelta = TimeDelta::hours(20);
/// Reminders per sweep.
const MAX_AT_ONCE: u32 = 20;

/// Queues reminders of entries that were started an hour ago, unless the content switches reminders off, entries are
/// closed, or a limit on unpaid payments was reached (card testing).
pub fn remind(app: &App, now: DateTime<Utc>, budget: &mut SweepBudget) -> Result<()> {
    let content = app.content();
    let is_open = content.closed_message(Kind::CompetitionEntries, now).is_none();
    if !content.mail.remind_unpaid || !is_open || app.unpaid_intents.refusing().is_some() {
        return Ok(());
    }
    let (before, after) = (time::stored(now - AFTER), time::stored(now - UNTIL));
    let unpaid =
        app.store.read(|connection| payments::to_remind(connection, &after, &before, MAX_AT_ONCE))?;
    let name = |payment: &Payment| format!("entry {}", payment.entry_id);
    budget.each(&unpaid, name, |payment| remind_one(app, payment, now));
    Ok(())
}

fn remind_one(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<()> {
    let Some(intent_id) = &payment.intent_id else { return Ok(()) };
    let _lock = app.entry_locks.lock(payment.entry_id);
    match app.payments.retrieve(intent_id) {
        Ok(intent) if intent.status == IntentStatus::Unpaid => queue(app, payment.entry_id, now),
        Ok(intent) => settle(app, &intent).map(drop),
        Err(Failure::Missing) => Ok(()),
        Err(failure) => Err(failure.into()),
    }
}

fn queue(app: &App, entry_id: EntryId, now: DateTime<Utc>) -> Result<()> {
    let (content, public_url, (kind, id)) = (app.content(), app.public_url(), entry_id.registration());
    app.store.write(|connection| {
        let payment = payments::get(connection, entry_id)?
            .filter(|payment| payment.status == PaymentStatus::Pending && !payment.is_erased);
        let Some(payment) = payment else { return Ok(()) };
        let Some(stored) = registrations::get(connection, kind, id)? else { return Ok(()) };
        let (before, after) = (time::stored(now - AFTER), time::stored(now - UNTIL));
        if !payments::may_be_reminded(connection, entry_id, &after, &before)? {
            return Ok(());
        }
        let cause = || format!("{}{entry_id}", stored_emails::REMINDER);
        let message = mail::reminder(&content, &public_url, &stored.record, payment.amount_cents);
        let queued = message.and_then(|message| {
            outbox::queue(connection, Priority::Visitor, cause(), (kind, id), &message, &time::stored(now))
        });
        queued.or_else(|error| {
            let recipient = stored.record.email();
            outbox::record_uncomposed(
                connection,
                cause(),
                Some((kind, id)),
                recipient.as_str(),
                error,
                &public_url,
            )
            .map(drop)
        })
    })
}
