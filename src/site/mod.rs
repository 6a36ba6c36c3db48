//! What visitors see: the event's content with its revisions, the organiser's images, and the pages made of both.
//!
//! The current content is the newest revision that this program can read, or the compiled-in default before the
//! first import, with the forms that the organiser has closed by hand marked as closed, and with the email texts that
//! the organiser has edited.

pub mod content;
pub mod draft;
pub mod first_steps;
pub mod images;
mod lost;
pub mod openings;
pub mod preview;
pub mod publish;
pub mod render;
pub mod revisions;

use std::collections::BTreeSet;

use chrono::Datelike;
use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::site::content::model::event::EmailText;
use crate::site::content::{Content, Problem};
use crate::store::portal::nominations;
use crate::store::{Store, content_revisions, images as image_store, mail_texts, migrate};
use crate::time;

/// The current content with its origin.
pub struct Current {
    pub content: Content,
    /// The file that it was parsed from.
    pub toml: String,
    /// 0 for the compiled-in default.
    pub revision: i64,
    /// RFC 3339, UTC.
    pub changed_at: String,
    /// The year of the event in the first content that was imported. It stays when the event moves to another year.
    pub first_year: i32,
}

/// The current content.
///
/// # Errors
/// Those of [`load_current`].
pub fn current(store: &Store) -> Result<Content> {
    store.read(load_current).map(|current| current.content)
}

/// The newest revision that is valid for this version of the program, with what the organiser has set besides. Newer
/// revisions that are not valid are logged and skipped.
///
/// # Errors
/// [`Error::Unavailable`] if the database does not answer.
pub fn load_current(connection: &Connection) -> Result<Current> {
    let mut current = newest_usable(connection)?;
    openings::close_by_hand(connection, &mut current.content)?;
    for text in mail_texts::list(connection)? {
        let edited = EmailText { subject: text.subject, body: text.text, sign_off: String::new() };
        current.content.mail.texts.insert(text.name, edited);
    }
    Ok(current)
}

/// Makes `content` the newest revision and returns its number. Extensions that end before its portal deadline end.
fn insert_revision(
    connection: &Connection,
    revision: &content_revisions::NewRevision<'_>,
    content: &Content,
) -> Result<i64> {
    let id = content_revisions::insert(connection, revision)?;
    if let Some(deadline) = content.portal_deadline() {
        nominations::drop_extensions_before(connection, &time::stored(deadline))?;
    }
    Ok(id)
}

fn newest_usable(connection: &Connection) -> Result<Current> {
    let mut id = i64::MAX;
    let first = content_revisions::first(connection)?.and_then(|first| Content::parse(&first.toml).ok());
    let first_year_or_of = |content: &Content| first.as_ref().unwrap_or(content).event.last_day.year();
    while let Some(revision) = content_revisions::before(connection, id)? {
        match Content::parse(&revision.toml) {
            Ok(content) => {
                let (toml, changed_at) = (revision.toml, revision.created_at);
                let first_year = first_year_or_of(&content);
                return Ok(Current { content, toml, revision: revision.id, changed_at, first_year });
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
    let (first_year, changed_at) = (first_year_or_of(&content), migrate::last_applied_at(connection)?);
    Ok(Current { content, toml, revision: 0, changed_at, first_year })
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
