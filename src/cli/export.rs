//! `showcase export`.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use chrono::NaiveDate;

use super::{Global, files};
use crate::app::App;
use crate::error::{Error, Result};
use crate::export::{self, Selection};
use crate::model::Kind;

/// Export registrations as CSV
#[derive(clap::Args)]
#[command(after_help = "Example: showcase export --kind speaker-applications --output speakers.csv")]
pub struct Export {
    /// One kind, or all in one file
    #[arg(long, default_value = "all", value_parser = kind_or_all)]
    kind: Kinds,
    /// The format of the file
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Where to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The first day, in event time
    #[arg(long, value_name = "DATE")]
    from: Option<NaiveDate>,
    /// The last day, in event time
    #[arg(long, value_name = "DATE")]
    to: Option<NaiveDate>,
    /// Only registrations with this status
    #[arg(long)]
    status: Option<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Csv,
}

#[derive(Clone, Copy)]
struct Kinds(Option<Kind>);

fn kind_or_all(word: &str) -> std::result::Result<Kinds, String> {
    if word == "all" {
        return Ok(Kinds(None));
    }
    word.parse().map(|kind| Kinds(Some(kind))).map_err(|error| {
        let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("{error}; it is one of: all, {}", known.join(", "))
    })
}

impl Export {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = global.app_to_read()?;
        let zone = app.content().event.time_zone.tz();
        let selection = Selection::new(self.kind.0, self.from, self.to, self.status.clone(), zone)?;
        match &self.output {
            Some(path) => self.to_file(global, &app, &selection, path),
            None => self.write(&app, &selection, BufWriter::new(std::io::stdout().lock())).map(drop),
        }
    }

    /// The file gets its name only once it is whole.
    fn to_file(&self, global: &Global, app: &App, selection: &Selection, path: &Path) -> Result<()> {
        files::require_replaceable(path, app.store.path())?;
        let unwritable =
            |error: std::io::Error| Error::Failed(format!("{} cannot be written: {error}.", path.display()));
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(unwritable)?;
        let written = self
            .write(app, selection, BufWriter::new(&file))
            .and_then(|rows| file.sync_all().map_err(unwritable).map(|()| rows))
            .and_then(|rows| std::fs::rename(&partial, path).map_err(unwritable).map(|()| rows));
        match written {
            Ok(rows) => {
                global.say(&format!("{rows} registrations in {}", path.display()));
                Ok(())
            }
            Err(error) => {
                let _ = std::fs::remove_file(&partial);
                Err(error)
            }
        }
    }

    fn write(&self, app: &App, selection: &Selection, out: impl Write) -> Result<u64> {
        let shows_progress = std::io::stderr().is_terminal();
        let mut progress = |rows: u64| {
            if shows_progress && rows.is_multiple_of(10_000) {
                eprint!("\r{rows} registrations");
            }
        };
        let Format::Csv = self.format;
        let rows =
            app.store.read(|connection| export::write_csv(connection, selection, out, &mut progress))?;
        if shows_progress && rows >= 10_000 {
            eprintln!();
        }
        Ok(rows)
    }
}
