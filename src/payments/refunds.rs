//! Full and partial refunds. A refund is stored before it is sent, so that one whose response was lost is found again
//! and never made twice.

use rusqlite::Connection;
use serde_json::json;

use super::category_refund;
use super::provider_refunds::{retry_refund, send_refund};
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

/// Refunds without a final answer that are retried in one sweep.
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
    /// The caller's idempotency key, under which the refund is made once.
    pub key: Option<String>,
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

/// Refunds an entry: one category, another part or all that is left. Earlier refunds without a final answer are completed
/// first. The nomination to a refunded category is withdrawn once the provider has made the refund.
///
/// # Errors
/// [`Error::Malformed`]: an invalid key. [`Error::NotFound`]: no such entry. [`Error::Conflict`]: there is nothing to
/// refund, the key was used for another refund, or an earlier refund of this amount had no answer yet.
/// [`Error::Invalid`] on `amountCents`: more than is left; on `category`: no such category. [`Error::Changed`]: another
/// version was expected. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: retry; nothing is refunded twice.
/// [`Error::PaymentsOff`].
pub fn refund(app: &App, actor: &Actor, entry_id: EntryId, request: &RefundRequest) -> Result<Refunded> {
    let amount_cents = request.amount_cents;
    if matches!(app.payments, Provider::Off) {
        return Err(Error::PaymentsOff);
    }
    let key = request
        .key
        .as_deref()
        .map(submit::checked_key)
        .transpose()?
        .map(|key| format!("entry-{entry_id}-{key}"));
    let _lock = app.entry_locks.lock(entry_id);
    let finished = finish_open(app, entry_id, key.as_deref())?;
    if let Some(finished) = &finished
        && key.is_none()
        && request.category.is_some()
        && finished.category == request.category
    {
        return refunded(app, entry_id, finished.amount_cents);
    }
    if let Some(before) = finished.map(|finished| finished.amount_cents)
        && request.category.is_none()
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
    let (refund, is_new, intent_id) = app.store.write(|connection| {
        let payment = payment_of_mode(connection, entry_id, live)?;
        let (refund, is_new) =
            find_or_insert(connection, &content, &payment, request, key.as_deref(), actor)?;
        Ok((refund, is_new, payment.intent_id.ok_or_else(nothing_left)?))
    })?;
    match refund.state {
        RefundState::Unanswered if is_new => send_refund(app, &refund, &intent_id)?,
        RefundState::Unanswered | RefundState::Pending => retry_refund(app, &refund, &intent_id)?,
        RefundState::Done | RefundState::Failed => {}
    }
    refunded(app, entry_id, refund.amount_cents)
}

/// The amount that [`refund`] would refund now; changes nothing.
///
/// # Errors
/// Those of [`refund`], except the provider's.
pub fn preview_refund(app: &App, entry_id: EntryId, request: &RefundRequest) -> Result<RefundPreview> {
    let (live, content) = (app.payments.is_live(), app.content());
    app.store.read(|connection| {
        preview(connection, &content, &payment_of_mode(connection, entry_id, live)?, request)
    })
}

/// The email about this refund and its amount; nothing is refunded or queued.
pub fn refund_mail(app: &App, entry_id: EntryId, request: &RefundRequest) -> Result<(Message, Cents)> {
    let RefundPreview { amount_cents, category, .. } = preview_refund(app, entry_id, request)?;
    let (kind, id) = entry_id.registration();
    let stored = app.store.read(|connection| registrations::require(connection, kind, id))?;
    let category = category.as_ref().map(|category| category.label.as_str());
    let message =
        mail::refund(&app.content(), &app.public_url(), &stored.record, entry_id, amount_cents, category)?;
    Ok((message, amount_cents))
}

