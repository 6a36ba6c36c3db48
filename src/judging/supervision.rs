//! What a head judge and the organiser do with another person's sheet: reopen it, or ask for a second look.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::json;

use super::access::{Judge, require_terms};
use super::scoring::Opened;
use super::{panel, reason, rubric, work};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::site::content::Content;
use crate::store::audit;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::log::{self, LineKind};
use crate::store::judging::panels::{self, Role};
use crate::store::judging::sheets::{self, Sheet, SheetState};
use crate::time;

/// Which sheet an organiser or a head judge means.
#[derive(Debug, Clone)]
pub struct Named {
    pub category: String,
    pub sub_category: String,
    pub judge: i64,
    pub code: String,
}

impl Named {
    pub(super) fn open(&self, connection: &Connection, content: &Content) -> Result<Opened> {
        open_of(connection, content, (&self.category, &self.sub_category), (self.judge, &self.code))
    }
}

fn open_of(
    connection: &Connection,
    content: &Content,
    (category, sub_category): (&str, &str),
    (judge, code): (i64, &str),
) -> Result<Opened> {
    let stored = categories::find(connection, category, sub_category)?.ok_or_else(rubric::unknown)?;
    let all = sheets::of_category(connection, category, sub_category)?;
    let sheet = all.into_iter().find(|sheet| sheet.judge_id == judge && sheet.code == code);
    let sheet = sheet.ok_or_else(|| Error::field("code", "This judge has no sheet for this code"))?;
    let in_force = rubric::in_force(content, Some(&stored), category, sub_category)?;
    Ok(Opened { sheet, category: stored, in_force })
}

/// Adds a line to the audit log.
pub(super) fn record_action(
    connection: &Connection,
    actor: &Actor,
    action: &str,
    named: &Named,
) -> Result<()> {
    let line = audit::Line { actor, action, subject: None };
    let detail = json!({ "judge": named.judge, "code": named.code });
    audit::insert_with(connection, &time::stored(time::now()), &line, &detail)
}

/// Reopens a confirmed sheet.
///
/// # Errors
/// [`Error::Invalid`]: no reason, or no such sheet. [`Error::Conflict`]: it is not confirmed. [`Error::Closed`].
pub fn reopen(app: &App, actor: &Actor, named: Named, why: &str) -> Result<()> {
    let why = reason(why)?;
    let (content, actor) = (app.content(), actor.clone());
    app.store.write(move |connection| {
        let opened = named.open(connection, &content)?;
        reopen_in(connection, &opened, actor.as_str(), &why)?;
        record_action(connection, &actor, "score sheet reopened", &named)
    })
}

fn reopen_in(connection: &Connection, opened: &Opened, actor: &str, why: &str) -> Result<()> {
    panel::require_unsealed(&opened.category)?;
    if opened.sheet.state != SheetState::Confirmed {
        return Err(Error::Conflict(format!("{} is not confirmed by this judge.", opened.sheet.code)));
    }
    let category = &opened.category;
    let has_conflict = panels::conflicts(connection, &category.category, &category.sub_category)?
        .iter()
        .any(|one| (one.judge_id, one.nomination_id) == (opened.sheet.judge_id, opened.sheet.nomination_id));
    if has_conflict {
        return Err(Error::Conflict(format!(
            "This judge has a conflict with {}, so the sheet does not count. Remove the conflict first.",
            opened.sheet.code
        )));
    }
    sheets::set_state(connection, opened.sheet.id, SheetState::Saved, Some(why))?;
    // The reason stays on the sheet: the log has no texts, which may name somebody.
    let mut line = opened.line(LineKind::Reopened, None);
    line.actor = Some(actor.to_owned());
    log::append(connection, &line)
}

