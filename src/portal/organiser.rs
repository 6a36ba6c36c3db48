//! What the organiser does with nominations: looks at them, returns, extends, accepts, forfeits and disqualifies them.

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::image_hash::is_alike;
use super::media_file::MediaFile;
use super::own::{self, OwnNomination, OwnSlot};
use super::transitions::{Step, after};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Actor, EntryId, Expected, NominationState, RELEASE_SLOT};
use crate::site::content::Content;
use crate::store::judging::categories;
use crate::store::outbox::Priority;
use crate::store::portal::media::{self, Size};
use crate::store::portal::nominations::{self, Change, Entrant, Nomination};
use crate::store::portal::releases;
use crate::store::{audit, payments, registrations, reviews};
use crate::time;

/// In characters.
const MAX_REASON_LENGTH: usize = 2_000;

/// A nomination with its competitor.
#[derive(Debug, Clone)]
pub struct NominationView {
    pub entrant: Entrant,
    pub own: OwnNomination,
    /// Photos of other nominations that look the same as one of these; empty in lists.
    pub alike: Vec<Alike>,
}

/// A photo of another nomination that looks the same as one of this nomination.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "AlikePhoto"))]
pub struct Alike {
    /// The photo of this nomination.
    #[serde(skip)]
    pub media_id: i64,
    pub nomination_id: i64,
    pub code: String,
    /// The name of the other photo's slot.
    pub label: String,
}

/// Which nominations are listed; all of the conditions hold for each of them.
#[derive(Debug, Clone, Default)]
pub struct NominationFilter {
    pub state: Option<NominationState>,
    /// Whether something is missing.
    pub missing: Option<bool>,
    /// Part of a code, a name, a business or an address; case is ignored.
    pub search: Option<String>,
}

/// What the organiser decides about a nomination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Asks for some slots again; `until` is a later deadline for them.
    Return {
        slots: Vec<String>,
        reason: String,
        until: Option<DateTime<Utc>>,
    },
    Extend {
        until: DateTime<Utc>,
        reason: String,
    },
    MarkReady,
    Forfeit {
        reason: String,
    },
    Disqualify {
        reason: String,
    },
    /// Withdraws this nomination; the entry's others stay.
    Withdraw {
        reason: String,
    },
    /// Takes a withdrawal of this nomination back.
    Reinstate {
        reason: String,
    },
}

/// The nominations of a filter: those to be checked first, then by what is left to do, deadline and code.
pub fn list(app: &App, filter: &NominationFilter) -> Result<Vec<NominationView>> {
    let (content, now) = (app.content(), time::now());
    let search = filter.search.as_deref().unwrap_or_default();
    let found = app.store.read(|connection| nominations::find(connection, filter.state, search))?;
    app.store.read(|connection| {
        let mut views: Vec<NominationView> = Vec::new();
        for (nomination, entrant) in found {
            let own = own::view(connection, &content, nomination, now)?;
            if filter.missing.is_none_or(|missing| missing != own.missing().is_empty()) {
                views.push(NominationView { entrant, own, alike: Vec::new() });
            }
        }
        views.sort_by_cached_key(|view| {
            let nomination = &view.own.nomination;
            (rank(nomination.state), view.own.deadline, nomination.code.clone())
        });
        Ok(views)
    })
}

/// What the organiser has to do comes first, then what competitors have to do.
fn rank(state: NominationState) -> u8 {
    use NominationState::{Disqualified, Forfeited, HandedIn, Open, Ready, Returned, Withdrawn};
    match state {
        HandedIn => 0,
        Returned | Open => 1,
        Ready => 2,
        Forfeited | Withdrawn | Disqualified => 3,
    }
}

