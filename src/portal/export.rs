//! Exports nominations, each with its competitor and what is missing. Photos are no part of it.

use std::io::Write;

use csv::{QuoteStyle, Terminator, WriterBuilder};
use serde::Serialize;
use serde_json::json;

use super::organiser::{self, Filter, NominationView};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, EntryId, NominationState};
use crate::registrations::export::{self, Format, safe_cell, unwritable};
use crate::store::audit;
use crate::time::{self, Zone};

/// What `kind` is for nominations.
pub const KIND: &str = "nominations";

/// The filters that registrations have and nominations do not.
const NO_FILTERS: [&str; 3] = ["from", "to", "category"];

/// Refuses the filters that nominations do not have; see [`export::refuse_filters`].
pub fn refuse_filters(prefix: &str, is_given: impl Fn(&str) -> bool) -> Result<()> {
    export::refuse_filters("Nominations", &NO_FILTERS, prefix, is_given)
}

const HEADER: [&str; 17] = [
    "id",
    "code",
    "category",
    "subCategory",
    "state",
    "name",
    "businessName",
    "email",
    "entryId",
    "createdAt",
    "handedInAt",
    "deadline",
    "photos",
    "missing",
    "releaseSignedAt",
    "reason",
    "releaseConfirmedBy",
];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: i64,
    code: String,
    category: String,
    sub_category: String,
    state: NominationState,
    name: String,
    business_name: String,
    email: String,
    entry_id: EntryId,
    created_at: String,
    handed_in_at: Option<String>,
    deadline: Option<String>,
    photos: usize,
    /// The keys of slots, and `release`.
    missing: Vec<String>,
    release_signed_at: Option<String>,
    reason: Option<String>,
    /// Of a release on paper.
    release_confirmed_by: Option<String>,
}

impl From<NominationView> for Row {
    fn from(NominationView { entrant, own, .. }: NominationView) -> Row {
        let missing = own.missing().into_iter().map(str::to_owned).collect();
        let nomination = own.nomination;
        Row {
            id: nomination.id,
            code: nomination.code,
            category: nomination.category,
            sub_category: nomination.sub_category,
            state: nomination.state,
            name: entrant.name,
            business_name: entrant.business_name,
            email: entrant.email,
            entry_id: nomination.entry_id,
            created_at: nomination.created_at,
            handed_in_at: nomination.handed_in_at,
            deadline: own.deadline.map(time::stored),
            photos: own.slots.iter().filter(|slot| slot.medium.is_some()).count(),
            missing,
            release_signed_at: own.release.signed_at,
            reason: nomination.reason,
            release_confirmed_by: own.release.confirmed_by,
        }
    }
}

impl Row {
    /// In the order of [`HEADER`]; instants are in the event's time zone.
    fn cells(&self, zone: &Zone) -> [String; 17] {
        let local = |at: &Option<String>| at.as_deref().map(|at| time::local(at, zone)).unwrap_or_default();
        [
            self.id.to_string(),
            self.code.clone(),
            self.category.clone(),
            self.sub_category.clone(),
            self.state.as_str().to_owned(),
            self.name.clone(),
            self.business_name.clone(),
            self.email.clone(),
            self.entry_id.to_string(),
            time::local(&self.created_at, zone),
            local(&self.handed_in_at),
            local(&self.deadline),
            self.photos.to_string(),
            self.missing.join("; "),
            local(&self.release_signed_at),
            self.reason.clone().unwrap_or_default(),
            self.release_confirmed_by.clone().unwrap_or_default(),
        ]
    }
}

/// Writes the nominations of a filter, and records the export in the audit log. Returns the number of rows.
///
/// # Errors
/// [`Error::Malformed`] for a workbook, which nominations do not have. [`Error::Failed`] if writing to `out` fails.
pub fn write(app: &App, actor: &Actor, format: Format, filter: &Filter, mut out: impl Write) -> Result<u64> {
    require_format(format)?;
    let rows: Vec<Row> = organiser::list(app, filter)?.into_iter().map(Row::from).collect();
    record_action(app, actor, format, filter);
    if format == Format::Json {
        serde_json::to_writer(&mut out, &json!({ "nominations": rows })).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        // As the exports of registrations (docs/reference.md, "Formats").
        out.write_all("\u{feff}".as_bytes())?;
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .quote_style(QuoteStyle::Always)
            .from_writer(&mut out);
        writer.write_record(HEADER).map_err(unwritable)?;
        let zone = &app.content().event.time_zone;
        for row in &rows {
            let cells = row.cells(zone);
            writer.write_record(cells.iter().map(|cell| safe_cell(cell).into_owned())).map_err(unwritable)?;
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
        Format::Xlsx => Err(Error::Malformed("Nominations are exported as CSV or JSON.".into())),
    }
}

fn record_action(app: &App, actor: &Actor, format: Format, filter: &Filter) {
    let mut detail = json!({ "format": format.ending(), "kind": KIND, "status": filter.state });
    if filter.search.is_some() {
        // The search text may be a person's name, which the audit log must not have.
        detail["search"] = true.into();
    }
    let (actor, now) = (actor.to_owned(), time::stored(time::now()));
    app.store.write_if_possible("the export of nominations", move |connection| {
        let line = audit::Line { actor: &actor, action: "exported", subject: None };
        audit::insert_with(connection, &now, &line, &detail)
    });
}
