//! Handing in a nomination: it needs a photo in every required slot, every confirmation (tick) and the release.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde_json::json;

use super::access::Artist;
use super::own::{self, OwnNomination};
use super::transitions::{Step, after};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::model::{Actor, NominationState};
use crate::store::audit;
use crate::store::portal::nominations;
use crate::time;

/// Hands in a nomination. One that was handed in stays as it is.
///
/// # Errors
/// [`Error::NotFound`]: it is not the competitor's. [`Error::Closed`]: too late, or it does not take part.
/// [`Error::Invalid`] names every slot and tick that is missing, and `release`.
pub fn hand_in(app: &App, artist: &Artist, id: i64, ticks: BTreeMap<String, bool>) -> Result<OwnNomination> {
    own::get(app, artist, id)?;
    let (content, now) = (app.content(), time::now());
    app.store.write(|connection| {
        let before = own::load(connection, &content, artist, id, now)?;
        if before.nomination.state == NominationState::HandedIn {
            return Ok(before);
        }
        let state = after(before.nomination.state, Step::HandIn)
            .ok_or_else(|| Error::Closed("This nomination cannot be handed in any more.".into()))?;
        if !before.can_hand_in {
            return Err(Error::Closed("The deadline has passed.".into()));
        }
        let errors = missing(&before, &ticks);
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        store(connection, &before, state)?;
        own::load(connection, &content, artist, id, now)
    })
}

fn missing(nomination: &OwnNomination, ticks: &BTreeMap<String, bool>) -> FieldErrors {
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

fn store(connection: &Connection, before: &OwnNomination, state: NominationState) -> Result<()> {
    let nomination = &before.nomination;
    // All of them are ticked: `missing` found none that is not.
    let confirmed: BTreeMap<&str, bool> = before.ticks.iter().map(|tick| (tick.key.as_str(), true)).collect();
    let at = time::stored(time::now());
    nominations::hand_in(connection, nomination.id, state, &json!(confirmed).to_string(), &at)?;
    let subject = Some(nomination.entry_id.registration());
    let line = audit::Line { actor: &Actor::Visitor, action: "nomination handed in", subject };
    audit::insert_with(connection, &at, &line, &json!({ "code": nomination.code }))
}
