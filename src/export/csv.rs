//! CSV: RFC 4180, UTF-8 with BOM, a header row, one row a registration (contract, section 4).

use std::io::Write;

use chrono_tz::Tz;
use csv::{Terminator, Writer, WriterBuilder};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::{Selection, cell};
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::rules::{Field, Shape, form};
use crate::store::registrations;
use crate::time;

/// Writes the selection row by row, so that memory does not grow with it; `progress` hears the number
/// of rows written so far. Returns how many there were.
///
/// # Errors
/// [`Error::Failed`] when `out` cannot be written to.
pub fn write_csv(
    connection: &Connection,
    selection: &Selection,
    mut out: impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64> {
    out.write_all("\u{feff}".as_bytes())?;
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
    let names = names(selection);
    let with_kind = selection.kind.is_none();
    let header = with_kind.then_some("registrationType").into_iter().chain(names.iter().copied());
    writer.write_record(header).map_err(unwritable)?;
    let mut rows = 0;
    for kind in selection.kinds() {
        let plan = plan(kind, &names);
        registrations::each(connection, kind, &selection.filter, |cells| {
            if with_kind {
                writer.write_field(kind.as_str()).map_err(unwritable)?;
            }
            for place in &plan {
                write_cell(&mut writer, cells, place, selection.zone)?;
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

fn unwritable(error: csv::Error) -> Error {
    Error::Failed(format!("The CSV could not be written: {error}."))
}

/// What a column of the file holds for one kind.
enum Place {
    /// The kind has no such column.
    Nothing,
    CreatedAt,
    /// A column of the kind's table, with its field when the form has it.
    Cell(usize, Option<&'static Field>),
}

/// The columns of the file: those of every kind of the selection, each once.
fn names(selection: &Selection) -> Vec<&'static str> {
    let mut names = vec!["id", "createdAt"];
    for name in selection.kinds().into_iter().flat_map(columns) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn plan(kind: Kind, names: &[&str]) -> Vec<Place> {
    let present: Vec<&str> = ["id", "createdAt"].into_iter().chain(columns(kind)).collect();
    let fields: Vec<&Field> = form(kind).fields().collect();
    let place = |name: &&str| match present.iter().position(|column| column == name) {
        None => Place::Nothing,
        Some(1) => Place::CreatedAt,
        // The form's fields follow the id and the instant.
        Some(at) => Place::Cell(at, at.checked_sub(2).and_then(|field| fields.get(field).copied())),
    };
    names.iter().map(place).collect()
}

fn write_cell<W: Write>(
    writer: &mut Writer<W>,
    cells: &[ValueRef<'_>],
    place: &Place,
    zone: Tz,
) -> Result<()> {
    let text = match place {
        Place::Nothing => String::new(),
        Place::CreatedAt => time::local(cells[1].as_str().unwrap_or_default(), zone),
        Place::Cell(at, field) => shown(cells[*at], *field),
    };
    writer.write_field(cell::safe(&text).as_bytes()).map_err(unwritable)
}

fn columns(kind: Kind) -> impl Iterator<Item = &'static str> {
    let of_form = form(kind).fields().map(|field| field.name.as_str());
    of_form.chain(registrations::other_columns(kind).iter().map(|(name, _)| *name))
}

fn shown(value: ValueRef<'_>, field: Option<&Field>) -> String {
    let shape = field.map(|field| field.shape);
    match value {
        ValueRef::Null | ValueRef::Blob(_) => String::new(),
        ValueRef::Integer(number) if matches!(shape, Some(Shape::Flag | Shape::Consent)) => {
            (number == 1).to_string()
        }
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => {
            let text = String::from_utf8_lossy(text);
            if shape == Some(Shape::Choices) { list(&text) } else { text.into_owned() }
        }
    }
}

/// A stored JSON list as one cell.
fn list(json: &str) -> String {
    serde_json::from_str::<Vec<String>>(json).map_or_else(|_| json.to_owned(), |items| items.join("; "))
}