/// Like [`reopen`], when the head judge asks for it.
///
/// # Errors
/// Those of [`reopen`]; [`Error::TermsRequired`]; [`Error::Forbidden`]: the judge is not the head of this competition, or does
/// not score this nomination.
pub fn reopen_as_head(app: &App, judge: &Judge, named: Named, why: &str) -> Result<()> {
    require_terms(judge)?;
    let why = reason(why)?;
    let (content, judge) = (app.content(), judge.clone());
    app.store.write(move |connection| {
        let stored = categories::find(connection, &named.category, &named.sub_category)?;
        let stored = stored.ok_or_else(rubric::unknown)?;
        require_head(connection, &stored, &judge)?;
        work::require_scored(connection, &judge, &stored, std::slice::from_ref(&named.code))?;
        let opened = named.open(connection, &content)?;
        reopen_in(connection, &opened, &format!("judge {}", judge.id), &why)
    })
}

/// # Errors
/// [`Error::Forbidden`].
pub(super) fn require_head(connection: &Connection, category: &Category, judge: &Judge) -> Result<()> {
    let members = panels::members(connection, category.id)?;
    if members.iter().any(|member| member.judge_id == judge.id && member.role == Role::Head) {
        return Ok(());
    }
    Err(Error::Forbidden("Only the head judge of this competition can do this.".into()))
}

/// Asks a judge for a second look at a confirmed sheet.
///
/// # Errors
/// Those of [`reopen`].
pub fn ask_second_look(app: &App, actor: &Actor, named: Named) -> Result<()> {
    let (content, actor) = (app.content(), actor.clone());
    app.store.write(move |connection| {
        let opened = named.open(connection, &content)?;
        panel::require_unsealed(&opened.category)?;
        if opened.sheet.state != SheetState::Confirmed {
            return Err(Error::Conflict(format!("{} is not confirmed by this judge.", named.code)));
        }
        sheets::set_state(connection, opened.sheet.id, SheetState::SecondLook, None)?;
        sheets::set_second_look(connection, opened.sheet.id, Some("asked"), None)?;
        let mut line = opened.line(LineKind::SecondLook, Some("asked"));
        line.actor = Some(actor.as_str().to_owned());
        log::append(connection, &line)?;
        record_action(connection, &actor, "second look asked", &named)
    })
}

/// Takes the request for a second look back: the sheet is confirmed again, with its points.
///
/// # Errors
/// [`Error::Invalid`]: no such sheet. [`Error::Conflict`]: no second look is asked. [`Error::Closed`].
pub fn cancel_second_look(app: &App, actor: &Actor, named: Named) -> Result<()> {
    let (content, actor) = (app.content(), actor.clone());
    app.store.write(move |connection| {
        let opened = named.open(connection, &content)?;
        panel::require_unsealed(&opened.category)?;
        if opened.sheet.state != SheetState::SecondLook {
            return Err(Error::Conflict("No second look is asked for this sheet.".into()));
        }
        sheets::set_state(connection, opened.sheet.id, SheetState::Confirmed, None)?;
        sheets::set_second_look(connection, opened.sheet.id, None, None)?;
        let mut line = opened.line(LineKind::SecondLook, Some("cancelled"));
        line.actor = Some(actor.as_str().to_owned());
        log::append(connection, &line)?;
        record_action(connection, &actor, "second look cancelled", &named)
    })
}

/// The confirmed sheets of the competitions that a judge heads, for reopening: judge, name, code and state.
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
        let of_judge = panels::of_judge(connection, judge.id)?;
        let heads: BTreeSet<i64> =
            of_judge.into_iter().filter(|(_, role)| *role == Role::Head).map(|(id, _)| id).collect();
        let mut found = HeadPanel { categories: Vec::new() };
        for category in categories::all(connection)?.into_iter().filter(|one| heads.contains(&one.id)) {
            let members = panels::members(connection, category.id)?;
            let name = |id: i64| {
                members.iter().find(|one| one.judge_id == id).map(|one| one.name.clone()).unwrap_or_default()
            };
            let all = sheets::of_category(connection, &category.category, &category.sub_category)?;
            // What the head judge does not score, somebody else's sheet must not show.
            let scored = work::scored_codes(connection, judge, &category)?;
            // Nor who has a conflict with which code.
            let is_listed = |sheet: &Sheet| scored.contains(&sheet.code) && sheet.state.was_confirmed();
            let sheets = all.into_iter().filter(is_listed).map(|sheet| HeadSheet {
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
