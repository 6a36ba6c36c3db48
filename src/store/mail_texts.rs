//! Texts of standard emails that organisers have edited.

use rusqlite::{Connection, OptionalExtension, Row};

use crate::error::Result;
use crate::model::Actor;

#[derive(Debug, Clone)]
pub struct MailText {
    pub name: String,
    pub changed_at: String,
    pub actor: Actor,
    pub subject: String,
    pub text: String,
}

const COLUMNS: &str = "name, changed_at, actor, subject, text";

pub fn list(connection: &Connection) -> Result<Vec<MailText>> {
    let mut statement =
        connection.prepare_cached(&format!("select {COLUMNS} from mail_texts order by name"))?;
    let rows = statement.query_map([], stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(connection: &Connection, name: &str) -> Result<Option<MailText>> {
    let sql = format!("select {COLUMNS} from mail_texts where name = ?");
    Ok(connection.query_row(&sql, [name], stored).optional()?)
}

pub fn set(connection: &Connection, text: &MailText) -> Result<()> {
    connection.execute(
        "insert into mail_texts (name, changed_at, actor, subject, text) values (?1, ?2, ?3, ?4, ?5)
         on conflict (name) do update set changed_at = ?2, actor = ?3, subject = ?4, text = ?5",
        (&text.name, &text.changed_at, &text.actor, &text.subject, &text.text),
    )?;
    Ok(())
}

/// Returns whether there was one.
pub fn delete(connection: &Connection, name: &str) -> Result<bool> {
    Ok(connection.execute("delete from mail_texts where name = ?", [name])? == 1)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<MailText> {
    Ok(MailText {
        name: row.get(0)?,
        changed_at: row.get(1)?,
        actor: row.get(2)?,
        subject: row.get(3)?,
        text: row.get(4)?,
    })
}
