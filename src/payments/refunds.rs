//! Full and partial refunds. A refund is stored before it is sent, so that one whose response was lost is found again
//! and never made twice.

use rusqlite::Connection;
use serde_json::json;

use super::category_refund;
use super::provider_refunds::send_refund;
use super::sweep_budget::{SweepBudget, TimeoutCounter};
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::{self, Message};
use crate::model::{Actor, Cents, EntryId, PaymentStatus, RefundState, token};
use crate::payments::provider::Provider;
use crate::registrations::submit;
use crate::registrations::version::{self, Expected};
use crate::site::content::Content;
use crate::store::payments::{self, Payment};
use crate::store::refunds::{self, Refund};
use crate::store::{audit, registrations};
use crate::time;

/// Unanswered refunds retried in one sweep.
const BATCH: u32 = 50;

/// A refund that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refunded {
    pub entry_id: EntryId,
    pub amount_cents: Cents,
    /// The entry's status after the refund.
    pub status: PaymentStatus,
}

/// A refund that an organiser requests.
#[derive(Debug, Clone, Default)]
pub struct RefundRequest {
    /// `None` refunds the price of the category, or all that is left.
    pub amount_cents: Option<Cents>,
    /// The code of the nomination to the only category that is refunded; it is withdrawn.
    pub category: Option<String>,
    /// Shown only to organisers.
    pub reason: Option<String>,
    /// Whether the person gets an email.
    pub notify: bool,
    /// The version of the entry that the organiser has seen. A repeated refund is not checked.
    pub expected: Expected,
}

/// The amount of a possible refund, and the refundable amount before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundPreview {
    pub amount_cents: Cents,
    pub left_cents: Cents,
    /// The nomination that would be withdrawn.
    pub category: Option<RefundedCategory>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundedCategory {
    /// `BR-317`.
    pub code: String,
    /// `Brows - Lamination`.
    pub label: String,
}

/// Refunds an entry: one category, another part or all that is left. One `key` refunds once. Earlier refunds without a
/// response are completed first. The nomination to a refunded category is withdrawn once the provider has made the refund.
///
/// # Errors
/// [`Error::Malformed`]: an invalid key. [`Error::NotFound`]: no such entry. [`Error::Conflict`]: there is nothing to
/// refund, the key was used for another refund, or an earlier refund of this amount had no response yet.
/// [`Error::Invalid`] on `amountCents`: more than is left; on `category`: no such category. [`Error::Changed`]: another
/// version was expected. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: retry; nothing is refunded twice.
/// [`Error::PaymentsOff`].
pub fn refund(
    app: &App,
    actor: &Actor,
    entry_id: EntryId,
    wanted: &RefundRequest,
    key: Option<&str>,
) -> Result<Refunded> {
    let amount_cents = wanted.amount_cents;
    if matches!(app.payments, Provider::Off) {
        return Err(Error::PaymentsOff);
    }
    let key = key.map(submit::checked_key).transpose()?.map(|key| format!("entry-{entry_id}-{key}"));
    let _lock = app.entry_locks.lock(entry_id);
    let finished = finish_unanswered(app, entry_id, key.as_deref())?;
    if let Some(finished) = &finished
        && key.is_none()
        && wanted.category.is_some()
        && finished.category == wanted.category
    {
        return refunded(app, entry_id, finished.amount_cents);
    }
    if let Some(before) = finished.map(|finished| finished.amount_cents)
        && wanted.category.is_none()
        && amount_cents.is_none_or(|amount| amount == before)
    {
        if key.is_none() && (amount_cents.is_some() || refundable_cents(app, entry_id)? == Cents(0)) {
            return refunded(app, entry_id, before);
        }
        if amount_cents.is_some() {
            return Err(Error::Conflict(format!(
                "An earlier refund of {before} was still open and is made now, or on its way. Repeat the request to refund another {before}."
            )));
        }
    }
    let (live, content) = (app.payments.is_live(), app.content());
    let (asked, is_new, intent_id) = app.store.write(|connection| {
        let payment = payment_of_mode(connection, entry_id, live)?;
        let (asked, is_new) = find_or_insert(connection, &content, &payment, wanted, key.as_deref(), actor)?;
        Ok((asked, is_new, payment.intent_id.ok_or_else(nothing_left)?))
    })?;
    if asked.state == RefundState::Asked {
        send_refund(app, &asked, is_new, &intent_id)?;
    }
    refunded(app, entry_id, asked.amount_cents)
}

