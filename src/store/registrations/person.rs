//! One person's registrations, found by address; and how they are forgotten.

use rusqlite::Connection;

use super::table;
use crate::error::Result;
use crate::model::Kind;

/// Stands where a person's name was in a payment that is kept.
pub const ERASED: &str = "(erased)";

/// The registrations from an address, in capitals or not, whatever their state.
pub fn ids_of(connection: &Connection, kind: Kind, email: &str) -> Result<Vec<i64>> {
    let sql = format!("select id from {} where email = ? collate nocase order by id", table(kind));
    let mut statement = connection.prepare_cached(&sql)?;
    let ids = statement.query_map([email], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

/// The name that a registration is known by.
pub fn name_of(connection: &Connection, kind: Kind, id: i64) -> Result<String> {
    let sql = format!("select {} from {} where id = ?", super::searched(kind)[0], table(kind));
    Ok(connection.query_row(&sql, [id], |row| row.get(0))?)
}

/// Whether money moved, or may still move, for an entry.
pub fn has_payment(connection: &Connection, entry_id: i64) -> Result<bool> {
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

/// Gives a registration another address.
pub fn set_email(connection: &Connection, kind: Kind, id: i64, email: &str) -> Result<()> {
    connection.execute(&format!("update {} set email = ? where id = ?", table(kind)), (email, id))?;
    Ok(())
}

/// Takes the person out of an entry; what was bought, paid and taxed stays.
pub fn forget(connection: &Connection, entry_id: i64) -> Result<()> {
    connection.execute(
        "update competition_entries set name = ?2, email = ?2, phone = '', instagram = null, business_name = ?2,
                location = '', portfolio = null, phone_normalised = null, instagram_normalised = null, form_key = null
         where id = ?1",
        (entry_id, ERASED),
    )?;
    Ok(())
}

pub fn delete(connection: &Connection, kind: Kind, id: i64) -> Result<()> {
    connection.execute(&format!("delete from {} where id = ?", table(kind)), [id])?;
    Ok(())
}
