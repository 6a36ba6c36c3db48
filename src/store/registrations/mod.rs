//! Registrations, one table a kind. The columns come from the form, so that a field is named once.

mod stored;

use chrono::{DateTime, Utc};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ToSql, params_from_iter};

pub use stored::{Earlier, Stored, earlier, get, set_status};

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

/// What is kept beside the answers of a form.
#[derive(Debug, Default, Clone)]
pub struct Beside {
    /// E.164, where it is unambiguous.
    pub phone: Option<String>,
    /// `@name`, where it is unambiguous.
    pub instagram: Option<String>,
    /// A JSON object: the field of each box and the version of the text that it agrees to.
    pub agreed_to: Option<String>,
    /// Makes the record one that is set aside.
    pub set_aside_reason: Option<&'static str>,
    /// The same person's earlier record of this kind.
    pub earlier_id: Option<i64>,
}

/// Columns that a kind's table has beside those of its form: their JSON name and their column.
pub fn other_columns(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::CompetitionEntries => &[
            STATUS,
            ("paymentAmount", "payment_amount_cents"),
            ("paymentStatus", "payment_status"),
            ("stripePaymentIntentId", "stripe_payment_intent_id"),
            PHONE,
            INSTAGRAM,
            AGREED_TO,
            AGREED_AT,
            SET_ASIDE_REASON,
            EARLIER_ID,
        ],
        Kind::SpeakerApplications | Kind::JudgeApplications | Kind::ProfessionalDemoRegistrations => {
            &[STATUS, PHONE, INSTAGRAM, AGREED_TO, AGREED_AT, SET_ASIDE_REASON, EARLIER_ID]
        }
        Kind::SponsorApplications => &[STATUS, PHONE, AGREED_TO, AGREED_AT, SET_ASIDE_REASON, EARLIER_ID],
        Kind::WaitlistSignups => &[STATUS, INSTAGRAM, SET_ASIDE_REASON, EARLIER_ID],
        Kind::SponsorInquiries => &[STATUS, SET_ASIDE_REASON, EARLIER_ID],
    }
}

const STATUS: (&str, &str) = ("status", "status");
const PHONE: (&str, &str) = ("phoneNormalised", "phone_normalised");
const INSTAGRAM: (&str, &str) = ("instagramNormalised", "instagram_normalised");
const AGREED_TO: (&str, &str) = ("agreedTo", "agreed_to");
const AGREED_AT: (&str, &str) = ("agreedAt", "agreed_at");
const SET_ASIDE_REASON: (&str, &str) = ("setAsideReason", "set_aside_reason");
const EARLIER_ID: (&str, &str) = ("earlierId", "earlier_id");

pub fn table(kind: Kind) -> String {
    kind.as_str().replace('-', "_")
}

/// Stores a record and returns its id.
pub fn insert(connection: &Connection, record: &Record, beside: &Beside, created_at: &str) -> Result<i64> {
    let (mut columns, mut values) = (vec!["created_at".to_owned()], vec![Bound::Text(created_at)]);
    for (field, value) in record.fields() {
        columns.push(field.column());
        values.push(Bound::of(value));
    }
    for (column, value) in beside.columns(created_at) {
        columns.push(column.to_owned());
        values.push(value);
    }
    let places = vec!["?"; columns.len()].join(", ");
    let sql = format!("insert into {} ({}) values ({places})", table(record.kind()), columns.join(", "));
    connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
    Ok(connection.last_insert_rowid())
}

impl Beside {
    /// The columns that hold something; the others keep their default, or are not in every kind's table.
    fn columns<'a>(&'a self, created_at: &'a str) -> impl Iterator<Item = (&'static str, Bound<'a>)> {
        let agreed = self.agreed_to.as_deref();
        let texts = [
            (PHONE.1, self.phone.as_deref()),
            (INSTAGRAM.1, self.instagram.as_deref()),
            (AGREED_TO.1, agreed),
            (AGREED_AT.1, agreed.map(|_| created_at)),
            (SET_ASIDE_REASON.1, self.set_aside_reason),
            (STATUS.1, self.set_aside_reason.map(|_| "set_aside")),
        ];
        let texts = texts.into_iter().filter_map(|(column, text)| Some((column, Bound::Text(text?))));
        texts.chain(self.earlier_id.map(|id| (EARLIER_ID.1, Bound::Number(id))))
    }
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