/// The amount that [`refund`] would refund now; changes nothing.
///
/// # Errors
/// Those of [`refund`], except the provider's.
pub fn preview_refund(app: &App, entry_id: EntryId, wanted: &RefundRequest) -> Result<RefundPreview> {
    let (live, content) = (app.payments.is_live(), app.content());
    app.store.read(|connection| {
        preview(connection, &content, &payment_of_mode(connection, entry_id, live)?, wanted)
    })
}

/// The email about this refund and its amount; nothing is refunded or queued.
pub fn refund_mail(app: &App, entry_id: EntryId, wanted: &RefundRequest) -> Result<(Message, Cents)> {
    let RefundPreview { amount_cents, category, .. } = preview_refund(app, entry_id, wanted)?;
    let (kind, id) = entry_id.registration();
    let stored = app.store.read(|connection| registrations::require(connection, kind, id))?;
    let category = category.as_ref().map(|category| category.label.as_str());
    let message =
        mail::refund(&app.content(), &app.public_url(), &stored.record, entry_id, amount_cents, category)?;
    Ok((message, amount_cents))
}

/// Refunds these paid entries in full, for a cancelled event; `wanted` must not name an amount. `each` is called with the
/// result of every entry.
///
/// # Errors
/// [`Error::ProviderSlow`]: several requests in a row timed out; the remaining entries were not attempted. Otherwise
/// only database errors; the error of a single refund is passed to `each`.
pub fn refund_all(
    app: &App,
    actor: &Actor,
    wanted: &RefundRequest,
    paid: &[Payment],
    mut each: impl FnMut(&Payment, Result<Refunded>),
) -> Result<()> {
    let mut timeouts = TimeoutCounter::default();
    for payment in paid {
        let refunded = refund_rest(app, actor, wanted, payment);
        let is_over = timeouts.gives_up_after(&refunded);
        each(payment, refunded);
        if is_over {
            return Err(Error::ProviderSlow);
        }
    }
    Ok(())
}

/// Refunds all that is left of an entry. Part of it may have been refunded in the provider's dashboard or by another
/// process; we learn that when the provider refuses to refund it twice.
fn refund_rest(app: &App, actor: &Actor, wanted: &RefundRequest, before: &Payment) -> Result<Refunded> {
    let refused = match refund(app, actor, before.entry_id, wanted, None) {
        Err(refused @ Error::Conflict(_)) => refused,
        done => return done,
    };
    let asked_cents = app.store.read(|connection| refunds::asked_cents(connection, before.entry_id))?;
    match refundable_cents(app, before.entry_id)? - asked_cents {
        Cents(0) => refunded(app, before.entry_id, Cents(0)),
        less if less < before.left_cents() => refund(app, actor, before.entry_id, wanted, None),
        _ => Err(refused),
    }
}

/// Retries refunds that were requested before an instant and got no response.
pub fn retry_unanswered(app: &App, asked_before: &str, budget: &mut SweepBudget) -> Result<()> {
    let live = app.payments.is_live();
    let unanswered =
        app.store.read(|connection| refunds::all_unanswered(connection, live, asked_before, BATCH))?;
    let name = |asked: &Refund| format!("the refund of entry {}", asked.entry_id);
    budget.each(&unanswered, name, |asked| {
        let _lock = app.entry_locks.lock(asked.entry_id);
        finish_unanswered(app, asked.entry_id, None).map(drop)
    });
    Ok(())
}

