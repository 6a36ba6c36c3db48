//! Exports nominations, each with its competitor and what is missing. Photos are not included.

use std::io::Write;

use serde_json::{Value, json};

use super::organiser::{self, NominationFilter, NominationView};
use crate::app::App;
use crate::error::Result;
use crate::model::Actor;
use crate::registrations::export::{self, Format, Table};
use crate::time;

/// The value of `kind` for this export.
pub const KIND: &str = "nominations";

/// The filters that registrations have and nominations do not.
const NO_FILTERS: [&str; 3] = ["from", "to", "category"];

/// Refuses a workbook and the filters that nominations do not have; see [`export::refuse_filters`].
pub fn require_possible(format: Format, prefix: &str, is_given: impl Fn(&str) -> bool) -> Result<()> {
    const NAME: &str = "Nominations";
    export::require_table_format(NAME, format)?;
    export::refuse_filters(NAME, &NO_FILTERS, prefix, is_given)
}

const COLUMNS: [&str; 17] = [
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

fn row(NominationView { entrant, own, .. }: &NominationView) -> Vec<Value> {
    let nomination = &own.nomination;
    vec![
        json!(nomination.id),
        json!(nomination.code),
        json!(nomination.category),
        json!(nomination.sub_category),
        json!(nomination.state),
        json!(entrant.name),
        json!(entrant.business_name),
        json!(entrant.email),
        json!(nomination.entry_id),
        json!(nomination.created_at),
        json!(nomination.handed_in_at),
        json!(own.deadline.map(time::stored)),
        json!(own.slots.iter().filter(|slot| slot.medium.is_some()).count()),
        // The keys of slots, and `release`.
        json!(own.missing()),
        json!(own.release.signed_at),
        json!(nomination.reason),
        // Of a release on paper.
        json!(own.release.confirmed_by),
    ]
}

/// Writes the nominations of a filter as CSV or JSON, and records the export in the audit log. Returns the number of rows.
pub fn write(
    app: &App,
    actor: &Actor,
    format: Format,
    filter: &NominationFilter,
    out: impl Write,
) -> Result<u64> {
    let rows = organiser::list(app, filter)?.iter().map(row).collect();
    let mut detail = json!({ "format": format, "kind": KIND, "status": filter.state });
    if filter.search.is_some() {
        // The search text may be a person's name, which the audit log must not have.
        detail["search"] = true.into();
    }
    let table = Table { kind: KIND, columns: &COLUMNS, rows };
    export::write_table(app, actor, format, &table, &detail, out)
}
