//! Nominations, for the organiser.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use warp::reply::Response;

use super::artist::nominations::{MediumAnswer, NominationFacts};
use super::call::Call;
use super::fields::{Fields, query_flag};
use super::judging::judges::link_on_its_way;
use super::media_file;
use super::paging::Paging;
use super::precondition;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::EntryId;
use crate::portal::access;
use crate::portal::organiser::{self, Alike, Decision, NominationFilter, NominationView};
use crate::portal::own::OwnSlot;
use crate::portal::releases::{self, ReleaseForm};
use crate::store::judging::relations::{self, Relation, RelationState};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Nomination"))]
pub struct NominationAnswer<'a> {
    #[serde(flatten)]
    facts: NominationFacts<'a>,
    entry_id: EntryId,
    name: &'a str,
    business_name: &'a str,
    email: &'a str,
    created_at: &'a str,
    extended_until: Option<&'a str>,
    #[cfg_attr(test, ts(type = "string[] | null"))]
    returned_slots: Value,
    #[cfg_attr(test, ts(type = "Record<string, boolean> | null"))]
    ticks: Value,
    release: ReleaseAnswer<'a>,
    slots: Vec<SlotAnswer<'a>>,
    /// What the competitor said about judges.
    relations: Vec<Relation>,
}

/// The name is the model's. `confirmed_by` and `paper` are of a release that was signed on paper.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "NominationRelease"))]
struct ReleaseAnswer<'a> {
    signed: bool,
    signed_at: Option<&'a str>,
    name: Option<&'a str>,
    adult: Option<bool>,
    guardian: Option<&'a str>,
    confirmed_by: Option<&'a str>,
    paper: SlotAnswer<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "NominationSlot"))]
struct SlotAnswer<'a> {
    key: &'a str,
    label: &'a str,
    required: bool,
    media: Option<MediumDetails<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "NominationMedium"))]
struct MediumDetails<'a> {
    #[serde(flatten)]
    medium: MediumAnswer<'a>,
    taken_at: Option<&'a str>,
    software: Option<&'a str>,
    /// Photos of other nominations that show the same; empty in lists.
    alike: Vec<&'a Alike>,
}

/// `GET /api/nominations?state= &missing= &search= &page= &pageSize=` → `{items, total, page, pageSize}`
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let state = call.query_value("state").map(|state| state.parse()).transpose().map_err(Error::Malformed)?;
    let missing = match call.query_value("missing") {
        Some(_) => Some(query_flag(&call.query, "missing")?),
        None => None,
    };
    let filter = NominationFilter { state, missing, search: call.query_value("search") };
    let paging = Paging::parse(&call.query)?;
    let (found, relations) = call
        .run(move |app| Ok((organiser::list(app, &filter)?, app.store.read(relations::by_email)?)))
        .await?;
    let items: Vec<_> = paging.of(&found).map(|view| NominationAnswer::new(view, &relations)).collect();
    Ok(paging.answer(&items, found.len()))
}

pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    call.run(move |app| answer(app, id, organiser::get(app, id))).await
}

/// The nomination with its version; `412` with the current one if a change expected another version.
fn answer(app: &App, id: i64, changed: Result<NominationView>) -> Result<Response> {
    precondition::after(changed.map(drop), || {
        let current = organiser::get(app, id)?;
        let relations = app.store.read(relations::by_email)?;
        Ok((json!(NominationAnswer::new(&current, &relations)), current.own.version()))
    })
}

/// `GET /api/nominations/<id>/photos/<slot>?size=`
pub async fn photo(call: Call, _session: Session) -> Result<Response> {
    let (id, slot, size) = (call.id(), call.name(), media_file::size(&call)?);
    let file = call.run(move |app| organiser::photo(app, id, &slot, size)).await?;
    media_file::reply(&call, file, "private, no-store").await
}

/// `POST /api/nominations/<id>/link` ends the competitor's links and emails a new one → `202`
pub async fn replace_link(mut call: Call, session: Session) -> Result<Response> {
    call.json_object_if_any().await?;
    let id = call.id();
    call.run(move |app| access::replace_link(app, &session.actor(), id)).await?;
    Ok(link_on_its_way())
}

/// `PATCH /api/nominations/<id> {state, …}` → the nomination. `state` is `returned`, `ready`, `forfeited`,
/// `disqualified` or `withdrawn`, with what `decision` needs; without it, `{until, reason}` extends.
pub async fn change(mut call: Call, session: Session) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let name = match fields.text("state")?.as_deref() {
        None => "extend",
        Some("returned") => "return",
        Some("ready") => "ready",
        Some("forfeited") => "forfeit",
        Some("disqualified") => "disqualify",
        Some("withdrawn") => "withdraw",
        Some(_) => {
            let known = "Please choose returned, ready, forfeited, disqualified or withdrawn";
            return Err(Error::field("state", known));
        }
    };
    store_decision(call, session, decision(name, &fields)?).await
}

