//! Organisers with a name of their own, beside the shared password: added and removed by command or at the
//! desk. What they do is told by their name in the audit log and the history of a registration.

use chrono::Utc;

use crate::admin::password;
use crate::app::App;
use crate::error::{Error, Result};
use crate::store::accounts::{self, Account};
use crate::store::{audit, sessions};
use crate::time;

/// Names that say something else in the audit log.
const RESERVED: [&str; 6] = ["organiser", "visitor", "clock", "program", "stripe", "system"];
/// The longest name, in characters.
const LONGEST: usize = 40;

pub fn list(app: &App) -> Result<Vec<Account>> {
    app.store.read(accounts::list)
}

/// # Errors
/// [`Error::Invalid`] on `username` or `password`; [`Error::Conflict`] when the name is taken.
pub fn add(app: &App, actor: &str, username: &str, password: &str) -> Result<()> {
    require_name(username)?;
    let hash = password::hash_of(password)?;
    let (actor, username) = (actor.to_owned(), username.to_owned());
    app.store.write(move |connection| {
        if accounts::find(connection, &username)?.is_some() {
            return Err(Error::Conflict(format!("There is an account '{username}' already.")));
        }
        let now = time::stored(Utc::now());
        accounts::insert(connection, &username, &hash, &now)?;
        note(connection, &now, &actor, "account added", &username)
    })
}

/// Removes an account and ends its sessions; its name stays in the audit log.
///
/// # Errors
/// [`Error::NotFound`] when there is none of this name.
pub fn remove(app: &App, actor: &str, username: &str) -> Result<()> {
    let (actor, username) = (actor.to_owned(), username.to_owned());
    app.store.write(move |connection| {
        let username = existing(connection, &username)?;
        accounts::delete(connection, &username)?;
        sessions::delete_of(connection, &username)?;
        note(connection, &time::stored(Utc::now()), &actor, "account removed", &username)
    })
}

/// Gives an account another password and ends its sessions.
///
/// # Errors
/// As [`add`] and [`remove`].
pub fn set_password(app: &App, actor: &str, username: &str, password: &str) -> Result<()> {
    let hash = password::hash_of(password)?;
    let (actor, username) = (actor.to_owned(), username.to_owned());
    app.store.write(move |connection| {
        let username = existing(connection, &username)?;
        let now = time::stored(Utc::now());
        accounts::set_password(connection, &username, &hash, &now)?;
        sessions::delete_of(connection, &username)?;
        note(connection, &now, &actor, "account password changed", &username)
    })
}

fn existing(connection: &rusqlite::Connection, username: &str) -> Result<String> {
    let found = accounts::find(connection, username)?;
    let (username, _) = found.ok_or_else(|| {
        Error::NotFound(format!("There is no account '{username}'; `showcase user list` shows them all."))
    })?;
    Ok(username)
}

fn note(
    connection: &rusqlite::Connection,
    now: &str,
    actor: &str,
    action: &str,
    username: &str,
) -> Result<()> {
    let line = audit::Line { actor, action, subject: None };
    audit::insert_with(connection, now, &line, &serde_json::json!({ "username": username }))
}

fn require_name(username: &str) -> Result<()> {
    let is_plain = username.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
    let wrong = if !(2..=LONGEST).contains(&username.len()) || !is_plain {
        "A name has 2 to 40 letters, digits, dots, hyphens or underscores"
    } else if RESERVED.contains(&username.to_ascii_lowercase().as_str()) {
        "This name has another meaning here; please choose another"
    } else {
        return Ok(());
    };
    Err(Error::field("username", wrong))
}
