//! The panel of a subcategory: its judges, the head judge and the reserves.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::json;

use super::assignment::assign_sheets;
use super::{judges, rubric};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::audit;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::judges as stored_judges;
use crate::store::judging::panels::{self, Member, PanelRole};
use crate::store::judging::sheets::{self, Sheet, SheetState};

/// The judges of a subcategory as the organiser chose them.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    pub judges: Vec<i64>,
    pub head: Option<i64>,
    pub reserves: Vec<i64>,
}

/// Sets the panel of a subcategory and assigns its sheets.
///
/// # Errors
/// [`Error::NotFound`]: it is not judged. [`Error::Invalid`]: a judge is unknown, named twice or an entrant, or nobody is
/// the head. [`Error::Conflict`]: somebody who has begun to score is left out, or becomes a reserve. [`Error::Closed`]: it is sealed.
pub fn set(app: &App, actor: &Actor, category: &str, sub_category: &str, panel: &Panel) -> Result<()> {
    let content = app.content();
    app.store.write(|connection| {
        let stored = categories::find(connection, category, sub_category)?;
        // Fails if the subcategory is not judged.
        rubric::in_force(&content, stored.as_ref(), category, sub_category)?;
        let stored = categories::ensure(connection, category, sub_category)?;
        require_unsealed(&stored)?;
        let former_members = panels::members(connection, stored.id)?;
        let members = checked_members(connection, panel, &former_members)?;
        let all = sheets::of_category(connection, category, sub_category)?;
        require_no_entrant(connection, &members, &former_members)?;
        for former in former_members {
            let role = members.iter().find(|(id, _)| *id == former.judge_id).map(|(_, role)| *role);
            let becomes_reserve = role == Some(PanelRole::Reserve) && former.role != PanelRole::Reserve;
            if role.is_some() && !becomes_reserve {
                continue;
            }
            let has_begun = |sheet: &&Sheet| {
                sheet.judge_id == former.judge_id
                    && sheet.state != SheetState::Open
                    && !sheet.state.is_out()
                    // A reserve keeps the sheets of those for whom they stepped in.
                    && !(becomes_reserve && sheet.replaces.is_some())
            };
            if let Some(sheet) = all.iter().find(has_begun) {
                let consequence =
                    if becomes_reserve { "cannot become a reserve" } else { "stay in the panel" };
                let message =
                    format!("{} has begun to score ({}), so they {consequence}.", former.name, sheet.code);
                return Err(Error::Conflict(message));
            }
            sheets::delete_open(connection, former.judge_id, (category, sub_category))?;
        }
        panels::replace(connection, stored.id, &members)?;
        sheets::update_replacements(connection, stored.id, (category, sub_category))?;
        let ids: Vec<i64> = members.iter().map(|(id, _)| *id).collect();
        let detail =
            json!({ "category": category, "subCategory": sub_category, "judges": ids, "head": panel.head });
        audit::record(connection, actor, "panel set", &detail)?;
        assign_sheets(connection, &stored)
    })
}

/// The members of a panel with their roles. A judge who was removed or erased may stay: their scores may count.
fn checked_members(
    connection: &Connection,
    panel: &Panel,
    former_members: &[Member],
) -> Result<Vec<(i64, PanelRole)>> {
    let mut known: BTreeSet<i64> =
        stored_judges::all(connection)?.into_iter().map(|judge| judge.id).collect();
    known.extend(former_members.iter().map(|member| member.judge_id));
    let mut taken = BTreeSet::new();
    let mut members = Vec::new();
    for (field, ids) in [("judges", &panel.judges), ("reserves", &panel.reserves)] {
        for id in ids {
            if !known.contains(id) {
                return Err(Error::field(field, &format!("There is no judge {id}")));
            }
            if !taken.insert(*id) {
                return Err(Error::field(field, &format!("Judge {id} is there twice")));
            }
            let role = match field {
                "reserves" => PanelRole::Reserve,
                _ if panel.head == Some(*id) => PanelRole::Head,
                _ => PanelRole::Judge,
            };
            members.push((*id, role));
        }
    }
    if panel.judges.is_empty() {
        return Err(Error::field("judges", "Please choose at least one judge"));
    }
    if !members.iter().any(|(_, role)| *role == PanelRole::Head) {
        return Err(Error::field("head", "Please choose one of the judges as the head judge"));
    }
    Ok(members)
}

/// Nobody who competes can join. A judge who is on the panel already may stay: their scores may count.
fn require_no_entrant(
    connection: &Connection,
    members: &[(i64, PanelRole)],
    former_members: &[Member],
) -> Result<()> {
    let entrants = stored_judges::entrants(connection)?;
    for (id, role) in
        members.iter().filter(|(id, _)| former_members.iter().all(|member| member.judge_id != *id))
    {
        let judge = stored_judges::get(connection, *id)?;
        if let Some(judge) = judge.filter(|judge| judges::is_entrant(judge, &entrants)) {
            let field = if *role == PanelRole::Reserve { "reserves" } else { "judges" };
            let message = format!("{} has an entry: {}", judge.name, judges::JUDGE_CANNOT_COMPETE);
            return Err(Error::field(field, &message));
        }
    }
    Ok(())
}

/// Fails with [`Error::Closed`] if the results are sealed.
pub(super) fn require_unsealed(stored: &Category) -> Result<()> {
    if stored.sealed_at.is_none() {
        return Ok(());
    }
    Err(Error::Closed("This competition is sealed. The organizer can reopen it with a reason.".into()))
}
