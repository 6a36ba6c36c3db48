//! Decisions on whether an entry takes part: it is withdrawn or declined, or it takes part without a payment. An open payment is
//! cancelled first, so that nobody pays for an entry that needs no payment.

use rusqlite::Connection;
use serde_json::json;

use super::abandon;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Actor, EntryId, Kind, PaymentStatus, Status};
use crate::payments::provider::IntentStatus;
use crate::portal;
use crate::registrations::review::{self, Change, Reviewed};
use crate::registrations::transitions::{Action, RegistrationState};
use crate::registrations::version::{self, Expected};
use crate::site::content::Content;
use crate::store::outbox::{self as stored_emails, Priority};
use crate::store::registrations::{self, Stored};
use crate::store::{audit, payments, reviews};
use crate::time;

const ENTRIES: Kind = Kind::CompetitionEntries;

/// Like [`review::change`], for any kind: an entry that is withdrawn or declined can no longer be paid.
///
/// # Errors
/// Those of [`review::change`]. [`Error::Conflict`]: a payment of the entry is being processed, or one of another amount has
/// arrived. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: the payment could not be cancelled, and nothing was changed.
pub fn decide(app: &App, actor: &Actor, (kind, id): (Kind, i64), change: Change) -> Result<Reviewed> {
    let is_entry = kind == ENTRIES;
    let and_nominations = |connection: &Connection, reviewed: &Reviewed| {
        if is_entry { update_nominations(connection, EntryId(id), reviewed) } else { Ok(()) }
    };
    let Some(out) = change.status.filter(|status| is_entry && status.is_out()) else {
        return review::change(app, actor, (kind, id), change, and_nominations);
    };
    let _lock = app.entry_locks.lock(EntryId(id));
    let expected = cancel_payment(app, id, Action::SetStatus(out), &change.expected)?;
    review::change(app, actor, (kind, id), Change { expected, ..change }, and_nominations)
}

/// Withdraws the nominations of an entry that is withdrawn or declined, and reinstates them with it, unless it was refunded
/// meanwhile.
fn update_nominations(connection: &Connection, id: EntryId, reviewed: &Reviewed) -> Result<()> {
    let at = time::stored(time::now());
    match (reviewed.from.is_out(), reviewed.to.is_out()) {
        (_, true) if reviewed.from != reviewed.to => portal::nominations::withdraw(connection, id, &at),
        (true, false) => match payments::get(connection, id)? {
            Some(payment) if payment.status.holds_place() => {
                portal::nominations::reinstate(connection, id, &at)
            }
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Withdraws an entry, with the reason in its history. A withdrawn entry is not changed.
pub fn withdraw_entry(app: &App, actor: &Actor, id: i64, reason: String, expected: Expected) -> Result<()> {
    let stored = app.store.read(|connection| registrations::require(connection, ENTRIES, id))?;
    if stored.status == Status::Withdrawn {
        return Ok(());
    }
    let change =
        Change { status: Some(Status::Withdrawn), note: Some(reason), expected, ..Change::default() };
    decide(app, actor, (ENTRIES, id), change).map(drop)
}

/// Lets an unpaid entry take part without a payment, and confirms it by email. A complimentary entry is not changed.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: it is paid, withdrawn or held for review, a payment is being processed, or one of
/// another amount has arrived.
/// [`Error::Changed`]. [`Error::ProviderFailed`], [`Error::ProviderSlow`]: nothing was changed.
pub fn make_complimentary(
    app: &App,
    actor: &Actor,
    id: i64,
    reason: String,
    expected: Expected,
) -> Result<()> {
    let _lock = app.entry_locks.lock(EntryId(id));
    let is_complimentary = |connection: &Connection| {
        let payment = payments::get(connection, EntryId(id))?;
        Ok(payment.is_some_and(|payment| payment.status == PaymentStatus::Complimentary))
    };
    if app.store.read(is_complimentary)? {
        return Ok(());
    }
    let expected = cancel_payment(app, id, Action::WaivePayment, &expected)?;
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        version::require(connection, ENTRIES, id, &expected)?;
        let stored = registrations::require(connection, ENTRIES, id)?;
        RegistrationState::read(connection, &stored)?.after(Action::WaivePayment)?;
        store_complimentary(connection, &content, &public_url, &stored, actor, reason)
    })
}

fn store_complimentary(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    stored: &Stored,
    actor: &Actor,
    reason: String,
) -> Result<()> {
    let (id, at, about) = (stored.id, time::stored(time::now()), (ENTRIES, stored.id));
    let additional = i64::from(stored.record.count("additionalCategories"));
    let front_row = payments::gets_front_row(connection, additional, content.pass.front_row_places)?;
    payments::mark_complimentary(connection, EntryId(id), front_row)?;
    portal::nominations::create(connection, EntryId(id), &at)?;
    let note = format!("Complimentary entry: no payment.\nReason: {reason}");
    reviews::add_note(connection, stored, actor, note, &at)?;
    let line = audit::Line { actor, action: PaymentStatus::Complimentary.as_str(), subject: Some(about) };
    audit::insert_with(connection, &at, &line, &json!({ "frontRow": front_row }))?;
    stored_emails::discard_reminders(connection, &stored.record.email())?;
    let cause = format!("confirmation/{ENTRIES}/{id}");
    if stored_emails::find_cause(connection, &cause)?.is_some() {
        return Ok(());
    }
    let agreed_to = registrations::agreed_to(connection, ENTRIES, id)?;
    let message =
        mail::complimentary_confirmation(content, public_url, &stored.record, EntryId(id), agreed_to)?;
    outbox::queue(connection, Priority::Organiser, cause, about, &message, &at)
}

/// Checks that the action is possible, and cancels the payment of an unpaid entry. Returns the condition for the
/// transaction that follows, since a cancelled payment is a new version. The caller must hold the entry's lock.
fn cancel_payment(app: &App, id: i64, action: Action, expected: &Expected) -> Result<Expected> {
    let payment = app.store.read(|connection| {
        let stored = registrations::require(connection, ENTRIES, id)?;
        version::require(connection, ENTRIES, id, expected)?;
        RegistrationState::read(connection, &stored)?.after(action)?;
        payments::get(connection, EntryId(id))
    })?;
    let Some(payment) = payment.filter(|payment| payment.status.is_unpaid()) else {
        return Ok(expected.clone());
    };
    let intent = abandon::abandon(app, &payment, time::now())?;
    app.store.read(|connection| {
        if payments::get(connection, EntryId(id))?.is_some_and(|payment| payment.status == PaymentStatus::Pending) {
            let reason = if intent == Some(IntentStatus::Succeeded) {
                "A payment of another amount has arrived for this entry. Refund it in the payment provider's dashboard, then \
                 try again; nothing was changed."
            } else {
                "A payment of this entry is being processed. Try again when it has arrived or failed; nothing was changed."
            };
            return Err(Error::Conflict(reason.into()));
        }
        Ok(Expected::OneOf(vec![version::current(connection, ENTRIES, id)?]))
    })
}
