//! Reads one registration as a record, finds the sender's earlier one, and sets the status.

use rusqlite::types::{FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};

use super::table;
use crate::error::{Error, Result};
use crate::forms::{EmailAddress, Field, FieldType, Record, Value, form};
use crate::model::{Kind, Status};
use crate::store::query::{from_row, query_optional};

/// A stored registration: its answers and its status.
#[derive(Debug, Clone)]
pub struct Stored {
    pub id: i64,
    pub created_at: String,
    pub status: Status,
    pub record: Record,
}

/// The same person's earlier registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    pub id: i64,
    pub created_at: String,
}

from_row!(Earlier: id, created_at);

pub fn get(connection: &Connection, kind: Kind, id: i64) -> Result<Option<Stored>> {
    let columns: Vec<&str> = form(kind).fields().map(Field::column).collect();
    let sql =
        format!("select id, created_at, status, {} from {} where id = ?", columns.join(", "), table(kind));
    query_optional(connection, &sql, [id], |row| stored(kind, row))
}

/// A registration, or [`Error::NotFound`].
pub fn require(connection: &Connection, kind: Kind, id: i64) -> Result<Stored> {
    get(connection, kind, id)?.ok_or_else(|| Error::NotFound(format!("There is no record {id} of {kind}.")))
}

/// A JSON object from the field of an agreement to the version of its text.
pub fn agreed_to(connection: &Connection, kind: Kind, id: i64) -> Result<Option<String>> {
    let sql = format!("select agreed_to from {} where id = ?", table(kind));
    Ok(connection.prepare_cached(&sql)?.query_row([id], |row| row.get(0)).optional()?.flatten())
}

/// The newest registration of this kind from the same address that is not held for review.
pub fn earlier(connection: &Connection, kind: Kind, email: &EmailAddress) -> Result<Option<Earlier>> {
    let sql = format!(
        "select id, created_at from {} where email = ? collate nocase and status <> 'set_aside' order by id desc limit 1",
        table(kind)
    );
    query_optional(connection, &sql, [email.as_str()], Earlier::from_row)
}

/// # Errors
/// [`Error::Internal`] if there is no such registration.
pub fn set_status(connection: &Connection, kind: Kind, id: i64, status: Status) -> Result<()> {
    let sql = format!("update {} set status = ? where id = ?", table(kind));
    match connection.prepare_cached(&sql)?.execute((status, id))? {
        1 => Ok(()),
        _ => Err(Error::Internal(format!("{kind} {id} does not exist"))),
    }
}

fn stored(kind: Kind, row: &Row<'_>) -> rusqlite::Result<Stored> {
    let mut values = Vec::new();
    for (at, field) in form(kind).fields().enumerate() {
        values.push(value(field, row.get_ref(3 + at)?)?);
    }
    let record = Record::from_store(kind, values);
    Ok(Stored { id: row.get(0)?, created_at: row.get(1)?, status: row.get(2)?, record })
}

fn value(field: &Field, cell: ValueRef<'_>) -> FromSqlResult<Value> {
    Ok(match (field.field_type, cell) {
        (_, ValueRef::Null) => Value::Missing,
        (FieldType::Flag | FieldType::Consent, cell) => Value::Flag(cell.as_i64()? == 1),
        (FieldType::Count, cell) => Value::Count(cell.as_i64()?),
        (FieldType::Choices, cell) => Value::List(
            serde_json::from_str(cell.as_str()?).map_err(|error| FromSqlError::Other(error.into()))?,
        ),
        (_, cell) => Value::Text(cell.as_str()?.to_owned()),
    })
}
