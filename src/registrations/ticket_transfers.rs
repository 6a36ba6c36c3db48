//! Transfers of tickets. An entry cannot be transferred; its ticket, the place at the event, can, with 14 days' notice, and later only with an organiser's reason. The new person confirms by a link in an email.

use chrono::{DateTime, Days, NaiveDate, Utc};
use rusqlite::Connection;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms::{self, EmailAddress};
use crate::mail::{self, outbox};
use crate::model::{Actor, EntryId, Kind, Status, TransferState, token};
use crate::registrations::correct_answers;
use crate::registrations::version::{self, Expected};
use crate::store::outbox::Priority;
use crate::store::registrations::{self, Stored, person};
use crate::store::ticket_transfers::{self as store, Transfer};
use crate::store::{audit, payments, reviews};
use crate::time;

const ENTRIES: Kind = Kind::CompetitionEntries;
/// The notice that the terms ask for (`src/site/content/event.toml`, "Transfers").
const NOTICE: Days = Days::new(14);
/// The longest name and address, as in the forms.
const MAX_LENGTH: usize = 200;

/// The person who is to get a ticket.
#[derive(Debug, Clone)]
pub struct NewHolder {
    pub name: String,
    pub email: EmailAddress,
    /// Needed within 14 days of the event.
    pub reason: Option<String>,
    pub expected: Expected,
}

impl NewHolder {
    /// # Errors
    /// [`Error::Invalid`] with every wrong field of name and email; if both are valid, on `reason`.
    pub fn new(name: &str, email: &str, reason: Option<&str>, expected: Expected) -> Result<NewHolder> {
        let mut errors = FieldErrors::new();
        let name = match forms::free_line("name", name, MAX_LENGTH) {
            Ok(name) => name.unwrap_or_default(),
            Err(Error::Invalid(wrong)) => {
                errors.extend(wrong);
                String::new()
            }
            Err(error) => return Err(error),
        };
        if name.chars().count() < 2 {
            errors.entry("name".into()).or_insert("Name must be at least 2 characters".into());
        }
        let email = EmailAddress::parse(email).filter(|email| email.as_str().len() <= MAX_LENGTH);
        if email.is_none() {
            errors.insert("email".into(), "Please enter a valid email address".into());
        }
        let Some(email) = email.filter(|_| errors.is_empty()) else { return Err(Error::Invalid(errors)) };
        let reason = reason.map(correct_answers::reason).transpose()?;
        Ok(NewHolder { name, email, reason, expected })
    }
}

/// The holder of an entry's ticket, if it is not the entrant, and the open offer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transfers {
    pub holder: Option<Transfer>,
    pub offered: Option<Transfer>,
}

/// The content of an offer's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub transfer: Transfer,
    /// The name of the entrant.
    pub from: String,
    /// Whether the ticket can be taken, or was taken by this person.
    pub is_usable: bool,
}

pub fn get(app: &App, entry_id: i64) -> Result<Transfers> {
    app.store.read(|connection| {
        Ok(Transfers {
            holder: store::newest(connection, entry_id, TransferState::Accepted)?,
            offered: store::newest(connection, entry_id, TransferState::Offered)?,
        })
    })
}

/// Offers the ticket of an entry to somebody, who gets an email with a link. The same offer again changes nothing. An offer
/// to the person who holds the ticket withdraws the open offer to somebody else.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: the entry has no place. [`Error::Invalid`] on `reason`: it is later than the
/// terms allow. [`Error::Changed`].
pub fn offer(app: &App, actor: &Actor, entry_id: i64, holder: NewHolder, now: DateTime<Utc>) -> Result<()> {
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        let stored = registrations::require(connection, ENTRIES, entry_id)?;
        version::require(connection, ENTRIES, entry_id, &holder.expected)?;
        if !has_place(connection, &stored)? {
            return Err(Error::Conflict("This entry has no place at the event, so it has no ticket.".into()));
        }
        let is_holder = |name: &str, email: &str| name == holder.name && holder.email == *email;
        let newest = |state| store::newest(connection, entry_id, state);
        if newest(TransferState::Offered)?.is_some_and(|offered| is_holder(&offered.name, &offered.email)) {
            return Ok(());
        }
        let holds_it = match newest(TransferState::Accepted)? {
            Some(accepted) => is_holder(&accepted.name, &accepted.email),
            None => is_holder(stored.record.text("name"), stored.record.text("email")),
        };
        if holds_it {
            // The ticket stays where it is, so nobody else may take it by the link of an open offer.
            return withdraw_offer(connection, actor, &stored, &time::stored(now));
        }
        if holder.reason.is_none() && !is_in_time(content.event.first_day, content.today(now)) {
            let last = last_day_of_notice(content.event.first_day).format("%B %-d, %Y");
            let message =
                format!("The terms allow a transfer until {last}. Please give a reason to allow it later");
            return Err(Error::field("reason", &message));
        }
        let (at, about, token) = (time::stored(now), (ENTRIES, entry_id), token::short());
        let hash = token::hash(&token);
        let to = (holder.name.as_str(), holder.email.as_str());
        let id = store::offer(connection, actor, entry_id, to, &hash, &at)?;
        let mut note = "Ticket offered to somebody else.".to_owned();
        if let Some(reason) = &holder.reason {
            note.push_str(&format!("\nReason: {reason}"));
        }
        reviews::add_note(connection, &stored, actor, note, &at)?;
        let line = audit::Line { actor, action: "ticket offered", subject: Some(about) };
        audit::insert_with(connection, &at, &line, &json!({ "transfer": id }))?;
        let from = stored.record.person_name();
        let link = format!("{public_url}/transfer/{token}");
        let message = mail::ticket_offer(&content, &public_url, to, from, &link)?;
        outbox::queue(connection, Priority::Organiser, format!("ticket-offer/{id}"), about, &message, &at)
    })
}

