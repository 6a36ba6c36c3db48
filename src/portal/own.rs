//! A competitor's own nominations: what each needs, has and lacks, and what may still be changed.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::access::Artist;
use super::transitions::{Step, after};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::model::{Actor, NominationState, RELEASE_SLOT};
use crate::site::content::Content;
use crate::site::content::model::portal::{PAPER_RELEASE, Slot};
use crate::store::audit;
use crate::store::portal::media::{self, Medium};
use crate::store::portal::nominations::{self, Nomination};
use crate::store::portal::releases::{self as stored_releases, Release};
use crate::store::portal::uploads;
use crate::time;

pub use crate::site::content::model::portal::Tick;

/// How long after the deadline an upload that began before it may be finished.
const GRACE: TimeDelta = TimeDelta::minutes(30);

/// A nomination as its competitor sees it.
#[derive(Debug, Clone)]
pub struct OwnNomination {
    pub nomination: Nomination,
    /// 'Lash Extensions - Volume'
    pub label: String,
    pub deadline: Option<DateTime<Utc>>,
    /// Whether its state and the time allow handing in, whatever is missing. No slot needs to be open for that.
    pub can_hand_in: bool,
    pub slots: Vec<OwnSlot>,
    pub ticks: Vec<Tick>,
    pub release: Release,
    /// A photo of a release that was signed on paper. It counts as the release until the organiser has checked it.
    pub paper: OwnSlot,
}

#[derive(Debug, Clone)]
pub struct OwnSlot {
    pub slot: Slot,
    pub medium: Option<Medium>,
    /// Whether its photo may be replaced or removed now.
    pub is_open: bool,
}

impl OwnNomination {
    /// The keys of required slots without a photo, of photos that were asked for again and not replaced, and `release`
    /// while it is neither signed nor there on paper.
    pub fn missing(&self) -> Vec<&str> {
        let slots = self.slots.iter().filter(|slot| match &slot.medium {
            None => slot.slot.required,
            Some(medium) => self.is_asked_again(&slot.slot.key, medium),
        });
        let paper = self.paper.medium.as_ref().filter(|medium| !self.is_asked_again(RELEASE_SLOT, medium));
        let release = (self.release.signed_at.is_none() && paper.is_none()).then_some(RELEASE_SLOT);
        slots.map(|slot| slot.slot.key.as_str()).chain(release).collect()
    }

    /// Whether the organiser asked for this photo again, and it has not been replaced since.
    fn is_asked_again(&self, key: &str, medium: &Medium) -> bool {
        let nomination = &self.nomination;
        nomination.state == NominationState::Returned
            && returned_slots(nomination).iter().any(|slot| slot == key)
            && nomination.returned_at.as_ref().is_some_and(|at| medium.created_at <= *at)
    }

    pub fn slot(&self, key: &str) -> Option<&OwnSlot> {
        self.slots.iter().find(|slot| slot.slot.key == key)
    }

    /// A slot that the organiser can ask for again: one of the photos, or the release if it is signed or there on paper.
    pub fn returnable(&self, key: &str) -> Option<&OwnSlot> {
        let is_there = self.paper.medium.is_some() || self.release.signed_at.is_some();
        let release = Some(&self.paper).filter(|paper| paper.slot.key == key && is_there);
        self.slot(key).or(release)
    }

    /// A hash of everything that a decision about it is based on, sent as its `ETag`.
    pub fn version(&self) -> String {
        let nomination = &self.nomination;
        let media = self.slots.iter().chain([&self.paper]).filter_map(|slot| slot.medium.as_ref());
        let seen = json!([
            nomination.state,
            nomination.handed_in_at,
            nomination.extended_until,
            nomination.reason,
            nomination.returned_slots,
            media.map(|medium| medium.id).collect::<Vec<_>>(),
            self.release.signed_at,
        ]);
        hex::encode(&Sha256::digest(seen.to_string())[..12])
    }

    /// Whether a paper is there that the organiser has not confirmed.
    pub fn has_unconfirmed_paper(&self) -> bool {
        self.release.signed_at.is_none() && self.paper.medium.is_some()
    }
}

/// The keys of the slots that the organiser asked for again.
fn returned_slots(nomination: &Nomination) -> Vec<String> {
    let slots = nomination.returned_slots.as_deref().unwrap_or_default();
    serde_json::from_str(slots).unwrap_or_default()
}

/// All nominations of a competitor.
pub fn list(app: &App, artist: &Artist) -> Result<Vec<OwnNomination>> {
    let (content, now) = (app.content(), time::now());
    app.store.read(|connection| {
        let own = nominations::of_person(connection, &artist.email)?.into_iter();
        own.map(|nomination| view(connection, &content, nomination, now)).collect()
    })
}

/// One nomination of a competitor.
///
/// # Errors
/// [`Error::NotFound`]: there is none with this id, or it is somebody else's.
pub fn get(app: &App, artist: &Artist, id: i64) -> Result<OwnNomination> {
    let (content, now) = (app.content(), time::now());
    app.store.read(|connection| load(connection, &content, artist, id, now))
}

