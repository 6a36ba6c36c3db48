//! Sheets that judges filled in on paper: one person types them in, a second one compares them with the paper.

use super::scoring::{Change, Opened, Value};
use super::sheet::Values;
use super::supervision::{Named, record_action};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, token};
use crate::store::judging::sheets::{self, SheetState};

/// What stands on a sheet of paper.
#[derive(Debug, Clone, Default)]
pub struct Paper {
    pub scores: Vec<(String, f64)>,
    pub penalties: Vec<(String, f64)>,
    pub comment: Option<String>,
}

/// What was typed in from a paper sheet, for the second person, who compares it with the paper.
#[derive(Debug)]
pub struct Typed {
    pub by: String,
    /// When, which tells whether it is still what the second person compared.
    pub saved_at: Option<String>,
    pub values: Values,
    pub comment: String,
}

/// # Errors
/// [`Error::NotFound`]: nothing was typed in, or it is verified. [`Error::Invalid`]: no such sheet.
pub fn typed(app: &App, named: &Named) -> Result<Typed> {
    let content = app.content();
    app.store.read(|connection| {
        let Opened { sheet, .. } = named.open(connection, &content)?;
        let by = sheet.paper_by.filter(|_| sheet.state == SheetState::Saved);
        let by =
            by.ok_or_else(|| Error::NotFound("No paper sheet is waiting to be verified here.".into()))?;
        let values = Values::read(connection, sheet.judge_id, &sheet.code)?;
        Ok(Typed { by, saved_at: sheet.saved_at, values, comment: sheet.comment })
    })
}

/// Types in a sheet of paper. A second person verifies it.
///
/// # Errors
/// Those of [`super::scoring::save`].
pub fn type_in(app: &App, actor: &Actor, named: Named, paper: Paper) -> Result<()> {
    let (content, actor) = (app.content(), actor.clone());
    app.store.write(move |connection| {
        let opened = named.open(connection, &content)?;
        opened.require_open()?;
        let scores = paper.scores.into_iter().map(|(criterion, points)| Value::Points { criterion, points });
        let penalties =
            paper.penalties.into_iter().map(|(penalty, points)| Value::Penalty { penalty, points });
        let comment = paper.comment.into_iter().map(|text| Value::Comment { text });
        let change = |value| Change { id: token::short(), value, at: None, device: Some("paper".into()) };
        let changes: Vec<Change> = scores.chain(penalties).chain(comment).map(change).collect();
        opened.apply_all(connection, &changes, Some(actor.as_str()), || Ok(()))?;
        sheets::set_paper(connection, opened.sheet.id, Some(actor.as_str()))?;
        record_action(connection, &actor, "score sheet typed in", &named)
    })
}

/// Confirms a sheet that somebody else typed in from paper. `compared`: the [`Typed::saved_at`] of what was compared.
///
/// # Errors
/// Those of [`super::scoring::confirm`]; [`Error::Conflict`] if the same person typed it in, or nobody did, or it was changed
/// since.
pub fn verify_typed(app: &App, actor: &Actor, named: Named, compared: Option<String>) -> Result<()> {
    let (content, actor) = (app.content(), actor.clone());
    app.store.write(move |connection| {
        let opened = named.open(connection, &content)?;
        opened.require_open()?;
        match opened.sheet.paper_by.as_deref() {
            None => return Err(Error::Conflict("Nobody has typed in this sheet.".into())),
            Some(by) if by == actor.as_str() => {
                let message = "You typed this sheet in, so a second person has to verify it. Sign in with another account.";
                return Err(Error::Conflict(message.into()));
            }
            Some(_) if compared.is_some() && compared != opened.sheet.saved_at => {
                let message = "This sheet was changed meanwhile. Please compare it once more.";
                return Err(Error::Conflict(message.into()));
            }
            Some(_) => {}
        }
        opened.confirm(connection, Some(actor.as_str()))?;
        record_action(connection, &actor, "score sheet verified", &named)
    })
}
