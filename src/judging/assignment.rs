//! Which judge gets a sheet of which nomination: each ready nomination goes to each judge of the panel. In place of a judge
//! with a conflict a reserve gets a sheet, if there is one.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::judges;
use crate::app::App;
use crate::error::Result;
use crate::model::{Actor, NominationState, token};
use crate::store::judging::categories::{self, Category};
use crate::store::judging::judges as stored_judges;
use crate::store::judging::log::{self, Line, LineKind};
use crate::store::judging::panels::{self, ConflictSource, Member, PanelRole};
use crate::store::judging::relations::{self as stored_relations, Relation, RelationKind, RelationState};
use crate::store::judging::sheets::{self, Sheet, SheetState};
use crate::store::portal::nominations::{self, Nomination};
use crate::time;

/// Assigns the sheets and photo tokens that are missing, in all subcategories.
pub(super) fn assign_due_sheets(app: &App) -> Result<()> {
    let incomplete = app.store.read(|connection| {
        let mut incomplete = Vec::new();
        for category in categories::all(connection)? {
            // One that cannot be read is reported when its sheets are assigned, and does not stop the others.
            if !is_complete(connection, &category).unwrap_or_default() {
                incomplete.push(category);
            }
        }
        Ok(incomplete)
    })?;
    let mut assigned = Ok(());
    for category in incomplete {
        assigned = assigned.and(app.store.write(|connection| assign_sheets(connection, &category)));
    }
    assigned
}

fn is_complete(connection: &Connection, category: &Category) -> Result<bool> {
    if category.sealed_at.is_some() {
        return Ok(true);
    }
    let plan = plan(connection, category)?;
    Ok(plan.conflicts.is_empty()
        && plan.sheets.is_empty()
        && sheets::photos_without_token(connection, &category.category, &category.sub_category)?.is_empty()
        && sheets::entrants_without_token(connection, category.id)?.is_empty())
}

/// What follows from what is known of judges and entrants, and is not stored.
#[derive(Debug, Default)]
struct Plan {
    conflicts: Vec<NewConflict>,
    /// Judge and nomination where what a competitor said in time does not count at once.
    requests: BTreeSet<(i64, i64)>,
    sheets: Vec<NewSheet>,
}

#[derive(Debug)]
struct NewConflict {
    judge: i64,
    nomination: i64,
    source: ConflictSource,
    reason: String,
}

#[derive(Debug)]
struct NewSheet {
    judge: i64,
    nomination: i64,
    /// The judge for whom a reserve steps in.
    replaces: Option<i64>,
}

