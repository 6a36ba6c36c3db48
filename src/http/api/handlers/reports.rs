//! Reports by hand, and the scheduler's switch.

use std::sync::Arc;

use chrono::Utc;
use http::StatusCode;
use serde_json::{Value, json};
use warp::Reply;
use warp::reply::Response;

use super::blocking;
use crate::admin::sessions::Session;
use crate::error::{Error, Result};
use crate::http::api::fields::Fields;
use crate::http::api::state::Desk;
use crate::reports::{self, Cadence, Delivery, Request, Timetable};

/// `POST /api/export/send-daily-report` and `/send-weekly-report`.
pub async fn send(cadence: Cadence, desk: Arc<Desk>, session: Result<Session>) -> Result<Response> {
    queue_and_wait(&desk, session?.username, cadence, None).await
}

/// `POST /api/export/send-notification {period, includeCSV}`.
pub async fn notify(desk: Arc<Desk>, session: Result<Session>, body: Result<Value>) -> Result<Response> {
    let (session, body) = (session?, Fields::of(&body?)?);
    let period = body.text("period")?;
    let cadence = Cadence::ALL.into_iter().find(|cadence| period.as_deref() == Some(cadence.as_str()));
    let cadence = cadence.ok_or_else(|| Error::field("period", "Please choose daily or weekly"))?;
    let with_csv = body.flag("includeCSV")?;
    queue_and_wait(&desk, session.username, cadence, with_csv).await
}

/// `GET /api/scheduler/status`.
pub async fn status(desk: Arc<Desk>, session: Result<Session>) -> Result<Response> {
    session?;
    let status = blocking(&desk.app, |app| reports::status(app, Utc::now())).await?;
    Ok(warp::reply::json(&status).into_response())
}

/// `POST /api/scheduler/start` and `/stop` → the status.
pub async fn switch(on: bool, desk: Arc<Desk>, session: Result<Session>) -> Result<Response> {
    let session = session?;
    let status = blocking(&desk.app, move |app| {
        let switch = if on { reports::start } else { reports::stop };
        switch(app, &session.username, Utc::now())?;
        reports::status(app, Utc::now())
    })
    .await?;
    Ok(warp::reply::json(&status).into_response())
}

async fn queue_and_wait(
    desk: &Desk,
    actor: String,
    cadence: Cadence,
    with_csv: Option<bool>,
) -> Result<Response> {
    let delivery = blocking(&desk.app, move |app| {
        let timetable = Timetable::new(&app.config.reports, app.content().event.time_zone.clone());
        let period = timetable.by_hand(cadence, Utc::now());
        let request = Request { period, missed: &[], recipient: None, with_csv, by: Some(&actor) };
        match reports::queue(app, &request)? {
            Some(id) => reports::await_delivery(app, id),
            None => Err(Error::Internal("a report by hand was taken for one by the clock".into())),
        }
    })
    .await?;
    let (status, answer) = match delivery {
        Delivery::Sent => (StatusCode::OK, json!({ "status": "sent" })),
        Delivery::Queued(words) => (StatusCode::ACCEPTED, json!({ "status": "queued", "detail": words })),
        Delivery::Refused(words) => return Err(Error::MailRefused(words)),
    };
    Ok(warp::reply::with_status(warp::reply::json(&answer), status).into_response())
}
