//! Reads what the results of a subcategory are computed from, and what is still open: sheets that are not confirmed, and ties.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::results::{self, Competition, Entry, Ranked, TieStep};
use super::rubric::{self, InForce};
use super::sheet_values::Values;
use crate::error::{Error, Result};
use crate::model::NominationState;
use crate::site::content::Content;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::panels::{self, Member, PanelRole};
use crate::store::judging::sheets::{self, Sheet, SheetState};
use crate::store::portal::nominations::{self, Nomination};

/// The entries with their confirmed sheets, and the decisions about ties. A judge who has not confirmed a sheet yet neither
/// scored the entry nor is absent. A sheet does not count if a conflict was found after it was confirmed.
pub(super) fn read(connection: &Connection, in_force: &InForce, stored: &Category) -> Result<Competition> {
    let (category, sub_category) = (stored.category.as_str(), stored.sub_category.as_str());
    let mut judges = panels::members(connection, stored.id)?;
    judges.retain(|member| member.role != PanelRole::Reserve);
    let conflicts = panels::conflicts(connection, category, sub_category)?;
    let all = sheets::of_category(connection, category, sub_category)?;
    let mut entries = Vec::new();
    for nomination in judged(connection, category, sub_category, &all)? {
        let has_conflict =
            |judge: i64| conflicts.iter().any(|conflict| conflict.is_between(judge, nomination.id));
        let own: Vec<&Sheet> = all.iter().filter(|sheet| sheet.nomination_id == nomination.id).collect();
        let mut counted = own.clone();
        counted.retain(|sheet| sheet.state == SheetState::Confirmed && !has_conflict(sheet.judge_id));
        let mut sheets = Vec::new();
        for sheet in &counted {
            let values = Values::read(connection, sheet.judge_id, &sheet.code)?;
            sheets.push(values.scored(&in_force.rubric, sheet.judge_id));
        }
        // A reserve who became a judge is no replacement any more.
        let is_judge = |holder: i64| judges.iter().any(|member| member.judge_id == holder);
        let is_absent = |member: &&Member| {
            let judge = member.judge_id;
            let is_out = |sheet: &&Sheet| sheet.judge_id == judge && sheet.state.is_out();
            let is_covered = |sheet: &&Sheet| {
                sheet.judge_id == judge || (sheet.replaces == Some(judge) && !is_judge(sheet.judge_id))
            };
            (has_conflict(judge) || member.is_removed || own.iter().any(is_out))
                && !counted.iter().any(is_covered)
        };
        entries.push(Entry {
            is_disqualified: nomination.state == NominationState::Disqualified,
            code: nomination.code,
            sheets,
            absent: judges.iter().filter(is_absent).map(|member| member.judge_id).collect(),
        });
    }
    let decisions = categories::ties(connection, stored.id)?;
    Ok(Competition { rubric: in_force.rubric.clone(), entries, decisions })
}

/// The nominations that are judged: the ready ones, and disqualified ones of which a judge has begun the sheet.
fn judged(
    connection: &Connection,
    category: &str,
    sub_category: &str,
    sheets: &[Sheet],
) -> Result<Vec<Nomination>> {
    let is_begun = |nomination: &Nomination| {
        sheets.iter().any(|sheet| sheet.nomination_id == nomination.id && sheet.state != SheetState::Open)
    };
    let mut judged = nominations::of_category(connection, category, sub_category)?;
    judged.retain(|nomination| match nomination.state {
        NominationState::Ready => true,
        NominationState::Disqualified => is_begun(nomination),
        _ => false,
    });
    Ok(judged)
}

/// The codes of sheets that are neither confirmed nor out. Nobody waits for a second look of a judge with a conflict.
pub(super) fn pending(connection: &Connection, stored: &Category) -> Result<Vec<String>> {
    let mut pending = taking_part(connection, &stored.category, &stored.sub_category)?;
    let conflicts = panels::conflicts(connection, &stored.category, &stored.sub_category)?;
    pending.retain(|sheet| {
        let is_done = sheet.state == SheetState::Confirmed || sheet.state.is_out();
        !is_done && !conflicts.iter().any(|conflict| conflict.is_between(sheet.judge_id, sheet.nomination_id))
    });
    Ok(pending.into_iter().map(|sheet| sheet.code).collect())
}

/// The sheets of nominations that are ready.
pub(super) fn taking_part(connection: &Connection, category: &str, sub_category: &str) -> Result<Vec<Sheet>> {
    let mut all = sheets::of_category(connection, category, sub_category)?;
    all.retain(|sheet| sheet.nomination_state == NominationState::Ready);
    Ok(all)
}

/// Entries that share a place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "SharedPlace"))]
pub struct OpenTie {
    pub codes: Vec<String>,
    pub place: u32,
    /// The points of each, as an exact fraction.
    #[serde(skip)]
    pub points: String,
}

/// The shared places among complete results.
pub(super) fn shared_places(competition: &Competition) -> Vec<OpenTie> {
    let Ok(ranked) = results::compute(competition) else { return Vec::new() };
    let mut ties: BTreeMap<u32, OpenTie> = BTreeMap::new();
    for Ranked { code, place, tie, points, .. } in ranked {
        if let (Some(place), Some(TieStep::Shared)) = (place, tie) {
            let new = || OpenTie { place, points: points.to_string(), codes: Vec::new() };
            ties.entry(place).or_insert_with(new).codes.push(code);
        }
    }
    ties.into_values().collect()
}

/// The ties that the head judge can decide: none before every sheet is confirmed, so that nothing shows too early.
pub(super) fn open_ties(
    connection: &Connection,
    content: &Content,
    stored: &Category,
) -> Result<Vec<OpenTie>> {
    if !pending(connection, stored)?.is_empty() {
        return Ok(Vec::new());
    }
    let in_force = match rubric::in_force(content, Some(stored), &stored.category, &stored.sub_category) {
        Err(Error::NotFound(_)) => return Ok(Vec::new()),
        in_force => in_force?,
    };
    Ok(shared_places(&read(connection, &in_force, stored)?))
}
