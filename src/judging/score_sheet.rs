//! A competitor's score sheet: the panel's means, the category's means and ranges, and unsigned comments. Never one judge's
//! numbers.

use serde::Serialize;

use super::certificates;
use super::results::{Fraction, decimal, half_points};
use super::rubric;
use super::sealed_results::{ResultState, Sealed};
use crate::app::App;
use crate::error::{Error, Result};
use crate::portal::access::Artist;
use crate::portal::own;
use crate::site::content::Content;
use crate::site::content::model::judging::{Rubric, ScaleStep};
use crate::store::judging::categories;
use crate::store::judging::sheets::{self, SheetState};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ScoreSheetText"))]
pub struct ScoreSheet {
    pub code: String,
    pub label: String,
    pub points: String,
    pub place: Option<u32>,
    /// How many entries have a place.
    pub placed: usize,
    pub state: ResultState,
    /// Why it was disqualified.
    pub reason: Option<String>,
    pub criteria: Vec<Criterion>,
    /// The sum of the exact means. The rounded means that are shown may have another sum.
    pub criteria_total: String,
    pub penalties: Vec<Penalty>,
    pub penalty_total: String,
    pub penalty_cap: String,
    pub adjustment: Option<Adjustment>,
    pub sentences: Vec<String>,
    /// Sorted by text, so that their order does not tell which judge wrote which.
    pub comments: Vec<String>,
    pub scale: Vec<ScaleStep>,
    /// The code of the certificate.
    #[serde(skip)]
    pub certificate: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ScoreSheetCriterion"))]
pub struct Criterion {
    pub key: String,
    pub label: String,
    pub full_marks: String,
    pub max: u32,
    pub points: String,
    /// The mean of all entries in the category.
    pub mean: String,
    pub lowest: String,
    pub highest: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ScoreSheetPenalty"))]
pub struct Penalty {
    pub key: String,
    pub label: String,
    pub points: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Adjustment {
    pub points: String,
    pub sentence: String,
}

/// # Errors
/// [`Error::NotFound`]: the nomination is not the competitor's, or its results are not public.
pub fn get(app: &App, artist: &Artist, id: i64) -> Result<ScoreSheet> {
    let content = app.content();
    let unpublished = || Error::NotFound("There is no score sheet yet.".into());
    app.store.read(|connection| {
        let nomination = own::owned(connection, artist, id)?;
        let (category, sub_category) = (nomination.category.as_str(), nomination.sub_category.as_str());
        let stored = categories::find(connection, category, sub_category)?.ok_or_else(unpublished)?;
        let sealed = Sealed::published(&stored)?.ok_or_else(unpublished)?;
        let rubric = rubric::in_force(&content, Some(&stored), category, sub_category)?.rubric;
        let mut comments: Vec<String> = sheets::of_category(connection, category, sub_category)?
            .into_iter()
            .filter(|sheet| sheet.nomination_id == id && sheet.state == SheetState::Confirmed)
            .filter(|sheet| sealed.counts(&sheet.code, sheet.judge_id))
            .map(|sheet| sheet.comment)
            .filter(|comment| !comment.trim().is_empty())
            .collect();
        comments.sort();
        let mut sheet = sheet(&content, &rubric, &sealed, &nomination.code).ok_or_else(unpublished)?;
        sheet.label = content.nomination(category, sub_category);
        sheet.comments = comments;
        if sheet.state == ResultState::Disqualified {
            sheet.reason = nomination.reason;
        } else {
            sheet.certificate = certificates::of_nomination(connection, stored.id, id, sheet.place)?;
        }
        Ok(sheet)
    })
}

fn sheet(content: &Content, rubric: &Rubric, sealed: &Sealed, code: &str) -> Option<ScoreSheet> {
    let own = sealed.result(code)?;
    let mut ranked: Vec<_> = sealed.results.iter().collect();
    ranked.retain(|result| result.state != ResultState::Disqualified);
    let exact = |text: &str| text.parse::<Fraction>().unwrap_or_else(|_| half_points(0));
    let criteria_total = own.criteria.iter().fold(half_points(0), |sum, mean| sum + exact(&mean.exact));
    let criteria = rubric.criteria.iter().enumerate().map(|(index, criterion)| {
        let mut all: Vec<Fraction> =
            ranked.iter().filter_map(|result| Some(exact(&result.criteria.get(index)?.exact))).collect();
        all.sort();
        let sum = all.iter().fold(half_points(0), |sum, points| sum + points);
        let mean = if all.is_empty() { sum } else { sum / Fraction::from_integer(all.len().into()) };
        let text = |value: Option<&Fraction>| value.map(decimal).unwrap_or_default();
        Criterion {
            key: criterion.key.clone(),
            label: criterion.label.clone(),
            full_marks: criterion.full_marks.clone(),
            max: criterion.max,
            points: own.criteria.get(index).map(|mean| mean.points.clone()).unwrap_or_default(),
            mean: decimal(&mean),
            lowest: text(all.first()),
            highest: text(all.last()),
        }
    });
    let penalties = own.penalty_points.iter().map(|penalty| {
        let known = rubric.penalties.iter().find(|known| known.key == penalty.key);
        Penalty {
            label: known.map(|known| known.label.clone()).unwrap_or_default(),
            key: penalty.key.clone(),
            points: penalty.points.clone(),
        }
    });
    let mut sentences = vec![
        "Each criterion is the mean of all judges who scored this entry.".to_owned(),
        "Points are compared as exact fractions, and shown with two decimals.".to_owned(),
    ];
    sentences.extend(own.sentence.clone().filter(|_| own.adjustment.is_none()));
    Some(ScoreSheet {
        code: own.code.clone(),
        label: String::new(),
        points: own.points.clone(),
        place: own.place,
        placed: ranked.iter().filter(|result| result.place.is_some()).count(),
        state: own.state,
        reason: None,
        criteria: criteria.collect(),
        criteria_total: decimal(&criteria_total),
        penalties: penalties.collect(),
        penalty_total: own.penalties.clone(),
        penalty_cap: decimal(&half_points(i64::from(rubric.penalty_cap) * 2)),
        adjustment: own
            .adjustment
            .clone()
            .map(|points| Adjustment { points, sentence: own.sentence.clone().unwrap_or_default() }),
        sentences,
        comments: Vec::new(),
        scale: content.judging.scale.clone(),
        certificate: None,
    })
}

/// The codes of all nominations whose results are published.
pub fn published_codes(app: &App) -> Result<Vec<String>> {
    app.store.read(|connection| {
        let mut codes = Vec::new();
        for stored in categories::all(connection)? {
            let published = Sealed::published(&stored)?.into_iter().flat_map(|sealed| sealed.results);
            codes.extend(published.map(|result| result.code));
        }
        Ok(codes)
    })
}
