//! Writes to standard output. Where `println!` would panic, a closed pipe ends the command cleanly
//! (`cli::is_closed_pipe`) and a full disk is an error with one sentence.

use std::fmt::Arguments;
use std::io::{self, IsTerminal, Write};

use crate::error::{Error, Result};

/// Prints a line of a command's result, formatted like `println!`.
macro_rules! print_line {
    ($($part:tt)*) => { $crate::cli::output::line(format_args!($($part)*)) };
}
pub(super) use print_line;

pub fn line(text: Arguments<'_>) -> Result<()> {
    print(format!("{text}\n").as_bytes())
}

/// As [`write_raw`], with the error of a command.
pub fn print(bytes: &[u8]) -> Result<()> {
    write_raw(bytes).map_err(unwritable)
}

/// Writes to standard output and flushes the standard library's line buffer.
pub fn write_raw(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

/// Refuses to print a workbook to a terminal.
pub fn refuse_terminal() -> Result<()> {
    if io::stdout().is_terminal() {
        return Err(Error::Malformed(
            "A workbook cannot be printed to a terminal. Name a file with --output.".into(),
        ));
    }
    Ok(())
}

/// The error for a failed write to standard output.
pub fn unwritable(error: io::Error) -> Error {
    Error::io("Could not write to standard output")(error)
}
