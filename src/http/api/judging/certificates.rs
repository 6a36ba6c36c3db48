//! The ceremony, certificates and score sheets.

use serde_json::{Value, json};
use warp::reply::Response;

use super::super::call::{Call, ok};
use super::super::judge::require_judging;
use super::super::token_pages::qr_code;
use super::path_of;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::judging::certificates::{self, Certificate, Filter};
use crate::judging::organiser::{self, Detail};
use crate::judging::score_sheet;
use crate::portal::access::Artist;
use crate::store::judging::categories::CategoryState;

/// `GET /api/judging/ceremony` → `{event, categories}`
pub async fn ceremony(call: Call, _session: Session) -> Result<Response> {
    let found = call.run(|app| {
        let all = organiser::list(app)?.into_iter();
        let sealed =
            all.filter(|category| matches!(category.state, CategoryState::Sealed | CategoryState::Published));
        sealed
            .map(|sealed| organiser::get(app, &sealed.category, &sealed.sub_category))
            .collect::<Result<Vec<_>>>()
    });
    let found = found.await?;
    let content = call.state.app.content();
    let event = &content.event;
    let slot = |category: &str, sub: &str| {
        // A photo of the finished work, not one from before.
        let mut slots = content.portal.slots_of(category, sub);
        slots.find(|slot| slot.required && !slot.key.starts_with("before")).map(|slot| slot.key.clone())
    };
    let categories: Vec<Value> = found
        .iter()
        .map(|detail| {
            let (category, sub) = (detail.overview.category.as_str(), detail.overview.sub_category.as_str());
            json!({
                "category": category, "subCategory": sub, "label": detail.overview.label, "path": path_of(category, sub),
                "award": content.award(category, sub), "blockers": detail.blockers, "places": places(detail, slot(category, sub).as_deref()),
                "placed": results(detail).iter().filter(|result| result.place.is_some()).count(),
            })
        })
        .collect();
    Ok(ok(&json!({ "event": { "name": event.name, "date": event.dates }, "categories": categories })))
}

fn results(detail: &Detail) -> &[crate::judging::sealed_results::SealedResult] {
    detail.sealed.as_ref().map(|sealed| sealed.results.as_slice()).unwrap_or_default()
}

/// The places to be announced, from the third to the first.
fn places(detail: &Detail, slot: Option<&str>) -> Vec<Value> {
    let mut placed: Vec<_> =
        results(detail).iter().filter(|result| result.place.is_some_and(|place| place <= 3)).collect();
    placed.reverse();
    let shown = placed.into_iter().map(|result| {
        let entry = detail.entry(&result.code);
        let photo = entry.zip(slot).map(|((nomination, _), slot)| format!("/api/nominations/{}/photos/{slot}", nomination.id));
        json!({
            "place": result.place, "code": result.code, "name": entry.map(|(_, entrant)| &entrant.name),
            "businessName": entry.map(|(_, entrant)| &entrant.business_name), "points": result.points, "photo": photo,
        })
    });
    shown.collect()
}

/// `GET /api/judging/certificates?category=&subCategory=&kind=` → `{items}`
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    require_judging(&call.state.app)?;
    let kind = call.query_value("kind").map(|kind| kind.parse()).transpose().map_err(Error::Malformed)?;
    let category = match (call.query_value("category"), call.query_value("subCategory")) {
        (None, None) => None,
        (Some(category), Some(sub_category)) => Some((category, sub_category)),
        _ => return Err(Error::Malformed("Give both category and subCategory, or neither.".into())),
    };
    let found = call.run(move |app| certificates::list(app, &Filter { kind, category })).await?;
    let public_url = call.state.app.public_url();
    Ok(ok(
        &json!({ "items": found.iter().map(|certificate| certificate_json(certificate, &public_url)).collect::<Vec<_>>() }),
    ))
}

fn certificate_json(certificate: &Certificate, public_url: &str) -> Value {
    let mut shown = json!({
        "kind": certificate.kind, "name": certificate.name, "label": certificate.label, "place": certificate.place,
        "award": certificate.award,
    });
    if let (Some(shown), Value::Object(link)) =
        (shown.as_object_mut(), verification(&certificate.code, public_url))
    {
        shown.extend(link);
    }
    shown
}

/// The code with its address, and the address as a QR code.
fn verification(code: &str, public_url: &str) -> Value {
    let url = format!("{public_url}/verify/{code}");
    json!({ "code": code, "verifyUrl": url, "qr": qr_code(&url).unwrap_or_default() })
}

/// `GET /api/verify/<code>` → `{kind, name, label, place, event, date}`
pub async fn verify(call: Call) -> Result<Response> {
    let code = call.name();
    let found = call.run(move |app| certificates::verify(app, &code)).await?;
    let content = call.state.app.content();
    Ok(ok(&json!({
        "kind": found.kind, "name": found.name, "label": found.label, "place": found.place,
        "event": content.event.name, "date": content.event.dates,
    })))
}

pub async fn score_sheet(call: Call, artist: Artist) -> Result<Response> {
    let id = call.id();
    let sheet = call.run(move |app| score_sheet::get(app, &artist, id)).await?;
    let mut shown = json!(sheet);
    let public_url = call.state.app.public_url();
    shown["certificate"] =
        sheet.certificate.as_deref().map_or(Value::Null, |code| verification(code, &public_url));
    Ok(ok(&shown))
}
