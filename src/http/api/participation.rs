//! Whether an entry takes part: withdrawn, or without a payment.

use warp::reply::Response;

use super::call::Call;
use super::fields::Fields;
use super::precondition;
use super::records::{changed_record, for_organisers};
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::Result;
use crate::model::{Actor, Kind};
use crate::registrations::correct_answers;
use crate::registrations::version::Expected;

/// `POST /api/competition-entries/<id>/withdraw {reason}` and `/complimentary {reason}` → the changed record.
pub async fn change(
    mut call: Call,
    session: Session,
    change: fn(&App, &Actor, i64, String, Expected) -> Result<()>,
) -> Result<Response> {
    let id = call.id();
    let reason = Fields::parse(&call.json().await?)?.text("reason")?.unwrap_or_default();
    let reason = correct_answers::reason(&reason)?;
    let expected = precondition::expected(&call.headers)?;
    changed_record(&call, Kind::CompetitionEntries, id, move |app| {
        change(app, &session.actor(), id, reason, expected).map_err(for_organisers)
    })
    .await
}
