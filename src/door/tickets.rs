//! Tickets, which follow the registrations: a registration with a place at the event gives a ticket, losing the place makes the
//! ticket void, and getting it back makes the same ticket valid again.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::json;

use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms::{self, EmailAddress};
use crate::model::{Actor, EntryId, Kind, PaymentStatus, Role, Status, ticket_code};
use crate::registrations::lists;
use crate::site::content::Content;
use crate::site::content::model::door::DoorList;
pub use crate::store::door::Ticket;
use crate::store::door::{self as store, Attendee, JUDGES, Source, TICKET_OF, VoidedBy};
use crate::store::guests::{self, Guest};
use crate::store::registrations::person::ERASED;
use crate::store::{audit, payments, registrations};
use crate::time;

/// The most people who may come for one sponsor.
const MAX_SPONSOR_PLACES: i64 = 50;
/// The reason of a ticket that another person has now.
pub(super) const TRANSFERRED: &str = "It was transferred to somebody else.";
/// In characters.
const MAX_LENGTH: usize = 200;

/// Updates all tickets from the registrations. Called after every change by an organiser, and by the clock.
pub fn sync_registrations(app: &App) -> Result<()> {
    let content = app.content();
    let differs = app.store.read(|connection| {
        let wanted = wanted(connection, &content)?;
        Ok(!differences(&store::all(connection)?, &wanted).is_empty())
    })?;
    if !differs {
        return Ok(());
    }
    app.store.write(|connection| {
        let wanted = wanted(connection, &content)?;
        apply(connection, differences(&store::all(connection)?, &wanted))
    })
}

/// Updates the ticket of an entry, within the transaction that changes the entry.
pub fn sync_entry(connection: &Connection, content: &Content, id: EntryId) -> Result<()> {
    let stored = store::of_source(connection, Kind::CompetitionEntries.as_str(), id.0)?;
    let entrants = guests::of_entry(connection, id)?;
    apply(connection, differences(&stored, &of_guests(connection, content, &entrants)?))
}

/// A difference between the stored tickets and those that the registrations give.
enum Difference {
    New(Source, Attendee),
    Changed(i64, Attendee),
    Valid(i64),
    Void { id: i64, source: Source, is_transferred: bool },
}

fn differences(stored: &[Ticket], wanted: &[(Source, Attendee)]) -> Vec<Difference> {
    let known: HashMap<&Source, &Ticket> =
        stored.iter().filter_map(|ticket| Some((ticket.source.as_ref()?, ticket))).collect();
    let mut found = Vec::new();
    for (source, attendee) in wanted {
        match known.get(source) {
            None => found.push(Difference::New(source.clone(), attendee.clone())),
            Some(ticket) => {
                // A note that the organiser has written stays, also if it begins with ours.
                let begins_with_ours =
                    |note: &str| attendee.note.as_ref().is_some_and(|ours| note.starts_with(ours.as_str()));
                let kept = ticket.attendee.note.clone();
                let kept = kept.filter(|note| !note.starts_with(TICKET_OF) || begins_with_ours(note));
                let attendee = Attendee { note: kept.or_else(|| attendee.note.clone()), ..attendee.clone() };
                if ticket.attendee != attendee {
                    found.push(Difference::Changed(ticket.id, attendee));
                }
                if ticket.void_reason.is_some() && ticket.voided_by != Some(VoidedBy::Organiser) {
                    found.push(Difference::Valid(ticket.id));
                }
            }
        }
    }
    let sources: HashSet<&Source> = wanted.iter().map(|(source, _)| source).collect();
    let places: HashSet<_> = sources.iter().map(|source| source.key()).collect();
    for (source, ticket) in known {
        if ticket.is_valid() && !sources.contains(source) {
            // The same place with another holder.
            let is_transferred = places.contains(&source.key());
            found.push(Difference::Void { id: ticket.id, source: source.clone(), is_transferred });
        }
    }
    found
}

fn apply(connection: &Connection, differences: Vec<Difference>) -> Result<()> {
    let at = time::stored(time::now());
    for difference in differences {
        match difference {
            Difference::New(source, attendee) => drop(issue(connection, &attendee, Some(&source), &at)?),
            Difference::Changed(id, attendee) => store::update(connection, id, &attendee)?,
            Difference::Valid(id) => store::set_valid(connection, id)?,
            Difference::Void { id, source, is_transferred } => {
                let reason = if is_transferred { TRANSFERRED } else { reason_of(connection, &source)? };
                store::set_void(connection, id, reason, VoidedBy::Program)?;
            }
        }
    }
    Ok(())
}