fn plan(connection: &Connection, category: &Category) -> Result<Plan> {
    let mut plan = Plan::default();
    let members = panels::members(connection, category.id)?;
    if members.is_empty() {
        return Ok(plan);
    }
    let Category { category, sub_category, .. } = category;
    let mut judges = Vec::new();
    for member in &members {
        judges.extend(stored_judges::get(connection, member.judge_id)?);
    }
    let mut entrants = stored_judges::entrants(connection)?;
    entrants.retain(|entrant| (&entrant.category, &entrant.sub_category) == (category, sub_category));
    let mut nominations = nominations::of_category(connection, category, sub_category)?;
    nominations.retain(|nomination| nomination.state == NominationState::Ready);
    let mut conflicts: BTreeSet<(i64, i64)> = panels::conflicts(connection, category, sub_category)?
        .into_iter()
        .map(|conflict| (conflict.judge_id, conflict.nomination_id))
        .collect();
    let sheets = sheets::of_category(connection, category, sub_category)?;
    let declared = stored_relations::by_email(connection)?;
    for Nomination { id: nomination, code, .. } in nominations {
        let Some(entrant) = entrants.iter().find(|entrant| entrant.nomination_id == nomination) else {
            continue;
        };
        for judge in &judges {
            if let Some(shared) = judges::in_common(judge, entrant)
                && conflicts.insert((judge.id, nomination))
            {
                let (source, reason) = (ConflictSource::Computed, format!("The same {shared}"));
                plan.conflicts.push(NewConflict { judge: judge.id, nomination, source, reason });
            }
        }
        let own: Vec<&Sheet> = sheets.iter().filter(|sheet| sheet.nomination_id == nomination).collect();
        let sheet_of = |judge: i64| own.iter().find(|sheet| sheet.judge_id == judge);
        let mut counting = declared.get(&entrant.email.to_lowercase()).cloned().unwrap_or_default();
        counting.retain(|relation| {
            relation.state == RelationState::Counts && !relation.rejected_for.contains(&code)
        });
        let mut named: BTreeMap<i64, Vec<&Relation>> = BTreeMap::new();
        let mut unrelated_judges = 0;
        for judge in &judges {
            let has_conflict = conflicts.contains(&(judge.id, nomination));
            if has_conflict || cannot_score(judge.removed_at.is_some(), sheet_of(judge.id).copied()) {
                continue;
            }
            let relations: Vec<_> =
                counting.iter().filter(|relation| judges::is_called(judge, &relation.judge)).collect();
            if relations.is_empty() {
                unrelated_judges += 1;
            } else {
                named.insert(judge.id, relations);
            }
        }
        // The organiser decides about a relation to a judge who has begun the sheet, or to all who could score this nomination.
        for (judge, relations) in named {
            let has_begun = sheet_of(judge).is_some_and(|sheet| sheet.saved_at.is_some());
            if unrelated_judges == 0 || has_begun {
                plan.requests.insert((judge, nomination));
            } else if conflicts.insert((judge, nomination)) {
                let (source, reason) = (ConflictSource::Competitor, relation_reasons(relations));
                plan.conflicts.push(NewConflict { judge, nomination, source, reason });
            }
        }
        plan_sheets(&mut plan.sheets, &members, &conflicts, nomination, &own);
    }
    Ok(plan)
}

/// Adds the sheets of one nomination that are missing. `own`: those that it has.
fn plan_sheets(
    planned: &mut Vec<NewSheet>,
    members: &[Member],
    conflicts: &BTreeSet<(i64, i64)>,
    nomination: i64,
    own: &[&Sheet],
) {
    let mut holders: BTreeSet<i64> = own.iter().map(|sheet| sheet.judge_id).collect();
    let sheet_of = |judge: i64| own.iter().find(|sheet| sheet.judge_id == judge);
    let is_out = |judge: i64| {
        let is_removed = members.iter().any(|member| member.judge_id == judge && member.is_removed);
        conflicts.contains(&(judge, nomination)) || cannot_score(is_removed, sheet_of(judge).copied())
    };
    // A reserve who became a judge is no replacement any more.
    let is_judge = |judge: i64| {
        members.iter().any(|member| member.judge_id == judge && member.role != PanelRole::Reserve)
    };
    for member in members.iter().filter(|member| member.role != PanelRole::Reserve) {
        let judge = member.judge_id;
        if !is_out(judge) {
            if holders.insert(judge) {
                planned.push(NewSheet { judge, nomination, replaces: None });
            }
            continue;
        }
        let covers = |sheet: &&Sheet| {
            sheet.replaces == Some(judge) && !is_judge(sheet.judge_id) && !is_out(sheet.judge_id)
        };
        if own.iter().any(covers) {
            continue;
        }
        let is_free = |member: &&Member| {
            member.role == PanelRole::Reserve
                && !holders.contains(&member.judge_id)
                && !is_out(member.judge_id)
        };
        if let Some(reserve) = members.iter().find(is_free) {
            holders.insert(reserve.judge_id);
            planned.push(NewSheet { judge: reserve.judge_id, nomination, replaces: Some(judge) });
        }
    }
}

/// Whether a judge's sheet is closed, or would never be confirmed, because the judge was removed or erased.
pub(super) fn cannot_score(is_removed: bool, sheet: Option<&Sheet>) -> bool {
    sheet.map_or(is_removed, |sheet| sheet.state.is_out() || is_removed && !sheet.state.was_confirmed())
}

/// The judges and nominations for which the organiser decides about what a competitor said in time: the judge has begun the
/// sheet, or nobody else could score it.
pub(super) fn timely_requests(connection: &Connection, category: &Category) -> Result<BTreeSet<(i64, i64)>> {
    Ok(plan(connection, category)?.requests)
}

