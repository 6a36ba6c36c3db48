//! A competitor's nominations.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use warp::reply::Response;

use super::super::call::{Call, ok};
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::score_sheet;
use crate::model::NominationState;
use crate::portal::access::Artist;
use crate::portal::own::{self, OwnNomination, OwnSlot, Tick};
use crate::store::door;
use crate::store::portal::media::{MediaKind, Medium};
use crate::time;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OwnNominations"))]
pub struct NominationList<'a> {
    items: Vec<NominationAnswer<'a>>,
    /// The codes of the valid tickets for the same address.
    tickets: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OwnNomination"))]
struct NominationAnswer<'a> {
    #[serde(flatten)]
    facts: NominationFacts<'a>,
    returned_at: Option<&'a str>,
    can_hand_in: bool,
    slots: Vec<SlotAnswer<'a>>,
    ticks: &'a [Tick],
    release: ReleaseAnswer<'a>,
    /// Whether its results are published.
    score_sheet: bool,
}

/// What the competitor and the organiser see of a nomination.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NominationFacts<'a> {
    id: i64,
    code: &'a str,
    state: NominationState,
    label: &'a str,
    category: &'a str,
    sub_category: &'a str,
    deadline: Option<String>,
    handed_in_at: Option<&'a str>,
    reason: Option<&'a str>,
    /// The keys of required slots without a photo, and "release".
    missing: Vec<&'a str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OwnRelease"))]
struct ReleaseAnswer<'a> {
    key: &'a str,
    signed: bool,
    /// For a photo of a release that the model signed on paper.
    paper: SlotAnswer<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OwnSlot"))]
struct SlotAnswer<'a> {
    key: &'a str,
    kind: MediaKind,
    label: &'a str,
    hint: &'a str,
    required: bool,
    /// The minimum pixels of the longer side; 0 for no minimum.
    min_pixels: u32,
    /// Whether its photo may be replaced or removed now.
    open: bool,
    media: Option<MediumAnswer<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "OwnMedium"))]
pub struct MediumAnswer<'a> {
    id: i64,
    kind: MediaKind,
    width: u32,
    height: u32,
    bytes: u64,
    created_at: &'a str,
}

/// `GET /api/artist/nominations` → `{items: […], tickets: [code]}`
pub async fn list(call: Call, artist: Artist) -> Result<Response> {
    let (nominations, published, tickets) = call
        .run(move |app| {
            let tickets = app.store.read(|connection| door::codes_by_email(connection, &artist.email))?;
            Ok((own::list(app, &artist)?, score_sheet::published_codes(app)?, tickets))
        })
        .await?;
    let items = nominations.iter().map(|own| NominationAnswer::new(own, &published)).collect();
    Ok(ok(&NominationList { items, tickets: &tickets }))
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
    Ok(ok(&NominationAnswer::new(&own, &published)))
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

impl NominationAnswer<'_> {
    fn new<'a>(own: &'a OwnNomination, published: &[String]) -> NominationAnswer<'a> {
        NominationAnswer {
            facts: NominationFacts::new(own),
            returned_at: own.nomination.returned_at.as_deref(),
            can_hand_in: own.can_hand_in,
            slots: own.slots.iter().map(SlotAnswer::new).collect(),
            ticks: &own.ticks,
            release: ReleaseAnswer {
                key: &own.release.key,
                signed: own.release.signed_at.is_some(),
                paper: SlotAnswer::new(&own.paper),
            },
            score_sheet: published.contains(&own.nomination.code),
        }
    }
}

impl NominationFacts<'_> {
    pub fn new(own: &OwnNomination) -> NominationFacts<'_> {
        let nomination = &own.nomination;
        NominationFacts {
            id: nomination.id,
            code: &nomination.code,
            state: nomination.state,
            label: &own.label,
            category: &nomination.category,
            sub_category: &nomination.sub_category,
            deadline: own.deadline.map(time::stored),
            handed_in_at: nomination.handed_in_at.as_deref(),
            reason: nomination.reason.as_deref(),
            missing: own.missing(),
        }
    }
}

impl SlotAnswer<'_> {
    fn new(own: &OwnSlot) -> SlotAnswer<'_> {
        let slot = &own.slot;
        SlotAnswer {
            key: &slot.key,
            kind: if slot.is_video() { MediaKind::Video } else { MediaKind::Photo },
            label: &slot.label,
            hint: &slot.hint,
            required: slot.required,
            min_pixels: slot.min_pixels,
            open: own.is_open,
            media: own.medium.as_ref().map(MediumAnswer::new),
        }
    }
}

impl MediumAnswer<'_> {
    pub fn new(medium: &Medium) -> MediumAnswer<'_> {
        let Medium { id, kind, width, height, bytes, .. } = *medium;
        MediumAnswer { id, kind, width, height, bytes, created_at: &medium.created_at }
    }
}
