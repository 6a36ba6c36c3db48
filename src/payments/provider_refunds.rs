//! Asks the provider for money back, and notes how refunds and disputes stand there.

use chrono::Utc;
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::settlement::Clerk;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Actor, FindingKind, Kind, PaymentStatus, RefundState};
use crate::payments::pricing::money;
use crate::payments::provider::{Failure, Refund as Made};
use crate::store::payment_findings::{self, New};
use crate::store::refunds::{self, Refund};
use crate::store::reviews::{self, Step};
use crate::store::{outbox as mails, payments, registrations};
use crate::time;

/// Asks the provider, and notes its answer. An answer that tells nothing leaves the refund as asked for.
pub fn pay_back(app: &App, asked: &Refund, is_new: bool, intent_id: &str) -> Result<()> {
    // However long the key is, the provider takes 255 characters.
    let name = format!("refund-{}", hex::encode(Sha256::digest(&asked.key)));
    let attempt = app.store.read(|connection| payments::attempt(connection, &name))?;
    // What was asked for before may have been done, and the provider forgets idempotency keys after a day.
    let made = if is_new { Ok(Vec::new()) } else { app.payments.refunds(intent_id) };
    let made = match made {
        Err(Failure::Missing) => return Err(unknown_payment(app, asked, intent_id)?),
        made => made?,
    };
    let answer = match made.into_iter().find(|made| made.mark.as_ref() == Some(&asked.key)) {
        Some(made) => Ok(made),
        None => app.payments.refund(&format!("{name}-{attempt}"), intent_id, asked.amount_cents, &asked.key),
    };
    let (key, entry_id) = (asked.key.clone(), asked.entry_id);
    match answer {
        Ok(made) => {
            let state = if made.failed { RefundState::Failed } else { RefundState::Done };
            let clerk = Clerk::new(app);
            app.store.write(move |connection| {
                note_answer(connection, &clerk, &key, &made.id, state)?;
                restate(connection, entry_id)
            })?;
            if made.failed {
                return Err(Error::Conflict(
                    "The payment provider could not give the money back. See its dashboard.".into(),
                ));
            }
            Ok(())
        }
        Err(Failure::Refused { status: 400 | 402, words, .. }) => {
            app.store.write(move |connection| {
                refunds::answer(connection, &key, None, RefundState::Failed).map(drop)
            })?;
            // It may have gone back already, in the provider's dashboard, and nobody told.
            take_in_all(app, intent_id, entry_id)?;
            Err(Error::Conflict(format!("The payment provider refused the refund: {words}")))
        }
        Err(Failure::Missing) => Err(unknown_payment(app, asked, intent_id)?),
        Err(failure) => {
            if failure.sticks() {
                let at = time::stored(Utc::now());
                app.store.write(move |connection| payments::next_attempt(connection, &name, attempt, &at))?;
            }
            Err(failure.into())
        }
    }
}

/// Ends a refund of a payment that the provider does not know, which asking again would not change; a person should
/// look where the money is.
fn unknown_payment(app: &App, asked: &Refund, intent_id: &str) -> Result<Error> {
    let (asked, intent_id) = (asked.clone(), intent_id.to_owned());
    app.store.write(move |connection| {
        refunds::answer(connection, &asked.key, None, RefundState::Failed)?;
        let new = New {
            intent_id: &intent_id,
            problem: FindingKind::RefundFailed,
            entry_id: Some(asked.entry_id),
            amount_cents: asked.amount_cents,
            currency: "usd",
        };
        payment_findings::insert(connection, &new, &time::stored(Utc::now())).map(drop)
    })?;
    Ok(Error::Conflict("The payment provider knows no such payment, so that nothing went back.".into()))
}

/// Asks the provider how the refunds of an entry's payment stand, and takes that in.
pub fn take_in_all(app: &App, intent_id: &str, entry_id: i64) -> Result<()> {
    let made = app.payments.refunds(intent_id)?;
    let clerk = Clerk::new(app);
    app.store.write(move |connection| take_in(connection, &clerk, entry_id, &made))
}

