//! Registrations as an Excel workbook. There is one sheet for each kind, for people, and a last sheet with identifiers and
//! stored values of all rows; `columns` defines both. Cells are texts, numbers, dates and amounts, never formulas.

mod columns;

use std::borrow::Cow;
use std::io::{self, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};

use self::columns::{Cell, Column};
use super::cell::fitting;
use super::{Progress, Selection};
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::site::content::Content;
use crate::store::registrations;
use crate::time::Zone;

/// A workbook with more rows is kept in temporary files instead of memory. An event has fewer, so that its download needs
/// no room on the disk.
const MAX_ROWS_IN_MEMORY: i64 = 10_000;
/// A larger file is written to a temporary one first.
const MAX_BYTES_IN_MEMORY: usize = 8 << 20;

/// The name of the last sheet.
const DETAILS: &str = "Details";

/// Writes the selection. Returns the number of rows.
pub fn write_xlsx(
    connection: &Connection,
    content: &Content,
    selection: &Selection,
    out: &mut (dyn Write + Send),
    progress: Progress<'_>,
) -> Result<u64> {
    let mut file = tempfile::spooled_tempfile(MAX_BYTES_IN_MEMORY);
    // The library panics when it cannot write to its own temporary file.
    let written = catch_unwind(AssertUnwindSafe(|| {
        let (mut book, rows) = fill(connection, content, selection, progress)?;
        book.save_to_writer(&mut file)?;
        Ok(rows)
    }));
    let rows = written.unwrap_or_else(|_| {
        Err(Error::Failed(
            "The workbook could not be written to a temporary file. Free some disk space, or export fewer days.".into(),
        ))
    })?;
    file.rewind()?;
    io::copy(&mut file, out)?;
    out.flush()?;
    Ok(rows)
}

fn fill(
    connection: &Connection,
    content: &Content,
    selection: &Selection,
    progress: Progress<'_>,
) -> Result<(Workbook, u64)> {
    let kinds = selection.kinds();
    let mut total = 0;
    for kind in &kinds {
        total += registrations::count(connection, *kind, &selection.filter)?;
    }
    let mut book = Book::new(total > MAX_ROWS_IN_MEMORY)?;
    let zone = &selection.zone;
    let mut rows = 0;
    for kind in &kinds {
        let columns = columns::of_kind(*kind);
        book.start(&columns::readable(kind.as_str()), &columns)?;
        registrations::for_each(connection, *kind, &selection.filter, |cells| {
            rows += 1;
            progress(rows);
            book.write_row(*kind, content, &columns, cells, zone)
        })?;
        book.end_sheet(&columns)?;
    }
    let details = columns::of_details(kinds[0]);
    book.start(DETAILS, &details)?;
    for kind in &kinds {
        let columns = columns::of_details(*kind);
        registrations::for_each(connection, *kind, &selection.filter, |cells| {
            book.write_row(*kind, content, &columns, cells, zone)
        })?;
    }
    book.end_sheet(&details)?;
    Ok((book.workbook, rows))
}

/// A workbook to which one sheet after the other is added.
struct Book {
    workbook: Workbook,
    in_files: bool,
    heading: Format,
    instant: Format,
    money: Format,
    /// How many sheets the workbook has.
    sheets: usize,
    /// The number of rows below the current sheet's header. A sheet can have a million.
    row: u32,
}

impl Book {
    fn new(in_files: bool) -> Result<Book> {
        let mut workbook = Workbook::new();
        // The same rows give the same bytes, whenever they are exported.
        let created = ExcelDateTime::from_ymd(1980, 1, 1)?;
        workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
        Ok(Book {
            workbook,
            in_files,
            heading: Format::new().set_bold().set_text_wrap().set_align(FormatAlign::Top),
            instant: Format::new().set_num_format("mmm d, yyyy h:mm AM/PM"),
            money: Format::new().set_num_format("\"$\"#,##0.00"),
            sheets: 0,
            row: 0,
        })
    }

    fn start(&mut self, name: &str, columns: &[Column]) -> Result<()> {
        (self.sheets, self.row) = (self.sheets + 1, 0);
        let sheet = if self.in_files {
            self.workbook.add_worksheet_with_constant_memory()?
        } else {
            self.workbook.add_worksheet()
        };
        sheet.set_name(name)?.set_freeze_panes(1, 0)?;
        for (at, column) in (0..).zip(columns) {
            sheet.set_column_width(at, column.width)?;
            sheet.write_string_with_format(0, at, column.heading.as_ref(), &self.heading)?;
        }
        Ok(())
    }

    /// Adds a filter over all rows.
    fn end_sheet(&mut self, columns: &[Column]) -> Result<()> {
        let last = u16::try_from(columns.len()).unwrap_or(u16::MAX) - 1;
        self.workbook.worksheet_from_index(self.sheets - 1)?.autofilter(0, 0, self.row, last)?;
        Ok(())
    }

    /// Writes the next row.
    fn write_row(
        &mut self,
        kind: Kind,
        content: &Content,
        columns: &[Column],
        cells: &[ValueRef<'_>],
        zone: &Zone,
    ) -> Result<()> {
        self.row += 1;
        let row = self.row;
        let sheet = self.workbook.worksheet_from_index(self.sheets - 1)?;
        for (at, column) in (0..).zip(columns) {
            match column.cell(kind, content, cells, zone) {
                Cell::Empty => {}
                Cell::Text(text) => write_text(sheet, row, at, &text)?,
                Cell::Number(number) => {
                    sheet.write_number(row, at, number as f64)?;
                }
                Cell::Fraction(number) => {
                    sheet.write_number(row, at, number)?;
                }
                Cell::Instant(local) => match ExcelDateTime::parse_from_str(&local) {
                    Ok(instant) => {
                        sheet.write_datetime_with_format(row, at, &instant, &self.instant)?;
                    }
                    Err(_) => write_text(sheet, row, at, &local)?,
                },
                Cell::Money(cents) => {
                    sheet.write_number_with_format(row, at, cents as f64 / 100.0, &self.money)?;
                }
            }
        }
        Ok(())
    }
}

fn write_text(sheet: &mut Worksheet, row: u32, column: u16, text: &str) -> Result<()> {
    let text = fitting(Cow::from(text));
    if text.starts_with("<r>") && text.ends_with("</r>") {
        // The library mistakes such a text for XML of its own and would write it unescaped.
        sheet.write_rich_string(row, column, &[(&Format::default(), text.as_ref())])?;
    } else {
        sheet.write_string(row, column, text)?;
    }
    Ok(())
}

impl From<XlsxError> for Error {
    fn from(error: XlsxError) -> Error {
        match error {
            XlsxError::IoError(error) | XlsxError::TempFileError(_, error) => error.into(),
            error => Error::Failed(format!("The workbook could not be written: {error}.")),
        }
    }
}