/// `POST /api/nominations/<id>/<decision>` → the nomination
pub async fn decide(mut call: Call, session: Session) -> Result<Response> {
    let fields = Fields::parse(&call.json_object_if_any().await?)?;
    let decision = decision(&call.name(), &fields)?;
    store_decision(call, session, decision).await
}

/// The decision of this name: `return {slots, reason, until?}`, `extend {until, reason}`, `ready`, and with `{reason}`
/// `forfeit`, `disqualify`, `withdraw` and `reinstate`.
fn decision(name: &str, fields: &Fields) -> Result<Decision> {
    let reason = fields.text("reason")?.unwrap_or_default().trim().to_owned();
    Ok(match name {
        "return" => Decision::Return { slots: fields.texts("slots")?, reason, until: until(fields)? },
        "extend" => {
            let until = until(fields)?.ok_or_else(|| Error::field("until", "Please choose a time"))?;
            Decision::Extend { until, reason }
        }
        "ready" => Decision::MarkReady,
        "forfeit" => Decision::Forfeit { reason },
        "disqualify" => Decision::Disqualify { reason },
        "withdraw" => Decision::Withdraw { reason },
        "reinstate" => Decision::Reinstate { reason },
        _ => return Err(Error::no_such_path()),
    })
}

async fn store_decision(call: Call, session: Session, decision: Decision) -> Result<Response> {
    let (id, expected) = (call.id(), precondition::expected(&call.headers)?);
    call.run(move |app| answer(app, id, organiser::decide(app, &session.actor(), id, decision, &expected)))
        .await
}

/// `POST /api/nominations/<id>/confirm-release {name, adult, guardian?}`
pub async fn confirm_release(mut call: Call, session: Session) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let form = ReleaseForm {
        name: fields.text("name")?.unwrap_or_default(),
        adult: fields.flag("adult")?.unwrap_or_default(),
        guardian: fields.text("guardian")?,
        ..ReleaseForm::default()
    };
    let (id, expected) = (call.id(), precondition::expected(&call.headers)?);
    call.run(move |app| answer(app, id, releases::confirm_paper(app, &session.actor(), id, &form, &expected)))
        .await
}

fn until(fields: &Fields) -> Result<Option<DateTime<Utc>>> {
    let text = fields.text("until")?;
    let until = text.map(|text| DateTime::parse_from_rfc3339(&text)).transpose();
    let until =
        until.map_err(|_| Error::field("until", "Please write a time like 2026-03-05T23:59:00-05:00"))?;
    Ok(until.map(|until| until.to_utc()))
}

impl NominationAnswer<'_> {
    fn new<'a>(
        found: &'a NominationView,
        relations: &BTreeMap<String, Vec<Relation>>,
    ) -> NominationAnswer<'a> {
        let (own, entrant) = (&found.own, &found.entrant);
        let nomination = &own.nomination;
        let mut relations = relations.get(&entrant.email.to_lowercase()).cloned().unwrap_or_default();
        for relation in relations.iter_mut().filter(|one| one.rejected_for.contains(&nomination.code)) {
            relation.state = RelationState::Rejected;
        }
        let parsed = |json: &Option<String>| {
            json.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
        };
        NominationAnswer {
            facts: NominationFacts::new(own),
            entry_id: nomination.entry_id,
            name: &entrant.name,
            business_name: &entrant.business_name,
            email: &entrant.email,
            created_at: &nomination.created_at,
            extended_until: nomination.extended_until.as_deref(),
            returned_slots: parsed(&nomination.returned_slots),
            ticks: parsed(&nomination.ticks),
            release: ReleaseAnswer {
                signed: own.release.signed_at.is_some(),
                signed_at: own.release.signed_at.as_deref(),
                name: own.release.name.as_deref(),
                adult: own.release.adult,
                guardian: own.release.guardian.as_deref(),
                confirmed_by: own.release.confirmed_by.as_deref(),
                paper: SlotAnswer::new(&own.paper, &[]),
            },
            slots: own.slots.iter().map(|slot| SlotAnswer::new(slot, &found.alike)).collect(),
            relations,
        }
    }
}

impl SlotAnswer<'_> {
    fn new<'a>(own: &'a OwnSlot, alike: &'a [Alike]) -> SlotAnswer<'a> {
        let media = own.medium.as_ref().map(|medium| MediumDetails {
            medium: MediumAnswer::new(medium),
            taken_at: medium.taken_at.as_deref(),
            software: medium.software.as_deref(),
            alike: alike.iter().filter(|photo| photo.media_id == medium.id).collect(),
        });
        SlotAnswer { key: &own.slot.key, label: &own.slot.label, required: own.slot.required, media }
    }
}
