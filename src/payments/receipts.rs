//! The receipt of a paid entry as a page for accountants, which a link opens without signing in. The entrant adds
//! the name, address and tax number of the business.

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms;
use crate::mail;
use crate::model::{Actor, Cents, EntryId, Kind, PaymentStatus, token};
use crate::payments::quote;
use crate::site::content::DatedStep;
use crate::store::payments::{self, Payment};
use crate::store::receipts::{self, Details};
use crate::store::registrations::Stored;
use crate::store::{audit, door, registrations};
use crate::time;

const ENTRIES: Kind = Kind::CompetitionEntries;
/// The longest business name and tax number, and the longest address, in characters.
const MAX_LENGTH: usize = 200;
const MAX_ADDRESS_LENGTH: usize = 500;

/// A receipt with the details that the entrant added.
pub struct ReceiptPage {
    pub lines: mail::ReceiptLines,
    pub details: Details,
    /// The refunded amount with a minus sign, if anything was refunded.
    pub refunded: Option<String>,
    /// The total less the refunds.
    pub left: String,
    /// The steps up to the awards, with dates. Empty once the event is over, and for an entry that does not take part.
    pub journey: Vec<DatedStep>,
    /// The content's texts about the next steps.
    pub next: Vec<String>,
    /// The code of the entrant's own ticket, while it is valid.
    pub ticket: Option<String>,
}

/// The address of a new link to an entry's receipt, within the caller's transaction.
pub fn new_link(connection: &Connection, public_url: &str, entry_id: EntryId, at: &str) -> Result<String> {
    let token = token::short();
    receipts::insert_link(connection, entry_id, &token::hash(&token), at)?;
    Ok(format!("{public_url}/receipt/{token}"))
}

/// Creates a link that an organiser can pass on. Earlier links stay valid.
///
/// # Errors
/// [`Error::NotFound`]: no such entry. [`Error::Conflict`]: it was never paid, or its person was erased.
pub fn receipt_link(app: &App, actor: &Actor, entry_id: EntryId) -> Result<String> {
    let public_url = app.public_url();
    app.store.write(|connection| {
        let payment = payments::require(connection, entry_id)?;
        if payment.paid_at.is_none() || payment.is_erased {
            return Err(Error::Conflict("This entry has no receipt.".into()));
        }
        let at = time::stored(time::now());
        let subject = Some(entry_id.registration());
        audit::insert(connection, &at, &audit::Line { actor, action: "receipt link made", subject })?;
        new_link(connection, &public_url, entry_id, &at)
    })
}

/// The receipt that a link opens.
///
/// # Errors
/// [`Error::NotFound`]: no such link, or the person was erased.
pub fn receipt_page(app: &App, token: &str, now: DateTime<Utc>) -> Result<ReceiptPage> {
    let content = app.content();
    app.store.read(|connection| {
        let (payment, stored) = entry_of(connection, token)?;
        let (Some(paid_at), Some(intent_id)) = (&payment.paid_at, &payment.intent_id) else {
            return Err(unknown());
        };
        let takes_part = matches!(payment.status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded)
            && !stored.status.is_out()
            && content.today(now) <= content.event.last_day;
        let receipt = mail::Receipt {
            entry_id: payment.entry_id,
            intent_id,
            paid_at,
            amount_cents: payment.amount_cents,
            quote: quote::read(&payment)?,
            agreed_to: None,
            url: None,
            paid_before: Vec::new(),
        };
        let tickets = door::of_source(connection, ENTRIES.as_str(), payment.entry_id.0)?;
        let is_own = |ticket: &door::Ticket| {
            ticket.is_valid() && ticket.source.as_ref().is_some_and(|source| source.holder.is_empty())
        };
        Ok(ReceiptPage {
            ticket: tickets.into_iter().find(is_own).map(|ticket| ticket.code),
            lines: mail::receipt_lines(&content, &stored.record, &receipt),
            details: receipts::details(connection, payment.entry_id)?,
            refunded: (payment.refunded_cents > Cents(0))
                .then(|| (Cents(0) - payment.refunded_cents).to_string()),
            left: payment.left_cents().to_string(),
            journey: if takes_part { content.journey(now) } else { Vec::new() },
            next: if takes_part { content.next_steps(ENTRIES, now) } else { Vec::new() },
        })
    })
}

/// Stores the details that the entrant adds; the receipt omits empty ones.
///
/// # Errors
/// Those of [`receipt_page`]; [`Error::Invalid`] names every wrong field.
pub fn set_receipt_details(app: &App, token: &str, details: Details, now: DateTime<Utc>) -> Result<()> {
    app.store.write(|connection| {
        let (payment, _) = entry_of(connection, token)?;
        if receipts::details(connection, payment.entry_id)? == details {
            return Ok(());
        }
        let at = time::stored(now);
        receipts::set_details(connection, payment.entry_id, &details, &at)?;
        let subject = Some(payment.entry_id.registration());
        let line = audit::Line { actor: &Actor::Visitor, action: "receipt details changed", subject };
        audit::insert(connection, &at, &line)
    })
}

/// Parses and checks the typed details.
///
/// # Errors
/// [`Error::Invalid`] names every wrong field.
pub fn receipt_details(business_name: &str, address: &str, tax_id: &str) -> Result<Details> {
    let mut errors = FieldErrors::new();
    let mut checked = |name: &str, text: &str, most: usize| match forms::free_text(name, text) {
        Ok(Some(text)) if text.chars().count() > most => {
            errors.insert(name.to_owned(), format!("Please use at most {most} characters"));
            None
        }
        Ok(text) => text,
        Err(error) => {
            errors.insert(name.to_owned(), error.to_string());
            None
        }
    };
    let details = Details {
        business_name: checked("businessName", &business_name.replace(['\r', '\n'], " "), MAX_LENGTH),
        address: checked("address", address, MAX_ADDRESS_LENGTH),
        tax_id: checked("taxId", &tax_id.replace(['\r', '\n'], " "), MAX_LENGTH),
    };
    if errors.is_empty() { Ok(details) } else { Err(Error::Invalid(errors)) }
}

fn entry_of(connection: &Connection, token: &str) -> Result<(Payment, Stored)> {
    let entry_id = receipts::entry_of(connection, &token::hash(token))?.ok_or_else(unknown)?;
    let payment = payments::get(connection, entry_id)?.filter(|payment| !payment.is_erased);
    let stored = registrations::get(connection, ENTRIES, entry_id.0)?;
    match (payment, stored) {
        (Some(payment), Some(stored)) => Ok((payment, stored)),
        _ => Err(unknown()),
    }
}

fn unknown() -> Error {
    Error::NotFound("This link is not valid. Please check that you opened all of it.".into())
}
