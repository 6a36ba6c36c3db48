//! A competitor's nominations.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use warp::reply::Response;

use super::super::call::{Call, ok};
use crate::error::{Error, Result};
use crate::portal::access::Artist;
use crate::portal::hand_in;
use crate::portal::own::{self, OwnNomination, OwnSlot};
use crate::time;

/// `GET /api/artist/nominations` → `{items: […]}`
pub async fn list(call: Call, artist: Artist) -> Result<Response> {
    let nominations = call.run(move |app| own::list(app, &artist)).await?;
    Ok(ok(&json!({ "items": nominations.iter().map(shown).collect::<Vec<_>>() })))
}

/// `GET /api/artist/nominations/<id>`
pub async fn show(call: Call, artist: Artist) -> Result<Response> {
    let id = call.id();
    Ok(ok(&shown(&call.run(move |app| own::get(app, &artist, id)).await?)))
}

/// `POST /api/artist/nominations/<id>/hand-in {ticks: {key: true}}` → the nomination
pub async fn hand_in(mut call: Call, artist: Artist) -> Result<Response> {
    let body = call.json_object_if_any().await?;
    let id = call.id();
    let ticks = ticks(&body["ticks"])?;
    Ok(ok(&shown(&call.run(move |app| hand_in::hand_in(app, &artist, id, ticks)).await?)))
}

fn ticks(value: &Value) -> Result<BTreeMap<String, bool>> {
    match value {
        Value::Null => Ok(BTreeMap::new()),
        Value::Object(ticks) => ticks
            .iter()
            .map(|(key, tick)| Ok((key.clone(), tick.as_bool().ok_or_else(|| Error::wrong_type(key))?)))
            .collect(),
        _ => Err(Error::wrong_type("ticks")),
    }
}

fn shown(own: &OwnNomination) -> Value {
    let nomination = &own.nomination;
    json!({
        "id": nomination.id, "code": nomination.code, "state": nomination.state, "label": own.label,
        "category": nomination.category, "subCategory": nomination.sub_category,
        "deadline": own.deadline.map(time::stored), "handedInAt": nomination.handed_in_at,
        "reason": nomination.reason, "missing": own.missing(),
        "slots": own.slots.iter().map(shown_slot).collect::<Vec<_>>(),
        "ticks": own.ticks.iter().map(|tick| json!({ "key": tick.key, "label": tick.label })).collect::<Vec<_>>(),
        "release": { "key": own.release.key, "signed": own.release.signed_at.is_some() },
    })
}

fn shown_slot(own: &OwnSlot) -> Value {
    let medium = own.medium.as_ref().map(|medium| {
        json!({
            "id": medium.id, "width": medium.width, "height": medium.height, "bytes": medium.bytes,
            "createdAt": medium.created_at,
        })
    });
    let slot = &own.slot;
    json!({
        "key": slot.key, "label": slot.label, "hint": slot.hint, "required": slot.required,
        "minPixels": slot.min_pixels, "open": own.is_open, "media": medium,
    })
}