/// One nomination, or [`Error::NotFound`].
pub fn get(app: &App, id: i64) -> Result<NominationView> {
    let (content, now) = (app.content(), time::now());
    app.store.read(|connection| {
        let nomination = nominations::get(connection, id)?.ok_or_else(unknown)?;
        let entrant = nominations::entrant(connection, nomination.entry_id)?.ok_or_else(unknown)?;
        let own = own::view(connection, &content, nomination, now)?;
        Ok(NominationView { alike: alike(connection, &content, &own)?, entrant, own })
    })
}

/// Photos in other nominations that look the same as one in this nomination. Its own slots are not compared with each other:
/// they show one model in one light.
fn alike(connection: &Connection, content: &Content, own: &OwnNomination) -> Result<Vec<Alike>> {
    let hashed_photos = media::hashed_photos(connection)?;
    let mut found = Vec::new();
    for medium in own.slots.iter().filter_map(|slot| slot.medium.as_ref()) {
        let Some(hash) = medium.image_hash else { continue };
        for other in &hashed_photos {
            if other.nomination_id == own.nomination.id || !is_alike(other.image_hash, hash) {
                continue;
            }
            let mut slots = content.portal.slots_of(&other.category, &other.sub_category);
            let label = slots.find(|slot| slot.key == other.slot).map_or(&other.slot, |slot| &slot.label);
            found.push(Alike {
                media_id: medium.id,
                nomination_id: other.nomination_id,
                code: other.code.clone(),
                label: label.clone(),
            });
        }
    }
    Ok(found)
}

/// Carries out a decision and adds it to the entry's history.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Changed`]: it is not the expected version. [`Error::Invalid`]: a reason, a slot or a time is
/// missing or wrong. [`Error::Conflict`]: it is not possible in the nomination's state.
pub fn decide(
    app: &App,
    actor: &Actor,
    id: i64,
    decision: Decision,
    expected: &Expected,
) -> Result<NominationView> {
    let (content, public_url, now) = (app.content(), app.public_url(), time::now());
    app.store.write(|connection| {
        let nomination = nominations::get(connection, id)?.ok_or_else(unknown)?;
        let before = own::view(connection, &content, nomination, now)?;
        expected.require(&before.version())?;
        let errors = errors_of(&before, &decision, content.portal_deadline(), now);
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        carry_out(connection, actor, id, &decision)?;
        queue_email(connection, &content, &public_url, id, &decision, now)
    })?;
    get(app, id)
}

/// Queues the email to the competitor, for what they have to know: what to replace, or that nothing is left to do.
fn queue_email(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    id: i64,
    decision: &Decision,
    now: DateTime<Utc>,
) -> Result<()> {
    // While the portal is closed, no email mentions it.
    if !content.portal.open || !matches!(decision, Decision::Return { .. } | Decision::MarkReady) {
        return Ok(());
    }
    let nomination = nominations::get(connection, id)?.ok_or_else(unknown)?;
    let own = own::view(connection, content, nomination, now)?;
    let about = own.nomination.entry_id.registration();
    let Some(stored) = registrations::get(connection, about.0, about.1)? else { return Ok(()) };
    let (state, message) = if let Decision::Return { slots, reason, .. } = decision {
        // A signature on the phone is deleted by now, so that there is nothing to return but the release itself.
        let label = |key: &String| {
            own.returnable(key).map_or("Model release".to_owned(), |slot| slot.slot.label.clone())
        };
        let photos: Vec<String> = slots.iter().map(label).collect();
        let returned =
            mail::Returned { nomination: &own.label, photos: &photos, reason, deadline: own.deadline };
        ("returned", mail::nomination_returned(content, public_url, &stored.record, &returned)?)
    } else {
        ("ready", mail::nomination_ready(content, public_url, &stored.record, &own.label)?)
    };
    let at = time::stored(time::now());
    let cause = format!("nomination-{state}/{id}/{at}");
    outbox::queue(connection, Priority::Organiser, cause, about, &message, &at)
}

