//! The model's release: read and signed on the model's own phone, with the link that the competitor shows, or signed on paper.

use rusqlite::Connection;
use serde_json::json;

use super::organiser::{self, NominationView};
use super::own;
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms;
use crate::model::{Actor, Expected, NominationState, RELEASE_SLOT, token};
use crate::store::portal::media;
use crate::store::portal::nominations;
use crate::store::portal::releases::{self, Signature};
use crate::time;

/// In characters.
const MAX_NAME_LENGTH: usize = 200;
/// A drawn signature is longer than a typed one.
const MAX_SIGNATURE_LENGTH: usize = 20_000;

/// What the model reads.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReleaseText {
    pub text: String,
    pub version: String,
    #[serde(rename = "signed")]
    pub is_signed: bool,
}

/// What the model sends, or what the organiser reads on a paper, which has only the first three.
#[derive(Debug, Clone, Default)]
pub struct ReleaseForm {
    /// The model's.
    pub name: String,
    pub adult: bool,
    /// Who signs for a model under age.
    pub guardian: Option<String>,
    /// Typed, or drawn as SVG path data.
    pub signature: String,
    pub accepted: bool,
    pub version: String,
}

/// Creates the release of a nomination.
pub fn create(connection: &Connection, nomination_id: i64) -> Result<()> {
    releases::insert(connection, nomination_id, &token::short())
}

/// The text that a model signs.
///
/// # Errors
/// [`Error::NotFound`]: the link is wrong.
pub fn text(app: &App, key: &str) -> Result<ReleaseText> {
    let found = app.store.read(|connection| releases::by_key(connection, key))?.ok_or_else(unknown)?;
    let signed = app.store.read(|connection| releases::signed(connection, found.nomination_id))?;
    // The text as it was signed, also if it has been changed since. A release on paper has none; the current one is shown.
    if let Some(signed) = signed.filter(|signed| !signed.signature.is_on_paper()) {
        let Signature { text, version, .. } = signed.signature;
        return Ok(ReleaseText { text, version, is_signed: true });
    }
    let release = &app.content().portal.release;
    let is_signed = found.signed_at.is_some();
    Ok(ReleaseText { text: release.text.clone(), version: release.version.clone(), is_signed })
}

/// Signs a release. A second time changes nothing. A photo of a paper is then no longer needed, and is deleted.
///
/// # Errors
/// [`Error::NotFound`]: the link is wrong. [`Error::Invalid`] names what is missing. [`Error::Conflict`]: the text has
/// changed since it was read.
pub fn sign(app: &App, key: &str, form: ReleaseForm) -> Result<()> {
    let found = app.store.read(|connection| releases::by_key(connection, key))?.ok_or_else(unknown)?;
    if found.signed_at.is_some() {
        return Ok(());
    }
    let mut errors =
        name_errors(&form, "Please enter your name", "Please enter the name of your parent or guardian");
    if !is_visible_text(&form.signature, MAX_SIGNATURE_LENGTH) {
        errors.insert("signature".into(), "Please sign".into());
    }
    if !form.accepted {
        errors.insert("accepted".into(), "Please confirm that you agree".into());
    }
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let content = app.content();
    let release = &content.portal.release;
    if form.version.trim() != release.version {
        return Err(Error::Conflict(
            "The text has changed since you opened this page. Please reload it and read it again.".into(),
        ));
    }
    let signature = Signature {
        version: release.version.clone(),
        text: release.text.clone(),
        mark: form.signature.trim().to_owned(),
        ..signer(&form)
    };
    app.store.write(|connection| {
        if releases::sign(connection, key, &signature, &time::stored(time::now()))? {
            media::delete_in_slot(connection, found.nomination_id, RELEASE_SLOT)?;
        }
        Ok(())
    })
}

/// Confirms the release of a nomination from the photo of a paper, on which the organiser reads the names. A second time
/// changes nothing.
///
/// # Errors
/// [`Error::NotFound`]: there is no such nomination, or no paper. [`Error::Invalid`]: a name is missing.
/// [`Error::Changed`]: it is not the expected version. [`Error::Conflict`]: it is not handed in, so the photo may still be
/// replaced.
pub fn confirm_paper(
    app: &App,
    actor: &Actor,
    id: i64,
    form: &ReleaseForm,
    expected: &Expected,
) -> Result<NominationView> {
    let errors =
        name_errors(form, "Please enter the model's name", "Please enter the name of the parent or guardian");
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let signature = Signature { confirmed_by: Some(actor.as_str().to_owned()), ..signer(form) };
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

/// A signature with only the names of a form.
fn signer(form: &ReleaseForm) -> Signature {
    let guardian = form.guardian.as_ref().filter(|_| !form.adult);
    Signature {
        name: form.name.trim().to_owned(),
        adult: form.adult,
        guardian: guardian.map(|name| name.trim().to_owned()),
        ..Signature::default()
    }
}

fn name_errors(form: &ReleaseForm, name_message: &str, guardian_message: &str) -> FieldErrors {
    let mut errors = FieldErrors::new();
    if !is_visible_text(&form.name, MAX_NAME_LENGTH) {
        errors.insert("name".into(), name_message.to_owned());
    }
    if !form.adult && !is_visible_text(form.guardian.as_deref().unwrap_or_default(), MAX_NAME_LENGTH) {
        errors.insert("guardian".into(), guardian_message.to_owned());
    }
    errors
}

fn is_visible_text(text: &str, max: usize) -> bool {
    let length = text.trim().chars().count();
    forms::visible_text(text).is_some() && length <= max && !text.chars().any(|c| c.is_control() && c != '\n')
}

fn unknown() -> Error {
    Error::NotFound("This link is not complete. Please scan the code again.".into())
}
