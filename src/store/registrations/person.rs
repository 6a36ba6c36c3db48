//! Finds a person's registrations by email address, and erases them.

use rusqlite::Connection;

use super::table;
use crate::error::Result;
use crate::forms::{EmailAddress, FieldType, form};
use crate::model::{EntryId, Kind};
use crate::store::query::{execute, query_all};

/// Replaces a person's data in an entry whose payment is kept.
pub const ERASED: &str = "(erased)";

/// The registrations with an address, in any state.
pub fn ids_of(connection: &Connection, kind: Kind, email: &EmailAddress) -> Result<Vec<i64>> {
    let sql = format!("select id from {} where email = ? collate nocase order by id", table(kind));
    query_all(connection, &sql, [email.as_str()], |row| row.get(0))
}

/// Further tables that hold a person's email address, each with its column.
const OTHER_ADDRESSES: [(&str, &str); 5] = [
    ("tickets", "email"),
    ("judges", "email"),
    ("ticket_transfers", "email"),
    ("mailing_recipients", "recipient"),
    ("outbox", "recipient"),
];

/// The addresses of everybody of whom something is stored, in lowercase, each once. `except` are those who stay: the
/// organisers themselves.
pub fn all_addresses(connection: &Connection, except: &[&str]) -> Result<Vec<EmailAddress>> {
    let registrations = Kind::ALL.map(|kind| (table(kind), "email"));
    let others = OTHER_ADDRESSES.map(|(table, column)| (table.to_owned(), column));
    let parts: Vec<String> = registrations
        .into_iter()
        .chain(others)
        .map(|(table, column)| {
            format!("select lower({column}) as address from {table} where {column} is not null")
        })
        .collect();
    let sql = format!("select address from ({}) order by address", parts.join(" union "));
    let found: Vec<String> = query_all(connection, &sql, [], |row| row.get(0))?;
    // The address of a removed judge that another judge has now is followed by a space and an id.
    let mut all: Vec<&str> = found.iter().filter_map(|address| address.split(' ').next()).collect();
    all.dedup();
    let others = all.iter().filter(|address| !except.iter().any(|kept| kept.eq_ignore_ascii_case(address)));
    // `(erased)` is not an address.
    Ok(others.filter_map(|address| address.parse().ok()).collect())
}

/// Whether money moved, or may still move, for an entry.
pub fn has_payment(connection: &Connection, entry_id: EntryId) -> Result<bool> {
    Ok(connection.query_row(
        "select (payment_status = 'pending' and stripe_payment_intent_id is not null)
                or payment_status in ('paid', 'partially_refunded', 'refunded', 'disputed')
                or exists (select 1 from refunds where entry_id = competition_entries.id)
                or exists (select 1 from disputes where entry_id = competition_entries.id)
                or exists (select 1 from payment_findings where entry_id = competition_entries.id)
         from competition_entries where id = ?",
        [entry_id],
        |row| row.get(0),
    )?)
}

/// Changes the address of a registration.
pub fn set_email(connection: &Connection, kind: Kind, id: i64, email: &EmailAddress) -> Result<()> {
    let sql = format!("update {} set email = ? where id = ?", table(kind));
    execute(connection, &sql, (email.as_str(), id))
}

/// Columns that are not fields of the form but derived from what a person sent.
const DERIVED: [&str; 3] = ["phone_normalised", "instagram_normalised", "form_key"];

/// Erases the person from an entry: blanks every field that `rules.json` marks as personal and the columns derived from
/// them. What was bought, paid and taxed stays.
pub fn forget(connection: &Connection, entry_id: EntryId) -> Result<()> {
    let fields = form(Kind::CompetitionEntries).fields().filter(|field| field.personal);
    let blanked = fields.map(|field| {
        let blank = match field.field_type {
            FieldType::Choices => "'[]'",
            FieldType::Consent | FieldType::Flag | FieldType::Count => "0",
            _ if field.is_always_stored() => "?2",
            _ => "null",
        };
        format!("{} = {blank}", field.column())
    });
    let derived = DERIVED.iter().map(|column| format!("{column} = null"));
    let columns = blanked.chain(derived).collect::<Vec<_>>().join(", ");
    let sql = format!("update {} set {columns} where id = ?1", table(Kind::CompetitionEntries));
    execute(connection, &sql, (entry_id, ERASED))
}

pub fn delete(connection: &Connection, kind: Kind, id: i64) -> Result<()> {
    execute(connection, &format!("delete from {} where id = ?", table(kind)), [id])
}
