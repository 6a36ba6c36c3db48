//! One registration: read whole, found by its sender, given another status.

use rusqlite::types::{FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};

use serde_json::{Map, Value as Json};

use super::{STATUS, other_columns, table};
use crate::error::{Error, Result};
use crate::model::{Kind, Status};
use crate::rules::{Field, Record, Shape, Value, form};

/// A registration as it is kept.
#[derive(Debug, Clone)]
pub struct Stored {
    pub id: i64,
    pub created_at: String,
    pub status: Status,
    pub record: Record,
    /// What is kept beside the form's answers, by JSON name; the status is the first.
    pub others: Vec<(&'static str, Json)>,
}

impl Stored {
    /// The whole registration as lists, exports and a person's data show it: `id`, `createdAt`, the form's
    /// fields, and what is kept beside them.
    pub fn json(&self) -> Map<String, Json> {
        let mut object = Map::new();
        object.insert("id".into(), self.id.into());
        object.insert("createdAt".into(), self.created_at.as_str().into());
        object.extend(self.record.fields().map(|(field, value)| (field.name.clone(), value.json())));
        object.extend(self.others.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        object
    }
}

/// The same person's earlier registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    pub id: i64,
    pub created_at: String,
}

pub fn get(connection: &Connection, kind: Kind, id: i64) -> Result<Option<Stored>> {
    let mut columns = vec!["id".to_owned(), "created_at".to_owned()];
    columns.extend(form(kind).fields().map(Field::column));
    columns.extend(other_columns(kind).iter().map(|(_, column)| (*column).to_owned()));
    let sql = format!("select {} from {} where id = ?", columns.join(", "), table(kind));
    Ok(connection.prepare_cached(&sql)?.query_row([id], |row| stored(kind, row)).optional()?)
}

/// The newest registration of this kind from the same address, in capitals or not, that is not set aside.
pub fn earlier(connection: &Connection, kind: Kind, email: &str) -> Result<Option<Earlier>> {
    let sql = format!(
        "select id, created_at from {} where email = ? collate nocase and status <> 'set_aside' order by id desc limit 1",
        table(kind)
    );
    let found = connection
        .prepare_cached(&sql)?
        .query_row([email], |row| Ok(Earlier { id: row.get(0)?, created_at: row.get(1)? }));
    Ok(found.optional()?)
}

/// # Errors
/// [`Error::Internal`] when there is no such registration.
pub fn set_status(connection: &Connection, kind: Kind, id: i64, status: Status) -> Result<()> {
    let sql = format!("update {} set status = ? where id = ?", table(kind));
    match connection.prepare_cached(&sql)?.execute((status.as_str(), id))? {
        1 => Ok(()),
        _ => Err(Error::Internal(format!("{kind} {id} is not there to be changed"))),
    }
}

fn stored(kind: Kind, row: &Row<'_>) -> rusqlite::Result<Stored> {
    let mut at = 2;
    let mut values = Vec::new();
    for field in form(kind).fields() {
        values.push(value(field, row.get_ref(at)?)?);
        at += 1;
    }
    let mut others = Vec::new();
    for (name, _) in other_columns(kind) {
        others.push((*name, json(name, row.get_ref(at)?)?));
        at += 1;
    }
    let record = Record::from_store(kind, values);
    Ok(Stored { id: row.get(0)?, created_at: row.get(1)?, status: row.get(STATUS.1)?, record, others })
}

fn value(field: &Field, cell: ValueRef<'_>) -> FromSqlResult<Value> {
    Ok(match (field.shape, cell) {
        (_, ValueRef::Null) => Value::Missing,
        (Shape::Flag | Shape::Consent, cell) => Value::Flag(cell.as_i64()? == 1),
        (Shape::Count, cell) => Value::Count(cell.as_i64()?),
        (Shape::Choices, cell) => Value::List(
            serde_json::from_str(cell.as_str()?).map_err(|error| FromSqlError::Other(error.into()))?,
        ),
        (_, cell) => Value::Text(cell.as_str()?.to_owned()),
    })
}

fn json(name: &str, cell: ValueRef<'_>) -> FromSqlResult<Json> {
    Ok(match cell {
        ValueRef::Null => Json::Null,
        ValueRef::Integer(number) => number.into(),
        // The one JSON text among these columns.
        cell if name == super::AGREED_TO.0 => {
            serde_json::from_str(cell.as_str()?).map_err(|error| FromSqlError::Other(error.into()))?
        }
        cell => cell.as_str()?.into(),
    })
}
