//! Registrations as JSON: the form's values in their own types, and instants in RFC 3339.

use std::io::{self, Write};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::{Progress, Selection, columns};
use crate::error::Result;
use crate::forms::{Field, FieldType, form};
use crate::model::Kind;
use crate::registrations::summary::summary;
use crate::store::registrations;

/// Writes the summary's counts and then the selection, row by row, as one object. Returns the number of rows.
pub fn write_json(
    connection: &Connection,
    selection: &Selection,
    mut out: impl Write,
    progress: Progress<'_>,
) -> Result<u64> {
    let mut rows = 0;
    let counts = summary(connection, &selection.filter)?;
    let counts = serde_json::to_string(&counts).map_err(io::Error::from)?;
    let without_end = counts.strip_suffix('}').unwrap_or_default();
    write!(out, "{without_end},\"registrations\":{{")?;
    for (index, kind) in selection.kinds().into_iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}{}:[", Value::from(form(kind).summary_key.as_str()))?;
        let mut first = true;
        registrations::for_each(connection, kind, &selection.filter, |cells| {
            if !std::mem::take(&mut first) {
                write!(out, ",")?;
            }
            rows += 1;
            progress(rows);
            serde_json::to_writer(&mut out, &row_as_json(kind, cells))
                .map_err(|error| io::Error::from(error).into())
        })?;
        write!(out, "]")?;
    }
    writeln!(out, "}}}}")?;
    out.flush()?;
    Ok(rows)
}

/// One row, as [`registrations::for_each`] passes it.
pub fn row_as_json(kind: Kind, cells: &[ValueRef<'_>]) -> Map<String, Value> {
    let value = |name: &str, field, cell: &ValueRef<'_>| match cell {
        ValueRef::Text(json) if name == "agreedTo" => serde_json::from_slice(json).unwrap_or_default(),
        cell => typed(*cell, field),
    };
    columns(kind)
        .zip(cells)
        .map(|((name, field), cell)| (name.to_owned(), value(name, field, cell)))
        .collect()
}

fn typed(cell: ValueRef<'_>, field: Option<&Field>) -> Value {
    let field_type = field.map(|field| field.field_type);
    match cell {
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
        ValueRef::Integer(number) if matches!(field_type, Some(FieldType::Flag | FieldType::Consent)) => {
            (number == 1).into()
        }
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) if field_type == Some(FieldType::Choices) => {
            serde_json::from_slice(text).unwrap_or_default()
        }
        ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
    }
}