/// Adds conflicts, sheets and photo tokens that are missing, and reopens sheets of photos that were replaced.
pub(super) fn assign_sheets(connection: &Connection, category: &Category) -> Result<()> {
    if category.sealed_at.is_some() {
        return Ok(());
    }
    let at = time::stored(time::now());
    let mut planned = plan(connection, category)?;
    for NewConflict { judge, nomination, source, reason } in &planned.conflicts {
        panels::insert_conflict(connection, (*judge, *nomination), *source, reason, &at)?;
        close_sheet(connection, (*judge, *nomination), reason)?;
    }
    if !planned.conflicts.is_empty() {
        // A sheet was closed, so that a reserve may be needed.
        planned = plan(connection, category)?;
    }
    for NewSheet { judge, nomination, replaces } in planned.sheets {
        let position = i64::from(rand::random::<u32>());
        sheets::insert(connection, (judge, nomination), (&token::short(), position), replaces, &at)?;
    }
    let photos = sheets::photos_without_token(connection, &category.category, &category.sub_category)?;
    let conflicts = panels::conflicts(connection, &category.category, &category.sub_category)?;
    for sheet in sheets::of_category(connection, &category.category, &category.sub_category)? {
        let (judge, nomination) = (sheet.judge_id, sheet.nomination_id);
        let has_new_photo = photos.iter().any(|photo| (photo.judge, photo.nomination) == (judge, nomination));
        // A confirmed sheet of a judge with a conflict does not count, and nobody has to confirm it again.
        let has_conflict = conflicts.iter().any(|conflict| conflict.is_between(judge, nomination));
        if has_new_photo && sheet.state.was_confirmed() && !has_conflict {
            reopen_unseen(connection, category, &sheet, &at)?;
        }
    }
    for photo in photos {
        sheets::insert_photo_token(connection, &token::short(), photo.judge, photo.medium)?;
    }
    for judge_and_nomination in sheets::entrants_without_token(connection, category.id)? {
        sheets::insert_entrant_token(connection, &token::short(), judge_and_nomination)?;
    }
    Ok(())
}

/// Reopens a sheet that was confirmed before the judge could see one of its photos. The points stay.
fn reopen_unseen(connection: &Connection, category: &Category, sheet: &Sheet, at: &str) -> Result<()> {
    sheets::set_state_because(connection, sheet.id, SheetState::Saved, "A photo was replaced.")?;
    // The judge confirms all points once more, so that a second look is not needed any more.
    if sheet.state == SheetState::SecondLook {
        sheets::clear_second_look(connection, sheet.id)?;
    }
    let version = category.rubric_version.as_deref().unwrap_or_default();
    let line = Line::new(LineKind::Reopened, (sheet.judge_id, &sheet.code), version, at.to_owned());
    log::append(connection, &Line { actor: Some(Actor::Program.as_str().to_owned()), ..line })
}

/// Closes a judge's sheet that was not confirmed.
pub(super) fn close_sheet(
    connection: &Connection,
    (judge, nomination): (i64, i64),
    reason: &str,
) -> Result<()> {
    for sheet in sheets::of_judge(connection, judge)? {
        if sheet.nomination_id == nomination && !sheet.state.was_confirmed() {
            sheets::set_state_because(connection, sheet.id, SheetState::Conflict, reason)?;
        }
    }
    Ok(())
}

/// Why a judge may not score a nomination, for the organiser: 'Trained by this judge: 2021; Works for this judge'.
pub(super) fn relation_reasons<'a>(relations: impl IntoIterator<Item = &'a Relation>) -> String {
    let reason = |relation: &Relation| {
        let kind = match relation.kind {
            RelationKind::TrainedBy => "Trained by this judge",
            RelationKind::WorksFor => "Works for this judge",
            RelationKind::RelatedTo => "Related to this judge",
        };
        match &relation.note {
            Some(note) => format!("{kind}: {note}"),
            None => kind.to_owned(),
        }
    };
    relations.into_iter().map(reason).collect::<Vec<_>>().join("; ")
}