/// Stores a new ticket under a random code, and returns its id and code. Without a `source` it follows no registration.
fn issue(
    connection: &Connection,
    attendee: &Attendee,
    source: Option<&Source>,
    at: &str,
) -> Result<(i64, String)> {
    loop {
        let code = ticket_code::random();
        if let Some(id) = store::insert(connection, &code, attendee, source, at)? {
            return Ok((id, code));
        }
    }
}

/// Why a registration gives no ticket any more.
fn reason_of(connection: &Connection, source: &Source) -> Result<&'static str> {
    const GONE: &str = "It does not take part any more.";
    let Ok(kind) = source.kind.parse::<Kind>() else { return Ok(GONE) };
    let Some(stored) = registrations::get(connection, kind, source.id)? else { return Ok(GONE) };
    let is_refunded = kind == Kind::CompetitionEntries
        && payments::get(connection, EntryId(source.id))?
            .is_some_and(|payment| payment.status == PaymentStatus::Refunded);
    Ok(match stored.status {
        Status::Withdrawn => "It was withdrawn.",
        Status::Declined => "It was declined.",
        Status::Accepted if kind == Kind::SponsorApplications => "There are fewer places now.",
        _ if is_refunded => "It was refunded.",
        _ => GONE,
    })
}

/// The ticket that stands for each one, by id: itself, or that of the person who has its place now.
pub(super) fn current(tickets: &[Ticket]) -> HashMap<i64, &Ticket> {
    let valid = tickets.iter().filter(|ticket| ticket.is_valid());
    let by_place: HashMap<_, &Ticket> =
        valid.filter_map(|ticket| Some((ticket.source.as_ref()?.key(), ticket))).collect();
    let current_of = |ticket: &Ticket| by_place.get(&ticket.source.as_ref()?.key()).copied();
    tickets.iter().map(|ticket| (ticket.id, current_of(ticket).unwrap_or(ticket))).collect()
}

/// Who should have a ticket.
fn wanted(connection: &Connection, content: &Content) -> Result<Vec<(Source, Attendee)>> {
    let mut wanted = of_guests(connection, content, &guests::all(connection)?)?;
    for (id, attendee) in store::judges(connection)? {
        wanted.push((Source { kind: JUDGES.into(), id, place: 1, holder: String::new() }, attendee));
    }
    Ok(wanted)
}

/// Who should have a ticket by these registrations.
fn of_guests(
    connection: &Connection,
    content: &Content,
    guests: &[Guest],
) -> Result<Vec<(Source, Attendee)>> {
    let mut wanted = Vec::new();
    for guest in guests {
        let is_sponsor = guest.kind == Kind::SponsorApplications;
        let places = if is_sponsor { store::sponsor_places(connection, guest.id)? } else { 1 };
        for place in 1..=places {
            wanted.push(of_guest(content, guest, place));
        }
    }
    Ok(wanted)
}

fn of_guest(content: &Content, guest: &Guest, place: i64) -> (Source, Attendee) {
    let seat = guest.front_row.as_deref().map(lists::seat_label);
    let day = lists::only_day(guest)
        .and_then(|number| content.event.days.get(number - 1))
        .map(|day| day.date.to_string());
    let business = Some(guest.business.clone()).filter(|business| !business.is_empty());
    let mut attendee = Attendee {
        role: guest.kind.role(),
        name: guest.name.clone(),
        business,
        email: Some(guest.email.clone()),
        note: None,
        seat: seat.map(str::to_owned),
        day,
    };
    let mut holder = String::new();
    if let Some((name, email)) = &guest.holder {
        holder = email.to_lowercase();
        attendee.note = Some(format!("{TICKET_OF}{}", guest.name)).filter(|_| guest.name != ERASED);
        (attendee.name, attendee.email, attendee.business) = (name.clone(), Some(email.clone()), None);
    }
    if place > 1 {
        // We do not know the people whom a sponsor brings.
        attendee.name = format!("Guest of {}", attendee.business.as_deref().unwrap_or(&guest.name));
        attendee.email = None;
    }
    (Source { kind: guest.kind.to_string(), id: guest.id, place, holder }, attendee)
}

