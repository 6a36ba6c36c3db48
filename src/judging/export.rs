//! Exports scores (the newest value of each criterion on each sheet) and sealed results.

use std::io::Write;

use serde_json::{Value, json};

use super::sealed_results::Sealed;
use super::sheet_values::Values;
use crate::app::App;
use crate::error::Result;
use crate::model::{Actor, text_enum};
use crate::registrations::export::{self, Format, Table};
use crate::store::judging::judges;
use crate::store::judging::{categories, sheets};
use crate::store::portal::nominations;

text_enum! {
    /// What is exported. Its text is the value of `kind`.
    pub enum JudgingExport, "a kind" {
        Scores = "scores",
        Results = "results",
    }
}

impl JudgingExport {
    const fn columns(self) -> &'static [&'static str] {
        match self {
            JudgingExport::Scores => &SCORE_COLUMNS,
            JudgingExport::Results => &RESULT_COLUMNS,
        }
    }
}

const SCORE_COLUMNS: [&str; 10] = [
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
];

const RESULT_COLUMNS: [&str; 15] = [
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
];

/// The filters of registrations, of which scores and results have none.
const NO_FILTERS: [&str; 5] = ["from", "to", "status", "search", "category"];

/// Refuses a workbook and all filters; see [`export::refuse_filters`].
pub fn require_possible(format: Format, prefix: &str, is_given: impl Fn(&str) -> bool) -> Result<()> {
    const NAME: &str = "Scores and results";
    export::require_table_format(NAME, format)?;
    export::refuse_filters(NAME, &NO_FILTERS, prefix, is_given)
}

/// Writes an export as CSV or JSON, and records it in the audit log. Returns the number of rows.
pub fn write(
    app: &App,
    actor: &Actor,
    format: Format,
    exported: JudgingExport,
    out: impl Write,
) -> Result<u64> {
    let rows = match exported {
        JudgingExport::Scores => scores(app)?,
        JudgingExport::Results => results(app)?,
    };
    let detail = json!({ "format": format, "kind": exported });
    let table = Table { kind: exported.as_str(), columns: exported.columns(), rows };
    export::write_table(app, actor, format, &table, &detail, out)
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
            let nominations =
                nominations::of_category(connection, &category.category, &category.sub_category)?;
            for result in Sealed::parse(results)?.results {
                let nomination = nominations.iter().find(|nomination| nomination.code == result.code);
                let entrant = match nomination {
                    Some(nomination) => nominations::entrant(connection, nomination.entry_id)?,
                    None => None,
                };
                let entrant = entrant.as_ref();
                rows.push(vec![
                    json!(category.category),
                    json!(category.sub_category),
                    json!(result.place),
                    json!(result.code),
                    json!(entrant.map(|entrant| &entrant.name)),
                    json!(entrant.map(|entrant| &entrant.business_name)),
                    json!(entrant.map(|entrant| &entrant.email)),
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
