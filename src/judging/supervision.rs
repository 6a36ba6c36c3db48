//! What a head judge and the organiser do with another person's sheet: reopen it, or ask for a second look.

use rusqlite::Connection;
use serde_json::json;

use super::access::{Judge, require_terms};
use super::scoring::LoadedSheet;
use super::{checked_reason, panel, rubric, work};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::site::content::Content;
use crate::store::audit;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::log::{self, Line, LineKind};
use crate::store::judging::panels::{self, PanelRole};
use crate::store::judging::sheets::{self, SecondLookState, Sheet, SheetState};

/// Identifies a sheet by its judge and the code of its nomination.
#[derive(Debug, Clone)]
pub struct SheetKey {
    pub category: String,
    pub sub_category: String,
    pub judge: i64,
    pub code: String,
}

impl SheetKey {
    /// # Errors
    /// [`Error::NotFound`]: the subcategory is not judged. [`Error::Invalid`]: there is no such sheet.
    pub(super) fn load(&self, connection: &Connection, content: &Content) -> Result<LoadedSheet> {
        let stored = categories::find(connection, &self.category, &self.sub_category)?;
        let category = stored.ok_or_else(rubric::unknown)?;
        let all = sheets::of_category(connection, &self.category, &self.sub_category)?;
        let sheet = all.into_iter().find(|sheet| sheet.judge_id == self.judge && sheet.code == self.code);
        let sheet = sheet.ok_or_else(|| Error::field("code", "This judge has no sheet for this code"))?;
        let in_force = rubric::in_force(content, Some(&category), &self.category, &self.sub_category)?;
        Ok(LoadedSheet { sheet, category, in_force })
    }
}

/// Adds a line to the audit log.
pub(super) fn record_action(
    connection: &Connection,
    actor: &Actor,
    action: &str,
    key: &SheetKey,
) -> Result<()> {
    let detail = json!({ "judge": key.judge, "code": key.code });
    audit::record(connection, actor, action, &detail)
}

/// Reopens a confirmed sheet.
///
/// # Errors
/// [`Error::Invalid`]: no reason, or no such sheet. [`Error::Conflict`]: it is not confirmed. [`Error::Closed`].
pub fn reopen(app: &App, actor: &Actor, key: &SheetKey, reason: &str) -> Result<()> {
    let reason = checked_reason(reason)?;
    let content = app.content();
    app.store.write(|connection| {
        let loaded = key.load(connection, &content)?;
        reopen_in(connection, &loaded, actor.as_str(), &reason)?;
        record_action(connection, actor, "score sheet reopened", key)
    })
}

fn reopen_in(connection: &Connection, loaded: &LoadedSheet, actor: &str, reason: &str) -> Result<()> {
    require_counted(connection, loaded)?;
    sheets::set_state_because(connection, loaded.sheet.id, SheetState::Saved, reason)?;
    // The reason stays on the sheet: the log has no texts, which may name somebody.
    log::append(connection, &loaded.line(LineKind::Reopened, Some(actor)))
}

/// Requires a confirmed sheet that counts, in a competition that is not sealed.
fn require_counted(connection: &Connection, loaded: &LoadedSheet) -> Result<()> {
    panel::require_unsealed(&loaded.category)?;
    if loaded.sheet.state != SheetState::Confirmed {
        return Err(Error::Conflict(format!("{} is not confirmed by this judge.", loaded.sheet.code)));
    }
    let Sheet { judge_id, nomination_id, category, sub_category, .. } = &loaded.sheet;
    let conflicts = panels::conflicts(connection, category, sub_category)?;
    if conflicts.iter().any(|conflict| conflict.is_between(*judge_id, *nomination_id)) {
        return Err(Error::Conflict(format!(
            "This judge has a conflict with {}, so the sheet does not count. Remove the conflict first.",
            loaded.sheet.code
        )));
    }
    Ok(())
}

/// Like [`reopen`], when the head judge asks for it.
///
/// # Errors
/// Those of [`reopen`]; [`Error::TermsRequired`]; [`Error::Forbidden`]: the judge is not the head of this competition, or does
/// not score this nomination.
pub fn reopen_as_head(app: &App, judge: &Judge, key: &SheetKey, reason: &str) -> Result<()> {
    require_terms(judge)?;
    let reason = checked_reason(reason)?;
    let content = app.content();
    app.store.write(|connection| {
        let stored = categories::find(connection, &key.category, &key.sub_category)?;
        let stored = stored.ok_or_else(rubric::unknown)?;
        require_head(connection, &stored, judge)?;
        work::require_scored(connection, judge, &stored, std::slice::from_ref(&key.code))?;
        let loaded = key.load(connection, &content)?;
        reopen_in(connection, &loaded, &format!("judge {}", judge.id), &reason)
    })
}