/// Completes an entry's refunds without a final response, except the one under `key`; returns the last of those without any
/// response that was made. The caller must hold the entry's lock.
fn finish_unanswered(app: &App, entry_id: EntryId, key: Option<&str>) -> Result<Option<Refund>> {
    let mut paid = None;
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    let current = payment.filter(|payment| !payment.is_of_other_mode(app.payments.is_live()));
    let Some(intent_id) = current.and_then(|payment| payment.intent_id) else { return Ok(None) };
    for unanswered in app.store.read(|connection| refunds::unanswered(connection, entry_id))? {
        if key == Some(&unanswered.key) {
            continue;
        }
        match send_refund(app, &unanswered, false, &intent_id) {
            // The bank had it before, and whoever requested it was told.
            Ok(()) if unanswered.refund_id.is_some() => {}
            Ok(()) => paid = Some(unanswered),
            Err(Error::Conflict(message)) => {
                tracing::warn!(entry = entry_id.0, "a refund failed: {message}");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(paid)
}

/// The amount that can still be refunded.
fn refundable_cents(app: &App, entry_id: EntryId) -> Result<Cents> {
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    Ok(payment.map_or(Cents(0), |payment| payment.left_cents()))
}

fn refunded(app: &App, entry_id: EntryId, amount_cents: Cents) -> Result<Refunded> {
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    let status = payment.map_or(PaymentStatus::Refunded, |payment| payment.status);
    Ok(Refunded { entry_id, amount_cents, status })
}

/// The refund stored under this key, or a new one; `true` if it is new.
fn find_or_insert(
    connection: &Connection,
    content: &Content,
    payment: &Payment,
    wanted: &RefundRequest,
    key: Option<&str>,
    actor: &Actor,
) -> Result<(Refund, bool)> {
    let amount_cents = wanted.amount_cents;
    if let Some(key) = key
        && let Some(known) = refunds::by_key(connection, key)?
    {
        let is_same = known.category == wanted.category
            && match amount_cents {
                None if wanted.category.is_some() => true,
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
    let (entries, id) = payment.entry_id.registration();
    version::require(connection, entries, id, &wanted.expected)?;
    let RefundPreview { amount_cents: amount, category, .. } = preview(connection, content, payment, wanted)?;
    let category = category.map(|category| category.code);
    let is_rest = amount_cents.is_none() && category.is_none();
    let at = time::stored(time::now());
    let key = key.map_or_else(token::short, str::to_owned);
    let new = refunds::New {
        entry_id: payment.entry_id,
        amount_cents: amount,
        is_rest,
        key: &key,
        actor,
        reason: wanted.reason.as_deref(),
        notify: wanted.notify,
        category: category.as_deref(),
    };
    let id = refunds::insert(connection, &new, &at)?;
    let line = audit::Line { actor, action: "refund", subject: Some(payment.entry_id.registration()) };
    let mut detail = json!({ "amountCents": amount, "refund": id });
    if let Some(code) = &category {
        detail["category"] = json!(code);
    }
    audit::insert_with(connection, &at, &line, &detail)?;
    let asked = refunds::by_key(connection, &key)?;
    Ok((asked.ok_or_else(|| Error::Internal(format!("refund {id} is gone")))?, true))
}

/// Checks a refund of a category, of another amount or of all that is left.
fn preview(
    connection: &Connection,
    content: &Content,
    payment: &Payment,
    wanted: &RefundRequest,
) -> Result<RefundPreview> {
    let paid = matches!(payment.status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded);
    let asked_cents = refunds::asked_cents(connection, payment.entry_id)?;
    let left_cents = payment.left_cents() - asked_cents;
    if paid && left_cents <= Cents(0) && asked_cents > Cents(0) {
        return Err(Error::Conflict("All that is left of this payment is on its way back already.".into()));
    }
    if !paid || left_cents <= Cents(0) {
        return Err(nothing_left());
    }
    let category = match &wanted.category {
        Some(code) => Some(category_refund::withdrawable(connection, content, payment.entry_id, code)?),
        None => None,
    };
    let amount_cents = match (wanted.amount_cents, &category) {
        (Some(amount), _) => amount,
        (None, None) => left_cents,
        (None, Some(_)) => category_refund::price_cents(connection, content, payment)?.ok_or_else(|| {
            let message = "Please enter the amount: what this category cost is not known, because other amounts were refunded before or the prices have changed";
            Error::field("amountCents", message)
        })?,
    };
    if amount_cents < Cents(1) || amount_cents > left_cents {
        let message =
            format!("Please enter an amount from 1 to {} cents ({left_cents} is left)", left_cents.0);
        return Err(Error::field("amountCents", &message));
    }
    let category = category.map(|nomination| RefundedCategory {
        label: category_refund::label(content, &nomination),
        code: nomination.code,
    });
    Ok(RefundPreview { amount_cents, left_cents, category })
}

/// The payment of an entry that can be refunded with the current keys.
fn payment_of_mode(connection: &Connection, entry_id: EntryId, live: Option<bool>) -> Result<Payment> {
    let payment = payments::require(connection, entry_id)?;
    if payment.is_of_other_mode(live) {
        let message =
            "This entry was paid in the other mode (test or live). Set the keys of that mode to refund it.";
        return Err(Error::Conflict(message.into()));
    }
    Ok(payment)
}

fn nothing_left() -> Error {
    Error::Conflict("There is nothing to refund for this entry.".into())
}
