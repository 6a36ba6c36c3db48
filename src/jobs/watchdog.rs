//! Notifies the supervisor's watchdog, each time only after the database has answered.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use sd_notify::NotifyState;

use super::TICK;
use crate::app::App;
use crate::error::Error;

pub fn run(app: &App, stop: &AtomicBool) {
    let Some(interval) = sd_notify::watchdog_enabled() else { return };
    let pause = interval / 3;
    let mut next = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        if Instant::now() >= next {
            next = Instant::now() + pause;
            if database_answers(app) {
                let _ = sd_notify::notify(&[NotifyState::Watchdog]);
            } else {
                tracing::error!("the database does not answer, so the watchdog is not notified");
            }
        }
        thread::sleep(TICK.min(pause));
    }
}

/// A database that is locked by a command, or a full disk, is not a reason for a restart.
fn database_answers(app: &App) -> bool {
    app.store.require_readable().is_ok()
        && matches!(app.store.write(|_| Ok(())), Ok(()) | Err(Error::Unavailable(_)))
}
