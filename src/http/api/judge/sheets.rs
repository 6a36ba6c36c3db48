//! A judge's work, sheets and photos.

use serde_json::Value;
use warp::reply::Response;

use super::super::call::{Call, no_content, ok};
use super::super::fields::Fields;
use super::super::judging::{decision, sheet_key};
use super::super::media_file;
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::access::Judge;
use crate::judging::names;
use crate::judging::scoring::{self, Change, Scored, SecondLookAnswer};
use crate::judging::seal::{self, Decider};
use crate::judging::supervision;
use crate::judging::work;

/// `GET /api/judge/work` → `{items, categories, ties}`
pub async fn work(call: Call, judge: Judge) -> Result<Response> {
    Ok(ok(&call.run(move |app| work::list(app, &judge)).await?))
}

/// `GET /api/judge/conflicts` → `{categories: [{…, people: [{token, name, businessName, declared}]}]}`
pub async fn names(call: Call, judge: Judge) -> Result<Response> {
    Ok(ok(&call.run(move |app| names::list(app, &judge)).await?))
}

/// `POST /api/judge/conflicts {tokens, reason}` → as [`fn@names`]
pub async fn declare(mut call: Call, judge: Judge) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let (tokens, reason) = (fields.texts("tokens")?, fields.text("reason")?.unwrap_or_default());
    let names = call.run(move |app| {
        names::declare(app, &judge, &tokens, &reason)?;
        names::list(app, &judge)
    });
    Ok(ok(&names.await?))
}

pub async fn show(call: Call, judge: Judge) -> Result<Response> {
    let token = call.name();
    Ok(ok(&call.run(move |app| work::sheet(app, &judge, &token)).await?))
}

/// `PUT /api/judge/sheets/<token>/scores {changes}` → the sheet
pub async fn save(mut call: Call, judge: Judge) -> Result<Response> {
    let body = call.json().await?;
    let changes = changes(&body)?.ok_or_else(|| Error::field("changes", "Please send changes"))?;
    change_sheet(call, judge, move |app, judge, token| scoring::save(app, judge, token, changes)).await
}

/// `POST /api/judge/sheets/<token>/confirm {version?}` → the sheet
pub async fn confirm(mut call: Call, judge: Judge) -> Result<Response> {
    let body = call.json_object_if_any().await?;
    let version = Fields::parse(&body)?.whole_number("version")?;
    change_sheet(call, judge, move |app, judge, token| scoring::confirm(app, judge, token, version)).await
}

/// `POST /api/judge/sheets/<token>/recuse {reason, conflict?}` → the sheet
pub async fn recuse(mut call: Call, judge: Judge) -> Result<Response> {
    let body = Fields::parse(&call.json().await?)?;
    let reason = body.text("reason")?.unwrap_or_default();
    let is_conflict = body.flag("conflict")?.unwrap_or(true);
    change_sheet(call, judge, move |app, judge, token| {
        scoring::recuse(app, judge, token, &reason, is_conflict)
    })
    .await
}

/// `POST /api/judge/sheets/<token>/second-look {keep: true, reason?, askedAt?}` or `{changes, reason?, askedAt?}` → the sheet
pub async fn second_look(mut call: Call, judge: Judge) -> Result<Response> {
    let body = call.json().await?;
    let fields = Fields::parse(&body)?;
    let (keep, reason) = (fields.flag("keep")?.unwrap_or_default(), fields.text("reason")?);
    let answer = match (keep, changes(&body)?) {
        (true, _) => SecondLookAnswer::Keep,
        (false, Some(changes)) => SecondLookAnswer::Change(changes),
        (false, None) => return Err(Error::field("keep", "Please keep your points or change them")),
    };
    let asked_at = fields.text("askedAt")?;
    change_sheet(call, judge, move |app, judge, token| {
        scoring::second_look(app, judge, token, answer, reason.as_deref(), asked_at)
    })
    .await
}

/// Runs a change of the sheet and answers with the changed sheet.
async fn change_sheet(
    call: Call,
    judge: Judge,
    change: impl FnOnce(&App, &Judge, &str) -> Result<()> + Send + 'static,
) -> Result<Response> {
    let token = call.name();
    let sheet = call.run(move |app| {
        change(app, &judge, &token)?;
        work::sheet(app, &judge, &token)
    });
    Ok(ok(&sheet.await?))
}

/// `POST /api/judge/sheets/<token>/tie {order, reason, since?}` → `204`, for the head judge
pub async fn tie(mut call: Call, judge: Judge) -> Result<Response> {
    let decision = decision(&call.json().await?)?;
    let token = call.name();
    call.run(move |app| {
        let sheet = work::sheet(app, &judge, &token)?;
        seal::decide_tie(app, &Decider::Head(&judge), &sheet.category, &sheet.sub_category, decision)
    })
    .await?;
    Ok(no_content())
}

/// `GET /api/judge/panel` → `{categories: [{…, sheets: [{judge, name, code, state}]}]}`, for head judges
pub async fn panel(call: Call, judge: Judge) -> Result<Response> {
    Ok(ok(&call.run(move |app| supervision::head_panel(app, &judge)).await?))
}

/// `POST /api/judge/reopen {category, subCategory, judge, code, reason}` → as [`panel`]
pub async fn reopen(mut call: Call, judge: Judge) -> Result<Response> {
    let fields = Fields::parse(&call.json().await?)?;
    let text = |name: &str| Ok::<_, Error>(fields.text(name)?.unwrap_or_default());
    let key = sheet_key(&fields, (text("category")?, text("subCategory")?))?;
    let reason = text("reason")?;
    let found = call.run(move |app| {
        supervision::reopen_as_head(app, &judge, &key, &reason)?;
        supervision::head_panel(app, &judge)
    });
    Ok(ok(&found.await?))
}

/// `GET /api/judge/photos/<token>?size=`
pub async fn photo(call: Call, judge: Judge) -> Result<Response> {
    let (token, size) = (call.name(), media_file::size(&call)?);
    let file = call.run(move |app| work::photo(app, &judge, &token, size)).await?;
    // Cached, so that the next sheet's photos can be loaded beforehand.
    media_file::reply(&call, file, "private, max-age=3600").await
}

/// The list under `changes`; `None` if there is none.
fn changes(body: &Value) -> Result<Option<Vec<Change>>> {
    let list = match &body["changes"] {
        Value::Null => return Ok(None),
        Value::Array(list) => list,
        _ => return Err(Error::wrong_type("changes")),
    };
    list.iter().map(change).collect::<Result<_>>().map(Some)
}

fn change(value: &Value) -> Result<Change> {
    let fields = Fields::parse(value)?;
    let points = || value["points"].as_f64().ok_or_else(|| Error::wrong_type("points"));
    let scored = match (fields.text("criterion")?, fields.text("penalty")?, fields.text("comment")?) {
        (Some(criterion), None, None) => Scored::Points { criterion, points: points()? },
        (None, Some(penalty), None) => Scored::Penalty { penalty, points: points()? },
        (None, None, Some(text)) => Scored::Comment { text },
        _ => return Err(Error::Malformed("A change has one of criterion, penalty and comment.".into())),
    };
    Ok(Change {
        id: fields.text("id")?.ok_or_else(|| Error::Malformed("A change needs an id.".into()))?,
        value: scored,
        at: fields.text("at")?,
        device: fields.text("device")?,
        rubric_version: fields.text("rubricVersion")?,
    })
}