fn carry_out(connection: &Connection, actor: &Actor, id: i64, decision: &Decision) -> Result<()> {
    let nomination = nominations::get(connection, id)?.ok_or_else(unknown)?;
    let next = |step| after(nomination.state, step);
    let (state, action) = match decision {
        Decision::Return { .. } => (next(Step::Return), "returned"),
        Decision::Extend { .. } => (next(Step::Extend), "extended"),
        Decision::MarkReady => (next(Step::MarkReady), "marked as ready"),
        Decision::Forfeit { .. } => (next(Step::Forfeit), "forfeited"),
        Decision::Disqualify { .. } => (next(Step::Disqualify), "disqualified"),
        Decision::Withdraw { .. } => (next(Step::Withdraw), "withdrawn"),
        Decision::Reinstate { .. } => (nomination.withdrawn_from, "reinstated"),
    };
    let takes_part_again = matches!(decision, Decision::Reinstate { .. } | Decision::Extend { .. });
    if takes_part_again && !takes_part(connection, nomination.entry_id)? {
        return Err(Error::Conflict(format!(
            "The entry of {} was withdrawn, declined or refunded. Let the entry take part again first.",
            nomination.code
        )));
    }
    let state = state.ok_or_else(|| {
        let state = nomination.state.as_str().replace('_', " ");
        Error::Conflict(format!("{} is {state}, so it cannot be {action}.", nomination.code))
    })?;
    if [nomination.state, state].contains(&NominationState::Ready) {
        require_unsealed(connection, &nomination)?;
    }
    let mut change = Change { state, ..Change::new(&nomination) };
    let mut detail = json!({ "code": nomination.code });
    let reason = match decision {
        Decision::Return { slots, reason, until } => {
            if slots.iter().any(|slot| slot == RELEASE_SLOT) {
                releases::clear(connection, id)?;
            }
            change.returned_at = Some(time::stored(time::now()));
            change.returned_slots = Some(json!(slots).to_string());
            change.extended_until = until.map(time::stored).or(change.extended_until);
            detail["slots"] = json!(slots);
            Some(reason)
        }
        Decision::Extend { until, reason } => {
            change.extended_until = Some(time::stored(*until));
            detail["until"] = time::stored(*until).into();
            // The reason of a return stays.
            change.reason = change.reason.filter(|_| state == NominationState::Returned);
            Some(reason)
        }
        Decision::MarkReady => {
            change.returned_slots = None;
            None
        }
        Decision::Forfeit { reason }
        | Decision::Disqualify { reason }
        | Decision::Withdraw { reason }
        | Decision::Reinstate { reason } => Some(reason),
    };
    match decision {
        Decision::Withdraw { reason } => nominations::withdraw(connection, id, Some(reason))?,
        Decision::Reinstate { .. } => nominations::reinstate(connection, id)?,
        Decision::Extend { .. } => nominations::change(connection, id, &change)?,
        _ => nominations::change(connection, id, &Change { reason: reason.cloned(), ..change })?,
    }
    record(connection, actor, &nomination, action, reason.map(String::as_str), &detail)
}

/// Which nominations are judged does not change after the results are sealed.
fn require_unsealed(connection: &Connection, nomination: &Nomination) -> Result<()> {
    let judged = categories::find(connection, &nomination.category, &nomination.sub_category)?;
    if judged.is_none_or(|judged| judged.sealed_at.is_none()) {
        return Ok(());
    }
    Err(Error::Conflict(format!(
        "The results of {}'s competition are sealed. Reopen them on the judging page first.",
        nomination.code
    )))
}

/// Whether the entry holds a place: it is paid or complimentary, and neither withdrawn nor declined.
pub fn takes_part(connection: &Connection, entry_id: EntryId) -> Result<bool> {
    let (kind, id) = entry_id.registration();
    let is_out = registrations::get(connection, kind, id)?.is_none_or(|stored| stored.status.is_out());
    let holds_place =
        payments::get(connection, entry_id)?.is_some_and(|payment| payment.status.holds_place());
    Ok(holds_place && !is_out)
}