impl Ticket {
    /// The lists on which the ticket is.
    pub fn lists<'a>(&self, lists: &'a [DoorList]) -> Vec<&'a DoorList> {
        lists.iter().filter(|list| list.includes(self.attendee.role, self.attendee.day.as_deref())).collect()
    }

    /// `valid` or `void`.
    pub fn state(&self) -> &'static str {
        if self.is_valid() { "valid" } else { "void" }
    }

    pub fn is_valid(&self) -> bool {
        self.void_reason.is_none()
    }
}

/// Which tickets are listed.
#[derive(Debug, Clone, Default)]
pub struct TicketFilter {
    /// In name, business, address or code.
    pub search: Option<String>,
    pub role: Option<Role>,
    pub is_valid: Option<bool>,
}

pub fn list(app: &App, filter: &TicketFilter) -> Result<Vec<Ticket>> {
    let mut all = app.store.read(store::all)?;
    let search = filter.search.as_deref().unwrap_or_default().trim().to_lowercase();
    let code = ticket_code::parse(&search);
    all.retain(|ticket| {
        let attendee = &ticket.attendee;
        let texts =
            [Some(&attendee.name), attendee.business.as_ref(), attendee.email.as_ref(), Some(&ticket.code)];
        let is_found = search.is_empty()
            || code.as_ref() == Some(&ticket.code)
            || texts.into_iter().flatten().any(|text| text.to_lowercase().contains(&search));
        is_found
            && filter.role.is_none_or(|role| attendee.role == role)
            && filter.is_valid.is_none_or(|is_valid| ticket.is_valid() == is_valid)
    });
    Ok(all)
}

/// A ticket with its scans, or [`Error::NotFound`].
pub fn get(app: &App, id: i64) -> Result<(Ticket, Vec<store::Scan>)> {
    app.store.read(|connection| Ok((find(connection, id)?, store::scans_of(connection, id)?)))
}

/// A ticket by what somebody scanned or typed.
///
/// # Errors
/// [`Error::NotFound`].
pub fn by_code(app: &App, text: &str) -> Result<Ticket> {
    let unknown = || Error::NotFound("There is no ticket with this code.".into());
    let code = ticket_code::parse(text).ok_or_else(unknown)?;
    app.store.read(|connection| store::by_code(connection, &code))?.ok_or_else(unknown)
}

/// The code of the valid ticket that this address has by an entry.
pub fn code_of_holder(app: &App, entry_id: i64, email: &str) -> Result<Option<String>> {
    let kind = Kind::CompetitionEntries.as_str();
    let tickets = app.store.read(|connection| store::of_source(connection, kind, entry_id))?;
    let is_own = |ticket: &Ticket| {
        ticket.is_valid() && ticket.attendee.email.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(email))
    };
    Ok(tickets.into_iter().find(is_own).map(|ticket| ticket.code))
}

/// Somebody whom the organiser adds: press, helpers.
#[derive(Debug, Clone, Default)]
pub struct NewGuest {
    pub name: String,
    pub business: Option<String>,
    pub note: Option<String>,
    pub email: Option<String>,
}

