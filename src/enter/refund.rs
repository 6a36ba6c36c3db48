//! Money back, the whole or a part. A refund is written down before it is asked for, so that one whose answer
//! was lost is found again and never paid twice.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Kind, PaymentStatus};
use crate::pricing::money;
use crate::store::audit;
use crate::store::payment_findings::{self, New};
use crate::store::payments::{self, Payment};
use crate::store::refunds::{self, Refund};
use crate::stripe::{Failure, Refund as Made};
use crate::time;

/// Unanswered refunds looked at in one round.
const ROUND: u32 = 50;

/// A refund that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refunded {
    pub entry_id: i64,
    pub amount_cents: i64,
    /// The entry's, from then on.
    pub status: PaymentStatus,
}

/// Refunds an entry: `amount_cents` of it, or all that is left. The same `key` pays once. What was asked for
/// before and never answered is brought to its end first.
///
/// # Errors
/// [`Error::NotFound`]: no such entry. [`Error::Conflict`]: there is nothing to give back, or the key was used
/// for another refund, or the same amount had not been answered yet. [`Error::Invalid`] on `amountCents`: more
/// than is left. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: try again; what was asked for already is not
/// paid twice.
pub fn refund(
    app: &App,
    actor: &str,
    entry_id: i64,
    amount_cents: Option<i64>,
    key: Option<&str>,
) -> Result<Refunded> {
    let _turn = app.payment_turns.take(entry_id);
    let key = key.map(|key| format!("entry-{entry_id}-{key}"));
    let before = finish_unanswered(app, entry_id, key.as_deref())?;
    if let Some(before) = before.filter(|before| amount_cents.is_none_or(|amount| amount == *before)) {
        if key.is_none() && (amount_cents.is_some() || left(app, entry_id)? == 0) {
            return refunded(app, entry_id, before);
        }
        if amount_cents.is_some() {
            let amount = money(before);
            return Err(Error::Conflict(format!(
                "An earlier refund of {amount} had not been answered; it is made now. Ask again to give back another {amount}."
            )));
        }
    }
    let actor = actor.to_owned();
    let (asked, is_new, intent_id) = app.store.write(move |connection| {
        let payment = payments::get(connection, entry_id)?.ok_or_else(|| missing(entry_id))?;
        let (asked, is_new) = asked(connection, &payment, amount_cents, key.as_deref(), &actor)?;
        Ok((asked, is_new, payment.intent_id.ok_or_else(nothing_left)?))
    })?;
    if asked.state == "asked" {
        pay_back(app, &asked, is_new, &intent_id)?;
    }
    refunded(app, entry_id, asked.amount_cents)
}

/// Refunds every paid entry, for an event that is cancelled; those that are refunded already are left out, so
/// that it can be run again after an interruption. `each` hears of every entry.
///
/// # Errors
/// Only of the database; what a single refund met is told to `each`.
pub fn refund_all(app: &App, actor: &str, mut each: impl FnMut(&Payment, Result<Refunded>)) -> Result<()> {
    for payment in app.store.read(payments::refundable)? {
        each(&payment, refund(app, actor, payment.entry_id, None, None));
    }
    Ok(())
}

/// Asks again for refunds that were asked for before an instant and never answered.
///
/// # Errors
/// The first failure of the provider ends it.
pub fn repeat_unanswered(app: &App, asked_before: &str) -> Result<()> {
    for asked in app.store.read(|connection| refunds::all_unanswered(connection, asked_before, ROUND))? {
        let _turn = app.payment_turns.take(asked.entry_id);
        finish_unanswered(app, asked.entry_id, None)?;
    }
    Ok(())
}

/// Brings every refund of an entry to its end that was never answered, but for the one under `key`; returns the
/// amount of the last one that was paid. Call it in the entry's turn.
fn finish_unanswered(app: &App, entry_id: i64, key: Option<&str>) -> Result<Option<i64>> {
    let mut paid = None;
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    let Some(intent_id) = payment.and_then(|payment| payment.intent_id) else { return Ok(None) };
    for unanswered in app.store.read(|connection| refunds::unanswered(connection, entry_id))? {
        if key == Some(&unanswered.key) {
            continue;
        }
        match pay_back(app, &unanswered, false, &intent_id) {
            Ok(()) => paid = Some(unanswered.amount_cents),
            Err(Error::Conflict(words)) => {
                tracing::warn!(entry = entry_id, "a refund came to nothing: {words}")
            }
            Err(error) => return Err(error),
        }
    }
    Ok(paid)
}

/// What can still be given back of a paid entry, in cents.
fn left(app: &App, entry_id: i64) -> Result<i64> {
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    Ok(payment.map_or(0, |payment| payment.amount_cents - payment.refunded_cents))
}