/// Like [`get`], within a transaction.
pub fn load(
    connection: &Connection,
    content: &Content,
    artist: &Artist,
    id: i64,
    now: DateTime<Utc>,
) -> Result<OwnNomination> {
    view(connection, content, owned(connection, artist, id)?, now)
}

/// What a nomination needs and what it has, whoever asks.
pub fn view(
    connection: &Connection,
    content: &Content,
    nomination: Nomination,
    now: DateTime<Utc>,
) -> Result<OwnNomination> {
    let id = nomination.id;
    let deadline = deadline(content, &nomination);
    let media = media::of_nomination(connection, id)?;
    let release = stored_releases::of_nomination(connection, id)?
        .ok_or_else(|| Error::Internal(format!("nomination {id} has no release")))?;
    let own_slot = |slot: &Slot| OwnSlot {
        medium: media.iter().find(|medium| medium.slot == slot.key).cloned(),
        is_open: check_open(content, &nomination, Some(&release), &slot.key, now, now).is_ok(),
        slot: slot.clone(),
    };
    let slots = content.portal.slots_of(&nomination.category, &nomination.sub_category).map(own_slot);
    let mut own = OwnNomination {
        label: content.nomination(&nomination.category, &nomination.sub_category),
        deadline,
        can_hand_in: false,
        slots: slots.collect(),
        paper: own_slot(&PAPER_RELEASE),
        ticks: content.portal.ticks.clone(),
        release,
        nomination,
    };
    own.can_hand_in = can_hand_in(connection, &own, now)?;
    Ok(own)
}

fn can_hand_in(connection: &Connection, own: &OwnNomination, now: DateTime<Utc>) -> Result<bool> {
    let is_unfinished = matches!(own.nomination.state, NominationState::Open | NominationState::Returned);
    let Some(deadline) = own.deadline.filter(|_| is_unfinished) else { return Ok(is_unfinished) };
    let begun = begun_before(connection, own, deadline)?.unwrap_or(now);
    Ok(is_in_time(deadline, now, now) || is_in_time(deadline, begun, now))
}

/// When the upload of a late photo began: one that was finished after the deadline, or one of a missing photo that is
/// still under way. A competitor whose photos were all there in time could have handed them in.
fn begun_before(
    connection: &Connection,
    own: &OwnNomination,
    deadline: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let id = own.nomination.id;
    let missing = own.missing();
    let unfinished = uploads::unfinished(connection, id)?
        .into_iter()
        .find(|upload| missing.contains(&upload.slot.as_str()))
        .map(|upload| upload.created_at);
    let begun = uploads::start_of_late_photo(connection, id, &time::stored(deadline))?.or(unfinished);
    Ok(begun.and_then(|begun| begun.parse().ok()))
}

pub fn owned(connection: &Connection, artist: &Artist, id: i64) -> Result<Nomination> {
    let own = nominations::of_person(connection, &artist.email)?;
    own.into_iter().find(|nomination| nomination.id == id).ok_or_else(unknown)
}

fn unknown() -> Error {
    Error::NotFound("There is no such nomination of yours.".into())
}

/// The deadline of a nomination: its own if the organiser gave one, otherwise that of all nominations.
pub fn deadline(content: &Content, nomination: &Nomination) -> Option<DateTime<Utc>> {
    let own = nomination.extended_until.as_deref().and_then(|until| until.parse().ok());
    own.or_else(|| content.portal_deadline())
}

