//! The size of the database and of its parts.

use rusqlite::Connection;
use serde::Serialize;

use super::registrations::table;
use crate::error::Result;
use crate::model::Kind;
use crate::store::query::query_all;

/// A part of the database and the size of its values, without indexes and partly filled pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Part {
    pub name: &'static str,
    pub bytes: i64,
}

/// The size of the file and, as part of it, the size of its free pages, in bytes.
pub fn file_bytes(connection: &Connection) -> Result<(i64, i64)> {
    let sql = "select page_count * page_size, freelist_count * page_size
         from pragma_page_count, pragma_page_size, pragma_freelist_count";
    Ok(connection.query_row(sql, [], |row| row.try_into())?)
}

/// The parts that may grow, the largest first. SQLite reads the lengths from the rows' headers and not the texts, but with
/// many rows this is still slow.
pub fn parts(connection: &Connection) -> Result<Vec<Part>> {
    let mut registrations =
        table_bytes(connection, "reviews")? + table_bytes(connection, "idempotency_keys")?;
    for kind in Kind::ALL {
        registrations += table_bytes(connection, &table(kind))?;
    }
    let mails = table_bytes(connection, "outbox")? + table_bytes(connection, "outbox_attachments")?;
    let photos = table_bytes(connection, "media_chunks")? + table_bytes(connection, "upload_chunks")?;
    let mut parts = vec![
        Part { name: "registrations", bytes: registrations },
        Part { name: "mails", bytes: mails },
        Part { name: "audit", bytes: table_bytes(connection, "audit_log")? },
        Part { name: "pictures", bytes: table_bytes(connection, "image_sizes")? },
        Part { name: "photos", bytes: photos },
    ];
    parts.sort_by_key(|part| -part.bytes);
    Ok(parts)
}

fn table_bytes(connection: &Connection, table: &str) -> Result<i64> {
    let sql = "select name from pragma_table_info(?)";
    let columns: Vec<String> = query_all(connection, sql, [table], |row| row.get(0))?;
    let lengths: Vec<String> =
        columns.iter().map(|column| format!("coalesce(octet_length({column}), 0)")).collect();
    let sql = format!("select coalesce(sum({}), 0) from {table}", lengths.join(" + "));
    Ok(connection.query_row(&sql, [], |row| row.get(0))?)
}
