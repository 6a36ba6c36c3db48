//! Exports of other tables than registrations: nominations, scores and results. They are small, so that they are written from
//! memory, as CSV or JSON.

use std::io::Write;

use serde_json::{Map, Value, json};

use super::Format;
use super::csv::{self, unwritable};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::store::audit;

/// A table to be exported.
pub struct Table<'a> {
    /// The value of `kind` for this export, and the key of its rows in JSON.
    pub kind: &'a str,
    pub columns: &'a [&'a str],
    /// The values of each row, in the order of the columns. Instants are RFC 3339.
    pub rows: Vec<Vec<Value>>,
}

/// Writes a table, and records the export in the audit log with `detail`. Returns the number of rows.
pub fn write_table(
    app: &App,
    actor: &Actor,
    format: Format,
    table: &Table<'_>,
    detail: &Value,
    mut out: impl Write,
) -> Result<u64> {
    app.store
        .write_audit_line("the export", |connection| audit::record(connection, actor, "exported", detail));
    let Table { kind, columns, rows } = table;
    if format == Format::Json {
        let object = |row: &Vec<Value>| {
            let pairs = columns.iter().zip(row).map(|(name, value)| ((*name).to_owned(), value.clone()));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        let objects: Vec<Value> = rows.iter().map(object).collect();
        serde_json::to_writer(&mut out, &json!({ *kind: objects })).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        csv::write_bom(&mut out)?;
        let mut writer = csv::writer(&mut out);
        writer.write_record(*columns).map_err(unwritable)?;
        let zone = &app.content().event.time_zone;
        for row in rows {
            let cells = columns.iter().zip(row).map(|(name, value)| csv::cell(name, value, zone));
            writer.write_record(cells).map_err(unwritable)?;
        }
        writer.flush()?;
    }
    out.flush()?;
    Ok(rows.len() as u64)
}

/// Refuses the format that [`write_table`] does not write.
///
/// # Errors
/// [`Error::Malformed`] for a workbook. `what` is the subject of its sentence, such as `Nominations`.
pub fn require_table_format(what: &str, format: Format) -> Result<()> {
    match format {
        Format::Csv | Format::Json => Ok(()),
        Format::Xlsx => Err(Error::Malformed(format!("{what} are exported as CSV or JSON."))),
    }
}
