//! What judges see: codes, photos, criteria and their own scores, under random tokens and in a random order that stays the same.
//! These types have nothing of a competitor, and no other judge's scores.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde::Serialize;

use super::access::{Judge, require_terms};
use super::results_input;
use super::rubric::{self, InForce};
use super::sheet_values::Values;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::NominationState;
use crate::portal::{MediaFile, Size};
use crate::site::content::Content;
use crate::site::content::model::judging::{Criterion, Penalty};
use crate::store::judging::categories::{self, Category, CategoryState};
use crate::store::judging::log;
use crate::store::judging::panels::{self, PanelRole};
use crate::store::judging::sheets::{self, Sheet, SheetState};
use crate::store::portal::media::{self, MediaKind};

/// All of a judge's work.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Work {
    pub items: Vec<Item>,
    pub categories: Vec<WorkCategory>,
    /// For a head judge who scores all of their nominations, once every sheet is confirmed.
    pub ties: Vec<Tie>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Item {
    pub code: String,
    pub token: String,
    #[cfg_attr(test, ts(type = r#""open" | "saved" | "confirmed" | "recused" | "second_look""#))]
    pub state: &'static str,
    pub category: String,
    pub sub_category: String,
    /// How many criteria have no points.
    pub missing: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkCategory {
    pub category: String,
    pub sub_category: String,
    pub label: String,
    pub head: bool,
    #[cfg_attr(test, ts(type = r#""scoring" | "sealed" | "published""#))]
    pub state: CategoryState,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tie {
    pub category: String,
    pub sub_category: String,
    /// When the points were last changed.
    pub since: Option<String>,
    pub codes: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlindSheet {
    pub code: String,
    pub token: String,
    #[cfg_attr(test, ts(type = r#""open" | "saved" | "confirmed" | "recused" | "second_look""#))]
    pub state: &'static str,
    pub category: String,
    pub sub_category: String,
    pub label: String,
    pub next: Option<String>,
    pub previous: Option<String>,
    pub rubric_version: String,
    pub criteria: Vec<BlindCriterion>,
    pub penalties: Vec<BlindPenalty>,
    pub penalty_cap: u32,
    pub photos: Vec<BlindPhoto>,
    pub scores: Vec<OwnScore>,
    pub penalty_scores: Vec<OwnPenalty>,
    pub comment: String,
    /// Grows with each change, so that a judge confirms nothing that this device has not shown.
    #[cfg_attr(test, ts(type = "number"))]
    pub version: i64,
    /// When a second look was last asked for.
    pub second_look_asked_at: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlindCriterion {
    pub key: String,
    pub label: String,
    pub full_marks: String,
    pub max: u32,
    pub step: f64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlindPenalty {
    pub key: String,
    pub label: String,
    pub max: u32,
    pub step: f64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlindPhoto {
    pub token: String,
    pub slot: String,
    #[cfg_attr(test, ts(type = r#""photo" | "video""#))]
    pub kind: MediaKind,
    pub label: String,
    pub width: u32,
    pub height: u32,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnScore {
    pub criterion: String,
    pub points: f64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnPenalty {
    pub penalty: String,
    pub points: f64,
}

/// The state of a sheet, as its judge sees it.
fn state_of(sheet: &Sheet) -> &'static str {
    match sheet.state {
        SheetState::Conflict | SheetState::Abstained => "recused",
        state => state.as_str(),
    }
}

/// The sheets of a judge that the judge sees, in the judge's order, grouped by subcategory. A sheet that was closed by a
/// conflict from names is hidden, since it would show which code belongs to the name.
fn own_sheets(connection: &Connection, judge: &Judge) -> Result<Vec<Sheet>> {
    let hidden = panels::conflicts_from_names(connection, judge.id)?;
    let mut own = sheets::of_judge(connection, judge.id)?;
    own.retain(|sheet| {
        sheet.nomination_state == NominationState::Ready && !hidden.contains(&sheet.nomination_id)
    });
    own.sort_by(|a, b| {
        (&a.category, &a.sub_category, a.position).cmp(&(&b.category, &b.sub_category, b.position))
    });
    Ok(own)
}

/// The codes of the nominations that a judge scores in a subcategory. A head judge neither sees the others nor decides about them.
pub(super) fn scored_codes(
    connection: &Connection,
    judge: &Judge,
    category: &Category,
) -> Result<BTreeSet<String>> {
    let mut own = own_sheets(connection, judge)?;
    own.retain(|sheet| {
        (&sheet.category, &sheet.sub_category) == (&category.category, &category.sub_category)
            && !sheet.state.is_out()
    });
    Ok(own.into_iter().map(|sheet| sheet.code).collect())
}

/// Refuses what a head judge may only do with nominations that they score. Asked before anything is looked up, so that the
/// answer does not tell which other codes there are.
///
/// # Errors
/// [`Error::Forbidden`].
pub(super) fn require_scored(
    connection: &Connection,
    judge: &Judge,
    category: &Category,
    codes: &[String],
) -> Result<()> {
    let scored = scored_codes(connection, judge, category)?;
    if codes.iter().all(|code| scored.contains(code)) {
        return Ok(());
    }
    Err(Error::Forbidden(
        "You can do this only with nominations that you score; the organizer decides about others.".into(),
    ))
}

/// The subcategories of a judge, with the role in each.
pub(super) fn categories_of(connection: &Connection, judge: &Judge) -> Result<Vec<(Category, PanelRole)>> {
    let roles: BTreeMap<i64, PanelRole> = panels::of_judge(connection, judge.id)?.into_iter().collect();
    let all = categories::all(connection)?.into_iter();
    let with_role = |category: Category| roles.get(&category.id).map(|role| (category, *role));
    Ok(all.filter_map(with_role).collect())
}

pub fn list(app: &App, judge: &Judge) -> Result<Work> {
    let content = app.content();
    app.store.read(|connection| {
        let own = categories_of(connection, judge)?;
        let mut work = Work { items: Vec::new(), categories: Vec::new(), ties: Vec::new() };
        for (category, role) in &own {
            work.categories.push(WorkCategory {
                label: content.nomination(&category.category, &category.sub_category),
                category: category.category.clone(),
                sub_category: category.sub_category.clone(),
                head: *role == PanelRole::Head,
                state: category.state(),
            });
            if *role == PanelRole::Head && category.sealed_at.is_none() {
                let scored = scored_codes(connection, judge, category)?;
                let mut ties = results_input::open_ties(connection, &content, category)?;
                ties.retain(|tie| tie.codes.iter().all(|code| scored.contains(code)));
                for tie in ties {
                    work.ties.push(Tie {
                        category: category.category.clone(),
                        sub_category: category.sub_category.clone(),
                        since: log::newest_at(connection, &tie.codes)?,
                        codes: tie.codes,
                    });
                }
            }
        }
        for sheet in own_sheets(connection, judge)? {
            let Some(in_force) = in_force(connection, &content, &sheet)? else { continue };
            let values = Values::read(connection, judge.id, &sheet.code)?;
            work.items.push(Item {
                missing: if sheet.state.is_out() { 0 } else { in_force.missing(&values).count() },
                state: state_of(&sheet),
                code: sheet.code,
                token: sheet.token,
                category: sheet.category,
                sub_category: sheet.sub_category,
            });
        }
        Ok(work)
    })
}

/// The rubric of a sheet; `None` if its subcategory is not judged any more.
fn in_force(connection: &Connection, content: &Content, sheet: &Sheet) -> Result<Option<InForce>> {
    let stored = categories::find(connection, &sheet.category, &sheet.sub_category)?;
    match rubric::in_force(content, stored.as_ref(), &sheet.category, &sheet.sub_category) {
        Ok(in_force) => Ok(Some(in_force)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A judge's own sheet that takes part.
///
/// # Errors
/// [`Error::NotFound`]: there is none with this token, or it is another judge's. [`Error::NotBeingJudged`]: its nomination is
/// not ready, but may be again.
pub(super) fn own_sheet(connection: &Connection, judge: &Judge, token: &str) -> Result<Sheet> {
    let sheet = sheets::find(connection, judge.id, token)?.ok_or_else(unknown)?;
    if panels::conflicts_from_names(connection, judge.id)?.contains(&sheet.nomination_id) {
        return Err(unknown());
    }
    match sheet.nomination_state {
        NominationState::Ready => Ok(sheet),
        NominationState::Disqualified => Err(unknown()),
        NominationState::Open
        | NominationState::HandedIn
        | NominationState::Returned
        | NominationState::Withdrawn
        | NominationState::Forfeited => Err(Error::NotBeingJudged),
    }
}

fn unknown() -> Error {
    Error::NotFound("There is no such sheet of yours.".into())
}

/// # Errors
/// [`Error::TermsRequired`]. [`Error::NotFound`]. [`Error::NotBeingJudged`].
pub fn sheet(app: &App, judge: &Judge, token: &str) -> Result<BlindSheet> {
    require_terms(judge)?;
    let content = app.content();
    app.store.read(|connection| {
        let sheet = own_sheet(connection, judge, token)?;
        blind_sheet(connection, &content, judge, sheet)
    })
}

fn blind_sheet(
    connection: &Connection,
    content: &Content,
    judge: &Judge,
    sheet: Sheet,
) -> Result<BlindSheet> {
    let InForce { rubric, version, .. } = in_force(connection, content, &sheet)?.ok_or_else(unknown)?;
    let own = own_sheets(connection, judge)?;
    let at = own.iter().position(|listed| listed.id == sheet.id);
    let neighbour = |offset: isize| {
        let index = at?.checked_add_signed(offset)?;
        own.get(index).map(|sheet| sheet.token.clone())
    };
    let values = Values::read(connection, judge.id, &sheet.code)?;
    let step = rubric.step.points();
    let mut blind = BlindSheet {
        state: state_of(&sheet),
        label: content.nomination(&sheet.category, &sheet.sub_category),
        next: neighbour(1),
        previous: neighbour(-1),
        rubric_version: version,
        criteria: Vec::new(),
        penalties: Vec::new(),
        penalty_cap: rubric.penalty_cap,
        photos: Vec::new(),
        scores: Vec::new(),
        penalty_scores: Vec::new(),
        comment: String::new(),
        version: log::version(connection, sheet.judge_id, &sheet.code)?,
        second_look_asked_at: log::second_look_asked_at(connection, sheet.judge_id, &sheet.code)?,
        code: sheet.code.clone(),
        token: sheet.token.clone(),
        category: sheet.category.clone(),
        sub_category: sheet.sub_category.clone(),
    };
    if sheet.state.is_out() {
        return Ok(blind);
    }
    for criterion in rubric.criteria {
        let points = values.points.get(&criterion.key);
        let score = points.map(|points| OwnScore { criterion: criterion.key.clone(), points: *points });
        blind.scores.extend(score);
        let Criterion { key, label, full_marks, max } = criterion;
        blind.criteria.push(BlindCriterion { key, label, full_marks, max, step });
    }
    for penalty in rubric.penalties {
        let points = values.penalties.get(&penalty.key).filter(|points| **points > 0.0);
        let score = points.map(|points| OwnPenalty { penalty: penalty.key.clone(), points: *points });
        blind.penalty_scores.extend(score);
        let Penalty { key, label, max } = penalty;
        blind.penalties.push(BlindPenalty { key, label, max, step });
    }
    let photos = sheets::photos(connection, judge.id, sheet.nomination_id)?;
    for slot in content.portal.slots_of(&sheet.category, &sheet.sub_category) {
        blind.photos.extend(photos.iter().filter(|photo| photo.slot == slot.key).map(|photo| BlindPhoto {
            token: photo.token.clone(),
            slot: slot.key.clone(),
            kind: photo.kind,
            label: slot.label.clone(),
            width: photo.width,
            height: photo.height,
        }));
    }
    blind.comment = sheet.comment;
    Ok(blind)
}

/// A photo or a video by the judge's own token.
///
/// # Errors
/// [`Error::TermsRequired`]. [`Error::NotFound`].
pub fn photo(app: &App, judge: &Judge, token: &str, size: Size) -> Result<MediaFile> {
    require_terms(judge)?;
    let unknown = || Error::NotFound("There is no such photo of yours.".into());
    app.store.read(|connection| {
        let (medium, nomination) = sheets::photo(connection, judge.id, token)?.ok_or_else(unknown)?;
        let is_open = own_sheets(connection, judge)?
            .iter()
            .any(|sheet| sheet.nomination_id == nomination && !sheet.state.is_out());
        let medium = media::get(connection, medium)?.filter(|_| is_open).ok_or_else(unknown)?;
        Ok(MediaFile::new(&medium, size))
    })
}