/// Refunds these paid entries in full, for a cancelled event; `request` must not name an amount. `each` is called with the
/// result of every entry.
///
/// # Errors
/// [`Error::ProviderSlow`]: several requests in a row timed out; the remaining entries were not attempted. Otherwise
/// only database errors; the error of a single refund is passed to `each`.
pub fn refund_all(
    app: &App,
    actor: &Actor,
    request: &RefundRequest,
    paid: &[Payment],
    mut each: impl FnMut(&Payment, Result<Refunded>),
) -> Result<()> {
    let mut timeouts = TimeoutCounter::default();
    for payment in paid {
        let refunded = refund_rest(app, actor, request, payment);
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
fn refund_rest(app: &App, actor: &Actor, request: &RefundRequest, before: &Payment) -> Result<Refunded> {
    let refused = match refund(app, actor, before.entry_id, request) {
        Err(refused @ Error::Conflict(_)) => refused,
        done => return done,
    };
    let open_cents = app.store.read(|connection| refunds::open_cents(connection, before.entry_id))?;
    match refundable_cents(app, before.entry_id)? - open_cents {
        Cents(0) => refunded(app, before.entry_id, Cents(0)),
        less if less < before.left_cents() => refund(app, actor, before.entry_id, request),
        _ => Err(refused),
    }
}

/// Retries refunds that were requested before an instant and got no final answer.
pub fn retry_open(app: &App, requested_before: &str, budget: &mut SweepBudget) -> Result<()> {
    let live = app.payments.is_live();
    let open = app.store.read(|connection| refunds::all_open(connection, live, requested_before, BATCH))?;
    let name = |refund: &Refund| format!("the refund of entry {}", refund.entry_id);
    budget.each(&open, name, |refund| {
        let _lock = app.entry_locks.lock(refund.entry_id);
        finish_open(app, refund.entry_id, None).map(drop)
    });
    Ok(())
}

/// Completes an entry's refunds without a final answer, except the one under the key `except`. Returns the last one that
/// had no answer at all and was made now. The caller must hold the entry's lock.
fn finish_open(app: &App, entry_id: EntryId, except: Option<&str>) -> Result<Option<Refund>> {
    let mut made = None;
    let payment = app.store.read(|connection| payments::get(connection, entry_id))?;
    let current = payment.filter(|payment| !payment.is_of_other_mode(app.payments.is_live()));
    let Some(intent_id) = current.and_then(|payment| payment.intent_id) else { return Ok(None) };
    for open in app.store.read(|connection| refunds::open(connection, entry_id))? {
        if except == Some(&open.key) {
            continue;
        }
        match retry_refund(app, &open, &intent_id) {
            // The provider had it before, and whoever requested it was told.
            Ok(()) if open.state == RefundState::Pending => {}
            Ok(()) => made = Some(open),
            Err(Error::Conflict(message)) => {
                tracing::warn!(entry = entry_id.0, "a refund failed: {message}");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(made)
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
    request: &RefundRequest,
    key: Option<&str>,
    actor: &Actor,
) -> Result<(Refund, bool)> {
    let amount_cents = request.amount_cents;
    if let Some(key) = key
        && let Some(known) = refunds::by_key(connection, key)?
    {
        let is_same = known.category == request.category
            && match amount_cents {
                None if request.category.is_some() => true,
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
    version::require(connection, entries, id, &request.expected)?;
    let RefundPreview { amount_cents: amount, category, .. } =
        preview(connection, content, payment, request)?;
    let category = category.map(|category| category.code);
    let is_rest = amount_cents.is_none() && category.is_none();
    let at = time::stored(time::now());
    let key = key.map_or_else(token::short, str::to_owned);
    let new = refunds::NewRefund {
        entry_id: payment.entry_id,
        amount_cents: amount,
        is_rest,
        key: &key,
        actor,
        reason: request.reason.as_deref(),
        notify: request.notify,
        category: category.as_deref(),
    };
    let id = refunds::insert(connection, &new, &at)?;
    let line = audit::Line { actor, action: "refund", subject: Some(payment.entry_id.registration()) };
    let mut detail = json!({ "amountCents": amount, "refund": id });
    if let Some(code) = &category {
        detail["category"] = json!(code);
    }
    audit::insert_with(connection, &at, &line, &detail)?;
    let refund = refunds::by_key(connection, &key)?;
    Ok((refund.ok_or_else(|| Error::Internal(format!("refund {id} is gone")))?, true))
}

/// Checks a refund of a category, of another amount or of all that is left.
fn preview(
    connection: &Connection,
    content: &Content,
    payment: &Payment,
    request: &RefundRequest,
) -> Result<RefundPreview> {
    let paid = matches!(payment.status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded);
    let open_cents = refunds::open_cents(connection, payment.entry_id)?;
    let left_cents = payment.left_cents() - open_cents;
    if paid && left_cents <= Cents(0) && open_cents > Cents(0) {
        return Err(Error::Conflict("All that is left of this payment is on its way back already.".into()));
    }
    if !paid || left_cents <= Cents(0) {
        return Err(nothing_left());
    }
    let category = match &request.category {
        Some(code) => Some(category_refund::withdrawable(connection, content, payment.entry_id, code)?),
        None => None,
    };
    let amount_cents = match (request.amount_cents, &category) {
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
