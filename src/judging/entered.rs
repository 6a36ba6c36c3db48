//! What the results of a subcategory are computed from, and what is still open about them.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::panel;
use super::results::{self, Decision, Entry, Field, Ranked, TieStep};
use super::rubric::{self, InForce};
use super::sheet::Values;
use crate::error::{Error, Result};
use crate::model::NominationState;
use crate::site::content::Content;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::panels::{self, Role};
use crate::store::judging::sheets::{self, Sheet, SheetState};

/// What the results are computed from.
pub(super) struct Entered {
    pub entries: Vec<Entry>,
    pub decisions: Vec<Decision>,
}

impl Entered {
    /// Of the confirmed sheets. A judge who has not confirmed yet is neither there nor absent. A sheet does not count if a
    /// conflict was found after it was confirmed.
    pub fn read(connection: &Connection, in_force: &InForce, stored: &Category) -> Result<Entered> {
        let (category, sub_category) = (stored.category.as_str(), stored.sub_category.as_str());
        let members = panels::members(connection, stored.id)?;
        let conflicts = panels::conflicts(connection, category, sub_category)?;
        let mut sheets_of: BTreeMap<i64, Vec<Sheet>> = BTreeMap::new();
        for sheet in sheets::of_category(connection, category, sub_category)? {
            sheets_of.entry(sheet.nomination_id).or_default().push(sheet);
        }
        let mut entries = Vec::new();
        for nomination in panel::judged(connection, category, sub_category)? {
            let own = sheets_of.remove(&nomination.id).unwrap_or_default();
            let mut scored = Vec::new();
            let has_conflict = |judge: i64| {
                conflicts.iter().any(|one| one.judge_id == judge && one.nomination_id == nomination.id)
            };
            let counts =
                |sheet: &&Sheet| sheet.state == SheetState::Confirmed && !has_conflict(sheet.judge_id);
            for sheet in own.iter().filter(counts) {
                let values = Values::read(connection, sheet.judge_id, &sheet.code)?;
                scored.push(values.scored(&in_force.rubric, sheet.judge_id));
            }
            let is_out = |judge: i64| {
                has_conflict(judge) || own.iter().any(|sheet| sheet.judge_id == judge && sheet.state.is_out())
            };
            let is_replaced =
                |judge: i64| own.iter().filter(counts).any(|sheet| sheet.replaces == Some(judge));
            let absent = members
                .iter()
                .filter(|member| member.role != Role::Reserve)
                .map(|member| member.judge_id)
                .filter(|judge| {
                    is_out(*judge) && !is_replaced(*judge) && scored.iter().all(|one| one.judge != *judge)
                })
                .collect();
            entries.push(Entry {
                is_disqualified: nomination.state == NominationState::Disqualified,
                code: nomination.code,
                sheets: scored,
                absent,
            });
        }
        let decisions = categories::ties(connection, stored.id)?;
        let decisions =
            decisions.into_iter().map(|tie| Decision { codes: tie.codes, points: tie.points }).collect();
        Ok(Entered { entries, decisions })
    }

    pub fn field<'a>(&'a self, in_force: &'a InForce) -> Field<'a> {
        Field { rubric: &in_force.rubric, entries: &self.entries, decisions: &self.decisions }
    }
}

/// The codes of sheets that are neither confirmed nor out.
pub(super) fn pending(connection: &Connection, stored: &Category) -> Result<Vec<String>> {
    let all = taking_part(connection, &stored.category, &stored.sub_category)?.into_iter();
    let pending = all.filter(|sheet| sheet.state != SheetState::Confirmed && !sheet.state.is_out());
    Ok(pending.map(|sheet| sheet.code).collect())
}

/// The sheets of nominations that are ready.
pub(super) fn taking_part(connection: &Connection, category: &str, sub_category: &str) -> Result<Vec<Sheet>> {
    let mut all = sheets::of_category(connection, category, sub_category)?;
    all.retain(|sheet| sheet.nomination_state == NominationState::Ready);
    Ok(all)
}

/// Entries that share a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTie {
    pub place: u32,
    /// Of each, as an exact fraction.
    pub points: String,
    pub codes: Vec<String>,
}

/// The shared places among complete results.
pub(super) fn shared_places(field: &Field<'_>) -> Vec<OpenTie> {
    let Ok(ranked) = results::compute(field) else { return Vec::new() };
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
    let (category, sub_category) = (stored.category.as_str(), stored.sub_category.as_str());
    let is_done = |sheet: &Sheet| sheet.state == SheetState::Confirmed || sheet.state.is_out();
    if !taking_part(connection, category, sub_category)?.iter().all(is_done) {
        return Ok(Vec::new());
    }
    let in_force = match rubric::in_force(content, Some(stored), category, sub_category) {
        Err(Error::NotFound(_)) => return Ok(Vec::new()),
        in_force => in_force?,
    };
    let entered = Entered::read(connection, &in_force, stored)?;
    Ok(shared_places(&entered.field(&in_force)))
}