/// Adds a ticket, and returns its id and code.
///
/// # Errors
/// [`Error::Invalid`] with each wrong field.
pub fn add(app: &App, actor: &Actor, guest: NewGuest) -> Result<(i64, String)> {
    let mut errors = FieldErrors::new();
    let mut checked = |field: &str, text: Option<String>| match forms::free_line(
        field,
        &text.unwrap_or_default(),
        MAX_LENGTH,
    ) {
        Err(Error::Invalid(wrong)) => {
            errors.extend(wrong);
            None
        }
        text => text.ok().flatten(),
    };
    let name = checked("name", Some(guest.name)).unwrap_or_default();
    let (business, note) = (checked("business", guest.business), checked("note", guest.note));
    let email = checked("email", guest.email);
    if name.is_empty() {
        errors.entry("name".into()).or_insert("Please enter a name".into());
    }
    if email.as_ref().is_some_and(|email| EmailAddress::parse(email).is_none()) {
        errors.insert("email".into(), "Please enter a valid email address".into());
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let attendee = Attendee { role: Role::Guest, name, business, email, note, seat: None, day: None };
    app.store.write(|connection| {
        let (id, code) = issue(connection, &attendee, None, &time::stored(time::now()))?;
        audit::record(connection, actor, "ticket added", &json!({ "ticket": id }))?;
        Ok((id, code))
    })
}

/// Sets how many people may come for a sponsor. Its tickets follow when it is accepted.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]: fewer than none or more than fifty.
pub fn set_sponsor_places(app: &App, actor: &Actor, sponsor_id: i64, places: i64) -> Result<()> {
    if !(0..=MAX_SPONSOR_PLACES).contains(&places) {
        return Err(Error::field("places", &format!("Please enter a number from 0 to {MAX_SPONSOR_PLACES}")));
    }
    app.store.write(|connection| {
        let kind = Kind::SponsorApplications;
        registrations::get(connection, kind, sponsor_id)?
            .ok_or_else(|| Error::NotFound("There is no such sponsor application.".into()))?;
        store::set_sponsor_places(connection, sponsor_id, places)?;
        let line = audit::Line { actor, action: "sponsor places set", subject: Some((kind, sponsor_id)) };
        audit::insert_with(connection, &time::stored(time::now()), &line, &json!({ "places": places }))
    })
}

/// A ticket for somebody who came without one, by the name that a volunteer typed.
pub(super) fn add_walk_in(connection: &Connection, name: &str, at: &str) -> Result<(i64, String)> {
    let name: String = name.trim().chars().filter(|c| !c.is_control()).take(MAX_LENGTH).collect();
    let note = Some("Walk-in".to_owned());
    let attendee =
        Attendee { role: Role::Guest, name, business: None, email: None, note, seat: None, day: None };
    issue(connection, &attendee, None, at)
}

/// Makes a ticket void. It stays void, also if the registration changes, until [`restore`].
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]: no reason, or one that [`forms::reason`] refuses.
pub fn make_void(app: &App, actor: &Actor, id: i64, reason: &str) -> Result<Ticket> {
    let reason = forms::reason(reason, MAX_LENGTH)?;
    app.store.write(|connection| {
        find(connection, id)?;
        store::set_void(connection, id, &reason, VoidedBy::Organiser)?;
        audit::record(connection, actor, "ticket voided", &json!({ "ticket": id }))?;
        find(connection, id)
    })
}

/// Makes a ticket valid again.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: its registration does not take part.
pub fn restore(app: &App, actor: &Actor, id: i64) -> Result<Ticket> {
    let content = app.content();
    app.store.write(|connection| {
        let ticket = find(connection, id)?;
        if let Some(source) = &ticket.source
            && !wanted(connection, &content)?.iter().any(|(wanted, _)| wanted == source)
        {
            return Err(Error::Conflict(
                "This ticket follows a registration that does not take part. Take that back first, or add a guest.".into(),
            ));
        }
        store::set_valid(connection, id)?;
        audit::record(connection, actor, "ticket restored", &json!({ "ticket": id }))?;
        find(connection, id)
    })
}

/// Sets what the door and the badge say of somebody, such as "no photos", or deletes it.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`] on `note`.
pub fn set_note(app: &App, actor: &Actor, id: i64, note: &str) -> Result<Ticket> {
    let note = forms::free_line("note", note, MAX_LENGTH)?;
    app.store.write(|connection| {
        let attendee = Attendee { note, ..find(connection, id)?.attendee };
        store::update(connection, id, &attendee)?;
        audit::record(connection, actor, "ticket note set", &json!({ "ticket": id }))?;
        find(connection, id)
    })
}

/// Notes that the organiser has printed the badge of one ticket.
///
/// # Errors
/// [`Error::NotFound`].
pub fn note_one_printed(app: &App, actor: &Actor, id: i64) -> Result<()> {
    app.store.write(|connection| {
        find(connection, id)?;
        store::set_one_printed(connection, id, &time::stored(time::now()))?;
        audit::record(connection, actor, "badges printed", &json!({ "ticket": id }))
    })
}

/// Notes that the organiser has printed the badges of a role, or of everybody, made until an instant.
pub fn note_printed(app: &App, actor: &Actor, role: Option<Role>, made_until: DateTime<Utc>) -> Result<()> {
    app.store.write(|connection| {
        let now = time::stored(time::now());
        store::set_printed(connection, role, &time::stored(made_until), &now)?;
        let line = audit::Line { actor, action: "badges printed", subject: None };
        audit::insert(connection, &now, &line)
    })
}

pub(super) fn find(connection: &Connection, id: i64) -> Result<Ticket> {
    store::get(connection, id)?.ok_or_else(|| Error::NotFound("There is no such ticket.".into()))
}
