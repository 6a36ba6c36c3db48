//! Erases one person's data, or everybody's. The law requires us to keep payment records, so they stay without the person's
//! data. Everything else is deleted, and the database file is checked for it.

use chrono::NaiveDate;
use rusqlite::Connection;
use serde::Serialize;

use super::{find, nobody};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::EmailAddress;
use crate::judging;
use crate::model::{Actor, EntryId, Kind};
use crate::payments;
use crate::portal;
use crate::store::judging::relations;
use crate::store::portal::nominations;
use crate::store::registrations::person;
use crate::store::{
    audit, door, erasure, idempotency, mailings, outbox, payment_findings, receipts, redact, refunds,
    reviews, ticket_transfers,
};
use crate::time;

/// What was or would be erased.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ErasureCounts {
    pub registrations: usize,
    /// Entries that were or may still be paid, which are kept without the person's data.
    pub payments_kept: usize,
    pub mails: usize,
    /// Texts about other people from which the address was removed.
    pub other_texts: usize,
}

/// What [`erase`] would erase.
///
/// # Errors
/// [`Error::NotFound`] if nothing is stored about this address.
pub fn count(app: &App, email: &EmailAddress) -> Result<ErasureCounts> {
    let found = app.store.read(|connection| {
        let found = find(connection, email)?;
        let mut erased = ErasureCounts {
            mails: mails_about(connection, email, &found)?.len(),
            ..ErasureCounts::default()
        };
        for (kind, id) in found {
            if keeps_payment(connection, kind, id)? {
                erased.payments_kept += 1;
            } else {
                erased.registrations += 1;
            }
        }
        Ok(erased)
    })?;
    // Deleted data may still be in the file, and the address in texts about other people.
    let is_there = found != ErasureCounts::default() || erasure::contains_address(app.store.path(), email)?;
    if is_there { Ok(found) } else { Err(nobody(email)) }
}

/// Erases a person's registrations with their history, emails and keys, and the address from texts about other people, in
/// one transaction. Then makes sure that the database's file no longer contains the address. Backups keep it until they
/// expire.
///
/// # Errors
/// [`Error::NotFound`] if nothing is stored about this address. [`Error::Failed`]: the file still contains it, and why.
pub fn erase(app: &App, actor: &Actor, email: &EmailAddress) -> Result<ErasureCounts> {
    count(app, email)?;
    let erased = erase_records(app, actor, email)?;
    erasure::require_gone(app.store.path(), email)?;
    Ok(erased)
}

/// Everybody of whom something is stored, and when their data is to be erased.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Everybody {
    /// The number of addresses.
    pub people: usize,
    /// The last day of the event, after which everybody can be erased.
    pub last_day: NaiveDate,
    /// The day that the organiser has set.
    pub erase_on: Option<NaiveDate>,
    /// Whether something is stored of people without an address.
    #[serde(skip)]
    pub has_unaddressed: bool,
    #[serde(skip)]
    addresses: Vec<EmailAddress>,
}

/// Everybody of whom something is stored, but the organisers themselves.
pub fn everybody(app: &App) -> Result<Everybody> {
    let (addresses, has_unaddressed) =
        app.store.read(|connection| Ok((addresses(app, connection)?, door::has_unaddressed(connection)?)))?;
    let content = app.content();
    Ok(Everybody {
        people: addresses.len(),
        has_unaddressed,
        last_day: content.event.last_day,
        erase_on: content.erasure_day(),
        addresses,
    })
}

/// Erases everybody of this edition, each as [`erase`] does. When it is interrupted, it can be called again for the rest.
/// Returns the number of addresses and what was erased. `progress` is called with the number of addresses done so far.
///
/// # Errors
/// [`Error::Conflict`] until the event is over; otherwise as [`erase`].
pub fn erase_everybody(
    app: &App,
    actor: &Actor,
    progress: &mut dyn FnMut(usize),
) -> Result<(usize, ErasureCounts)> {
    let Everybody { addresses, last_day, .. } = everybody(app)?;
    if app.content().today(time::now()) <= last_day {
        return Err(Error::Conflict(format!(
            "The event lasts until {last_day}. Personal data of everybody can be erased from the day after."
        )));
    }
    let mut total = ErasureCounts::default();
    for (done, address) in addresses.iter().enumerate() {
        let erased = erase_records(app, actor, address)?;
        total.registrations += erased.registrations;
        total.payments_kept += erased.payments_kept;
        total.mails += erased.mails;
        total.other_texts += erased.other_texts;
        progress(done + 1);
    }
    app.store.write(|connection| {
        let at = time::stored(time::now());
        door::erase_unaddressed(connection, &at)?;
        audit::insert(connection, &at, &audit::Line { actor, action: "door erased", subject: None })
    })?;
    erasure::require_all_gone(app.store.path(), &addresses)?;
    Ok((addresses.len(), total))
}

