//! Finds an email address in texts about other people, and replaces or removes it.

use rusqlite::Connection;
use serde_json::Value;

use super::registrations::person::ERASED;
use super::registrations::table;
use crate::error::Result;
use crate::forms::EmailAddress;
use crate::model::Kind;
use crate::store::query::query_all;

/// Tables with texts about people, besides those of registrations.
const TABLES: [&str; 9] = [
    "reviews",
    "outbox",
    "payment_findings",
    "audit_log",
    "refunds",
    "ticket_transfers",
    "receipt_details",
    "mailings",
    "mail_texts",
];

/// Columns that have JSON.
const JSON: [&str; 6] = ["words", "written", "detail", "agreed_to", "product_categories", "quote"];

/// Removes an address from all remaining texts; returns the number of rows changed.
pub fn remove_address(connection: &Connection, address: &EmailAddress) -> Result<usize> {
    let tables = Kind::ALL.map(table).into_iter().chain(TABLES.map(str::to_owned));
    let mut changed = 0;
    for table in tables {
        for (row, texts) in rows_with(connection, &table, address.as_str())? {
            // The written text was rendered from the values, and may have the address in an unlinked spelling.
            let is_mail = table == "outbox" && texts.iter().any(|(column, _)| column == "words");
            if is_mail {
                connection.execute("update outbox set written = null where rowid = ?", [row])?;
            }
            for (column, without_it) in
                texts.into_iter().filter(|(column, _)| !is_mail || column != "written")
            {
                let sql = format!("update {table} set {column} = ? where rowid = ?");
                connection.execute(&sql, (without_it, row))?;
            }
            changed += 1;
        }
    }
    Ok(changed)
}

/// The tables that still contain an address.
pub fn tables_with(connection: &Connection, address: &EmailAddress) -> Result<Vec<String>> {
    let sql = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
    let tables: Vec<String> = query_all(connection, sql, [], |row| row.get(0))?;
    let mut places = Vec::new();
    for table in tables {
        if !rows_with(connection, &table, address.as_str())?.is_empty() {
            places.push(table);
        }
    }
    Ok(places)
}

/// Replaces an address in all texts of a JSON value.
pub fn replace_in_json(json: &str, old: &EmailAddress, new: &EmailAddress) -> String {
    let Ok(mut value) = serde_json::from_str(json) else { return json.to_owned() };
    replace_in(&mut value, old.as_str(), new.as_str());
    value.to_string()
}

/// A row's number and those of its columns that contain an address, each with its text without the address.
type Row = (i64, Vec<(String, String)>);

fn rows_with(connection: &Connection, table: &str, address: &str) -> Result<Vec<Row>> {
    let columns = "select name from pragma_table_info(?) where type = 'TEXT' collate nocase";
    let columns: Vec<String> = query_all(connection, columns, [table], |row| row.get(0))?;
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let texts = columns.iter().map(|column| format!("coalesce({column}, '')")).collect::<Vec<_>>();
    let has_numbers = connection.prepare(&format!("select rowid from {table}")).is_ok();
    let sql = format!(
        "select {}, {} from {table} where instr(lower({}), lower(?))",
        if has_numbers { "rowid" } else { "0" },
        texts.join(", "),
        texts.join(" || char(10) || "),
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([address])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut redacted = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            let text: String = row.get(index + 1)?;
            redacted
                .extend(redact_column(column, &text, address).map(|without_it| (column.clone(), without_it)));
        }
        if !redacted.is_empty() {
            found.push((row.get(0)?, redacted));
        }
    }
    Ok(found)
}

/// Like [`redact_text`], for any column. JSON is parsed first: it escapes a newline as `\n`, and that `n` is not part of the
/// address.
fn redact_column(column: &str, text: &str, address: &str) -> Option<String> {
    let json = JSON.contains(&column).then(|| serde_json::from_str(text).ok()).flatten();
    let Some(mut json) = json else { return redact_text(text, address) };
    replace_in(&mut json, address, ERASED).then(|| json.to_string())
}

/// Replaces an address in every text; `false` if none contains it.
fn replace_in(json: &mut Value, address: &str, with: &str) -> bool {
    let mut is_found = false;
    match json {
        Value::String(text) => {
            if let Some(replaced) = replace_in_text(text, address, with) {
                (*text, is_found) = (replaced, true);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| is_found |= replace_in(item, address, with)),
        Value::Object(items) => {
            items.values_mut().for_each(|item| is_found |= replace_in(item, address, with));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    is_found
}

/// The text without an address, ignoring case; `None` if it does not contain it. An occurrence within a longer address is
/// somebody else's.
fn redact_text(text: &str, address: &str) -> Option<String> {
    replace_in_text(text, address, ERASED)
}

fn replace_in_text(text: &str, address: &str, with: &str) -> Option<String> {
    let (lowercase, wanted) = (text.to_ascii_lowercase(), address.to_ascii_lowercase());
    let mut kept = String::new();
    let mut from = 0;
    for (at, _) in lowercase.match_indices(&wanted) {
        let end = at + wanted.len();
        if at < from || continues_before(&text[..at]) || continues_after(&text[end..]) {
            continue;
        }
        kept.push_str(&text[from..at]);
        kept.push_str(with);
        from = end;
    }
    (from > 0).then(|| kept + &text[from..])
}

fn continues_before(text: &str) -> bool {
    text.chars().next_back().is_some_and(|last| last.is_alphanumeric() || "._%+-".contains(last))
}

fn continues_after(text: &str) -> bool {
    let mut rest = text.chars();
    match rest.next() {
        Some('.') => rest.next().is_some_and(char::is_alphanumeric),
        Some(next) => next.is_alphanumeric() || next == '-',
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_after_an_escaped_newline_in_json_is_removed() {
        let json = |text: &str| serde_json::json!({ "a": [{ "b": text }], "n": 1 }).to_string();
        for (text, expected) in [
            ("a friend\nada@example.com\tand\tada@example.com", Some("a friend\n(erased)\tand\t(erased)")),
            ("a friend\nnada@example.com", None),
        ] {
            let taken = redact_column("words", &json(text), "ada@example.com");
            assert_eq!(taken, expected.map(json), "{text}");
        }
    }

    #[test]
    fn an_address_is_removed_and_a_longer_one_is_not() {
        for (text, expected) in [
            ("Ada@Example.com", Some("(erased)")),
            ("mailto:ada@example.com, or ADA@example.com.", Some("mailto:(erased), or (erased).")),
            ("<ada@example.com> é", Some("<(erased)> é")),
            ("nada@example.com", None),
            ("x.ada@example.com", None),
            ("my_ada@example.com", None),
            ("my%ada@example.com", None),
            ("a+ada@example.com", None),
            ("my-ada@example.com", None),
            ("ada@example.com.au", None),
            ("ada@example.community", None),
            ("ada@example.com-x", None),
            ("nada@example.com ada@example.com", Some("nada@example.com (erased)")),
            ("", None),
        ] {
            assert_eq!(redact_text(text, "ada@example.COM").as_deref(), expected, "{text}");
        }
    }
}
