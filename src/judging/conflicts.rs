//! Takes back a conflict or an abstention that was a mistake.

use rusqlite::Connection;

use super::supervision::{self, Named};
use super::{judges, panel, reason, rubric};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::judging::categories;
use crate::store::judging::judges::{self as stored_judges, Judge};
use crate::store::judging::log::{self, Line, LineKind};
use crate::store::judging::panels::{self, Role};
use crate::store::judging::relations;
use crate::store::judging::sheets::{self, Sheet, SheetState};
use crate::store::portal::nominations;
use crate::time;

/// Lets a judge score a nomination after all. The sheet is open or saved again, as it was before. The sheet of a
/// reserve who has not begun is deleted. What the competitor declared about this judge is deleted.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]: no reason, no such code, or no such conflict. [`Error::Conflict`]: the judge and the
/// competitor still have details in common. [`Error::Closed`].
pub fn remove(app: &App, actor: &Actor, named: Named, why: &str) -> Result<()> {
    let why = reason(why)?;
    let (content, actor) = (app.content(), actor.clone());
    app.store.write(move |connection| {
        let (category, sub_category) = (named.category.as_str(), named.sub_category.as_str());
        let stored = categories::find(connection, category, sub_category)?.ok_or_else(rubric::unknown)?;
        panel::require_unsealed(&stored)?;
        let members = panels::members(connection, stored.id)?;
        let Some(member) = members.iter().find(|member| member.judge_id == named.judge) else {
            return Err(Error::field("judge", "This judge is not in the panel"));
        };
        let all = nominations::of_category(connection, category, sub_category)?;
        let Some(nomination) = all.iter().find(|one| one.code == named.code).map(|one| one.id) else {
            return Err(Error::field("code", "No nomination here has this code"));
        };
        let has_conflict = panels::conflicts(connection, category, sub_category)?
            .iter()
            .any(|one| (one.judge_id, one.nomination_id) == (named.judge, nomination));
        let closed = own_sheet(connection, named.judge, nomination)?.filter(|sheet| sheet.state.is_out());
        if !has_conflict && closed.is_none() {
            return Err(Error::field("code", "This judge has no conflict with this nomination"));
        }
        if let Some(judge) = stored_judges::get(connection, named.judge)? {
            remove_sources(connection, &judge, nomination)?;
        }
        panels::delete_conflict(connection, (named.judge, nomination))?;
        sheets::delete_open_replacements_for(connection, nomination, named.judge)?;
        if let Some(sheet) = closed {
            let version = rubric::in_force(&content, Some(&stored), category, sub_category)?.version;
            restore_sheet(connection, &sheet, member.role, &version, &actor)?;
        }
        panel::assign_sheets(connection, &stored)?;
        // As with reopened sheets: the logs have no texts, which may name somebody.
        if let Some(sheet) = own_sheet(connection, named.judge, nomination)? {
            sheets::set_state(connection, sheet.id, sheet.state, Some(&why))?;
        }
        supervision::record_action(connection, &actor, "judging conflict removed", &named)
    })
}

fn own_sheet(connection: &Connection, judge: i64, nomination: i64) -> Result<Option<Sheet>> {
    let own = sheets::of_judge(connection, judge)?;
    Ok(own.into_iter().find(|sheet| sheet.nomination_id == nomination))
}

/// Removes the declaration or relation that would cause the same conflict again.
fn remove_sources(connection: &Connection, judge: &Judge, nomination: i64) -> Result<()> {
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
        if judges::is_called(judge, &relation.judge) {
            relations::delete_of_person(connection, &entrant.email, &relation.judge)?;
        }
    }
    Ok(())
}

/// Sets a closed sheet back to what it was. It is never confirmed by that.
fn restore_sheet(
    connection: &Connection,
    sheet: &Sheet,
    role: Role,
    version: &str,
    actor: &Actor,
) -> Result<()> {
    let state = if sheet.saved_at.is_some() { SheetState::Saved } else { SheetState::Open };
    sheets::set_state(connection, sheet.id, state, None)?;
    let of = (sheet.judge_id, sheet.code.as_str());
    let line = Line::new(LineKind::Reopened, of, version, time::stored(time::now()));
    log::append(connection, &Line { actor: Some(actor.as_str().to_owned()), ..line })?;
    // A reserve's sheets that were not begun are given out again where they are needed.
    if let Some(replaced) = sheet.replaces {
        sheets::delete_open_replacements_for(connection, sheet.nomination_id, replaced)?;
    }
    if role == Role::Reserve {
        sheets::delete_if_open(connection, sheet.id)?;
    }
    Ok(())
}
