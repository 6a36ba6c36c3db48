//! Organisers' named accounts. They are managed on the command line or in the organiser's pages, and the audit log names
//! the account.

use serde_json::json;

use crate::admin::password;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, Username};
use crate::store::accounts::{self, Account};
use crate::store::{audit, sessions};
use crate::time;

pub fn list(app: &App) -> Result<Vec<Account>> {
    app.store.read(accounts::list)
}

/// # Errors
/// [`Error::Invalid`] on `username` or `password`; [`Error::Conflict`] when the name is taken.
pub fn add(app: &App, actor: &Actor, username: &str, password: &str) -> Result<()> {
    let username = Username::parse(username)?;
    let hash = password::hash_new(password)?;
    app.store.write(|connection| {
        if accounts::find(connection, username.as_str())?.is_some() {
            return Err(Error::Conflict(format!("The account '{}' already exists.", username.as_str())));
        }
        let now = time::stored(time::now());
        accounts::insert(connection, username.as_str(), &hash, &now)?;
        audit::record(connection, actor, "account added", &json!({ "username": username.as_str() }))
    })
}

/// Removes an account and ends its sessions; its name stays in the audit log.
///
/// # Errors
/// [`Error::NotFound`] when there is no such account.
pub fn remove(app: &App, actor: &Actor, username: &str) -> Result<()> {
    app.store.write(|connection| {
        let username = require_existing(connection, username)?;
        accounts::delete(connection, &username)?;
        sessions::delete_of(connection, &username)?;
        audit::record(connection, actor, "account removed", &json!({ "username": username }))
    })
}

/// Changes an account's password and ends its sessions.
///
/// # Errors
/// [`Error::Invalid`] on `password`; [`Error::NotFound`].
pub fn set_password(app: &App, actor: &Actor, username: &str, password: &str) -> Result<()> {
    let hash = password::hash_new(password)?;
    app.store.write(|connection| {
        let username = require_existing(connection, username)?;
        let now = time::stored(time::now());
        accounts::set_password(connection, &username, &hash, &now)?;
        sessions::delete_of(connection, &username)?;
        audit::record(connection, actor, "account password changed", &json!({ "username": username }))
    })
}

fn require_existing(connection: &rusqlite::Connection, username: &str) -> Result<String> {
    let found = accounts::find(connection, username)?;
    let (username, _) = found.ok_or_else(|| {
        Error::NotFound(format!("There is no account '{username}'; `showcase user list` lists all accounts."))
    })?;
    Ok(username)
}
