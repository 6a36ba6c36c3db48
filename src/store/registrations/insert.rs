//! Inserts and replaces registrations.

use rusqlite::types::{Null, ToSqlOutput};
use rusqlite::{Connection, params_from_iter};

use super::{
    AGREED_AT, AGREED_TO, EARLIER_ID, INSTAGRAM, PAYMENT_AMOUNT, PHONE, SET_ASIDE_REASON, STATUS, table,
};
use crate::error::Result;
use crate::forms::{FieldType, Record, Value};
use crate::model::{Cents, IntentId, Kind, token};
use crate::store::query::execute;

/// The columns of a registration that are not answers of its form.
#[derive(Debug, Default, Clone)]
pub struct ExtraColumns {
    /// E.164, where it is unambiguous.
    pub phone: Option<String>,
    /// `@name`, where it is unambiguous.
    pub instagram: Option<String>,
    /// A JSON object from the field of each agreement to the version of its text.
    pub agreed_to: Option<String>,
    /// Why the record is held for review; `None` if it is not.
    pub set_aside_reason: Option<&'static str>,
    /// The same person's earlier record of this kind.
    pub earlier_id: Option<i64>,
    /// The price of an entry with tax.
    pub payment_amount_cents: Option<Cents>,
    /// How the price is made up, as JSON.
    pub quote: Option<String>,
    /// The idempotency key of the form that created an entry.
    pub form_key: Option<String>,
    /// The id of the entry's payment intent.
    pub intent_id: Option<IntentId>,
}

/// Stores a record and returns its id.
pub fn insert(
    connection: &Connection,
    record: &Record,
    extra: &ExtraColumns,
    created_at: &str,
) -> Result<i64> {
    let token = token::short();
    let (mut columns, mut values) = (vec!["created_at"], vec![ToSqlOutput::from(created_at)]);
    if record.kind() == Kind::CompetitionEntries {
        // Created once; `replace` leaves it unchanged.
        columns.push("payment_token");
        values.push(token.as_str().into());
    }
    for (field, value) in record.fields() {
        columns.push(field.column());
        values.push(sql_value(value));
    }
    for (column, value) in extra.columns(created_at) {
        columns.push(column);
        values.push(value);
    }
    let places = vec!["?"; columns.len()].join(", ");
    let sql = format!("insert into {} ({}) values ({places})", table(record.kind()), columns.join(", "));
    Ok(connection.prepare_cached(&sql)?.insert(params_from_iter(values))?)
}

/// Replaces an unpaid entry with its changed form; its id and creation time stay.
pub fn replace(
    connection: &Connection,
    id: i64,
    record: &Record,
    extra: &ExtraColumns,
    at: &str,
) -> Result<()> {
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for (field, value) in record.fields() {
        columns.push(format!("{} = ?", field.column()));
        values.push(sql_value(value));
    }
    // A number or a name that is no longer unambiguous must not leave the former one.
    let normalised = [(PHONE.sql, extra.phone.as_deref()), (INSTAGRAM.sql, extra.instagram.as_deref())]
        .map(|(column, text)| (column, text_or_null(text)));
    let others = extra.columns(at).filter(|(column, _)| ![PHONE.sql, INSTAGRAM.sql].contains(column));
    for (column, value) in others.chain(normalised) {
        columns.push(format!("{column} = ?"));
        values.push(value);
    }
    values.push(id.into());
    let sql = format!("update {} set {} where id = ?", table(record.kind()), columns.join(", "));
    execute(connection, &sql, params_from_iter(values))
}

/// Replaces some answers of a registration, and the values derived from them: the phone number in E.164 format and the
/// Instagram name as `@name`.
pub fn set_answers(connection: &Connection, id: i64, record: &Record, names: &[&str]) -> Result<()> {
    let (phone, instagram) = (record.phone(), record.instagram());
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for (field, value) in record.fields().filter(|(field, _)| names.contains(&field.name.as_str())) {
        columns.push(format!("{} = ?", field.column()));
        values.push(sql_value(value));
        let normalised = match field.field_type {
            FieldType::Phone => (PHONE.sql, phone.as_deref()),
            FieldType::Handle => (INSTAGRAM.sql, instagram.as_deref()),
            _ => continue,
        };
        columns.push(format!("{} = ?", normalised.0));
        values.push(text_or_null(normalised.1));
    }
    if columns.is_empty() {
        return Ok(());
    }
    values.push(id.into());
    let sql = format!("update {} set {} where id = ?", table(record.kind()), columns.join(", "));
    execute(connection, &sql, params_from_iter(values))
}

impl ExtraColumns {
    /// The columns with a value. The others keep their default, or the kind's table does not have them.
    fn columns<'a>(&'a self, created_at: &'a str) -> impl Iterator<Item = (&'static str, ToSqlOutput<'a>)> {
        let agreed = self.agreed_to.as_deref();
        let texts = [
            (PHONE.sql, self.phone.as_deref()),
            (INSTAGRAM.sql, self.instagram.as_deref()),
            (AGREED_TO.sql, agreed),
            (AGREED_AT.sql, agreed.map(|_| created_at)),
            (SET_ASIDE_REASON.sql, self.set_aside_reason),
            (STATUS.sql, self.set_aside_reason.map(|_| "set_aside")),
            ("quote", self.quote.as_deref()),
            ("form_key", self.form_key.as_deref()),
            ("stripe_payment_intent_id", self.intent_id.as_ref().map(IntentId::as_str)),
        ];
        let texts = texts.into_iter().filter_map(|(column, text)| Some((column, text?.into())));
        let numbers = [
            (EARLIER_ID.sql, self.earlier_id),
            (PAYMENT_AMOUNT.sql, self.payment_amount_cents.map(|amount| amount.0)),
        ];
        let numbers = numbers.into_iter().filter_map(|(column, number)| Some((column, number?.into())));
        texts.chain(numbers)
    }
}

fn sql_value(value: &Value) -> ToSqlOutput<'_> {
    match value {
        Value::Missing => Null.into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(items) => serde_json::Value::from(items.clone()).to_string().into(),
        Value::Flag(flag) => i64::from(*flag).into(),
        Value::Count(count) => (*count).into(),
    }
}

fn text_or_null(text: Option<&str>) -> ToSqlOutput<'_> {
    text.map_or(Null.into(), Into::into)
}
