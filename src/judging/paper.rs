//! Sheets that judges filled in on paper: one person types them in, a second person compares them with the paper.

use serde::Serialize;

use super::scoring::{Change, Scored};
use super::sheet_values::Values;
use super::supervision::{SheetKey, record_action};
use super::work::{OwnPenalty, OwnScore};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, token};
use crate::store::judging::sheets::{self, SheetState};

/// What was typed in from a paper sheet, for the second person, who compares it with the paper.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TypedSheet {
    pub judge: i64,
    pub code: String,
    pub typed_by: String,
    /// Tells whether the sheet is still what the second person compared.
    pub saved_at: Option<String>,
    pub comment: String,
    pub scores: Vec<OwnScore>,
    pub penalties: Vec<OwnPenalty>,
}

/// # Errors
/// [`Error::NotFound`]: nothing was typed in, or it is verified. [`Error::Invalid`]: no such sheet.
pub fn typed(app: &App, key: &SheetKey) -> Result<TypedSheet> {
    let content = app.content();
    app.store.read(|connection| {
        let sheet = key.load(connection, &content)?.sheet;
        let Some(typed_by) = sheet.paper_by.filter(|_| sheet.state == SheetState::Saved) else {
            return Err(Error::NotFound("No paper sheet is waiting to be verified here.".into()));
        };
        let Values { points, penalties, .. } = Values::read(connection, sheet.judge_id, &sheet.code)?;
        let scores = points.into_iter().map(|(criterion, points)| OwnScore { criterion, points });
        let penalties = penalties.into_iter().map(|(penalty, points)| OwnPenalty { penalty, points });
        Ok(TypedSheet {
            judge: key.judge,
            code: key.code.clone(),
            typed_by,
            saved_at: sheet.saved_at,
            comment: sheet.comment,
            scores: scores.collect(),
            penalties: penalties.collect(),
        })
    })
}

/// Types in a sheet of paper. A second person verifies it.
pub fn type_in(app: &App, actor: &Actor, key: &SheetKey, values: Vec<Scored>) -> Result<()> {
    let content = app.content();
    app.store.write(|connection| {
        let loaded = key.load(connection, &content)?;
        loaded.require_open()?;
        let change = |value| Change {
            id: token::short(),
            value,
            at: None,
            device: Some("paper".into()),
            rubric_version: None,
        };
        let changes: Vec<Change> = values.into_iter().map(change).collect();
        loaded.apply_all(connection, &changes, Some(actor.as_str()), || Ok(()))?;
        sheets::set_paper(connection, loaded.sheet.id, actor.as_str())?;
        record_action(connection, actor, "score sheet typed in", key)
    })
}

/// Confirms a sheet that somebody else typed in from paper. `compared`: the [`TypedSheet::saved_at`] of what was compared.
///
/// # Errors
/// Those of [`super::scoring::confirm`]; [`Error::Conflict`] if the same person typed it in, or nobody did, or it was changed
/// since.
pub fn verify_typed(app: &App, actor: &Actor, key: &SheetKey, compared: Option<String>) -> Result<()> {
    let content = app.content();
    app.store.write(|connection| {
        let loaded = key.load(connection, &content)?;
        loaded.require_open()?;
        match loaded.sheet.paper_by.as_deref() {
            None => return Err(Error::Conflict("Nobody has typed in this sheet.".into())),
            Some(by) if by == actor.as_str() => {
                let message = "You typed this sheet in, so a second person has to verify it. Sign in with another account.";
                return Err(Error::Conflict(message.into()));
            }
            Some(_) if compared.is_some() && compared != loaded.sheet.saved_at => {
                let message = "This sheet was changed meanwhile. Please compare it once more.";
                return Err(Error::Conflict(message.into()));
            }
            Some(_) => {}
        }
        loaded.confirm(connection, Some(actor.as_str()))?;
        record_action(connection, actor, "score sheet verified", key)
    })
}
