//! The model's release: read and signed on the model's own phone, with the link that the competitor shows.

use rusqlite::Connection;

use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms;
use crate::model::{RELEASE_SLOT, token};
use crate::store::portal::media;
use crate::store::portal::releases::{self, Signature};
use crate::time;

/// In characters.
const MAX_NAME_LENGTH: usize = 200;
/// A drawn signature is longer than a typed one.
const MAX_SIGNATURE_LENGTH: usize = 20_000;

/// What the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseText {
    pub text: String,
    pub version: String,
    pub is_signed: bool,
}

/// What the model sends.
#[derive(Debug, Clone, Default)]
pub struct SignedRelease {
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
    // The text as it was signed, also if it has been changed since. The text of a paper is on its photo.
    let signed = app.store.read(|connection| releases::signed(connection, found.nomination_id))?;
    if let Some(signed) = signed.filter(|signed| signed.signature.confirmed_by.is_none()) {
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
pub fn sign(app: &App, key: &str, signed: SignedRelease) -> Result<()> {
    let found = app.store.read(|connection| releases::by_key(connection, key))?.ok_or_else(unknown)?;
    if found.signed_at.is_some() {
        return Ok(());
    }
    let errors = errors_of(&signed);
    if !errors.is_empty() {
        return Err(Error::Invalid(errors));
    }
    let content = app.content();
    let release = &content.portal.release;
    if signed.version.trim() != release.version {
        return Err(Error::Conflict(
            "The text has changed since you opened this page. Please reload it and read it again.".into(),
        ));
    }
    let signature = Signature {
        version: release.version.clone(),
        text: release.text.clone(),
        name: signed.name.trim().to_owned(),
        adult: signed.adult,
        guardian: signed.guardian.map(|name| name.trim().to_owned()).filter(|_| !signed.adult),
        signature: signed.signature.trim().to_owned(),
        confirmed_by: None,
    };
    app.store.write(|connection| {
        if releases::sign(connection, key, &signature, &time::stored(time::now()))? {
            media::delete_in_slot(connection, found.nomination_id, RELEASE_SLOT)?;
        }
        Ok(())
    })
}

fn errors_of(signed: &SignedRelease) -> FieldErrors {
    let guardian = signed.guardian.as_deref().unwrap_or_default();
    let mut errors = FieldErrors::new();
    let mut require = |holds: bool, field: &str, message: &str| {
        if !holds {
            errors.insert(field.to_owned(), message.to_owned());
        }
    };
    require(is_name(&signed.name), "name", "Please enter your name");
    let has_guardian = signed.adult || is_name(guardian);
    require(has_guardian, "guardian", "Please enter the name of your parent or guardian");
    require(is_text(&signed.signature, MAX_SIGNATURE_LENGTH), "signature", "Please sign");
    require(signed.accepted, "accepted", "Please confirm that you agree");
    errors
}

pub(super) fn is_name(text: &str) -> bool {
    is_text(text, MAX_NAME_LENGTH)
}

fn is_text(text: &str, most: usize) -> bool {
    let length = text.trim().chars().count();
    forms::visible_text(text).is_some()
        && length <= most
        && !text.chars().any(|c| c.is_control() && c != '\n')
}

fn unknown() -> Error {
    Error::NotFound("This link is not complete. Please scan the code again.".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_names_everything_that_is_missing() {
        let signed = |name: &str, adult, guardian: Option<&str>, signature: &str, accepted| SignedRelease {
            name: name.into(),
            adult,
            guardian: guardian.map(str::to_owned),
            signature: signature.into(),
            accepted,
            version: "1".into(),
        };
        let long = "n".repeat(MAX_NAME_LENGTH + 1);
        for (signed, fields) in [
            (signed("Mia Model", true, None, "Mia", true), vec![]),
            (signed("Mia Model", false, Some("Gus Guardian"), "M 0 0 L 5 5", true), vec![]),
            (signed(" ", false, Some(" "), "", false), vec!["accepted", "guardian", "name", "signature"]),
            (signed(&long, true, None, "a\0b", true), vec!["name", "signature"]),
        ] {
            assert_eq!(errors_of(&signed).keys().collect::<Vec<_>>(), fields, "{signed:?}");
        }
    }
}
