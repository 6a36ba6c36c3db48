//! Queues a report, and waits for its delivery.

use std::time::{Duration, Instant};

use serde_json::json;

use super::compose::{Composed, compose};
use super::timetable::Period;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::outbox;
use crate::model::Actor;
use crate::store::audit;
use crate::store::outbox::{self as stored_emails, Priority, State};
use crate::time;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A report to be queued.
pub struct ReportRequest<'a> {
    pub period: Period,
    pub missed: &'a [Period],
    /// `None`: the configured mailbox.
    pub recipient: Option<&'a str>,
    /// `None`: as configured.
    pub with_csv: Option<bool>,
    /// The person who sends it by command or button, any number of times. `None`: the scheduler, once for each period.
    pub by: Option<&'a Actor>,
}

/// The state of a queued email.
#[derive(Debug, PartialEq, Eq)]
pub enum Delivery {
    Sent,
    /// Still waiting, with a sentence that says why.
    Queued(String),
    /// Refused permanently, with the mail server's message.
    Refused(String),
}

/// The configured mailbox.
///
/// # Errors
/// [`Error::Conflict`] if there is none.
pub fn mailbox(app: &App) -> Result<&str> {
    match app.config.reports.recipient.as_str() {
        "" => Err(Error::Conflict(
            "There is no mailbox for reports: set reports.recipient in the configuration.".into(),
        )),
        recipient => Ok(recipient),
    }
}

/// Composes a report and queues it. Returns the email's number, or `None` if the clock has queued this report before.
///
/// # Errors
/// [`Error::Conflict`] if there is no mailbox to send it to.
pub fn queue(app: &App, request: &ReportRequest<'_>) -> Result<Option<i64>> {
    let recipient = request.recipient.map_or_else(|| mailbox(app), Ok)?;
    let with_csv = request.with_csv.unwrap_or(app.config.reports.include_csv);
    let Composed { message, registrations } =
        compose(app, request.period, request.missed, recipient, with_csv)?;
    let Period { cadence, last_day } = request.period;
    let cause = match request.by {
        Some(_) => format!("report/{}/{last_day}/{:08x}", cadence.as_str(), rand::random::<u32>()),
        None => format!("report/{}/{last_day}", cadence.as_str()),
    };
    let now = time::stored(time::now());
    let actor = request.by.unwrap_or(&Actor::Scheduler);
    app.store.write(|connection| {
        if stored_emails::find_cause(connection, &cause)?.is_some() {
            return Ok(None);
        }
        let mail = outbox::new_mail(cause, Priority::Urgent, None, &message);
        let id = outbox::insert(connection, &mail, &message, &now)?;
        stored_emails::insert_report_registrations(connection, id, &registrations)?;
        let detail = json!({ "cadence": cadence.as_str(), "mail": id });
        audit::record(connection, actor, "report queued", &detail)?;
        Ok(Some(id))
    })
}

/// Waits until a queued email is sent, refused or delayed, for at most `reports.wait_seconds`. Without a mail server
/// it returns at once.
pub fn await_delivery(app: &App, id: i64) -> Result<Delivery> {
    if !outbox::is_active(app) {
        return Ok(Delivery::Queued("Queued in the outbox: no mail server is configured yet.".into()));
    }
    let deadline = Instant::now() + Duration::from_secs(app.config.reports.wait_seconds);
    loop {
        let mail = app.store.read(|connection| stored_emails::get(connection, id))?;
        let mail = mail.ok_or_else(|| Error::Internal(format!("mail {id} is gone")))?;
        match (mail.state, mail.last_error) {
            (State::Sent, _) => return Ok(Delivery::Sent),
            (State::Failed, error) => return Ok(Delivery::Refused(error.unwrap_or_default())),
            (State::Discarded, _) => return Ok(Delivery::Refused("It was discarded.".into())),
            (State::Waiting, Some(error)) => {
                return Ok(Delivery::Queued(format!(
                    "The mail server has not accepted it yet: {error}. Sending is retried automatically."
                )));
            }
            _ if Instant::now() >= deadline => {
                return Ok(Delivery::Queued(
                    "The mail server has not replied yet. Sending is retried automatically.".into(),
                ));
            }
            _ => std::thread::sleep(POLL_INTERVAL),
        }
    }
}