fn refunded(app: &App, entry_id: i64, amount_cents: i64) -> Result<Refunded> {
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    let status = payment.map_or(PaymentStatus::Refunded, |payment| payment.status);
    Ok(Refunded { entry_id, amount_cents, status })
}

/// The refund to be paid, and whether it is a new one: else the one under this key.
fn asked(
    connection: &Connection,
    payment: &Payment,
    amount_cents: Option<i64>,
    key: Option<&str>,
    actor: &str,
) -> Result<(Refund, bool)> {
    if let Some(known) = key.map(|key| refunds::by_key(connection, key)).transpose()?.flatten() {
        let is_same = amount_cents.is_none_or(|amount| amount == known.amount_cents);
        return match (is_same, known.state.as_str()) {
            (false, _) => Err(Error::Conflict("This Idempotency-Key was used for another refund.".into())),
            (true, "failed") => Err(Error::Conflict(
                "The refund under this Idempotency-Key failed; use a new one to try again.".into(),
            )),
            (true, _) => Ok((known, false)),
        };
    }
    let paid = matches!(payment.status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded);
    let left =
        payment.amount_cents - payment.refunded_cents - refunds::asked_cents(connection, payment.entry_id)?;
    if !paid || left <= 0 {
        return Err(nothing_left());
    }
    let amount = amount_cents.unwrap_or(left);
    if amount < 1 || amount > left {
        let message = format!("Please give an amount from 1 to {left} cents ({} is left)", money(left));
        return Err(Error::field("amountCents", &message));
    }
    let at = time::stored(Utc::now());
    let key = key.map_or_else(|| format!("{:032x}", rand::random::<u128>()), str::to_owned);
    let id = refunds::insert(connection, payment.entry_id, amount, &key, actor, &at)?;
    let line =
        audit::Line { actor, action: "refund", subject: Some((Kind::CompetitionEntries, payment.entry_id)) };
    audit::insert_with(connection, &at, &line, &json!({ "amountCents": amount, "refund": id }))?;
    let asked = Refund { id, entry_id: payment.entry_id, amount_cents: amount, state: "asked".into(), key };
    Ok((asked, true))
}

/// Asks the provider, and notes its answer. An answer that tells nothing leaves the refund as asked for.
fn pay_back(app: &App, asked: &Refund, is_new: bool, intent_id: &str) -> Result<()> {
    let name = format!("refund-{}", asked.key);
    let attempt = app.store.read(|connection| payments::attempt(connection, &name))?;
    // What was asked for before may have been done, and the provider forgets idempotency keys after a day.
    let made = if is_new { Vec::new() } else { app.payments.refunds(intent_id)? };
    let answer = match made.into_iter().find(|made| made.mark.as_ref() == Some(&asked.key)) {
        Some(made) => Ok(made),
        None => app.payments.refund(&format!("{name}-{attempt}"), intent_id, asked.amount_cents, &asked.key),
    };
    let (key, entry_id) = (asked.key.clone(), asked.entry_id);
    match answer {
        Ok(made) => {
            let state = if made.failed { "failed" } else { "done" };
            app.store.write(move |connection| {
                refunds::answer(connection, &key, Some(&made.id), state)?;
                restate(connection, entry_id)
            })?;
            if made.failed {
                return Err(Error::Conflict(
                    "The payment provider could not give the money back. See its dashboard.".into(),
                ));
            }
            Ok(())
        }
        Err(Failure::Refused { status: 400 | 402, words }) => {
            app.store.write(move |connection| refunds::answer(connection, &key, None, "failed").map(drop))?;
            Err(Error::Conflict(format!("The payment provider refused the refund: {words}")))
        }
        Err(failure) => {
            if failure.sticks() {
                let at = time::stored(Utc::now());
                app.store.write(move |connection| payments::next_attempt(connection, &name, attempt, &at))?;
            }
            Err(failure.into())
        }
    }
}

/// Takes in how the refunds of an entry's payment stand at the provider's.
pub fn take_in(connection: &Connection, entry_id: i64, made: &[Made], at: &str) -> Result<()> {
    for made in made {
        let state = if made.failed { "failed" } else { "done" };
        let mark = made.mark.as_deref().unwrap_or_default();
        if !refunds::answer(connection, mark, Some(&made.id), state)? {
            refunds::note(connection, entry_id, &made.id, made.amount_cents, state, at)?;
        }
        if made.failed {
            let new = New {
                intent_id: &made.id,
                problem: "refund_failed",
                entry_id: Some(entry_id),
                amount_cents: made.amount_cents,
                currency: "usd",
            };
            payment_findings::insert(connection, &new, at)?;
        }
    }
    restate(connection, entry_id)
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

fn missing(entry_id: i64) -> Error {
    Error::NotFound(format!("There is no record {entry_id} of {}.", Kind::CompetitionEntries))
}

fn nothing_left() -> Error {
    Error::Conflict("There is nothing to give back for this entry.".into())
}