/// Reports go to the organiser, whose address is a setting.
fn addresses(app: &App, connection: &Connection) -> Result<Vec<EmailAddress>> {
    person::all_addresses(connection, &[app.config.reports.recipient.as_str()])
}

fn erase_records(app: &App, actor: &Actor, email: &EmailAddress) -> Result<ErasureCounts> {
    cancel_unpaid_payments(app, email)?;
    let erased = app.store.write(|connection| {
        let found = find(connection, email)?;
        let mut erased = ErasureCounts::default();
        for id in mails_about(connection, email, &found)? {
            outbox::delete(connection, id)?;
            erased.mails += 1;
        }
        portal::nominations::erase_access(connection, email.as_str())?;
        judging::judges::erase(connection, email.as_str(), person::ERASED)?;
        mailings::forget(connection, email.as_str())?;
        door::erase_of_address(connection, email.as_str())?;
        let now = time::stored(time::now());
        for (kind, id) in found {
            if kind == Kind::CompetitionEntries {
                nominations::delete_of(connection, EntryId(id))?;
                relations::delete_of(connection, EntryId(id))?;
            }
            door::erase_of_registration(connection, kind, id)?;
            reviews::delete_of(connection, kind, id)?;
            idempotency::delete_of(connection, kind, id)?;
            audit::forget_addresses(connection, kind, id, person::ERASED)?;
            audit::forget_answers(connection, kind, id)?;
            if keeps_payment(connection, kind, id)? {
                person::forget(connection, EntryId(id))?;
                refunds::forget_reasons(connection, EntryId(id))?;
                payment_findings::forget_notes(connection, EntryId(id))?;
                receipts::forget(connection, EntryId(id))?;
                erased.payments_kept += 1;
            } else {
                person::delete(connection, kind, id)?;
                erased.registrations += 1;
            }
            let line = audit::Line { actor, action: "person erased", subject: Some((kind, id)) };
            audit::insert(connection, &now, &line)?;
        }
        erased.other_texts += ticket_transfers::forget(connection, email.as_str())?;
        erased.other_texts += redact::remove_address(connection, email)?;
        Ok(erased)
    })?;
    portal::uploads::sweep(app)?;
    Ok(erased)
}

/// Cancels unpaid payments: nobody should pay for an erased entry.
fn cancel_unpaid_payments(app: &App, email: &EmailAddress) -> Result<()> {
    let entries = app.store.read(|connection| person::ids_of(connection, Kind::CompetitionEntries, email))?;
    for id in entries {
        // The erasure does not wait for the provider. A payment that arrives anyway becomes a finding.
        if let Err(error) = payments::cancel_unpaid(app, EntryId(id)) {
            let cause = error.cause().unwrap_or_default();
            tracing::warn!(
                entry = id,
                "the payment of an erased entry could not be cancelled: {error} {cause}"
            );
        }
    }
    Ok(())
}

fn keeps_payment(connection: &Connection, kind: Kind, id: i64) -> Result<bool> {
    Ok(kind == Kind::CompetitionEntries && person::has_payment(connection, EntryId(id))?)
}

/// The emails to a person or about their registrations, the reports that name these, and emails with the address in an
/// attachment.
fn mails_about(connection: &Connection, email: &EmailAddress, found: &[(Kind, i64)]) -> Result<Vec<i64>> {
    let mut mails = outbox::with_address_in_attachment(connection, email)?;
    mails.extend(outbox::list_by_recipient(connection, email)?.into_iter().map(|mail| mail.id));
    for (kind, id) in found.iter().copied() {
        mails.extend(outbox::list_by_registration(connection, kind, id)?.into_iter().map(|mail| mail.id));
        mails.extend(outbox::reports_of(connection, kind, id)?);
    }
    mails.sort_unstable();
    mails.dedup();
    Ok(mails)
}
