//! Exports scores (the newest value of each criterion on each sheet) and sealed results.

use std::io::Write;

use csv::{QuoteStyle, Terminator, WriterBuilder};
use serde_json::{Map, Value, json};

use super::sealed::Sealed;
use super::sheet::Values;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::registrations::export::{self, Format, safe_cell, unwritable};
use crate::store::audit;
use crate::store::judging::judges;
use crate::store::judging::{categories, sheets};
use crate::store::portal::nominations;
use crate::time;

/// What `kind` is for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exported {
    Scores,
    Results,
}

impl Exported {
    pub const ALL: [Exported; 2] = [Exported::Scores, Exported::Results];

    pub const fn as_str(self) -> &'static str {
        match self {
            Exported::Scores => "scores",
            Exported::Results => "results",
        }
    }

    pub fn from_kind(kind: &str) -> Option<Exported> {
        Exported::ALL.into_iter().find(|one| one.as_str() == kind)
    }

    const fn header(self) -> &'static [&'static str] {
        match self {
            Exported::Scores => &[
                "category",
                "subCategory",
                "code",
                "judgeId",
                "judge",
                "state",
                "kind",
                "criterion",
                "points",
                "savedAt",
            ],
            Exported::Results => &[
                "category",
                "subCategory",
                "place",
                "code",
                "name",
                "businessName",
                "email",
                "points",
                "total",
                "penalties",
                "adjustment",
                "state",
                "sentence",
                "sealedAt",
                "publishedAt",
            ],
        }
    }
}

/// The filters of registrations, of which scores and results have none.
const NO_FILTERS: [&str; 5] = ["from", "to", "status", "search", "category"];

/// Refuses all filters; see [`export::refuse_filters`].
pub fn refuse_filters(prefix: &str, is_given: impl Fn(&str) -> bool) -> Result<()> {
    export::refuse_filters("Scores and results", &NO_FILTERS, prefix, is_given)
}

/// Writes an export, and records it in the audit log. Returns the number of rows.
///
/// # Errors
/// [`Error::Malformed`] for a workbook. [`Error::Failed`] if writing to `out` fails.
pub fn write(
    app: &App,
    actor: &Actor,
    format: Format,
    exported: Exported,
    mut out: impl Write,
) -> Result<u64> {
    require_format(format)?;
    let rows = match exported {
        Exported::Scores => scores(app)?,
        Exported::Results => results(app)?,
    };
    record_action(app, actor, format, exported);
    let header = exported.header();
    if format == Format::Json {
        let object = |row: &Vec<Value>| {
            let pairs = header.iter().zip(row).map(|(name, value)| ((*name).to_owned(), value.clone()));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        let rows: Vec<Value> = rows.iter().map(object).collect();
        serde_json::to_writer(&mut out, &json!({ exported.as_str(): rows })).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        // As the exports of registrations (docs/reference.md, "Formats").
        out.write_all("\u{feff}".as_bytes())?;
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .quote_style(QuoteStyle::Always)
            .from_writer(&mut out);
        writer.write_record(header).map_err(unwritable)?;
        let zone = &app.content().event.time_zone;
        for row in &rows {
            let cell = |(name, value): (&&str, &Value)| match value {
                Value::String(at) if name.ends_with("At") => time::local(at, zone),
                Value::String(text) => safe_cell(text).into_owned(),
                Value::Null => String::new(),
                number => number.to_string(),
            };
            writer.write_record(header.iter().zip(row).map(cell)).map_err(unwritable)?;
        }
        writer.flush()?;
    }
    out.flush()?;
    Ok(rows.len() as u64)
}

/// # Errors
/// [`Error::Malformed`] for a workbook.
pub fn require_format(format: Format) -> Result<()> {
    match format {
        Format::Csv | Format::Json => Ok(()),
        Format::Xlsx => Err(Error::Malformed("Scores and results are exported as CSV or JSON.".into())),
    }
}

fn scores(app: &App) -> Result<Vec<Vec<Value>>> {
    app.store.read(|connection| {
        let mut rows = Vec::new();
        for category in categories::all(connection)? {
            for sheet in sheets::of_category(connection, &category.category, &category.sub_category)? {
                let judge = judges::get(connection, sheet.judge_id)?.map(|judge| judge.name);
                let values = Values::read(connection, sheet.judge_id, &sheet.code)?;
                let points = values.points.iter().map(|(key, points)| ("points", key, points));
                let penalties = values.penalties.iter().map(|(key, points)| ("penalty", key, points));
                for (kind, criterion, points) in points.chain(penalties) {
                    rows.push(vec![
                        json!(sheet.category),
                        json!(sheet.sub_category),
                        json!(sheet.code),
                        json!(sheet.judge_id),
                        json!(judge),
                        json!(sheet.state),
                        json!(kind),
                        json!(criterion),
                        json!(points),
                        json!(sheet.saved_at),
                    ]);
                }
            }
        }
        Ok(rows)
    })
}

fn results(app: &App) -> Result<Vec<Vec<Value>>> {
    app.store.read(|connection| {
        let mut rows = Vec::new();
        for category in categories::all(connection)? {
            let Some(results) = &category.results else { continue };
            let entered = nominations::of_category(connection, &category.category, &category.sub_category)?;
            for result in Sealed::parse(results)?.results {
                let nomination = entered.iter().find(|one| one.code == result.code);
                let entrant = nomination
                    .map(|one| nominations::entrant(connection, one.entry_id))
                    .transpose()?
                    .flatten();
                let of = |field: fn(&nominations::Entrant) -> &String| json!(entrant.as_ref().map(field));
                rows.push(vec![
                    json!(category.category),
                    json!(category.sub_category),
                    json!(result.place),
                    json!(result.code),
                    of(|entrant| &entrant.name),
                    of(|entrant| &entrant.business_name),
                    of(|entrant| &entrant.email),
                    json!(result.points),
                    json!(result.total),
                    json!(result.penalties),
                    json!(result.adjustment),
                    json!(result.state),
                    json!(result.sentence),
                    json!(category.sealed_at),
                    json!(category.published_at),
                ]);
            }
        }
        Ok(rows)
    })
}

fn record_action(app: &App, actor: &Actor, format: Format, exported: Exported) {
    let detail = json!({ "format": format.ending(), "kind": exported.as_str() });
    let (actor, now) = (actor.to_owned(), time::stored(time::now()));
    app.store.write_if_possible("the export of scores", move |connection| {
        let line = audit::Line { actor: &actor, action: "exported", subject: None };
        audit::insert_with(connection, &now, &line, &detail)
    });
}
