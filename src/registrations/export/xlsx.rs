//! Registrations as an Excel workbook (XLSX, ECMA-376), written as a stream. Only the current row is in memory, and no
//! temporary file is needed, so that a full disk cannot break a download. There is one sheet for each kind, for people,
//! and a last sheet with identifiers and stored values of all rows; `columns` defines both.
//!
//! Cells are texts, numbers, dates and amounts, never formulas. No library is used, because those for workbooks keep the
//! sheets in memory or in temporary files.

mod columns;
mod parts;
mod text;

use std::io::{self, ErrorKind, Write};

use chrono::NaiveDateTime;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use self::columns::{Cell, Column};
use super::{Progress, Selection};
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::site::content::Content;
use crate::store::registrations;
use crate::time::LocalClock;

/// The most rows below a sheet's header. Excel allows 1,048,576 with it.
const MOST_ROWS: u64 = 1_048_575;

/// The name of the last sheet.
const DETAILS: &str = "Details";

/// Writes the selection row by row. Returns the number of rows.
///
/// # Errors
/// [`Error::Failed`] if writing to `out` fails.
pub fn write_xlsx(
    connection: &Connection,
    content: &Content,
    selection: &Selection,
    out: impl Write,
    progress: Progress<'_>,
) -> Result<u64> {
    let kinds = selection.kinds();
    let mut names = Vec::new();
    let mut total = 0;
    for kind in &kinds {
        let count = registrations::count(connection, *kind, &selection.filter)?.unsigned_abs();
        names.extend(parts::sheet_names(&columns::readable(kind.as_str()), count.div_ceil(MOST_ROWS)));
        total += count;
    }
    names.extend(parts::sheet_names(DETAILS, total.div_ceil(MOST_ROWS)));
    let out = FailOnce { out, failure: None };
    let mut book = Book { zip: ZipWriter::new_stream(out), sheet: 0, row: 0, line: String::new() };
    for (name, content) in parts::fixed(&names) {
        book.start(name)?;
        book.write(&content)?;
    }
    let mut rows = 0;
    let mut clock = LocalClock::new(&selection.zone);
    for kind in &kinds {
        let columns = columns::of_kind(*kind);
        book.start_sheet(&columns)?;
        registrations::each(connection, *kind, &selection.filter, |cells| {
            rows += 1;
            progress(rows);
            book.write_row(*kind, content, &columns, cells, &mut clock)
        })?;
        book.end_sheet(&columns)?;
    }
    let Some(last) = kinds.last() else { return Ok(rows) };
    book.start_sheet(&columns::of_details(*last))?;
    for kind in &kinds {
        let columns = columns::of_details(*kind);
        registrations::each(connection, *kind, &selection.filter, |cells| {
            book.write_row(*kind, content, &columns, cells, &mut clock)
        })?;
    }
    book.end_sheet(&columns::of_details(*last))?;
    book.zip.finish().map_err(unwritable)?.into_inner().flush()?;
    Ok(rows)
}

struct Book<W: Write> {
    zip: ZipWriter<StreamWriter<W>>,
    /// The number of the current sheet, from 1.
    sheet: usize,
    /// The number of rows below its header.
    row: u64,
    /// A buffer for the current row.
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

    fn start_sheet(&mut self, columns: &[Column]) -> Result<()> {
        self.sheet += 1;
        self.row = 0;
        self.start(&format!("xl/worksheets/sheet{}.xml", self.sheet))?;
        self.write(&parts::sheet_start(columns))
    }

    fn end_sheet(&mut self, columns: &[Column]) -> Result<()> {
        self.write(&parts::sheet_end(columns.len(), self.row))
    }

    /// Writes the next row, on a new sheet if this one is full.
    fn write_row(
        &mut self,
        kind: Kind,
        content: &Content,
        columns: &[Column],
        cells: &[ValueRef<'_>],
        clock: &mut LocalClock,
    ) -> Result<()> {
        if self.row == MOST_ROWS {
            self.end_sheet(columns)?;
            self.start_sheet(columns)?;
        }
        self.row += 1;
        let number = self.row + 1;
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        line.push_str(&format!("<row r=\"{number}\">"));
        for (at, column) in columns.iter().enumerate() {
            let name = format!("{}{number}", parts::column_name(at));
            match column.cell(kind, content, cells, clock) {
                Cell::Empty => {}
                Cell::Text(value) => text::push_cell(&mut line, &name, &value),
                Cell::Number(number) => line.push_str(&format!("<c r=\"{name}\"><v>{number}</v></c>")),
                Cell::Fraction(number) => line.push_str(&format!("<c r=\"{name}\"><v>{number}</v></c>")),
                Cell::Instant(local) => match serial(local) {
                    Some(days) => line.push_str(&format!("<c r=\"{name}\" s=\"2\"><v>{days}</v></c>")),
                    None => text::push_cell(&mut line, &name, local),
                },
                Cell::Money(cents) => {
                    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
                    let (dollars, rest) = (cents / 100, cents % 100);
                    line.push_str(&format!("<c r=\"{name}\" s=\"3\"><v>{sign}{dollars}.{rest:02}</v></c>"));
                }
            }
        }
        line.push_str("</row>");
        let written = self.write(&line);
        self.line = line;
        written
    }
}

/// A local time as Excel's serial number: days since December 30, 1899.
fn serial(local: &str) -> Option<String> {
    let at = NaiveDateTime::parse_from_str(local, "%Y-%m-%d %H:%M:%S").ok()?;
    let start = chrono::NaiveDate::from_ymd_opt(1899, 12, 30)?.and_hms_opt(0, 0, 0)?;
    let seconds = (at - start).num_seconds();
    Some(format!("{:.6}", seconds as f64 / 86_400.0))
}

/// A writer that reports its first failure and then pretends to succeed. When the zip library is dropped after an error,
/// it still writes the end of the archive, and prints a message of its own if that fails.
struct FailOnce<W: Write> {
    out: W,
    failure: Option<ErrorKind>,
}

impl<W: Write> Write for FailOnce<W> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        match self.failure {
            Some(_) => Ok(part.len()),
            None => self.out.write(part).inspect_err(|error| {
                // The caller retries an interrupted write.
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
