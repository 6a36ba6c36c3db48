//! Registrations as CSV: RFC 4180, UTF-8 with BOM, a header row, one row per registration (docs/reference.md, "Formats").

use std::io::Write;

use csv::{ErrorKind, QuoteStyle, Terminator, Writer, WriterBuilder};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::{Progress, Selection, cell, columns, is_instant, list};
use crate::error::{Error, Result};
use crate::forms::FieldType;
use crate::model::Kind;
use crate::store::registrations;
use crate::time::{self, Zone};

/// Writes the selection row by row. Returns the number of rows.
///
/// # Errors
/// [`Error::Failed`] if writing to `out` fails.
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
        let plan = plan(kind, &names);
        registrations::for_each(connection, kind, &selection.filter, |cells| {
            if with_kind {
                writer.write_field(kind.as_str()).map_err(unwritable)?;
            }
            for source in &plan {
                write_cell(&mut writer, cells, *source, &selection.zone)?;
            }
            writer.write_record(None::<&[u8]>).map_err(unwritable)?;
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

/// The source of a column of the file for one kind. Numbers are positions in the stored row.
#[derive(Clone, Copy)]
enum Source {
    /// The kind has no such column.
    Nothing,
    Instant(usize),
    /// A stored value, with the type of its form field if it is one.
    Cell(usize, Option<FieldType>),
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

fn plan(kind: Kind, names: &[&str]) -> Vec<Source> {
    let stored: Vec<_> = columns(kind).collect();
    let source = |name: &&str| match stored.iter().position(|(column, _)| column == name) {
        None => Source::Nothing,
        Some(at) if is_instant(stored[at]) => Source::Instant(at),
        Some(at) => Source::Cell(at, stored[at].1.map(|field| field.field_type)),
    };
    names.iter().map(source).collect()
}

fn write_cell<W: Write>(
    writer: &mut Writer<W>,
    cells: &[ValueRef<'_>],
    source: Source,
    zone: &Zone,
) -> Result<()> {
    let written = match source {
        Source::Nothing => writer.write_field(""),
        Source::Instant(at) => writer.write_field(time::local(cells[at].as_str().unwrap_or_default(), zone)),
        Source::Cell(at, field_type) => match cells[at] {
            ValueRef::Null | ValueRef::Blob(_) => writer.write_field(""),
            ValueRef::Integer(number) if matches!(field_type, Some(FieldType::Flag | FieldType::Consent)) => {
                writer.write_field(if number == 1 { "true" } else { "false" })
            }
            ValueRef::Integer(number) => writer.write_field(number.to_string()),
            ValueRef::Real(number) => writer.write_field(number.to_string()),
            ValueRef::Text(text) => {
                let text = String::from_utf8_lossy(text);
                match field_type {
                    Some(FieldType::Choices) => writer.write_field(cell::safe(&list(&text)).as_bytes()),
                    _ => writer.write_field(cell::safe(&text).as_bytes()),
                }
            }
        },
    };
    written.map_err(unwritable)
}
