//! Texts of standard emails that organisers have edited.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::Actor;
use crate::store::query::{execute, from_row, query_all, query_optional};

#[derive(Debug, Clone)]
pub struct MailText {
    pub name: String,
    pub changed_at: String,
    pub actor: Actor,
    pub subject: String,
    pub text: String,
}

from_row!(COLUMNS for MailText: name, changed_at, actor, subject, text);

pub fn list(connection: &Connection) -> Result<Vec<MailText>> {
    query_all(connection, &format!("select {COLUMNS} from mail_texts order by name"), [], MailText::from_row)
}

pub fn get(connection: &Connection, name: &str) -> Result<Option<MailText>> {
    let sql = format!("select {COLUMNS} from mail_texts where name = ?");
    query_optional(connection, &sql, [name], MailText::from_row)
}

pub fn set(connection: &Connection, text: &MailText) -> Result<()> {
    let sql = "insert into mail_texts (name, changed_at, actor, subject, text) values (?1, ?2, ?3, ?4, ?5)
         on conflict (name) do update set changed_at = ?2, actor = ?3, subject = ?4, text = ?5";
    execute(connection, sql, (&text.name, &text.changed_at, &text.actor, &text.subject, &text.text))
}

/// Returns whether there was one.
pub fn delete(connection: &Connection, name: &str) -> Result<bool> {
    Ok(connection.execute("delete from mail_texts where name = ?", [name])? == 1)
}
