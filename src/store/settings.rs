//! Values of this installation, by key.

use rusqlite::{Connection, OptionalExtension};

use crate::error::Result;

/// The Argon2id hash of the organiser's shared password.
pub const ADMIN_PASSWORD_HASH: &str = "admin.password_hash";

/// An Argon2id hash of the shared password that the server last used, whether from the settings or from the database.
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
    Ok(connection
        .query_row("select value from settings where key = ?", [key], |row| row.get(0))
        .optional()?)
}

pub fn set(connection: &Connection, key: &str, value: &str, changed_at: &str) -> Result<()> {
    connection.execute(
        "insert into settings (key, value, changed_at) values (?, ?, ?)
         on conflict (key) do update set value = excluded.value, changed_at = excluded.changed_at",
        (key, value, changed_at),
    )?;
    Ok(())
}

pub fn delete(connection: &Connection, key: &str) -> Result<()> {
    connection.prepare_cached("delete from settings where key = ?")?.execute([key])?;
    Ok(())
}
