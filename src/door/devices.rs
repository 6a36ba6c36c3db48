//! Volunteers' devices: a link opens one, without an account, until its end.

use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};
use serde_json::json;

use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::model::{Actor, token};
use crate::store::audit;
use crate::store::door as store;
pub use crate::store::door::Device;
use crate::time;

/// The scans of a device are accepted for this long after its end.
pub const LATE_SCANS: TimeDelta = TimeDelta::hours(24);
/// A new device is open for at least this long.
const MIN_OPEN: TimeDelta = TimeDelta::hours(24);
/// How often the last contact of a device that only reads is stored.
const TOUCH_INTERVAL: TimeDelta = TimeDelta::minutes(1);
const MAX_NAME_LENGTH: usize = 60;

/// Adds a device and returns its id and its link's token, of which only the hash is stored. It ends at `until`, or after the event.
///
/// # Errors
/// [`Error::Invalid`].
pub fn add(app: &App, actor: &Actor, name: &str, until: Option<&str>) -> Result<(i64, String)> {
    let wrong = format!("Please enter a name of at most {MAX_NAME_LENGTH} characters");
    let name =
        forms::free_line("name", name, MAX_NAME_LENGTH)?.ok_or_else(|| Error::field("name", &wrong))?;
    let until = match until {
        Some(text) => {
            let until: Option<DateTime<Utc>> = text.parse().ok();
            until.filter(|until| *until > time::now()).ok_or_else(|| {
                Error::field("until", "Please enter an instant that is ahead, like 2026-03-29T23:59:00Z")
            })?
        }
        None => {
            let event = &app.content().event;
            let next = event.last_day.checked_add_days(Days::new(1)).unwrap_or(event.last_day);
            // A device that is added after the event, to try it out, must not have ended already.
            event.time_zone.instant(next.and_time(NaiveTime::MIN)).max(time::now() + MIN_OPEN)
        }
    };
    let token = token::new();
    let id = app.store.write(|connection| {
        let at = time::stored(time::now());
        let id = store::insert_device(connection, &name, &time::stored(until), &token::hash(&token), &at)?;
        audit::record(connection, actor, "door device added", &json!({ "device": id }))?;
        Ok(id)
    })?;
    Ok((id, token))
}

/// Ends a device. It stops at its next contact.
///
/// # Errors
/// [`Error::NotFound`].
pub fn end(app: &App, actor: &Actor, id: i64) -> Result<()> {
    app.store.write(|connection| {
        if !store::end_device(connection, id, &time::stored(time::now()))? {
            return Err(Error::NotFound("There is no such device.".into()));
        }
        audit::record(connection, actor, "door device ended", &json!({ "device": id }))
    })
}

pub fn list(app: &App) -> Result<Vec<Device>> {
    app.store.read(store::open_devices)
}

/// The device with this token.
///
/// # Errors
/// [`Error::Unauthorised`]: unknown or ended.
pub fn check(app: &App, token: &str) -> Result<Device> {
    let device = known(app, token)?;
    if ended_at(&device).is_some() { Err(refused()) } else { Ok(device) }
}

/// The device with this token, and whether it was ended or its time is over. It is known for [`LATE_SCANS`] more.
///
/// # Errors
/// [`Error::Unauthorised`].
pub fn check_for_scans(app: &App, token: &str) -> Result<(Device, bool)> {
    let device = known(app, token)?;
    let ended = ended_at(&device);
    if ended.is_some_and(|ended| time::now() - ended >= LATE_SCANS) {
        Err(refused())
    } else {
        Ok((device, ended.is_some()))
    }
}

fn known(app: &App, token: &str) -> Result<Device> {
    let token_hash = token::hash(token);
    app.store.read(|connection| store::device_with(connection, &token_hash))?.ok_or_else(refused)
}

fn ended_at(device: &Device) -> Option<DateTime<Utc>> {
    let until: Option<DateTime<Utc>> = device.until.parse().ok();
    let ended: Option<DateTime<Utc>> = device.ended_at.as_deref().and_then(|at| at.parse().ok());
    [ended, until.filter(|until| *until <= time::now())].into_iter().flatten().min()
}

fn refused() -> Error {
    Error::Unauthorised("This device is not open any more. Ask the organizer for a new code to scan.".into())
}

/// Stores when a device last read the list. A full disk must not keep it from reading.
pub fn touch(app: &App, device: &Device) {
    let now = time::now();
    let last: Option<DateTime<Utc>> = device.last_seen_at.as_deref().and_then(|at| at.parse().ok());
    if last.is_some_and(|last| now - last < TOUCH_INTERVAL) {
        return;
    }
    let touched =
        app.store.write(|connection| store::touch_device(connection, device.id, &time::stored(now)));
    if let Err(error) = touched {
        tracing::warn!("the last contact of a device could not be stored: {}", error.for_log());
    }
}
