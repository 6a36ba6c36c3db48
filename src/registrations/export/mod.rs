//! Exports registrations for spreadsheets and scripts. HTTP and the command line export the same rows.

mod cell;
mod csv;
mod json;
mod table;
mod xlsx;

use std::io::Write;

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use serde_json::json;

pub use self::cell::safe as safe_cell;
pub use self::csv::{unwritable, write_bom, write_csv, writer as csv_writer};
pub use self::json::row_as_json;
pub use self::table::{Table, require_table_format, write_table};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::{Field, form};
use crate::model::{Actor, Kind, PaymentStatus, Status, text_enum};
use crate::site::content::Content;
use crate::store::audit;
use crate::store::registrations::{self, Filter};
use crate::time::{self, Zone};

/// A callback with the number of rows written so far.
pub type Progress<'a> = &'a mut dyn FnMut(u64);

text_enum! {
    /// Its text is the extension of a file name.
    pub enum Format, "a format" {
        Csv = "csv",
        Json = "json",
        Xlsx = "xlsx",
    }
}

impl Format {
    pub const fn content_type(self) -> &'static str {
        match self {
            Format::Csv => "text/csv; charset=utf-8",
            Format::Json => "application/json",
            Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// What to export.
#[derive(Debug, Clone)]
pub struct Selection {
    /// `None`: every kind. A CSV file then has `registrationType` as its first column.
    pub kind: Option<Kind>,
    /// A day in the event's time zone, inclusive.
    pub from: Option<NaiveDate>,
    /// A day in the event's time zone, inclusive.
    pub to: Option<NaiveDate>,
    pub filter: Filter,
    /// The event's time zone, for instants in CSV and XLSX.
    pub zone: Zone,
}

impl Selection {
    /// A selection by days in the event's time zone, both inclusive.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the days are in the wrong order.
    pub fn of_days(
        kind: Option<Kind>,
        from: Option<NaiveDate>,
        to: Option<NaiveDate>,
        zone: Zone,
    ) -> Result<Selection> {
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            return Err(Error::Malformed(format!("{from} is after {to}; give the earlier day first.")));
        }
        let after = to.and_then(|day| day.checked_add_days(Days::new(1)));
        let filter = Filter {
            from: from.map(|day| time::day_start(day, &zone)),
            // Stored instants are compared as text, which a year of five digits would break.
            until: after.map(|day| time::day_start(day, &zone)).filter(|until| until.year() <= 9999),
            ..Filter::default()
        };
        Ok(Selection { kind, from, to, filter, zone })
    }

    /// The same selection, only with this status and this search text.
    ///
    /// # Errors
    /// [`Error::Malformed`] if the kind does not have the status.
    pub fn matching(mut self, status: Option<String>, search: Option<String>) -> Result<Selection> {
        if let Some(status) = &status {
            require_status(self.kind, status)?;
        }
        (self.filter.status, self.filter.search) = (status, search);
        Ok(self)
    }

    pub fn everything(kind: Option<Kind>, zone: Zone) -> Selection {
        Selection { kind, from: None, to: None, filter: Filter::default(), zone }
    }

    fn kinds(&self) -> Vec<Kind> {
        self.kind.map_or_else(|| Kind::ALL.to_vec(), |kind| vec![kind])
    }
}

/// Refuses filters that an export does not have, so that an unfiltered export is not mistaken for a filtered one.
///
/// # Errors
/// [`Error::Malformed`] names the given ones. `prefix` is what the caller writes before the name of a filter.
pub fn refuse_filters(
    what: &str,
    unavailable: &[&str],
    prefix: &str,
    is_given: impl Fn(&str) -> bool,
) -> Result<()> {
    let given = unavailable.iter().filter(|name| is_given(name));
    let given: Vec<String> = given.map(|name| format!("{prefix}{name}")).collect();
    if given.is_empty() {
        return Ok(());
    }
    Err(Error::Malformed(format!("{what} cannot be filtered by {0}. Omit {0}.", given.join(" and "))))
}

/// Checks that this kind, or any kind for `None`, has such a status.
///
/// # Errors
/// [`Error::Malformed`] lists the known ones.
pub fn require_status(kind: Option<Kind>, status: &str) -> Result<()> {
    let mut known: Vec<&str> = Status::ALL.into_iter().map(Status::as_str).collect();
    known.push(registrations::STATUS_OPEN);
    // Each kind has its own time for an answer.
    if kind.is_some() {
        known.push(registrations::STATUS_DUE);
    }
    if kind.is_none_or(|kind| kind == Kind::CompetitionEntries) {
        known.extend(PaymentStatus::ALL.into_iter().map(PaymentStatus::as_str));
    }
    if known.contains(&status) {
        return Ok(());
    }
    Err(Error::Malformed(format!("'{status}' is not a status; use one of: {}.", known.join(", "))))
}

/// Checks that the event has such a category, and that the kind has categories.
///
/// # Errors
/// [`Error::Malformed`] lists the known ones.
pub fn require_category(content: &Content, kind: Option<Kind>, slug: &str) -> Result<()> {
    if kind != Some(Kind::CompetitionEntries) {
        return Err(Error::Malformed("Only competition-entries have categories.".into()));
    }
    let known: Vec<&str> = content.categories.iter().map(|category| category.slug.as_str()).collect();
    if known.contains(&slug) {
        return Ok(());
    }
    Err(Error::Malformed(format!("'{slug}' is not a category; use one of: {}.", known.join(", "))))
}

/// Writes the selection row by row, so that memory use does not depend on its size, and records the export in the audit
/// log. Returns the number of rows.
pub fn write(
    app: &App,
    actor: &Actor,
    format: Format,
    selection: &Selection,
    out: &mut (dyn Write + Send),
    progress: Progress<'_>,
) -> Result<u64> {
    record_action(app, actor, format, selection);
    let content = app.content();
    app.store.read(|connection| match format {
        Format::Csv => write_csv(connection, selection, out, progress),
        Format::Json => json::write_json(connection, selection, out, progress),
        Format::Xlsx => xlsx::write_xlsx(connection, &content, selection, out, progress),
    })
}

/// `lash-brow-showcase-waitlist-signups-Nov-10-to-20.csv`: the event's name, the kind, and the chosen days, or today's
/// date if none were chosen.
pub fn file_name(content: &Content, selection: &Selection, format: Format, now: DateTime<Utc>) -> String {
    let what = selection.kind.map_or("registrations", Kind::as_str);
    let days = days(selection.from, selection.to, content.today(now));
    format!("{}-{what}-{days}.{}", name_of_event(content), format)
}

/// The event's name for a file's: `lash-brow-showcase`.
pub fn name_of_event(content: &Content) -> String {
    let name = content.event.name.to_ascii_lowercase();
    let words: Vec<&str> =
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// `Nov-10-to-20`, `Nov-28-to-Dec-3`, `from-Nov-10`; with the year if it is not the current one.
fn days(from: Option<NaiveDate>, to: Option<NaiveDate>, today: NaiveDate) -> String {
    let day = |day: NaiveDate| day.format("%b-%-d").to_string();
    let with_year = |year: i32, text: String| {
        if year == today.year() { text } else { format!("{text}-{year}") }
    };
    match (from, to) {
        (None, None) => today.to_string(),
        (Some(from), None) => with_year(from.year(), format!("from-{}", day(from))),
        (None, Some(to)) => with_year(to.year(), format!("until-{}", day(to))),
        (Some(from), Some(to)) if from == to => with_year(from.year(), day(from)),
        (Some(from), Some(to)) if from.year() != to.year() => {
            format!("{}-{}-to-{}-{}", day(from), from.year(), day(to), to.year())
        }
        (Some(from), Some(to)) => {
            let last = if from.month() == to.month() { to.format("%-d").to_string() } else { day(to) };
            with_year(to.year(), format!("{}-to-{last}", day(from)))
        }
    }
}

fn record_action(app: &App, actor: &Actor, format: Format, selection: &Selection) {
    let mut detail = json!({
        "format": format,
        "kind": selection.kind.map(Kind::as_str),
        "from": selection.from,
        "to": selection.to,
        "status": selection.filter.status,
    });
    if let Some(category) = &selection.filter.category {
        detail["category"] = category.as_str().into();
    }
    if selection.filter.search.is_some() {
        // The search text may be a person's name, which the audit log must not have.
        detail["search"] = true.into();
    }
    app.store
        .write_audit_line("the export", |connection| audit::record(connection, actor, "exported", &detail));
}

/// The columns of a kind in the order of [`registrations::for_each`]: the name, and the form's field if it is one.
fn columns(kind: Kind) -> impl Iterator<Item = (&'static str, Option<&'static Field>)> {
    let fields = form(kind).fields().map(|field| (field.name.as_str(), Some(field)));
    let others = registrations::other_columns(kind).iter().map(|column| (column.name, None));
    [("id", None), ("createdAt", None)].into_iter().chain(fields).chain(others)
}
