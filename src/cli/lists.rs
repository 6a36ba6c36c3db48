//! `showcase lists`.

use std::io::Write;
use std::path::PathBuf;

use super::{Access, Global, files, number, one_of, output};
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::registrations::lists::{self, Choice, ListName};
use crate::time;

/// Print a list for the days of the event, as a spreadsheet or a printable page
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase lists door --day 1 --format html --output door.html\n  showcase lists categories"
)]
pub struct Lists {
    /// The list
    #[arg(value_name = "LIST", value_parser = one_of::<ListName>(ListName::ALL.map(ListName::as_str)))]
    name: ListName,
    /// Only people attending on this day of the event (1 is the first)
    #[arg(long, value_name = "DAY", value_parser = number::<usize>)]
    day: Option<usize>,
    /// The format: CSV or XLSX for spreadsheets, HTML for printing
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Csv,
    Xlsx,
    Html,
}

impl Lists {
    pub fn run(&self, global: &Global) -> Result<()> {
        if matches!(self.format, Format::Xlsx) && self.output.is_none() {
            output::refuse_terminal()?;
        }
        let app = global.open(Access::ReadAudited)?;
        let choice = Choice { name: self.name, day: self.day };
        let list = lists::list(&app, &Actor::CommandLine, choice, time::now())?;
        let mut bytes = Vec::new();
        match self.format {
            Format::Csv => lists::write_csv(&list, &mut bytes)?,
            Format::Xlsx => bytes = lists::to_xlsx(&list)?,
            Format::Html => bytes = lists::to_html(&list)?.into_bytes(),
        }
        let Some(path) = &self.output else { return output::print(&bytes) };
        files::write(path, app.store.path(), |file| file.write_all(&bytes).map_err(Error::from))?;
        global.say(&format!("Wrote the list to {}.", path.display()));
        Ok(())
    }
}
