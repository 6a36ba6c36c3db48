//! Sends reports on request; starts and stops the scheduler.

use chrono::{DateTime, Utc};
use serde_json::json;
use warp::reply::Response;

use super::call::{Call, accepted, ok};
use super::fields::Fields;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::reports::{self, Cadence, Delivery, ReportRequest};
use crate::time;

/// `POST /api/export/send-daily-report` and `/send-weekly-report`.
pub async fn send(call: Call, session: Session, cadence: Cadence) -> Result<Response> {
    let with_csv = None;
    queue_and_wait(&call, session.actor(), cadence, with_csv).await
}

/// `POST /api/export/send-notification {period, includeCSV}`.
pub async fn notify(mut call: Call, session: Session) -> Result<Response> {
    let body = Fields::parse(&call.json().await?)?;
    let period = body.text("period")?;
    let cadence = period.and_then(|period| period.parse().ok());
    let cadence: Cadence = cadence.ok_or_else(|| Error::field("period", "Please choose daily or weekly"))?;
    let with_csv = body.flag("includeCSV")?;
    queue_and_wait(&call, session.actor(), cadence, with_csv).await
}

pub async fn status(call: Call, _session: Session) -> Result<Response> {
    let status = call.run(|app| reports::status(app, time::now())).await?;
    Ok(ok(&status))
}

/// `POST /api/scheduler/start` and `/stop` → the status.
pub async fn switch(
    call: Call,
    session: Session,
    switch: fn(&App, &Actor, DateTime<Utc>) -> Result<()>,
) -> Result<Response> {
    let status = call.run(move |app| {
        switch(app, &session.actor(), time::now())?;
        reports::status(app, time::now())
    });
    Ok(ok(&status.await?))
}

/// `with_csv`: `None` as configured.
async fn queue_and_wait(
    call: &Call,
    actor: Actor,
    cadence: Cadence,
    with_csv: Option<bool>,
) -> Result<Response> {
    let delivery = call
        .run(move |app| {
            let period = reports::timetable(app).on_demand(cadence, time::now());
            let request = ReportRequest { period, missed: &[], recipient: None, with_csv, by: Some(&actor) };
            match reports::queue(app, &request)? {
                Some(id) => reports::await_delivery(app, id),
                None => Err(Error::Internal("a requested report was treated as a scheduled one".into())),
            }
        })
        .await?;
    match delivery {
        Delivery::Sent => Ok(ok(&json!({ "status": "sent" }))),
        Delivery::Queued(reason) => Ok(accepted(&json!({ "status": "queued", "detail": reason }))),
        Delivery::Refused(reason) => Err(Error::MailRefused(reason)),
    }
}