/// Adds a line to the entry's history and to the audit log.
pub(super) fn record(
    connection: &Connection,
    actor: &Actor,
    nomination: &Nomination,
    action: &str,
    reason: Option<&str>,
    detail: &Value,
) -> Result<()> {
    let (kind, id) = nomination.entry_id.registration();
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    let note = format!("Nomination {} {action}{reason}", nomination.code);
    let at = time::stored(time::now());
    if let Some(stored) = registrations::get(connection, kind, id)? {
        reviews::add_note(connection, &stored, actor, note, &at)?;
    }
    // The audit log has no reasons: they may name the person.
    let action = format!("nomination {action}");
    let line = audit::Line { actor, action: &action, subject: Some((kind, id)) };
    audit::insert_with(connection, &at, &line, detail)
}

/// `deadline` is everybody's. A later one that was given by mistake can be changed to an earlier one, but not to one before it.
fn errors_of(
    own: &OwnNomination,
    decision: &Decision,
    deadline: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> FieldErrors {
    let mut errors = FieldErrors::new();
    let mut add = |field: &str, message: &str| errors.insert(field.to_owned(), message.to_owned());
    let (reason, until) = match decision {
        Decision::Return { reason, until, .. } => (Some(reason), *until),
        Decision::Extend { until, reason } => (Some(reason), Some(*until)),
        Decision::Forfeit { reason }
        | Decision::Disqualify { reason }
        | Decision::Withdraw { reason }
        | Decision::Reinstate { reason } => (Some(reason), None),
        Decision::MarkReady => (None, None),
    };
    if let Some(reason) = reason {
        let length = reason.trim().chars().count();
        if length == 0 {
            add("reason", "Please give a reason");
        } else if length > MAX_REASON_LENGTH {
            add("reason", "Please shorten the reason to 2,000 characters");
        }
    }
    if until.is_some_and(|until| until <= now) {
        add("until", "Please choose a time in the future");
    } else if until.zip(deadline).is_some_and(|(until, deadline)| until < deadline) {
        add("until", "Please choose a time after the deadline of all nominations");
    }
    if *decision == Decision::MarkReady {
        let is_returned = own.nomination.state == NominationState::Returned;
        if own.has_unconfirmed_paper() {
            add("release", "Please confirm the signed paper first, or return it");
        } else if is_returned && own.release.signed_at.is_none() {
            add("release", "The model has not signed the release");
        }
        // What is handed in has every photo, but the competitor can remove one that was asked for again.
        let is_gone = |slot: &&OwnSlot| is_returned && slot.slot.required && slot.medium.is_none();
        for OwnSlot { slot, .. } in own.slots.iter().filter(is_gone) {
            add(&slot.key, &format!("The photo '{}' is missing", slot.label));
        }
    }
    if let Decision::Return { slots, until, .. } = decision {
        if slots.is_empty() {
            add("slots", "Please choose at least one photo");
        } else if let Some(wrong) = slots.iter().find(|key| own.returnable(key).is_none()) {
            add("slots", &format!("This nomination has no photo '{wrong}'"));
        }
        if until.is_none() && own.deadline.is_some_and(|deadline| deadline <= now) {
            add("until", "The deadline has passed. Please give a later one");
        }
    }
    errors
}

/// The photo or the video in a slot of a nomination.
///
/// # Errors
/// [`Error::NotFound`].
pub fn photo(app: &App, id: i64, slot: &str, size: Size) -> Result<MediaFile> {
    app.store.read(|connection| {
        let media = media::of_nomination(connection, id)?;
        let medium = media.into_iter().find(|medium| medium.slot == slot);
        let medium = medium.ok_or_else(|| Error::NotFound("There is no such photo.".into()))?;
        Ok(MediaFile::new(&medium, size))
    })
}

pub(super) fn unknown() -> Error {
    Error::NotFound("There is no such nomination.".into())
}
