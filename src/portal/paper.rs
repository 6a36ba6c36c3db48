//! A release that the model signed on paper: the competitor sends a photo of it, and the organiser confirms it.

use serde_json::json;

use super::organiser::{self, NominationView};
use super::own;
use super::releases::is_name;
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::model::{Actor, Expected, NominationState};
use crate::store::portal::nominations;
use crate::store::portal::releases::{self, Signature};
use crate::time;

/// What the organiser reads on the paper.
#[derive(Debug, Clone)]
pub struct PaperRelease {
    /// The model's.
    pub name: String,
    pub adult: bool,
    /// Who signed for a model under age.
    pub guardian: Option<String>,
}

/// Confirms the release of a nomination from the photo of a paper. A second time changes nothing.
///
/// # Errors
/// [`Error::NotFound`]: there is no such nomination, or no paper. [`Error::Invalid`]: a name is missing.
/// [`Error::Changed`]: it is not the expected version. [`Error::Conflict`]: it is not handed in, so the photo may still be
/// replaced.
pub fn confirm(
    app: &App,
    actor: &Actor,
    id: i64,
    paper: PaperRelease,
    expected: &Expected,
) -> Result<NominationView> {
    let errors = errors_of(&paper);
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let signature = Signature {
        version: String::new(),
        text: String::new(),
        name: paper.name.trim().to_owned(),
        adult: paper.adult,
        guardian: paper.guardian.map(|name| name.trim().to_owned()).filter(|_| !paper.adult),
        signature: String::new(),
        confirmed_by: Some(actor.as_str().to_owned()),
    };
    let (content, now) = (app.content(), time::now());
    app.store.write(|connection| {
        let nomination = nominations::get(connection, id)?.ok_or_else(organiser::unknown)?;
        let own = own::view(connection, &content, nomination, now)?;
        if own.release.signed_at.is_some() {
            return Ok(());
        }
        expected.require(&own.version())?;
        if own.paper.medium.is_none() {
            return Err(Error::NotFound("There is no photo of a signed paper.".into()));
        }
        let nomination = &own.nomination;
        if nomination.state != NominationState::HandedIn {
            let code = &nomination.code;
            return Err(Error::Conflict(format!(
                "{code} is not handed in, so its paper cannot be confirmed yet."
            )));
        }
        releases::sign(connection, &own.release.key, &signature, &time::stored(now))?;
        let detail = json!({ "code": nomination.code });
        organiser::record(connection, actor, nomination, "release confirmed", None, &detail)
    })?;
    organiser::get(app, id)
}

fn errors_of(paper: &PaperRelease) -> FieldErrors {
    let mut errors = FieldErrors::new();
    if !is_name(&paper.name) {
        errors.insert("name".into(), "Please enter the model's name".into());
    }
    if !paper.adult && !is_name(paper.guardian.as_deref().unwrap_or_default()) {
        errors.insert("guardian".into(), "Please enter the name of the parent or guardian".into());
    }
    errors
}
