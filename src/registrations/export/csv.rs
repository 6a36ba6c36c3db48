//! Registrations as CSV: RFC 4180, UTF-8 with BOM, a header row, one row per registration (docs/reference.md, "Formats").

use std::io::Write;

use csv::{ErrorKind, QuoteStyle, Terminator, Writer, WriterBuilder};
use rusqlite::Connection;
use serde_json::Value;

use super::{Progress, Selection, columns, row_as_json, safe_cell};
use crate::error::{Error, Result};
use crate::store::registrations;
use crate::time::{self, Zone};

/// Writes the selection row by row. Returns the number of rows.
pub fn write_csv(
    connection: &Connection,
    selection: &Selection,
    mut out: impl Write,
    progress: Progress<'_>,
) -> Result<u64> {
    write_bom(&mut out)?;
    let mut writer = writer(out);
    let names = names(selection);
    let with_kind = selection.kind.is_none();
    let header = with_kind.then_some("registrationType").into_iter().chain(names.iter().copied());
    writer.write_record(header).map_err(unwritable)?;
    let mut rows = 0;
    for kind in selection.kinds() {
        registrations::for_each(connection, kind, &selection.filter, |cells| {
            let row = row_as_json(kind, cells);
            let kind = with_kind.then(|| kind.to_string());
            let cells =
                names.iter().map(|name| cell(name, row.get(*name).unwrap_or(&Value::Null), &selection.zone));
            writer.write_record(kind.into_iter().chain(cells)).map_err(unwritable)?;
            rows += 1;
            progress(rows);
            Ok(())
        })?;
    }
    writer.flush()?;
    Ok(rows)
}

/// Marks a file as UTF-8 for spreadsheets.
pub fn write_bom(out: &mut impl Write) -> Result<()> {
    Ok(out.write_all("\u{feff}".as_bytes())?)
}

/// Quotes every cell. Otherwise a spreadsheet whose separator is the semicolon, as in much of Europe, would split `a;=1+1`
/// into two cells, the second of which is a formula.
pub fn writer<W: Write>(out: W) -> Writer<W> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .quote_style(QuoteStyle::Always)
        .buffer_capacity(1 << 16)
        .from_writer(out)
}

/// The error for CSV that cannot be written.
pub fn unwritable(error: csv::Error) -> Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error.into(),
        kind => Error::Failed(format!("The CSV could not be written: {kind:?}.")),
    }
}

/// The columns of the file: those of all kinds of the selection, without duplicates.
fn names(selection: &Selection) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (name, _) in selection.kinds().into_iter().flat_map(columns) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A value as a cell of the column with this name: instants in the event's time zone, lists as one text.
pub fn cell(name: &str, value: &Value, zone: &Zone) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(at) if name.ends_with("At") || name == "deadline" => time::local(at, zone),
        Value::String(text) => safe_cell(text).into_owned(),
        Value::Array(items) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            safe_cell(&items.join("; ")).into_owned()
        }
        Value::Object(_) => safe_cell(&value.to_string()).into_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}
