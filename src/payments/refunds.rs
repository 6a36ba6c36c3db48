//! Money back, the whole or a part. A refund is written down before it is asked for, so that one whose answer
//! was lost is found again and never paid twice.

use chrono::Utc;
use rusqlite::Connection;
use serde_json::json;

use super::provider_refunds::pay_back;
use super::sweep_budget::{Patience, Round};
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::{self, Message};
use crate::model::{Actor, Kind, PaymentStatus, RefundState};
use crate::payments::pricing::money;
use crate::payments::provider::Provider;
use crate::registrations::submit;
use crate::store::payments::{self, Payment};
use crate::store::refunds::{self, Refund};
use crate::store::{audit, registrations};
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

/// What an organiser asks for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// All that is left when absent.
    pub amount_cents: Option<i64>,
    /// For the organisers alone.
    pub reason: Option<String>,
    /// Whether the person is told by mail.
    pub notify: bool,
}

/// What a refund would give back, and what is left before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Possible {
    pub amount_cents: i64,
    pub left_cents: i64,
}

/// Refunds an entry: a part of it, or all that is left. The same `key` pays once. What was asked for
/// before and never answered is brought to its end first.
///
/// # Errors
/// [`Error::Malformed`]: no key that can be one. [`Error::NotFound`]: no such entry. [`Error::Conflict`]: there is nothing to give back, or the key was used
/// for another refund, or the same amount had not been answered yet. [`Error::Invalid`] on `amountCents`: more
/// than is left. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: try again; what was asked for already is not
/// paid twice. [`Error::PaymentsOff`]: nothing is asked for.
pub fn refund(
    app: &App,
    actor: &Actor,
    entry_id: i64,
    wanted: &Wanted,
    key: Option<&str>,
) -> Result<Refunded> {
    let amount_cents = wanted.amount_cents;
    if matches!(app.payments, Provider::Off) {
        return Err(Error::PaymentsOff);
    }
    let key = key.map(submit::checked_key).transpose()?.map(|key| format!("entry-{entry_id}-{key}"));
    let _turn = app.payment_turns.take(entry_id);
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
    let (actor, live, wanted) = (actor.to_owned(), app.payments.is_live(), wanted.clone());
    let (asked, is_new, intent_id) = app.store.write(move |connection| {
        let payment = of_this_mode(connection, entry_id, live)?;
        let (asked, is_new) = asked(connection, &payment, &wanted, key.as_deref(), &actor)?;
        Ok((asked, is_new, payment.intent_id.ok_or_else(nothing_left)?))
    })?;
    if asked.state == RefundState::Asked {
        pay_back(app, &asked, is_new, &intent_id)?;
    }
    refunded(app, entry_id, asked.amount_cents)
}

/// What [`refund`] would give back now; changes nothing.
///
/// # Errors
/// As [`refund`], but for what only the provider can tell.
pub fn would_refund(app: &App, entry_id: i64, amount_cents: Option<i64>) -> Result<Possible> {
    let live = app.payments.is_live();
    app.store
        .read(|connection| possible(connection, &of_this_mode(connection, entry_id, live)?, amount_cents))
}

/// The mail that tells of a refund of so many cents, or of all that is left, and that amount; nothing is paid or queued.
///
/// # Errors
/// As [`would_refund`].
pub fn refund_mail(app: &App, entry_id: i64, amount_cents: Option<i64>) -> Result<(Message, i64)> {
    let amount_cents = would_refund(app, entry_id, amount_cents)?.amount_cents;
    let kind = Kind::CompetitionEntries;
    let stored = app.store.read(|connection| registrations::get(connection, kind, entry_id))?;
    let stored = stored.ok_or_else(|| missing(entry_id))?;
    let message = mail::refund(&app.content(), &app.public_url(), &stored.record, entry_id, amount_cents)?;
    Ok((message, amount_cents))
}

/// Refunds every paid entry, for an event that is cancelled; `wanted` names no amount. Those that are refunded already are left out, so
/// that it can be run again after an interruption. `each` hears of every entry that had its turn.
///
/// # Errors
/// [`Error::ProviderSlow`]: nobody was there for several in a row, and the others had no turn. Else only of the
/// database; what a single refund met is told to `each`.
pub fn refund_all(
    app: &App,
    actor: &Actor,
    wanted: &Wanted,
    mut each: impl FnMut(&Payment, Result<Refunded>),
) -> Result<()> {
    let live = app.payments.is_live();
    let mut patience = Patience::default();
    for payment in app.store.read(|connection| payments::refundable(connection, live))? {
        let refunded = refund_rest(app, actor, wanted, &payment);
        let is_over = patience.is_over_after(&refunded);
        each(&payment, refunded);
        if is_over {
            return Err(Error::ProviderSlow);
        }
    }
    Ok(())
}

