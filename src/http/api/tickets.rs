//! Offers of an entry's ticket to somebody else.

use warp::reply::Response;

use super::call::Call;
use super::fields::Fields;
use super::precondition;
use super::records::changed_record;
use crate::admin::sessions::Session;
use crate::error::Result;
use crate::model::Kind;
use crate::registrations::ticket_transfers::{self, NewHolder};
use crate::time;

/// `POST /api/competition-entries/<id>/transfer {name, email, reason?}` → the changed record.
pub async fn offer(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let body = Fields::parse(&call.json().await?)?;
    let (name, email) = (body.text("name")?.unwrap_or_default(), body.text("email")?.unwrap_or_default());
    let expected = precondition::expected(&call.headers)?;
    let reason = body.text("reason")?.filter(|reason| !reason.trim().is_empty());
    let holder = NewHolder::new(&name, &email, reason.as_deref(), expected)?;
    changed_record(&call, Kind::CompetitionEntries, id, move |app| {
        ticket_transfers::offer(app, &session.actor(), id, holder, time::now())
    })
    .await
}
