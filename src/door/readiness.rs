//! What is missing at the door, from a week before the event until it is over.

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;

use crate::error::Result;
use crate::site::content::Content;
use crate::store::door as store;
use crate::time;

/// A sentence for each thing that is missing.
pub fn missing(connection: &Connection, content: &Content, now: DateTime<Utc>) -> Result<Vec<String>> {
    let (event, today) = (&content.event, content.today(now));
    if today + TimeDelta::weeks(1) < event.first_day || today > event.last_day {
        return Ok(Vec::new());
    }
    let mut missing = Vec::new();
    if !store::open_devices(connection)?.iter().any(|device| device.until > time::stored(now)) {
        missing.push("No phone can scan tickets yet. Add one under Door.".to_owned());
    }
    let is_waiting = |ticket: &store::Ticket| {
        ticket.is_valid() && ticket.attendee.email.is_some() && ticket.mailed_at.is_none()
    };
    let waiting = store::all(connection)?.into_iter().filter(is_waiting).count();
    if waiting > 0 {
        missing.push(match waiting {
            1 => "1 ticket has not been emailed. Send it under Door.".to_owned(),
            _ => format!("{waiting} tickets have not been emailed. Send them under Door."),
        });
    }
    Ok(missing)
}
