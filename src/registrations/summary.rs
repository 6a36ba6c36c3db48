//! The counts that the organiser sees first (docs/reference.md, "HTTP"): every stored record, but neither
//! abandoned or failed entries nor what was set aside as spam.

use serde_json::{Map, Value};

use crate::app::App;
use crate::error::Result;
use crate::forms::form;
use crate::model::Kind;
use crate::store::registrations::{self, Filter};

/// The counts by kind, their total, and the entries by payment status, under the contract's keys; of what the filter
/// lets through. What is asked for by its status is counted, whatever that is.
pub fn summary(app: &App, filter: &Filter) -> Result<Map<String, Value>> {
    app.store.read(|connection| {
        let by_status = registrations::count_by_payment_status(connection, filter)?;
        let counted = Filter { taking_part: true, ..filter.clone() };
        let mut summary = Map::new();
        let mut total = 0;
        for kind in Kind::ALL {
            let count = registrations::count(connection, kind, &counted)?;
            total += count;
            summary.insert(form(kind).summary_key.clone(), count.into());
        }
        summary.insert("totalRegistrations".to_owned(), total.into());
        let by_status: Map<String, Value> =
            by_status.into_iter().map(|(status, count)| (status, count.into())).collect();
        summary.insert("competitionEntriesByStatus".to_owned(), by_status.into());
        Ok(summary)
    })
}
