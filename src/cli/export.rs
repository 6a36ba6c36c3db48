//! `showcase export`.

use std::fmt::Display;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use chrono::NaiveDate;

use super::progress::Progress;
use super::{Access, Global, day, files, one_of, output};
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::export::{self as judging, JudgingExport};
use crate::model::{Actor, Kind};
use crate::portal::export as nominations;
use crate::portal::organiser::NominationFilter;
use crate::registrations::export::{self, Format, Selection};
use crate::time::{self, Zone};

/// Export registrations as CSV, JSON or an Excel workbook
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase export --kind speaker-applications --output speakers.csv\n  showcase export --format xlsx --from 2026-03-01 --output registrations.xlsx"
)]
pub struct Export {
    /// One kind, or all of them in one file (in a workbook: one sheet a kind); also nominations, scores or results
    #[arg(long, default_value = "all", value_parser = kind_or_all)]
    kind: ExportKind,
    /// The format of the file
    #[arg(long, default_value = "csv", value_parser = one_of::<Format>(Format::ALL.map(Format::as_str)))]
    format: Format,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The first day, in event time
    #[arg(long, value_name = "DATE", value_parser = day)]
    from: Option<NaiveDate>,
    /// The last day, in event time
    #[arg(long, value_name = "DATE", value_parser = day)]
    to: Option<NaiveDate>,
    /// Only registrations with this status; for entries also a payment status, such as paid
    #[arg(long)]
    status: Option<String>,
    /// Only registrations whose name, company or address contains this text
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExportKind {
    All,
    One(Kind),
    Nominations,
    Judging(JudgingExport),
}

impl ExportKind {
    /// The kind of registration, if it is a single one.
    fn one(self) -> Option<Kind> {
        match self {
            ExportKind::One(kind) => Some(kind),
            ExportKind::All | ExportKind::Nominations | ExportKind::Judging(_) => None,
        }
    }
}

fn kind_or_all(text: &str) -> std::result::Result<ExportKind, String> {
    match text {
        "all" => return Ok(ExportKind::All),
        nominations::KIND => return Ok(ExportKind::Nominations),
        _ => {}
    }
    if let Ok(exported) = text.parse() {
        return Ok(ExportKind::Judging(exported));
    }
    text.parse().map(ExportKind::One).map_err(|error| {
        let kinds = Kind::ALL.map(Kind::as_str).join(", ");
        let judging = JudgingExport::ALL.map(JudgingExport::as_str).join(", ");
        format!("{error}; it is one of: all, {kinds}, {}, {judging}", nominations::KIND)
    })
}

impl Export {
    pub fn run(&self, global: &Global) -> Result<()> {
        if self.kind == ExportKind::Nominations {
            return self.nominations(global);
        }
        if let ExportKind::Judging(exported) = self.kind {
            return self.judging(global, exported);
        }
        // Checks the arguments before the database is opened, so that wrong usage is reported first.
        self.selection(Zone::UTC)?;
        let app = global.open(Access::ReadAudited)?;
        let mut selection = self.selection(app.content().event.time_zone.clone())?;
        selection.filter.due_before = self.kind.one().and_then(|kind| app.due_before(kind, time::now()));
        if self.format == Format::Xlsx && self.output.is_none() {
            output::refuse_terminal()?;
        }
        self.write_rows(global, &app, "registrations", |out| self.write(global, &app, &selection, out))
    }

    fn nominations(&self, global: &Global) -> Result<()> {
        nominations::require_possible(self.format, "--", |name| self.is_given(name))?;
        let state = self.status.as_deref().map(str::parse).transpose().map_err(Error::Malformed)?;
        let filter = NominationFilter { state, missing: None, search: self.search.clone() };
        let app = global.open(Access::ReadAudited)?;
        self.write_rows(global, &app, "nominations", |out| {
            nominations::write(&app, &Actor::CommandLine, self.format, &filter, out)
        })
    }

    fn judging(&self, global: &Global, exported: JudgingExport) -> Result<()> {
        judging::require_possible(self.format, "--", |name| self.is_given(name))?;
        let app = global.open(Access::ReadAudited)?;
        self.write_rows(global, &app, "rows", |out| {
            judging::write(&app, &Actor::CommandLine, self.format, exported, out)
        })
    }

    /// Writes to a temporary file and renames it when it is complete, or to standard output. `what` names the rows.
    fn write_rows<N: Display>(
        &self,
        global: &Global,
        app: &App,
        what: &str,
        write: impl FnOnce(&mut (dyn Write + Send)) -> Result<N>,
    ) -> Result<()> {
        let Some(path) = &self.output else {
            return match write(&mut BufWriter::new(Output)) {
                Err(Error::Io { source, .. }) => Err(output::unwritable(source)),
                written => written.map(drop),
            };
        };
        let rows = files::write(path, app.store.path(), |file| write(&mut BufWriter::new(file)))?;
        global.say(&format!("Wrote {rows} {what} to {}.", path.display()));
        Ok(())
    }

    /// Whether a filter is given, by its name without dashes.
    fn is_given(&self, filter: &str) -> bool {
        match filter {
            "from" => self.from.is_some(),
            "to" => self.to.is_some(),
            "status" => self.status.is_some(),
            "search" => self.search.is_some(),
            _ => false,
        }
    }

    fn selection(&self, zone: Zone) -> Result<Selection> {
        let (status, search) = (self.status.clone(), self.search.clone());
        Selection::of_days(self.kind.one(), self.from, self.to, zone)?.matching(status, search)
    }

    fn write(
        &self,
        global: &Global,
        app: &App,
        selection: &Selection,
        out: &mut (dyn Write + Send),
    ) -> Result<u64> {
        // On a terminal that shows the export itself, progress would appear between the rows.
        let is_visible = self.output.is_none() && std::io::stdout().is_terminal();
        let mut progress = Progress::new(global);
        export::write(app, &Actor::CommandLine, self.format, selection, out, &mut |rows| {
            if !is_visible && rows.is_multiple_of(10_000) {
                progress.show(&format!("{rows} registrations"));
            }
        })
    }
}

/// Standard output, flushed after each part.
struct Output;

impl Write for Output {
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        output::write_raw(part).map(|()| part.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
