//! The organiser's start page: audit log, daily counts, what needs attention, storage and backups.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;
use warp::reply::Response;

use super::call::{Call, created, ok};
use super::paging::Paging;
use crate::admin::sessions::Session;
use crate::error::Result;
use crate::forms::by_summary_key;
use crate::model::Kind;
use crate::ops::backups;
use crate::ops::health::attention::{self, AttentionItem};
use crate::registrations::daily_counts::daily_counts as counts;
use crate::store::{audit, sizes};
use crate::time;

/// How long the sizes of the database's parts are cached, because measuring them reads every row.
const PARTS_KEPT: Duration = Duration::from_secs(600);

/// `GET /api/audit?actor= &action= &page= &pageSize=`.
pub async fn audit(call: Call, _session: Session) -> Result<Response> {
    let paging = Paging::parse(&call.query)?;
    let filter = audit::Filter { actor: call.query_value("actor"), action: call.query_value("action") };
    let (items, total, (actors, actions)) = call
        .run(move |app| {
            app.store.read(|connection| {
                let items = audit::list(connection, &filter, paging.size, paging.offset())?;
                Ok((items, audit::count(connection, &filter)?, audit::actors_and_actions(connection)?))
            })
        })
        .await?;
    let (page, size) = (paging.number, paging.size);
    Ok(ok(&json!({
        "items": items, "total": total, "page": page, "pageSize": size, "actors": actors, "actions": actions,
    })))
}

/// `GET /api/backups` → `{items, everyHours, keep, folder}`.
pub async fn backups(call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&call.run(|app| backups::overview(&app.config)).await?))
}

/// `POST /api/backups` creates one now → the list.
pub async fn back_up(call: Call, session: Session) -> Result<Response> {
    let list = call.run(move |app| {
        backups::make_by_hand(app, &session.actor(), time::now())?;
        backups::overview(&app.config)
    });
    Ok(created(&list.await?))
}

/// `GET /api/tallies?from= &to=` → registrations and revenue by day and by category.
pub async fn daily_counts(call: Call, _session: Session) -> Result<Response> {
    let (from, to) = (call.query_date("from")?, call.query_date("to")?);
    Ok(ok(&call.run(move |app| counts(app, from, to)).await?))
}

/// `GET /api/storage` → `{bytes, freeBytes, parts: [{name, bytes}]}`. The parts are
/// cached for [`PARTS_KEPT`].
pub async fn storage(call: Call, _session: Session) -> Result<Response> {
    let (bytes, free_bytes) = call.run(|app| app.store.read(sizes::file_bytes)).await?;
    let mut cached = call.state.parts.lock().await;
    let parts = match cached.as_ref().filter(|(at, _)| at.elapsed() < PARTS_KEPT) {
        Some((_, parts)) => parts.clone(),
        None => {
            let parts = call.run(|app| app.store.read(sizes::parts)).await?;
            cached.insert((Instant::now(), parts)).1.clone()
        }
    };
    Ok(ok(&json!({ "bytes": bytes, "freeBytes": free_bytes, "parts": parts })))
}

#[derive(Serialize)]
struct Attention {
    items: Vec<AttentionItem>,
    samples: Vec<String>,
    portraits: Vec<String>,
    #[serde(serialize_with = "by_summary_key")]
    new: BTreeMap<Kind, i64>,
}

/// `GET /api/attention` → `{items: [{room, path, sentence}], samples: [key], portraits: [key],
/// new: {speakerApplications: 3, …}}`.
pub async fn attention(call: Call, _session: Session) -> Result<Response> {
    let answer = call.run(|app| {
        let (items, new) = app
            .store
            .read(|connection| Ok((attention::items(app, connection)?, attention::count_new(connection)?)))?;
        let content = app.content();
        Ok(Attention { items, samples: content.samples(), portraits: content.empty_picture_places(), new })
    });
    Ok(ok(&answer.await?))
}