/// Takes in how the refunds of an entry's payment stand at the provider's.
pub fn take_in(connection: &Connection, clerk: &Clerk, entry_id: i64, made: &[Made]) -> Result<()> {
    let at = &time::stored(clerk.at);
    for made in made {
        let state = if made.failed { RefundState::Failed } else { RefundState::Done };
        let mark = made.mark.as_deref().unwrap_or_default();
        if !note_answer(connection, clerk, mark, &made.id, state)? {
            refunds::note(connection, entry_id, &made.id, made.amount_cents, state, at)?;
        }
        if made.failed {
            let new = New {
                intent_id: &made.id,
                problem: FindingKind::RefundFailed,
                entry_id: Some(entry_id),
                amount_cents: made.amount_cents,
                currency: "usd",
            };
            payment_findings::insert(connection, &new, at)?;
        }
    }
    restate(connection, entry_id)
}

/// Notes what became of one of our refunds; `false` when it is none. Once it is done, the entry's history says so, and
/// the person is told, if that was wanted.
fn note_answer(
    connection: &Connection,
    clerk: &Clerk,
    key: &str,
    refund_id: &str,
    state: RefundState,
) -> Result<bool> {
    let Some(before) = refunds::by_key(connection, key)? else { return Ok(false) };
    refunds::answer(connection, key, Some(refund_id), state)?;
    let amount = money(before.amount_cents);
    match (before.state, state) {
        (RefundState::Asked | RefundState::Failed, RefundState::Done) => {
            let note = match &before.reason {
                Some(reason) => format!("Refunded {amount}: {reason}"),
                None => format!("Refunded {amount}"),
            };
            tell(connection, clerk, before.entry_id, &before.actor, note)?;
            if before.notify {
                write_to_person(connection, clerk, &before)?;
            }
        }
        (RefundState::Done, RefundState::Failed) => {
            let note = format!("The refund of {amount} failed: the money did not arrive.");
            tell(connection, clerk, before.entry_id, &Actor::PaymentProvider, note)?;
        }
        _ => {}
    }
    Ok(true)
}

/// A line in the entry's history.
fn tell(connection: &Connection, clerk: &Clerk, entry_id: i64, actor: &Actor, note: String) -> Result<()> {
    let kind = Kind::CompetitionEntries;
    let Some(stored) = registrations::get(connection, kind, entry_id)? else { return Ok(()) };
    let (from, to) = (stored.status, stored.status);
    let step = Step { at: time::stored(clerk.at), actor: actor.to_owned(), from, to, note: Some(note) };
    reviews::insert(connection, kind, entry_id, &step).map(drop)
}

fn write_to_person(connection: &Connection, clerk: &Clerk, refund: &Refund) -> Result<()> {
    let kind = Kind::CompetitionEntries;
    let Some(stored) = registrations::get(connection, kind, refund.entry_id)? else { return Ok(()) };
    let is_erased = payments::get(connection, refund.entry_id)?.is_none_or(|payment| payment.is_erased);
    let cause = format!("refund/{kind}/{}/{}", refund.entry_id, refund.id);
    if is_erased || mails::find_cause(connection, &cause)?.is_some() {
        return Ok(());
    }
    let message = mail::refund(
        &clerk.content,
        &clerk.public_url,
        &stored.record,
        refund.entry_id,
        refund.amount_cents,
    )?;
    outbox::queue(
        connection,
        mails::Priority::Urgent,
        cause,
        (kind, refund.entry_id),
        &message,
        &time::stored(clerk.at),
    )
}

/// Gives a paid entry the status that its refunds and disputes come to.
pub fn restate(connection: &Connection, entry_id: i64) -> Result<()> {
    let Some(payment) = payments::get(connection, entry_id)? else { return Ok(()) };
    let refunded = refunds::done_cents(connection, entry_id)?.min(payment.amount_cents);
    if refunded != payment.refunded_cents {
        payments::set_refunded(connection, entry_id, refunded)?;
    }
    if payment.status.is_unpaid() {
        return Ok(());
    }
    let status = if refunds::is_disputed(connection, entry_id)? {
        PaymentStatus::Disputed
    } else if refunded == payment.amount_cents {
        PaymentStatus::Refunded
    } else if refunded > 0 {
        PaymentStatus::PartiallyRefunded
    } else {
        PaymentStatus::Paid
    };
    payments::set_status(connection, entry_id, status)
}
