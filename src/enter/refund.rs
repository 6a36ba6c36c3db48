//! Money back, the whole or a part. A refund is written down before it is asked for, so that one whose answer
//! was lost is found again and never paid twice.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Kind, PaymentStatus};
use crate::pricing::money;
use crate::store::audit;
use crate::store::payment_findings::{self, New};
use crate::store::payments::{self, Payment};
use crate::store::refunds::{self, Refund};
use crate::stripe::Failure;
use crate::time;

/// A refund that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refunded {
    pub entry_id: i64,
    pub amount_cents: i64,
    /// The entry's, from then on.
    pub status: PaymentStatus,
}

/// Refunds an entry: `amount_cents` of it, or all that is left. The same `key` pays once.
///
/// # Errors
/// [`Error::NotFound`]: no such entry. [`Error::Conflict`]: there is nothing to give back, or the key was used
/// for another refund. [`Error::Invalid`] on `amountCents`: more than is left.
/// [`Error::ProviderFailed`], [`Error::ProviderSlow`]: try again; what was asked for already is not paid twice.
pub fn refund(
    app: &App,
    actor: &str,
    entry_id: i64,
    amount_cents: Option<i64>,
    key: Option<&str>,
) -> Result<Refunded> {
    let _turn = app.payment_turns.take(entry_id);
    let (actor, key) = (actor.to_owned(), key.map(|key| format!("entry-{entry_id}-{key}")));
    let (asked, intent_id) = app.store.write(move |connection| {
        let payment = payments::get(connection, entry_id)?.ok_or_else(|| {
            Error::NotFound(format!("There is no record {entry_id} of {}.", Kind::CompetitionEntries))
        })?;
        let asked = asked(connection, &payment, amount_cents, key.as_deref(), &actor)?;
        let intent_id = payment.intent_id.ok_or_else(nothing_left)?;
        Ok((asked, intent_id))
    })?;
    if asked.state == "asked" {
        pay_back(app, &asked, &intent_id)?;
    }
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    let status = payment.map_or(PaymentStatus::Refunded, |payment| payment.status);
    Ok(Refunded { entry_id, amount_cents: asked.amount_cents, status })
}

/// Refunds every paid entry, for an event that is cancelled; those that are refunded already are left out, so
/// that it can be run again after an interruption. `each` hears of every entry and may end it.
///
/// # Errors
/// Only of the database; what a single refund met is told to `each`.
pub fn refund_all(app: &App, actor: &str, mut each: impl FnMut(&Payment, Result<Refunded>)) -> Result<()> {
    for payment in app.store.read(payments::refundable)? {
        let key = format!("all-paid-{}", payment.refunded_cents);
        let refunded = refund(app, actor, payment.entry_id, None, Some(&key));
        each(&payment, refunded);
    }
    Ok(())
}

/// The refund to be paid: the one under this key, one that was never answered, or a new one.
fn asked(
    connection: &Connection,
    payment: &Payment,
    amount_cents: Option<i64>,
    key: Option<&str>,
    actor: &str,
) -> Result<Refund> {
    if let Some(known) = key.map(|key| refunds::by_key(connection, key)).transpose()?.flatten() {
        let is_same = amount_cents.is_none_or(|amount| amount == known.amount_cents);
        return match (is_same, known.state.as_str()) {
            (false, _) => Err(Error::Conflict("This Idempotency-Key was used for another refund.".into())),
            (true, "failed") => Err(Error::Conflict(
                "The refund under this Idempotency-Key failed; use a new one to try again.".into(),
            )),
            (true, _) => Ok(known),
        };
    }
    let unanswered = refunds::unanswered(connection, payment.entry_id)?;
    if let Some(unanswered) = unanswered
        && amount_cents.is_none_or(|amount| amount == unanswered.amount_cents)
    {
        return Ok(unanswered);
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
    Ok(Refund { id, entry_id: payment.entry_id, amount_cents: amount, state: "asked".into(), key })
}

/// Asks the provider, and notes its answer. An answer that tells nothing leaves the refund as asked for.
fn pay_back(app: &App, asked: &Refund, intent_id: &str) -> Result<()> {
    let name = format!("refund-{}", asked.key);
    let attempt = app.store.read(|connection| payments::attempt(connection, &name))?;
    // A refusal may have come after the work: what was made under our mark is not made again.
    let made = if attempt > 1 { app.payments.find_refund(intent_id, &asked.key)? } else { None };
    let answer = match made {
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
        Err(Failure::Refused { status, words }) if status < 500 => {
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

/// Takes in what an event says of one refund (Stripe's `refund` object).
pub fn note(connection: &Connection, entry_id: i64, object: &Value, at: &str) -> Result<()> {
    let (Some(id), Some(amount)) = (object["id"].as_str(), object["amount"].as_i64()) else { return Ok(()) };
    let failed = matches!(object["status"].as_str(), Some("failed" | "canceled"));
    let state = if failed { "failed" } else { "done" };
    let ours = object["metadata"]["refund_key"].as_str().unwrap_or_default();
    if !refunds::answer(connection, ours, Some(id), state)? {
        refunds::note(connection, entry_id, id, amount, state, at)?;
    }
    if failed {
        let new = New {
            intent_id: id,
            problem: "refund_failed",
            entry_id: Some(entry_id),
            amount_cents: amount,
            currency: "usd",
        };
        payment_findings::insert(connection, &new, at)?;
        let known = refunds::done_cents(connection, entry_id)?;
        payments::set_refunded(connection, entry_id, known)?;
    }
    Ok(())
}

/// Gives a paid entry the status that its refunds and disputes come to.
pub fn restate(connection: &Connection, entry_id: i64) -> Result<()> {
    let Some(payment) = payments::get(connection, entry_id)? else { return Ok(()) };
    let refunded =
        payment.refunded_cents.max(refunds::done_cents(connection, entry_id)?).min(payment.amount_cents);
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

fn nothing_left() -> Error {
    Error::Conflict("There is nothing to give back for this entry.".into())
}
