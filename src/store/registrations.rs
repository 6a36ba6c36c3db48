//! Registrations, one table a kind. The columns come from the form, so that a field is named once.

use chrono::{DateTime, Utc};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::error::Result;
use crate::model::Kind;
use crate::rules::{Field, Record, Shape, Value, form};
use crate::time;

/// Which rows to read: created in `from <= created_at < until`, with this status.
#[derive(Debug, Default, Clone)]
pub struct Filter {
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
    pub status: Option<String>,
}

/// Columns that a kind's table has beside those of its form: their JSON name and their column.
pub fn other_columns(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::CompetitionEntries => &[
            ("status", "status"),
            ("paymentAmount", "payment_amount_cents"),
            ("paymentStatus", "payment_status"),
            ("stripePaymentIntentId", "stripe_payment_intent_id"),
        ],
        _ => &[("status", "status")],
    }
}

pub fn table(kind: Kind) -> String {
    kind.as_str().replace('-', "_")
}

/// Stores a record and returns its id.
pub fn insert(connection: &Connection, record: &Record, created_at: &str) -> Result<i64> {
    let (mut columns, mut values) = (vec!["created_at".to_owned()], vec![Bound::Text(created_at)]);
    for (field, value) in record.fields() {
        columns.push(field.column());
        values.push(Bound::of(value));
    }
    let places = vec!["?"; columns.len()].join(", ");
    let sql = format!("insert into {} ({}) values ({places})", table(record.kind()), columns.join(", "));
    connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
    Ok(connection.last_insert_rowid())
}

/// How many rows the filter lets through.
pub fn count(connection: &Connection, kind: Kind, filter: &Filter) -> Result<i64> {
    let (clause, values) = condition(filter);
    let sql = format!("select count(*) from {} where {clause}", table(kind));
    Ok(connection.prepare_cached(&sql)?.query_row(params_from_iter(values), |row| row.get(0))?)
}

/// Hands every row to `take`, oldest first: id, instant, the form's values, then [`other_columns`].
pub fn each(
    connection: &Connection,
    kind: Kind,
    filter: &Filter,
    mut take: impl FnMut(&[ValueRef<'_>]) -> Result<()>,
) -> Result<()> {
    let mut columns = vec!["id".to_owned(), "created_at".to_owned()];
    columns.extend(form(kind).fields().map(Field::column));
    columns.extend(other_columns(kind).iter().map(|(_, column)| (*column).to_owned()));
    let (clause, values) = condition(filter);
    let sql = format!("select {} from {} where {clause} order by id", columns.join(", "), table(kind));
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        let cells =
            (0..columns.len()).map(|index| row.get_ref(index)).collect::<rusqlite::Result<Vec<_>>>()?;
        take(&cells)?;
    }
    Ok(())
}

/// Whether a stored value of this field is a JSON list.
pub fn is_list(field: &Field) -> bool {
    field.shape == Shape::Choices
}

fn condition(filter: &Filter) -> (String, Vec<String>) {
    let parts = [
        ("created_at >= ?", filter.from.map(time::stored)),
        ("created_at < ?", filter.until.map(time::stored)),
        ("status = ?", filter.status.clone()),
    ];
    let (clauses, values): (Vec<&str>, Vec<String>) =
        parts.into_iter().filter_map(|(clause, value)| value.map(|value| (clause, value))).unzip();
    if clauses.is_empty() { ("true".to_owned(), values) } else { (clauses.join(" and "), values) }
}

/// A value on its way into a column.
enum Bound<'a> {
    Null,
    Text(&'a str),
    List(String),
    Number(i64),
}

impl<'a> Bound<'a> {
    fn of(value: &'a Value) -> Bound<'a> {
        match value {
            Value::Missing => Bound::Null,
            Value::Text(text) => Bound::Text(text),
            Value::List(items) => Bound::List(serde_json::Value::from(items.clone()).to_string()),
            Value::Flag(flag) => Bound::Number(i64::from(*flag)),
            Value::Count(count) => Bound::Number(*count),
        }
    }
}

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        match self {
            Bound::Null => Ok(rusqlite::types::Null.into()),
            Bound::Text(text) => text.to_sql(),
            Bound::List(json) => json.to_sql(),
            Bound::Number(number) => number.to_sql(),
        }
    }
}
