//! The counts on the organiser's first page (docs/reference.md, "HTTP"): all registrations except abandoned or failed
//! entries and submissions held for review.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::{Serialize, Serializer};

use crate::error;
use crate::forms::by_summary_key;
use crate::model::{Kind, PaymentStatus};
use crate::store::registrations::{self, Filter};

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    #[serde(flatten, serialize_with = "by_summary_key")]
    pub by_kind: BTreeMap<Kind, i64>,
    pub total_registrations: i64,
    #[serde(serialize_with = "as_map")]
    pub competition_entries_by_status: Vec<(PaymentStatus, i64)>,
}

/// Counts the registrations that match a filter. A filter by status counts exactly those with that status.
pub fn summary(connection: &Connection, filter: &Filter) -> error::Result<Summary> {
    let counted = Filter { without_abandoned: true, ..filter.clone() };
    let mut by_kind = BTreeMap::new();
    for kind in Kind::ALL {
        by_kind.insert(kind, registrations::count(connection, kind, &counted)?);
    }
    Ok(Summary {
        total_registrations: by_kind.values().sum(),
        by_kind,
        competition_entries_by_status: registrations::count_by_payment_status(connection, filter)?,
    })
}

fn as_map<S: Serializer>(counts: &[(PaymentStatus, i64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().copied())
}
