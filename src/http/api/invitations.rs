//! Invitations from the waitlist to enter.

use chrono::{DateTime, Utc};
use serde_json::json;
use warp::reply::Response;

use super::call::{Call, ok};
use super::fields::Fields;
use super::records::changed_record;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::registrations::invitations;

/// `POST /api/waitlist-signups/invite {count, holdsUntil}` → `{count, ids}` of the signups that were invited.
pub async fn invite(mut call: Call, session: Session) -> Result<Response> {
    let body = Fields::parse(&call.json().await?)?;
    let count = body.whole_number("count")?.unwrap_or_default();
    let until = holds_until(&body)?;
    let ids = call.run(move |app| invitations::invite(app, &session.actor(), count, until)).await?;
    Ok(ok(&json!({ "count": ids.len(), "ids": ids })))
}

/// `POST /api/waitlist-signups/<id>/invite {holdsUntil}` → the updated record.
pub async fn invite_one(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let until = holds_until(&Fields::parse(&call.json().await?)?)?;
    changed_record(&call, Kind::WaitlistSignups, id, move |app| {
        invitations::invite_one(app, &session.actor(), id, until)
    })
    .await
}

fn holds_until(body: &Fields) -> Result<DateTime<Utc>> {
    let until = body.text("holdsUntil")?.unwrap_or_default();
    let until = DateTime::parse_from_rfc3339(&until)
        .map_err(|_| Error::field("holdsUntil", "Please send an instant like 2026-03-01T22:00:00Z"))?;
    Ok(until.to_utc())
}

/// `POST /api/waitlist-invitations/check {token}` → `{holds, holdsUntil, email, opensForm}`; no email once it has ended.
pub async fn check(mut call: Call) -> Result<Response> {
    let body = call.json().await;
    call.state.writes.take(call.client)?;
    let token = Fields::parse(&body?)?.text("token")?.unwrap_or_default();
    let invited = call.run(move |app| invitations::check(app, &token)).await?;
    Ok(ok(&json!({
        "holds": invited.email.is_some(), "holdsUntil": invited.holds_until, "email": invited.email,
        "opensForm": invited.opens_form,
    })))
}
