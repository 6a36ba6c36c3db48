//! Judging, for the organiser, and its public parts.

pub mod certificates;
pub mod judges;

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use warp::reply::Response;

use super::call::{Call, no_content, ok};
use super::caller::Caller;
use super::fields::Fields;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::judging::access::Judge;
use crate::judging::conflicts;
use crate::judging::organiser;
use crate::judging::panel::{self, Panel};
use crate::judging::paper;
use crate::judging::relations::{self, Decision};
use crate::judging::scoring::Scored;
use crate::judging::seal::{self, Decider};
use crate::judging::supervision::{self, SheetKey};
use crate::store::judging::categories::TieDecision;

/// `GET /api/judging` → `{items}`
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&json!({ "items": call.run(organiser::list).await? })))
}

pub async fn show(call: Call) -> Result<Response> {
    let (category, sub_category) = category_in_path(&call);
    Ok(ok(&call.run(move |app| organiser::get(app, &category, &sub_category)).await?))
}

/// `POST …/panel {judges, head, reserves}` → the detail, like all calls below
pub async fn set_panel(mut call: Call, session: Session) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let ids = |name: &str| fields.list(name, Value::as_i64);
    let wanted =
        Panel { judges: ids("judges")?, head: fields.whole_number("head")?, reserves: ids("reserves")? };
    let (category, sub_category) = category_in_path(&call);
    call.run(move |app| panel::set(app, &session.actor(), &category, &sub_category, &wanted)).await?;
    show(call).await
}

/// `POST …/conflicts {judge, code, reason}`
pub async fn add_conflict(mut call: Call, session: Session) -> Result<Response> {
    let (fields, key) = sheet_in_body(&mut call).await?;
    let reason = fields.text("reason")?.unwrap_or_default();
    call.run(move |app| conflicts::add(app, &session.actor(), &key, &reason)).await?;
    show(call).await
}

/// `POST …/conflicts/remove {judge, code, reason}`, of an abstention too
pub async fn remove_conflict(mut call: Call, session: Session) -> Result<Response> {
    let (fields, key) = sheet_in_body(&mut call).await?;
    let reason = fields.text("reason")?.unwrap_or_default();
    call.run(move |app| conflicts::remove(app, &session.actor(), &key, &reason)).await?;
    show(call).await
}

/// `POST …/relations/<id>/accept {reason}`: the judge does not score the competitor
pub async fn accept_relation(call: Call, session: Session) -> Result<Response> {
    decide_relation(call, session, Decision::Accepted).await
}

/// `POST …/relations/<id>/reject {reason}`
pub async fn reject_relation(call: Call, session: Session) -> Result<Response> {
    decide_relation(call, session, Decision::Rejected).await
}

async fn decide_relation(mut call: Call, session: Session, decision: Decision) -> Result<Response> {
    let reason = Fields::parse(&call.json().await?)?.text("reason")?.unwrap_or_default();
    let ((category, sub_category), id) = (category_in_path(&call), call.request());
    call.run(move |app| {
        relations::decide(app, &session.actor(), (&category, &sub_category), &id, decision, &reason)
    })
    .await?;
    show(call).await
}

/// `POST …/second-looks {judge, code}`
pub async fn ask_second_look(mut call: Call, session: Session) -> Result<Response> {
    let (_, key) = sheet_in_body(&mut call).await?;
    call.run(move |app| supervision::ask_second_look(app, &session.actor(), &key)).await?;
    show(call).await
}

/// `POST …/second-looks/cancel {judge, code}`
pub async fn cancel_second_look(mut call: Call, session: Session) -> Result<Response> {
    let (_, key) = sheet_in_body(&mut call).await?;
    call.run(move |app| supervision::cancel_second_look(app, &session.actor(), &key)).await?;
    show(call).await
}

/// `GET …/paper?judge=&code=` → `{judge, code, typedBy, savedAt, scores, penalties, comment}`: typed in and not verified
pub async fn typed(call: Call, _session: Session) -> Result<Response> {
    let judge = call.query_value("judge").and_then(|judge| judge.parse().ok());
    let judge = judge.ok_or_else(|| Error::Malformed("judge is the number of a judge.".into()))?;
    let code = call.query_value("code").unwrap_or_default();
    let (category, sub_category) = category_in_path(&call);
    let key = SheetKey { category, sub_category, judge, code };
    Ok(ok(&call.run(move |app| paper::typed(app, &key)).await?))
}

/// `POST …/paper {judge, code, scores, penalties?, comment?}`
pub async fn type_in(mut call: Call, session: Session) -> Result<Response> {
    let (fields, key) = sheet_in_body(&mut call).await?;
    let text = |item: &Value, key: &str| item[key].as_str().map(str::to_owned);
    let mut values = fields.list("scores", |item| {
        Some(Scored::Points { criterion: text(item, "criterion")?, points: item["points"].as_f64()? })
    })?;
    values.extend(fields.list("penalties", |item| {
        Some(Scored::Penalty { penalty: text(item, "penalty")?, points: item["points"].as_f64()? })
    })?);
    values.extend(fields.text("comment")?.map(|text| Scored::Comment { text }));
    call.run(move |app| paper::type_in(app, &session.actor(), &key, values)).await?;
    show(call).await
}