/// Requires that a slot's photo may be changed. `begun` is when the upload of the new one began; `now` if it begins now.
///
/// # Errors
/// [`Error::Closed`] with the reason.
pub fn require_open(
    connection: &Connection,
    content: &Content,
    nomination: &Nomination,
    slot: &str,
    begun: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<()> {
    let release = stored_releases::of_nomination(connection, nomination.id)?;
    check_open(content, nomination, release.as_ref(), slot, begun, now)
}

fn check_open(
    content: &Content,
    nomination: &Nomination,
    release: Option<&Release>,
    slot: &str,
    begun: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<()> {
    let closed = |reason: &str| Err(Error::Closed(reason.to_owned()));
    if slot == RELEASE_SLOT && release.is_some_and(|release| release.signed_at.is_some()) {
        return closed("The release is signed, so a paper is not needed any more.");
    }
    match nomination.state {
        NominationState::Open => {}
        NominationState::Returned => {
            if !returned_slots(nomination).iter().any(|returned| returned == slot) {
                return closed("We did not ask for this photo again, so it stays as it is.");
            }
        }
        NominationState::HandedIn | NominationState::Ready => {
            return closed("You have handed this in, so it cannot be changed any more.");
        }
        NominationState::Withdrawn | NominationState::Forfeited | NominationState::Disqualified => {
            return closed("This nomination does not take part any more.");
        }
    }
    let Some(deadline) = deadline(content, nomination) else { return Ok(()) };
    if is_in_time(deadline, begun, now) { Ok(()) } else { closed("The deadline has passed.") }
}

/// Whether something that began at `begun` may still be finished. What begins now is in time until the deadline.
fn is_in_time(deadline: DateTime<Utc>, begun: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    begun < deadline && now < deadline + GRACE
}

/// Hands in a nomination: it needs a photo in every required slot, every confirmation (tick) and the release. One that was
/// handed in stays as it is.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's. [`Error::Closed`]: too late, or it does not take part.
/// [`Error::Invalid`] names every slot and tick that is missing, and `release`.
pub fn hand_in(app: &App, artist: &Artist, id: i64, ticks: BTreeMap<String, bool>) -> Result<OwnNomination> {
    get(app, artist, id)?;
    let (content, now) = (app.content(), time::now());
    app.store.write(|connection| {
        let before = load(connection, &content, artist, id, now)?;
        if before.nomination.state == NominationState::HandedIn {
            return Ok(before);
        }
        let state = after(before.nomination.state, Step::HandIn)
            .ok_or_else(|| Error::Closed("This nomination cannot be handed in any more.".into()))?;
        if !before.can_hand_in {
            return Err(Error::Closed("The deadline has passed.".into()));
        }
        let errors = hand_in_errors(&before, &ticks);
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        store_handed_in(connection, &before, state)?;
        load(connection, &content, artist, id, now)
    })
}

fn hand_in_errors(nomination: &OwnNomination, ticks: &BTreeMap<String, bool>) -> FieldErrors {
    let mut errors = FieldErrors::new();
    for key in nomination.missing() {
        let message = match nomination.returnable(key) {
            None => "Your model has not signed the release yet".to_owned(),
            Some(slot) if slot.medium.is_some() => {
                format!("The photo '{}' has to be replaced", slot.slot.label)
            }
            Some(slot) => format!("The photo '{}' is missing", slot.slot.label),
        };
        errors.insert(key.to_owned(), message);
    }
    for tick in nomination.ticks.iter().filter(|tick| ticks.get(&tick.key) != Some(&true)) {
        errors.insert(tick.key.clone(), format!("Please confirm: {}", tick.label));
    }
    errors
}

fn store_handed_in(connection: &Connection, before: &OwnNomination, state: NominationState) -> Result<()> {
    let nomination = &before.nomination;
    // All of them are ticked: `hand_in_errors` found none that is not.
    let confirmed: BTreeMap<&str, bool> = before.ticks.iter().map(|tick| (tick.key.as_str(), true)).collect();
    let at = time::stored(time::now());
    nominations::hand_in(connection, nomination.id, state, &json!(confirmed).to_string(), &at)?;
    let subject = Some(nomination.entry_id.registration());
    let line = audit::Line { actor: &Actor::Visitor, action: "nomination handed in", subject };
    audit::insert_with(connection, &at, &line, &json!({ "code": nomination.code }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_open_until_it_is_handed_in_or_the_deadline_has_passed() {
        let content = Content::parse(Content::default_toml()).expect("the default content");
        // March 1, 2026 at 11:59 PM in New York.
        let deadline: DateTime<Utc> = "2026-03-02T04:59:00Z".parse().expect("an instant");
        let nomination = |state, extended_until: Option<&str>| Nomination {
            state,
            extended_until: extended_until.map(str::to_owned),
            returned_slots: Some(r#"["before"]"#.into()),
            ..Nomination::sample()
        };
        let second = TimeDelta::seconds(1);
        use NominationState::{Disqualified, Forfeited, HandedIn, Open, Ready, Returned, Withdrawn};
        for (state, extended, slot, now, begun, expected) in [
            (Open, None, "close_up", deadline - second, None, true),
            (Open, None, "close_up", deadline, None, false),
            (Open, None, "close_up", deadline + GRACE - second, Some(deadline - second), true),
            (Open, None, "close_up", deadline + GRACE, Some(deadline - second), false),
            (Open, None, "close_up", deadline + second, Some(deadline), false),
            (Open, Some("2026-03-05T00:00:00Z"), "close_up", deadline + second, None, true),
            (Returned, None, "before", deadline - second, None, true),
            (Returned, None, "close_up", deadline - second, None, false),
            (HandedIn, None, "before", deadline - second, None, false),
            (Ready, None, "before", deadline - second, None, false),
            (Withdrawn, None, "before", deadline - second, None, false),
            (Forfeited, None, "before", deadline - second, None, false),
            (Disqualified, None, "before", deadline - second, None, false),
        ] {
            let begun = begun.unwrap_or(now);
            let allowed = check_open(&content, &nomination(state, extended), None, slot, begun, now);
            assert_eq!(allowed.is_ok(), expected, "{state} {slot} at {now}");
        }
    }
}
