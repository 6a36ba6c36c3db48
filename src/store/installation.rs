//! Values of this installation, by key, in the table `settings`.

use rusqlite::Connection;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::store::query::{execute, query_optional};

/// The Argon2id hash of the organiser's shared password.
pub const ADMIN_PASSWORD_HASH: &str = "admin.password_hash";

/// An Argon2id hash of the shared password that the server last used, whether from the configuration or from this table.
pub const ADMIN_PASSWORD_IN_USE: &str = "admin.password_in_use";
/// The forms that an organiser has closed: a JSON object from kind to message.
pub const CLOSED_FORMS: &str = "openings.closed";
/// The first steps that are done: a JSON list of their keys.
pub const FIRST_STEPS: &str = "first_steps.done";
/// The random key of the hashes in `known_addresses`, in hexadecimal.
pub const ADDRESS_KEY: &str = "admin.address_key";
/// The random key of the links to unsubscribe and of the hashes in `unsubscribed`, in hexadecimal.
pub const UNSUBSCRIBE_KEY: &str = "mailings.unsubscribe_key";

/// Until when no email is sent, since the mail server refuses the account (JSON).
pub const MAIL_PAUSE: &str = "mail.pause";

pub fn get(connection: &Connection, key: &str) -> Result<Option<String>> {
    query_optional(connection, "select value from settings where key = ?", [key], |row| row.get(0))
}

/// A value that is stored as JSON; the default if none is stored.
pub fn get_json<T: DeserializeOwned + Default>(connection: &Connection, key: &str) -> Result<T> {
    let Some(json) = get(connection, key)? else { return Ok(T::default()) };
    serde_json::from_str(&json).map_err(|error| Error::Internal(format!("the stored value {key}: {error}")))
}

/// Stores a value. `changed_at` is an instant of [`time::stored`](crate::time::stored).
pub fn set(connection: &Connection, key: &str, value: &str, changed_at: &str) -> Result<()> {
    let sql = "insert into settings (key, value, changed_at) values (?, ?, ?)
         on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at";
    execute(connection, sql, (key, value, changed_at))
}

pub fn delete(connection: &Connection, key: &str) -> Result<()> {
    execute(connection, "delete from settings where key = ?", [key])
}