/// `POST …/paper/verify {judge, code, savedAt?}`
pub async fn verify_typed(mut call: Call, session: Session) -> Result<Response> {
    let (fields, key) = sheet_in_body(&mut call).await?;
    let compared = fields.text("savedAt")?;
    call.run(move |app| paper::verify_typed(app, &session.actor(), &key, compared)).await?;
    show(call).await
}

/// Who may decide a tie: an organiser who records the head judge's decision, or the head judge.
pub enum TieDecider {
    Organiser(Session),
    Judge(Judge),
}

impl Caller for TieDecider {
    async fn identify(call: &mut Call) -> Result<TieDecider> {
        // First, because an organiser's browser may have the cookie of a judge too.
        match Session::identify(call).await {
            Ok(session) => Ok(TieDecider::Organiser(session)),
            Err(unauthorised @ Error::Unauthorised(_)) => match Judge::identify(call).await {
                Err(Error::Unauthorised(_)) => Err(unauthorised),
                judge => judge.map(TieDecider::Judge),
            },
            Err(error) => Err(error),
        }
    }
}

/// `POST …/tie {order, reason}` → the detail for an organiser, `204` for the head judge
pub async fn tie(mut call: Call, caller: TieDecider) -> Result<Response> {
    let (category, sub_category) = category_in_path(&call);
    let decision = decision(&call.json().await?)?;
    let is_organiser = matches!(caller, TieDecider::Organiser(_));
    call.run(move |app| {
        let actor;
        let decider = match &caller {
            TieDecider::Organiser(session) => {
                actor = session.actor();
                Decider::Organiser(&actor)
            }
            TieDecider::Judge(judge) => Decider::Head(judge),
        };
        seal::decide_tie(app, &decider, &category, &sub_category, decision)
    })
    .await?;
    if is_organiser { show(call).await } else { Ok(no_content()) }
}

/// The decision in `{order: [codes], reason, since?}`, and `since`: when the points of the tie that was shown were last changed.
pub fn decision(body: &Value) -> Result<(TieDecision, Option<String>)> {
    let fields = Fields::parse(body)?;
    let codes = fields.texts("order")?;
    let reason = fields.text("reason")?.unwrap_or_default();
    Ok((TieDecision { codes, reason, ..TieDecision::default() }, fields.text("since")?))
}

pub async fn seal(mut call: Call, session: Session) -> Result<Response> {
    call.json_object_if_any().await?;
    let (category, sub_category) = category_in_path(&call);
    call.run(move |app| seal::seal(app, &session.actor(), &category, &sub_category)).await?;
    show(call).await
}

/// `POST …/reopen {reason}` takes the seal back; with `judge` and `code` it reopens one sheet
pub async fn reopen(mut call: Call, session: Session) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let (category, sub_category) = category_in_path(&call);
    let reason = fields.text("reason")?.unwrap_or_default();
    let key = match fields.text("code")? {
        Some(_) => Some(sheet_key(&fields, (category.clone(), sub_category.clone()))?),
        None => None,
    };
    call.run(move |app| match key {
        Some(key) => supervision::reopen(app, &session.actor(), &key, &reason),
        None => seal::reopen(app, &session.actor(), &category, &sub_category, &reason),
    })
    .await?;
    show(call).await
}

pub async fn publish(mut call: Call, session: Session) -> Result<Response> {
    call.json_object_if_any().await?;
    let (category, sub_category) = category_in_path(&call);
    call.run(move |app| seal::publish(app, &session.actor(), &category, &sub_category)).await?;
    show(call).await
}

/// The category and the subcategory of the path.
fn category_in_path(call: &Call) -> (String, String) {
    let decoded = |text: String| percent_decode_str(&text).decode_utf8_lossy().into_owned();
    (decoded(call.name()), decoded(call.other()))
}

/// The fields of the body, and the sheet that its `{judge, code}` names in the subcategory of the path.
async fn sheet_in_body(call: &mut Call) -> Result<(Fields, SheetKey)> {
    let fields = Fields::parse(&call.json().await?)?;
    let key = sheet_key(&fields, category_in_path(call))?;
    Ok((fields, key))
}

/// `{judge, code}` in a subcategory.
pub fn sheet_key(fields: &Fields, (category, sub_category): (String, String)) -> Result<SheetKey> {
    let judge = fields.whole_number("judge")?.ok_or_else(|| Error::field("judge", "Please name a judge"))?;
    let code = fields.text("code")?.ok_or_else(|| Error::field("code", "Please name a code"))?;
    Ok(SheetKey { category, sub_category, judge, code })
}
