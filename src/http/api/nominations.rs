//! Nominations, for the organiser.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use warp::reply::Response;

use super::call::Call;
use super::fields::{Fields, query_flag};
use super::judging::judges::link_on_its_way;
use super::media_file;
use super::paging::Paging;
use super::precondition;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::portal::access;
use crate::portal::organiser::{self, Alike, Decision, NominationFilter, NominationView};
use crate::portal::own::OwnSlot;
use crate::portal::releases::{self, ReleaseForm};
use crate::store::judging::relations::{self, Relation, RelationState};
use crate::time;

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
    let items: Vec<Value> = paging.of(&found).map(|view| view_json(view, &relations)).collect();
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
        Ok((view_json(&current, &app.store.read(relations::by_email)?), current.own.version()))
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
/// `disqualified` or `withdrawn`, with what [`decision`] needs; without it, `{until, reason}` extends.
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

/// A nomination as JSON, with what the competitor said about judges.
fn view_json(found: &NominationView, relations: &BTreeMap<String, Vec<Relation>>) -> Value {
    let (own, entrant) = (&found.own, &found.entrant);
    let nomination = &own.nomination;
    let mut relations = relations.get(&entrant.email.to_lowercase()).cloned().unwrap_or_default();
    for relation in relations.iter_mut().filter(|one| one.rejected_for.contains(&nomination.code)) {
        relation.state = RelationState::Rejected;
    }
    let list = |json: &Option<String>| -> Value {
        json.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    };
    json!({
        "id": nomination.id, "code": nomination.code, "state": nomination.state, "label": own.label,
        "category": nomination.category, "subCategory": nomination.sub_category, "entryId": nomination.entry_id,
        "name": entrant.name, "businessName": entrant.business_name, "email": entrant.email,
        "createdAt": nomination.created_at, "handedInAt": nomination.handed_in_at,
        "deadline": own.deadline.map(time::stored), "extendedUntil": nomination.extended_until,
        "reason": nomination.reason, "returnedSlots": list(&nomination.returned_slots),
        "ticks": list(&nomination.ticks), "missing": own.missing(),
        "release": {
            "signed": own.release.signed_at.is_some(), "signedAt": own.release.signed_at,
            "name": own.release.name, "adult": own.release.adult, "guardian": own.release.guardian,
            "confirmedBy": own.release.confirmed_by, "paper": slot_json(&own.paper, &[]),
        },
        "slots": own.slots.iter().map(|slot| slot_json(slot, &found.alike)).collect::<Vec<_>>(),
        "relations": relations,
    })
}

/// A slot as JSON, with other photos that show the same.
fn slot_json(own: &OwnSlot, alike: &[Alike]) -> Value {
    let medium = own.medium.as_ref().map(|medium| {
        let alike = alike.iter().filter(|photo| photo.media_id == medium.id);
        let alike = alike.map(|photo| json!({ "nominationId": photo.nomination_id, "code": photo.code, "label": photo.label }));
        json!({
            "id": medium.id, "kind": medium.kind, "width": medium.width, "height": medium.height, "bytes": medium.bytes,
            "createdAt": medium.created_at, "takenAt": medium.taken_at, "software": medium.software,
            "alike": alike.collect::<Vec<_>>(),
        })
    });
    json!({ "key": own.slot.key, "label": own.slot.label, "required": own.slot.required, "media": medium })
}
