//! Conflicts, because of which a judge does not score a nomination: adding one, and removing one that was a mistake.

use rusqlite::Connection;

use super::assignment::{assign_sheets, cannot_score, close_sheet};
use super::panel::require_unsealed;
use super::supervision::{self, SheetKey};
use super::{checked_reason, judges, rubric};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::judges::{self as stored_judges, Judge};
use crate::store::judging::log::{self, Line, LineKind};
use crate::store::judging::panels::{self, ConflictSource, Member, PanelRole};
use crate::store::judging::relations;
use crate::store::judging::sheets::{self, Sheet, SheetState};
use crate::store::portal::nominations;
use crate::time;

/// Adds a conflict that an organiser found.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]: no reason, no such code, or the judge is not in the panel. [`Error::Conflict`]: the
/// sheet is confirmed. [`Error::Closed`].
pub fn add(app: &App, actor: &Actor, key: &SheetKey, reason: &str) -> Result<()> {
    let reason = checked_reason(reason)?;
    app.store.write(|connection| {
        let (category, _, nomination) = find_members(connection, key)?;
        let source = ConflictSource::Organiser;
        insert(connection, &category, (key.judge, nomination), source, &reason)?;
        supervision::record_action(connection, actor, "judging conflict added", key)
    })
}

/// The subcategory, the member of its panel, and the nomination's id.
fn find_members(connection: &Connection, key: &SheetKey) -> Result<(Category, Member, i64)> {
    let category =
        categories::find(connection, &key.category, &key.sub_category)?.ok_or_else(rubric::unknown)?;
    require_unsealed(&category)?;
    let members = panels::members(connection, category.id)?;
    let member = members.into_iter().find(|member| member.judge_id == key.judge);
    let member = member.ok_or_else(|| Error::field("judge", "This judge is not in the panel"))?;
    let all = nominations::of_category(connection, &key.category, &key.sub_category)?;
    let nomination = all.iter().find(|nomination| nomination.code == key.code);
    let nomination = nomination.ok_or_else(|| Error::field("code", "No nomination here has this code"))?;
    Ok((category, member, nomination.id))
}

/// Stores a conflict within a transaction. A sheet that was begun is closed.
///
/// # Errors
/// [`Error::Conflict`]: the sheet is confirmed.
pub(super) fn insert(
    connection: &Connection,
    category: &Category,
    (judge, nomination): (i64, i64),
    source: ConflictSource,
    reason: &str,
) -> Result<()> {
    let at = time::stored(time::now());
    let is_confirmed = |sheet: &&Sheet| sheet.nomination_id == nomination && sheet.state.was_confirmed();
    if let Some(sheet) = sheets::of_judge(connection, judge)?.iter().find(is_confirmed) {
        let first = match sheet.state {
            SheetState::SecondLook => "Take the second look back first, then reopen the sheet.",
            _ => "Reopen the sheet first.",
        };
        return Err(Error::Conflict(format!("This judge has confirmed {}. {first}", sheet.code)));
    }
    close_sheet(connection, (judge, nomination), reason)?;
    panels::insert_conflict(connection, (judge, nomination), source, reason, &at)?;
    assign_sheets(connection, category)
}

/// Requires that a member of the panel other than this judge can score a nomination.
///
/// # Errors
/// [`Error::Conflict`]: nobody else can.
pub(super) fn require_another(
    connection: &Connection,
    category: &Category,
    (judge, nomination): (i64, i64),
) -> Result<()> {
    let conflicts = panels::conflicts(connection, &category.category, &category.sub_category)?;
    let sheets = sheets::of_category(connection, &category.category, &category.sub_category)?;
    let can_score = |member: &Member| {
        let other = member.judge_id;
        let own = sheets.iter().find(|sheet| (sheet.judge_id, sheet.nomination_id) == (other, nomination));
        other != judge
            && !conflicts.iter().any(|conflict| conflict.is_between(other, nomination))
            && !cannot_score(member.is_removed, own)
    };
    if panels::members(connection, category.id)?.iter().any(can_score) {
        return Ok(());
    }
    Err(Error::Conflict(
        "Nobody would be left to judge this nomination. Add a judge or a reserve to the panel first.".into(),
    ))
}