/// Refunds all that is left of an entry, also when that is less than was known: what went back in the provider's
/// dashboard, or by this command in another window, is told when the provider refuses to give it twice.
fn refund_rest(app: &App, actor: &Actor, wanted: &Wanted, before: &Payment) -> Result<Refunded> {
    let refused = match refund(app, actor, before.entry_id, wanted, None) {
        Err(refused @ Error::Conflict(_)) => refused,
        done => return done,
    };
    match left(app, before.entry_id)? {
        0 => refunded(app, before.entry_id, 0),
        less if less < before.left_cents() => refund(app, actor, before.entry_id, wanted, None),
        _ => Err(refused),
    }
}

/// Asks again for refunds that were asked for before an instant and never answered.
///
/// # Errors
/// Only of the database.
pub fn repeat_unanswered(app: &App, asked_before: &str, round: &mut Round) -> Result<()> {
    let live = app.payments.is_live();
    let unanswered =
        app.store.read(|connection| refunds::all_unanswered(connection, live, asked_before, ROUND))?;
    let name = |asked: &Refund| format!("the refund of entry {}", asked.entry_id);
    round.each(&unanswered, name, |asked| {
        let _turn = app.payment_turns.take(asked.entry_id);
        finish_unanswered(app, asked.entry_id, None).map(drop)
    });
    Ok(())
}

/// Brings every refund of an entry to its end that was never answered, but for the one under `key`; returns the
/// amount of the last one that was paid. Call it in the entry's turn.
fn finish_unanswered(app: &App, entry_id: i64, key: Option<&str>) -> Result<Option<i64>> {
    let mut paid = None;
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    let present = payment.filter(|payment| !payment.is_of_other_mode(app.payments.is_live()));
    let Some(intent_id) = present.and_then(|payment| payment.intent_id) else { return Ok(None) };
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
    Ok(payment.map_or(0, |payment| payment.left_cents()))
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
    wanted: &Wanted,
    key: Option<&str>,
    actor: &Actor,
) -> Result<(Refund, bool)> {
    let amount_cents = wanted.amount_cents;
    if let Some(known) = key.map(|key| refunds::by_key(connection, key)).transpose()?.flatten() {
        let is_same = match amount_cents {
            None => known.is_rest != Some(false),
            Some(amount) => known.is_rest != Some(true) && amount == known.amount_cents,
        };
        return match (is_same, known.state) {
            (false, _) => Err(Error::Conflict("This Idempotency-Key was used for another refund.".into())),
            (true, RefundState::Failed) => Err(Error::Conflict(
                "The refund under this Idempotency-Key failed; use a new one to try again.".into(),
            )),
            (true, _) => Ok((known, false)),
        };
    }
    let amount = possible(connection, payment, amount_cents)?.amount_cents;
    let at = time::stored(Utc::now());
    let key = key.map_or_else(|| format!("{:032x}", rand::random::<u128>()), str::to_owned);
    let new = refunds::New {
        entry_id: payment.entry_id,
        amount_cents: amount,
        is_rest: amount_cents.is_none(),
        key: &key,
        actor,
        reason: wanted.reason.as_deref(),
        notify: wanted.notify,
    };
    let id = refunds::insert(connection, &new, &at)?;
    let line =
        audit::Line { actor, action: "refund", subject: Some((Kind::CompetitionEntries, payment.entry_id)) };
    audit::insert_with(connection, &at, &line, &json!({ "amountCents": amount, "refund": id }))?;
    let asked = Refund {
        id,
        entry_id: payment.entry_id,
        amount_cents: amount,
        state: RefundState::Asked,
        key,
        is_rest: Some(amount_cents.is_none()),
        actor: actor.to_owned(),
        reason: wanted.reason.clone(),
        notify: wanted.notify,
    };
    Ok((asked, true))
}

/// What a refund of so many cents, or of all, comes to.
fn possible(connection: &Connection, payment: &Payment, amount_cents: Option<i64>) -> Result<Possible> {
    let paid = matches!(payment.status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded);
    let asked_cents = refunds::asked_cents(connection, payment.entry_id)?;
    let left_cents = payment.left_cents() - asked_cents;
    if !paid || left_cents <= 0 {
        return Err(nothing_left());
    }
    let amount_cents = amount_cents.unwrap_or(left_cents);
    if amount_cents < 1 || amount_cents > left_cents {
        let left = money(left_cents);
        let message = format!("Please give an amount from 1 to {left_cents} cents ({left} is left)");
        return Err(Error::field("amountCents", &message));
    }
    Ok(Possible { amount_cents, left_cents })
}

/// An entry whose payment the present keys can give back.
fn of_this_mode(connection: &Connection, entry_id: i64, live: Option<bool>) -> Result<Payment> {
    let payment = payments::get(connection, entry_id)?.ok_or_else(|| missing(entry_id))?;
    if payment.is_of_other_mode(live) { Err(other_mode()) } else { Ok(payment) }
}

fn missing(entry_id: i64) -> Error {
    Error::NotFound(format!("There is no record {entry_id} of {}.", Kind::CompetitionEntries))
}

fn nothing_left() -> Error {
    Error::Conflict("There is nothing to give back for this entry.".into())
}

fn other_mode() -> Error {
    Error::Conflict(
        "This entry was paid in the other mode (test or live) than that of the present keys: set those to give back."
            .into(),
    )
}
