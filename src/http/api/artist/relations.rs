//! What competitors say about judges.

use serde_json::Value;
use warp::reply::Response;

use super::super::call::{Call, ok};
use super::super::fields::Fields;
use crate::error::{Error, Result};
use crate::judging::relations::{self, SentRelation};
use crate::portal::access::Artist;

/// `GET /api/artist/relations` → `{judges: [name], items: [{judge, kind, note}]}`
pub async fn show(call: Call, artist: Artist) -> Result<Response> {
    Ok(ok(&call.run(move |app| relations::get(app, &artist)).await?))
}

/// `PUT /api/artist/relations {items: [{judge, kind, note?}]}` → as [`show`]
pub async fn declare(mut call: Call, artist: Artist) -> Result<Response> {
    let sent = parse_items(&call.json().await?)?;
    let declared = call.run(move |app| {
        relations::declare(app, &artist, &sent)?;
        relations::get(app, &artist)
    });
    Ok(ok(&declared.await?))
}

fn parse_items(body: &Value) -> Result<Vec<SentRelation>> {
    let items = body["items"].as_array().ok_or_else(|| Error::wrong_type("items"))?;
    let parse = |item: &Value| {
        let fields = Fields::parse(item)?;
        Ok(SentRelation {
            judge: fields.text("judge")?.unwrap_or_default(),
            kind: fields.text("kind")?.unwrap_or_default(),
            note: fields.text("note")?,
        })
    };
    items.iter().map(parse).collect()
}