/// Fails with [`Error::Forbidden`] unless the judge is the head of this panel.
pub(super) fn require_head(connection: &Connection, category: &Category, judge: &Judge) -> Result<()> {
    let members = panels::members(connection, category.id)?;
    if members.iter().any(|member| member.judge_id == judge.id && member.role == PanelRole::Head) {
        return Ok(());
    }
    Err(Error::Forbidden("Only the head judge of this competition can do this.".into()))
}

/// Asks a judge for a second look at a confirmed sheet.
pub fn ask_second_look(app: &App, actor: &Actor, key: &SheetKey) -> Result<()> {
    let content = app.content();
    app.store.write(|connection| {
        let loaded = key.load(connection, &content)?;
        require_counted(connection, &loaded)?;
        sheets::set_state(connection, loaded.sheet.id, SheetState::SecondLook)?;
        let asked = SecondLookState::Asked;
        sheets::set_second_look(connection, loaded.sheet.id, asked, None)?;
        let line = loaded.line(LineKind::SecondLook, Some(actor.as_str()));
        log::append(connection, &Line { detail: Some(asked.to_string()), ..line })?;
        record_action(connection, actor, "second look asked", key)
    })
}

/// Takes the request for a second look back: the sheet is confirmed again, with its points.
///
/// # Errors
/// [`Error::Invalid`]: no such sheet. [`Error::Conflict`]: no second look is asked. [`Error::Closed`].
pub fn cancel_second_look(app: &App, actor: &Actor, key: &SheetKey) -> Result<()> {
    let content = app.content();
    app.store.write(|connection| {
        let loaded = key.load(connection, &content)?;
        panel::require_unsealed(&loaded.category)?;
        if loaded.sheet.state != SheetState::SecondLook {
            return Err(Error::Conflict("No second look is asked for this sheet.".into()));
        }
        sheets::set_state(connection, loaded.sheet.id, SheetState::Confirmed)?;
        sheets::clear_second_look(connection, loaded.sheet.id)?;
        let line = loaded.line(LineKind::SecondLook, Some(actor.as_str()));
        log::append(connection, &Line { detail: Some("cancelled".into()), ..line })?;
        record_action(connection, actor, "second look cancelled", key)
    })
}

/// The confirmed sheets of the competitions that a judge heads. The judge may reopen them.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadPanel {
    pub categories: Vec<HeadCategory>,
}

#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadCategory {
    pub category: String,
    pub sub_category: String,
    pub label: String,
    pub sheets: Vec<HeadSheet>,
}

#[derive(Debug, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadSheet {
    pub judge: i64,
    pub name: String,
    pub code: String,
    #[cfg_attr(test, ts(type = "string"))]
    pub state: SheetState,
}

pub fn head_panel(app: &App, judge: &Judge) -> Result<HeadPanel> {
    let content = app.content();
    app.store.read(|connection| {
        let mut found = HeadPanel { categories: Vec::new() };
        for (category, role) in work::categories_of(connection, judge)? {
            if role != PanelRole::Head {
                continue;
            }
            let members = panels::members(connection, category.id)?;
            let name = |id: i64| {
                let member = members.iter().find(|member| member.judge_id == id);
                member.map(|member| member.name.clone()).unwrap_or_default()
            };
            let mut all = sheets::of_category(connection, &category.category, &category.sub_category)?;
            // Another judge's sheet must show neither the codes that the head judge does not score, nor who has a conflict.
            let scored = work::scored_codes(connection, judge, &category)?;
            all.retain(|sheet| scored.contains(&sheet.code) && sheet.state.was_confirmed());
            let sheets = all.into_iter().map(|sheet| HeadSheet {
                name: name(sheet.judge_id),
                judge: sheet.judge_id,
                code: sheet.code,
                state: sheet.state,
            });
            found.categories.push(HeadCategory {
                label: content.nomination(&category.category, &category.sub_category),
                sheets: sheets.collect(),
                category: category.category,
                sub_category: category.sub_category,
            });
        }
        Ok(found)
    })
}
