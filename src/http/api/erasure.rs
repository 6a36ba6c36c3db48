//! Erasing the personal data of a whole edition. It requires that the password was entered recently.

use serde_json::json;
use warp::reply::Response;

use super::call::{Call, ok};
use super::fields::Fields;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::privacy::{self, ErasureCounts};

/// `GET /api/edition/erasure` → `{people, lastDay, eraseOn}`.
pub async fn show(call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&call.run(privacy::everybody).await?))
}

/// `POST /api/edition/erasure {confirm}`, with the event's name, erases everybody → what was erased.
pub async fn erase(mut call: Call, session: Session) -> Result<Response> {
    let body = call.json().await;
    let session = session.require_confirmed()?;
    let confirm = Fields::parse(&body?)?.text("confirm")?.unwrap_or_default();
    let erased = call.run(move |app| {
        let name = app.content().event.name.clone();
        if confirm.trim() != name {
            return Err(Error::field("confirm", &format!("Please enter the event's name: {name}")));
        }
        privacy::erase_everybody(app, &session.actor(), &mut |_| ())
    });
    let (people, ErasureCounts { registrations, payments_kept, mails, .. }) = erased.await?;
    Ok(ok(&json!({
        "people": people, "registrations": registrations, "paymentsKept": payments_kept, "emails": mails,
    })))
}