/// Withdraws the open offer, if there is one.
fn withdraw_offer(connection: &Connection, actor: &Actor, stored: &Stored, at: &str) -> Result<()> {
    if !store::withdraw_offer(connection, stored.id)? {
        return Ok(());
    }
    reviews::add_note(connection, stored, actor, "Ticket offer withdrawn.".to_owned(), at)?;
    let line = audit::Line { actor, action: "ticket offer withdrawn", subject: Some((ENTRIES, stored.id)) };
    audit::insert(connection, at, &line)
}

/// The offer of a link.
///
/// # Errors
/// [`Error::NotFound`]: no such link, or another offer replaced it.
pub fn find_offer(app: &App, token: &str) -> Result<Offer> {
    let hash = token::hash(token);
    app.store.read(|connection| {
        let transfer = store::by_token(connection, &hash)?.ok_or_else(unknown)?;
        let stored = registrations::require(connection, ENTRIES, transfer.entry_id)?;
        let is_usable = transfer.state != TransferState::Replaced && has_place(connection, &stored)?;
        Ok(Offer { from: stored.record.person_name().to_owned(), is_usable, transfer })
    })
}

/// Accepts the ticket that a link offers, and emails the entrant. A second time changes nothing.
///
/// # Errors
/// Those of [`find_offer`]; [`Error::Conflict`]: the entry has no place any more, or somebody else took the ticket.
pub fn accept(app: &App, token: &str, now: DateTime<Utc>) -> Result<()> {
    let hash = token::hash(token);
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        let transfer = store::by_token(connection, &hash)?.ok_or_else(unknown)?;
        match transfer.state {
            TransferState::Accepted => return Ok(()),
            TransferState::Replaced => return Err(gone()),
            TransferState::Offered => {}
        }
        let stored = registrations::require(connection, ENTRIES, transfer.entry_id)?;
        if !has_place(connection, &stored)? {
            return Err(gone());
        }
        let at = time::stored(now);
        let former = store::newest(connection, transfer.entry_id, TransferState::Accepted)?;
        store::accept(connection, &transfer, &at)?;
        reviews::add_note(connection, &stored, &Actor::Visitor, "Ticket transferred.".to_owned(), &at)?;
        let about = (ENTRIES, transfer.entry_id);
        let line = audit::Line { actor: &Actor::Visitor, action: "ticket transferred", subject: Some(about) };
        audit::insert_with(connection, &at, &line, &json!({ "transfer": transfer.id }))?;
        // An email to the former holder, if the ticket was transferred before, and one to the entrant.
        let cause = format!("ticket-transferred/{}", transfer.id);
        if let Some(former) = former.filter(|former| {
            former.email != person::ERASED && !former.email.eq_ignore_ascii_case(&transfer.email)
        }) {
            let mut record = stored.record.clone();
            record.set_text("name", &former.name);
            record.set_text("email", &former.email);
            let message = mail::ticket_transferred(&content, &public_url, &record, mail::HOLDER_LOST_TICKET)?;
            outbox::queue(connection, Priority::Organiser, format!("{cause}/former"), about, &message, &at)?;
        }
        let entrant = stored.record.text("email");
        if entrant == person::ERASED || entrant.eq_ignore_ascii_case(&transfer.email) {
            return Ok(());
        }
        let message =
            mail::ticket_transferred(&content, &public_url, &stored.record, mail::ENTRANT_GAVE_TICKET)?;
        outbox::queue(connection, Priority::Organiser, cause, about, &message, &at)
    })
}

/// The last day on which the terms allow a transfer without a reason.
fn last_day_of_notice(first_day: NaiveDate) -> NaiveDate {
    first_day.checked_sub_days(NOTICE).unwrap_or(first_day)
}

fn is_in_time(first_day: NaiveDate, today: NaiveDate) -> bool {
    today <= last_day_of_notice(first_day)
}

fn has_place(connection: &Connection, stored: &Stored) -> Result<bool> {
    let payment = payments::get(connection, EntryId(stored.id))?;
    let has_lost_place =
        matches!(stored.status, Status::Withdrawn | Status::Declined | Status::NoShow | Status::SetAside);
    Ok(!has_lost_place && payment.is_some_and(|payment| payment.status.holds_place()))
}

fn unknown() -> Error {
    Error::NotFound("This link is not valid. Please check that you opened all of it.".into())
}

fn gone() -> Error {
    Error::Conflict("This ticket can no longer be taken. Please write to us.".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_want_fourteen_days() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let first = day("2026-03-28");
        for (today, expected) in [
            ("2025-10-01", true),
            ("2026-03-13", true),
            ("2026-03-14", true),
            ("2026-03-15", false),
            ("2026-03-28", false),
        ] {
            assert_eq!(is_in_time(first, day(today)), expected, "{today}");
        }
    }
}
