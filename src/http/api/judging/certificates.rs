//! The ceremony, certificates and score sheets.

use serde::Serialize;
use serde_json::json;
use warp::reply::Response;

use super::super::call::{Call, ok};
use super::super::judge::require_judging;
use super::super::token_pages::qr_code;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::judging::certificates::{self, Certificate, CertificateKind, Filter};
use crate::judging::organiser::{self, CategoryResult, Overview};
use crate::judging::score_sheet::{self, ScoreSheet};
use crate::portal::access::Artist;
use crate::store::judging::categories::CategoryState;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ceremony<'a> {
    event: CeremonyEvent<'a>,
    categories: Vec<CeremonyCategory<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CeremonyEvent<'a> {
    name: &'a str,
    date: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CeremonyCategory<'a> {
    category: &'a str,
    sub_category: &'a str,
    label: &'a str,
    path: &'a str,
    award: String,
    /// Why the results are not valid any more and are not announced, such as an entry that was withdrawn after the seal.
    blockers: &'a [String],
    /// From third to first place; a tie gives several entries with the same place.
    places: Vec<CeremonyPlace<'a>>,
    placed: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CeremonyPlace<'a> {
    place: u32,
    code: &'a str,
    name: Option<&'a str>,
    business_name: Option<&'a str>,
    points: &'a str,
    photo: Option<String>,
}

/// `GET /api/judging/ceremony`
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
    let categories = found.iter().map(|detail| {
        let Overview { category, sub_category, label, path, .. } = &detail.overview;
        let results = detail.results.as_deref().unwrap_or_default();
        CeremonyCategory {
            category,
            sub_category,
            label,
            path,
            award: content.award(category, sub_category).to_owned(),
            blockers: &detail.blockers,
            places: places(results, slot(category, sub_category).as_deref()),
            placed: results.iter().filter(|result| result.place.is_some()).count(),
        }
    });
    let event = CeremonyEvent { name: &event.name, date: &event.dates };
    Ok(ok(&Ceremony { event, categories: categories.collect() }))
}

/// The places to be announced, from the third to the first.
fn places<'a>(results: &'a [CategoryResult], slot: Option<&str>) -> Vec<CeremonyPlace<'a>> {
    let announced = |result: &'a CategoryResult| {
        let place = result.place.filter(|place| *place <= 3)?;
        let photo = result.id.zip(slot).map(|(id, slot)| format!("/api/nominations/{id}/photos/{slot}"));
        Some(CeremonyPlace {
            place,
            code: &result.code,
            name: result.name.as_deref(),
            business_name: result.business_name.as_deref(),
            points: &result.points,
            photo,
        })
    };
    results.iter().rev().filter_map(announced).collect()
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
    let base = call.state.app.public_url();
    let items: Vec<_> = found
        .iter()
        .map(|certificate| CertificateAnswer { certificate, link: verification(&certificate.code, &base) })
        .collect();
    Ok(ok(&json!({ "items": items })))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Certificate"))]
pub struct CertificateAnswer<'a> {
    #[serde(flatten)]
    certificate: &'a Certificate,
    #[serde(flatten)]
    link: VerificationLink,
}

/// The code with its address, and the address as a QR code.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
struct VerificationLink {
    code: String,
    verify_url: String,
    qr: String,
}

fn verification(code: &str, base: &str) -> VerificationLink {
    let verify_url = format!("{base}/verify/{code}");
    VerificationLink { code: code.to_owned(), qr: qr_code(&verify_url).unwrap_or_default(), verify_url }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VerifiedCertificate<'a> {
    kind: CertificateKind,
    name: String,
    label: String,
    place: Option<u32>,
    event: &'a str,
    date: &'a str,
}

/// `GET /api/verify/<code>` → `{kind, name, label, place, event, date}`
pub async fn verify(call: Call) -> Result<Response> {
    let code = call.name();
    let found = call.run(move |app| certificates::verify(app, &code)).await?;
    let content = call.state.app.content();
    Ok(ok(&VerifiedCertificate {
        kind: found.kind,
        name: found.name,
        label: found.label,
        place: found.place,
        event: &content.event.name,
        date: &content.event.dates,
    }))
}

pub async fn score_sheet(call: Call, artist: Artist) -> Result<Response> {
    let id = call.id();
    let sheet = call.run(move |app| score_sheet::get(app, &artist, id)).await?;
    let base = call.state.app.public_url();
    let certificate = sheet.certificate.as_deref().map(|code| verification(code, &base));
    Ok(ok(&ScoreSheetAnswer { sheet, certificate }))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ScoreSheet"))]
pub struct ScoreSheetAnswer {
    #[serde(flatten)]
    sheet: ScoreSheet,
    certificate: Option<VerificationLink>,
}
