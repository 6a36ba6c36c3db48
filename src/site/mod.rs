//! What visitors see: the event's content with its revisions, the organiser's images, and the pages made of both.
//!
//! The current content is the newest revision that this program can read, or the compiled-in default before the
//! first import, with the forms that the organiser has closed by hand marked as closed.

pub mod content;
pub mod images;
pub mod openings;
pub mod publish;
pub mod render;
pub mod revisions;

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::site::content::{Content, Problem};
use crate::store::{Store, content_revisions, images as image_store, migrate};

/// What is to be shown, and where it comes from.
pub struct Present {
    pub content: Content,
    /// The file it was read from.
    pub toml: String,
    /// 0 for the compiled-in default.
    pub revision: i64,
    /// RFC 3339, UTC.
    pub changed_at: String,
}

/// The content to show.
///
/// # Errors
/// As of [`present`].
pub fn current(store: &Store) -> Result<Content> {
    store.read(present).map(|present| present.content)
}

/// The newest revision that this program can use. One that it cannot, such as another version's, is told
/// to the log, and the one before it counts.
///
/// # Errors
/// [`Error::Unavailable`] when the database does not answer.
pub fn present(connection: &Connection) -> Result<Present> {
    let mut id = i64::MAX;
    while let Some(revision) = content_revisions::before(connection, id)? {
        match Content::parse(&revision.toml) {
            Ok(content) => {
                let content = openings::applied(connection, content)?;
                let (toml, changed_at) = (revision.toml, revision.created_at);
                return Ok(Present { content, toml, revision: revision.id, changed_at });
            }
            Err(problems) => tracing::error!(
                "revision {} of the content cannot be used, the one before it is shown: {}",
                revision.id,
                in_short(&problems)
            ),
        }
        id = revision.id;
    }
    let toml = Content::default_toml().to_owned();
    let content = Content::parse(&toml).map_err(|problems| Error::Internal(in_short(&problems)))?;
    let content = openings::applied(connection, content)?;
    Ok(Present { content, toml, revision: 0, changed_at: migrate::last_applied_at(connection)? })
}

/// Reads and checks a content file, the pictures that it names included.
pub fn check(text: &str, pictures: &BTreeSet<String>) -> std::result::Result<Content, Vec<Problem>> {
    Content::parse_with(text, pictures)
}

/// The names of all pictures in the database.
pub fn picture_names(connection: &Connection) -> Result<BTreeSet<String>> {
    Ok(image_store::list(connection)?.into_iter().map(|image| image.name).collect())
}

fn in_short(problems: &[Problem]) -> String {
    let first = problems.first().map(ToString::to_string).unwrap_or_default();
    match problems.len() {
        0 | 1 => first,
        count => format!("{first} (and {} more)", count - 1),
    }
}
