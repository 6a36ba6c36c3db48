//! XLSX (ECMA-376), a sheet a kind, written as a stream: nothing is kept but the row in hand, and no
//! temporary file is needed, so that a full disk cannot spoil a download.
//!
//! Cells are texts, numbers, dates and flags, never formulas. A library that writes workbooks was left out:
//! those at hand keep the sheets in memory or in temporary files.

mod parts;
mod text;

use std::io::{self, ErrorKind, Write};

use chrono::NaiveDateTime;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use super::{Progress, Selection, columns, is_instant, list};
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::rules::{Field, Shape};
use crate::store::registrations;
use crate::time::LocalClock;

/// Rows on a sheet below its header; Excel takes 1,048,576 in all.
const MOST_ROWS: u64 = 1_048_575;

/// Writes the selection row by row. Returns how many rows there were.
///
/// # Errors
/// [`Error::Failed`] when `out` cannot be written to.
pub fn write_xlsx(
    connection: &Connection,
    selection: &Selection,
    out: impl Write,
    progress: Progress<'_>,
) -> Result<u64> {
    let mut sheets = Vec::new();
    for kind in selection.kinds() {
        let count = registrations::count(connection, kind, &selection.filter)?;
        let parts = count.unsigned_abs().div_ceil(MOST_ROWS).max(1);
        sheets.extend((1..=parts).map(|part| parts::Sheet { kind, part }));
    }
    let out = Once { out, failure: None };
    let mut book = Book { zip: ZipWriter::new_stream(out), sheet: 0, line: String::new() };
    for (name, content) in parts::fixed(&sheets) {
        book.start(name)?;
        book.write(&content)?;
    }
    let mut rows = 0;
    let mut clock = LocalClock::new(&selection.zone);
    for kind in selection.kinds() {
        let looks: Vec<Look> = columns(kind).map(Look::of).collect();
        book.start_sheet(kind)?;
        let mut on_sheet = 0;
        registrations::each(connection, kind, &selection.filter, |cells| {
            if on_sheet == MOST_ROWS {
                book.end_sheet(kind, on_sheet)?;
                book.start_sheet(kind)?;
                on_sheet = 0;
            }
            on_sheet += 1;
            book.row(on_sheet + 1, cells, &looks, &mut clock)?;
            rows += 1;
            progress(rows);
            Ok(())
        })?;
        book.end_sheet(kind, on_sheet)?;
    }
    book.zip.finish().map_err(unwritable)?.into_inner().flush()?;
    Ok(rows)
}

/// What a column's cells are.
struct Look {
    /// Of its field, when the form has it.
    shape: Option<Shape>,
    is_instant: bool,
}

impl Look {
    fn of((name, field): (&str, Option<&Field>)) -> Look {
        Look { shape: field.map(|field| field.shape), is_instant: is_instant((name, field)) }
    }
}

struct Book<W: Write> {
    zip: ZipWriter<StreamWriter<W>>,
    /// The number of the sheet in hand, from 1.
    sheet: usize,
    line: String,
}

impl<W: Write> Book<W> {
    fn start(&mut self, name: &str) -> Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(3))
            .large_file(true);
        self.zip.start_file(name, options).map_err(unwritable)
    }

    fn write(&mut self, xml: &str) -> Result<()> {
        Ok(self.zip.write_all(xml.as_bytes())?)
    }

    fn start_sheet(&mut self, kind: Kind) -> Result<()> {
        self.sheet += 1;
        self.start(&format!("xl/worksheets/sheet{}.xml", self.sheet))?;
        let names: Vec<&str> = columns(kind).map(|(name, _)| name).collect();
        self.write(&parts::sheet_start(&names))
    }

    fn end_sheet(&mut self, kind: Kind, rows: u64) -> Result<()> {
        self.write(&parts::sheet_end(columns(kind).count(), rows))
    }

    fn row(
        &mut self,
        number: u64,
        cells: &[ValueRef<'_>],
        looks: &[Look],
        clock: &mut LocalClock,
    ) -> Result<()> {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        line.push_str(&format!("<row r=\"{number}\">"));
        for (at, (cell, Look { shape, is_instant })) in cells.iter().zip(looks).enumerate() {
            let place = format!("{}{number}", parts::letters(at));
            match cell {
                ValueRef::Null | ValueRef::Blob(_) => {}
                ValueRef::Integer(flag) if matches!(shape, Some(Shape::Flag | Shape::Consent)) => {
                    line.push_str(&format!("<c r=\"{place}\" t=\"b\"><v>{flag}</v></c>"));
                }
                ValueRef::Integer(number) => line.push_str(&format!("<c r=\"{place}\"><v>{number}</v></c>")),
                ValueRef::Real(number) => line.push_str(&format!("<c r=\"{place}\"><v>{number}</v></c>")),
                ValueRef::Text(bytes) => {
                    let stored = String::from_utf8_lossy(bytes);
                    let days = if *is_instant { serial(clock.read(&stored)) } else { None };
                    match (days, shape) {
                        (Some(days), _) => {
                            line.push_str(&format!("<c r=\"{place}\" s=\"2\"><v>{days}</v></c>"));
                        }
                        (None, Some(Shape::Choices)) => text::push_cell(&mut line, &place, &list(&stored)),
                        (None, _) => text::push_cell(&mut line, &place, &stored),
                    }
                }
            }
        }
        line.push_str("</row>");
        let written = self.write(&line);
        self.line = line;
        written
    }
}

/// A local time as Excel counts: days since December 30, 1899, of the event's calendar.
fn serial(local: &str) -> Option<String> {
    let at = NaiveDateTime::parse_from_str(local, "%Y-%m-%d %H:%M:%S").ok()?;
    let start = chrono::NaiveDate::from_ymd_opt(1899, 12, 30)?.and_hms_opt(0, 0, 0)?;
    let seconds = (at - start).num_seconds();
    Some(format!("{:.6}", seconds as f64 / 86_400.0))
}

/// Fails once and takes anything from then on: the library, when it is given up, still writes the end of the workbook
/// and prints on its own that this failed.
struct Once<W: Write> {
    out: W,
    failure: Option<ErrorKind>,
}

impl<W: Write> Write for Once<W> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        match self.failure {
            Some(_) => Ok(part.len()),
            None => self.out.write(part).inspect_err(|error| {
                // What was only interrupted is tried again.
                self.failure = Some(error.kind()).filter(|kind| *kind != ErrorKind::Interrupted);
            }),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.failure {
            Some(kind) => Err(kind.into()),
            None => self.out.flush(),
        }
    }
}

fn unwritable(error: zip::result::ZipError) -> Error {
    match error {
        zip::result::ZipError::Io(error) => error.into(),
        error => Error::Failed(format!("The workbook could not be written: {error}.")),
    }
}