/// Lets a judge score a nomination after all. The sheet is open or saved again, as it was before. The sheet of a
/// reserve who has not begun is deleted. What the competitor declared about this judge no longer counts for this nomination.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]: no reason, no such code, or no such conflict. [`Error::Conflict`]: the judge and the
/// competitor still have details in common. [`Error::Closed`].
pub fn remove(app: &App, actor: &Actor, key: &SheetKey, reason: &str) -> Result<()> {
    let reason = checked_reason(reason)?;
    let content = app.content();
    app.store.write(|connection| {
        let (stored, member, nomination) = find_members(connection, key)?;
        let has_conflict = panels::conflicts(connection, &key.category, &key.sub_category)?
            .iter()
            .any(|conflict| conflict.is_between(key.judge, nomination));
        let closed = own_sheet(connection, key.judge, nomination)?.filter(|sheet| sheet.state.is_out());
        if !has_conflict && closed.is_none() {
            return Err(Error::field("code", "This judge has no conflict with this nomination"));
        }
        if let Some(judge) = stored_judges::get(connection, key.judge)? {
            reject_sources(connection, &judge, (nomination, &key.code))?;
        }
        panels::delete_conflict(connection, (key.judge, nomination))?;
        sheets::delete_open_replacements_for(connection, nomination, key.judge)?;
        if let Some(sheet) = closed {
            let in_force = rubric::in_force(&content, Some(&stored), &key.category, &key.sub_category)?;
            restore_sheet(connection, &sheet, member.role, &in_force.version, actor)?;
        }
        assign_sheets(connection, &stored)?;
        // The reason stays on the sheet, as when it is reopened: the logs have no texts, which may name somebody.
        if let Some(sheet) = own_sheet(connection, key.judge, nomination)? {
            sheets::set_state_because(connection, sheet.id, sheet.state, &reason)?;
        }
        supervision::record_action(connection, actor, "judging conflict removed", key)
    })
}

fn own_sheet(connection: &Connection, judge: i64, nomination: i64) -> Result<Option<Sheet>> {
    let own = sheets::of_judge(connection, judge)?;
    Ok(own.into_iter().find(|sheet| sheet.nomination_id == nomination))
}

/// Rejects, for this nomination, each relation that would cause the same conflict again.
fn reject_sources(connection: &Connection, judge: &Judge, (nomination, code): (i64, &str)) -> Result<()> {
    let entrants = stored_judges::entrants(connection)?;
    let Some(entrant) = entrants.iter().find(|entrant| entrant.nomination_id == nomination) else {
        return Ok(());
    };
    if let Some(shared) = judges::in_common(judge, entrant) {
        return Err(Error::Conflict(format!(
            "{} has the same {shared} as this competitor, so the conflict stays. Correct it first, if it is wrong.",
            judge.name
        )));
    }
    for relation in relations::of_person(connection, &entrant.email)? {
        let is_rejected = relation.rejected_for.iter().any(|rejected| rejected == code);
        if judges::is_called(judge, &relation.judge) && !is_rejected {
            relations::set_answer(connection, (&entrant.email, &relation), Some(code), "")?;
        }
    }
    Ok(())
}

/// Restores a closed sheet. It is open or saved afterwards, never confirmed.
fn restore_sheet(
    connection: &Connection,
    sheet: &Sheet,
    role: PanelRole,
    version: &str,
    actor: &Actor,
) -> Result<()> {
    let state = if sheet.saved_at.is_some() { SheetState::Saved } else { SheetState::Open };
    sheets::set_state(connection, sheet.id, state)?;
    let line =
        Line::new(LineKind::Reopened, (sheet.judge_id, &sheet.code), version, time::stored(time::now()));
    log::append(connection, &Line { actor: Some(actor.as_str().to_owned()), ..line })?;
    // A reserve's sheets that were not begun are assigned again where they are needed.
    if let Some(replaced) = sheet.replaces {
        sheets::delete_open_replacements_for(connection, sheet.nomination_id, replaced)?;
    }
    if role == PanelRole::Reserve {
        sheets::delete_if_open(connection, sheet.id)?;
    }
    Ok(())
}
