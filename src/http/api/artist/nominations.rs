//! A competitor's nominations.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use warp::reply::Response;

use super::super::call::{Call, ok};
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::score_sheet;
use crate::portal::access::Artist;
use crate::portal::own::{self, OwnNomination, OwnSlot};
use crate::store::door;
use crate::time;

/// `GET /api/artist/nominations` → `{items: […], tickets: [code]}`
pub async fn list(call: Call, artist: Artist) -> Result<Response> {
    let (nominations, published, tickets) = call
        .run(move |app| {
            let tickets = app.store.read(|connection| door::codes_by_email(connection, &artist.email))?;
            Ok((own::list(app, &artist)?, score_sheet::published_codes(app)?, tickets))
        })
        .await?;
    let items: Vec<Value> = nominations.iter().map(|own| nomination_json(own, &published)).collect();
    Ok(ok(&json!({ "items": items, "tickets": tickets })))
}

pub async fn show(call: Call, artist: Artist) -> Result<Response> {
    let id = call.id();
    answer(&call, move |app| own::get(app, &artist, id)).await
}

/// `POST /api/artist/nominations/<id>/hand-in {ticks: {key: true}}` → the nomination
pub async fn hand_in(mut call: Call, artist: Artist) -> Result<Response> {
    let body = call.json_object_if_any().await?;
    let id = call.id();
    let ticks = ticks(&body["ticks"])?;
    answer(&call, move |app| own::hand_in(app, &artist, id, ticks)).await
}

async fn answer(
    call: &Call,
    work: impl FnOnce(&App) -> Result<OwnNomination> + Send + 'static,
) -> Result<Response> {
    let (own, published) = call.run(move |app| Ok((work(app)?, score_sheet::published_codes(app)?))).await?;
    Ok(ok(&nomination_json(&own, &published)))
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

fn nomination_json(own: &OwnNomination, published: &[String]) -> Value {
    let nomination = &own.nomination;
    json!({
        "id": nomination.id, "code": nomination.code, "state": nomination.state, "label": own.label,
        "category": nomination.category, "subCategory": nomination.sub_category,
        "deadline": own.deadline.map(time::stored), "handedInAt": nomination.handed_in_at,
        "returnedAt": nomination.returned_at,
        "reason": nomination.reason, "missing": own.missing(), "canHandIn": own.can_hand_in,
        "slots": own.slots.iter().map(slot_json).collect::<Vec<_>>(),
        "ticks": own.ticks.iter().map(|tick| json!({ "key": tick.key, "label": tick.label })).collect::<Vec<_>>(),
        "release": {
            "key": own.release.key, "signed": own.release.signed_at.is_some(), "paper": slot_json(&own.paper),
        },
        "scoreSheet": published.contains(&nomination.code),
    })
}

fn slot_json(own: &OwnSlot) -> Value {
    let medium = own.medium.as_ref().map(|medium| {
        json!({
            "id": medium.id, "kind": medium.kind, "width": medium.width, "height": medium.height, "bytes": medium.bytes,
            "createdAt": medium.created_at,
        })
    });
    let slot = &own.slot;
    json!({
        "key": slot.key, "kind": if slot.is_video() { "video" } else { "photo" }, "label": slot.label, "hint": slot.hint, "required": slot.required,
        "minPixels": slot.min_pixels, "open": own.is_open, "media": medium,
    })
}
