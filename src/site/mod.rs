//! What visitors see: the event's content with its revisions, the organiser's images, and the pages made of both.
//!
//! The current content is the newest revision that this program can read, or the compiled-in default before the
//! first import, with the forms that the organiser has closed by hand marked as closed.

pub mod content;
pub mod draft;
pub mod first_steps;
pub mod images;
mod mail_texts;
pub mod openings;
pub mod preview;
pub mod publish;
pub mod render;
pub mod revisions;

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::site::content::{Content, Problem};
use crate::store::{Store, content_revisions, images as image_store, migrate};

/// The current content with its origin.
pub struct Current {
    pub content: Content,
    /// The file that it was parsed from.
    pub toml: String,
    /// 0 for the compiled-in default.
    pub revision: i64,
    /// RFC 3339, UTC.
    pub changed_at: String,
}

/// The current content.
///
/// # Errors
/// Those of [`load_current`].
pub fn current(store: &Store) -> Result<Content> {
    store.read(load_current).map(|current| current.content)
}

/// The newest revision that is valid for this version of the program. Newer ones that are not are logged and skipped.
///
/// # Errors
/// [`Error::Unavailable`] if the database does not answer.
pub fn load_current(connection: &Connection) -> Result<Current> {
    let mut id = i64::MAX;
    while let Some(revision) = content_revisions::before(connection, id)? {
        match Content::parse(&revision.toml) {
            Ok(content) => {
                let content = mail_texts::applied(connection, openings::applied(connection, content)?)?;
                let (toml, changed_at) = (revision.toml, revision.created_at);
                return Ok(Current { content, toml, revision: revision.id, changed_at });
            }
            Err(problems) => tracing::error!(
                "revision {} of the content cannot be used; the one before it is used instead: {}",
                revision.id,
                summarised(&problems)
            ),
        }
        id = revision.id;
    }
    let toml = Content::default_toml().to_owned();
    let content = Content::parse(&toml).map_err(|problems| Error::Internal(summarised(&problems)))?;
    let content = mail_texts::applied(connection, openings::applied(connection, content)?)?;
    Ok(Current { content, toml, revision: 0, changed_at: migrate::last_applied_at(connection)? })
}

/// Parses and checks a content file, and that `pictures` has every picture it names.
pub fn check(text: &str, pictures: &BTreeSet<String>) -> std::result::Result<Content, Vec<Problem>> {
    Content::parse_with(text, pictures)
}

/// The names of all pictures in the database.
pub fn picture_names(connection: &Connection) -> Result<BTreeSet<String>> {
    Ok(image_store::list(connection)?.into_iter().map(|image| image.name).collect())
}

/// The first problem, and how many more there are.
pub fn summarised(problems: &[Problem]) -> String {
    let first = problems.first().map(ToString::to_string).unwrap_or_default();
    match problems.len() {
        0 | 1 => first,
        count => format!("{first} (and {} more)", count - 1),
    }
}
