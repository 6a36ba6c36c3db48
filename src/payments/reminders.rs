//! One mail to whoever began an entry and left before it was paid, with a way back.
//!
//! The provider is asked first, so that nobody is reminded who has paid; the mail is queued in the transaction that
//! finds the entry still unpaid; and the transaction that makes an entry a paid one discards a reminder that waits.

use chrono::{DateTime, TimeDelta, Utc};

use super::settlement::settle;
use super::sweep_budget::Round;
use crate::app::App;
use crate::error::Result;
use crate::mail;
use crate::mail::outbox;
use crate::model::{Kind, PaymentStatus};
use crate::payments::provider::{Failure, IntentStatus};
use crate::store::outbox::Priority;
use crate::store::payments::{self, Payment};
use crate::store::{outbox as mails, registrations};
use crate::time;

/// Whoever began or changed an entry less than this ago may still be paying.
const AFTER: TimeDelta = TimeDelta::hours(1);
/// An entry that is older is about to end.
const UNTIL: TimeDelta = TimeDelta::hours(20);
/// Entries reminded of in one round.
const MOST: u32 = 20;

/// Reminds of what was begun an hour ago, unless the content wants no reminders, entries are closed, or somebody is
/// trying out cards.
///
/// # Errors
/// Only of the database.
pub fn remind(app: &App, now: DateTime<Utc>, round: &mut Round) -> Result<()> {
    let content = app.content();
    let is_open = content.opening(Kind::CompetitionEntries.as_str(), now).closed_message().is_none();
    if !content.mail.remind_unpaid || !is_open || app.unpaid_intents.refusing().is_some() {
        return Ok(());
    }
    let (before, after) = (time::stored(now - AFTER), time::stored(now - UNTIL));
    let unpaid = app.store.read(|connection| payments::to_remind(connection, &after, &before, MOST))?;
    round.each(&unpaid, |payment| format!("entry {}", payment.entry_id), |payment| one(app, payment, now));
    Ok(())
}

fn one(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<()> {
    let Some(intent_id) = &payment.intent_id else { return Ok(()) };
    let _turn = app.payment_turns.take(payment.entry_id);
    match app.payments.retrieve(intent_id) {
        Ok(intent) if intent.status == IntentStatus::Unpaid => queue(app, payment.entry_id, now),
        Ok(intent) => settle(app, intent).map(drop),
        Err(Failure::Missing) => Ok(()),
        Err(failure) => Err(failure.into()),
    }
}

fn queue(app: &App, entry_id: i64, now: DateTime<Utc>) -> Result<()> {
    let (content, public_url, kind) = (app.content(), app.public_url(), Kind::CompetitionEntries);
    app.store.write(move |connection| {
        let is_unpaid = payments::get(connection, entry_id)?
            .is_some_and(|payment| payment.status == PaymentStatus::Pending && !payment.is_erased);
        let Some(stored) = registrations::get(connection, kind, entry_id)?.filter(|_| is_unpaid) else {
            return Ok(());
        };
        let (before, after) = (time::stored(now - AFTER), time::stored(now - UNTIL));
        if !payments::may_be_reminded(connection, entry_id, &after, &before)? {
            return Ok(());
        }
        let message = mail::reminder(&content, &public_url, &stored.record)?;
        let cause = format!("{}{entry_id}", mails::REMINDER);
        outbox::queue(connection, Priority::Visitor, cause, (kind, entry_id), &message, &time::stored(now))
    })
}
