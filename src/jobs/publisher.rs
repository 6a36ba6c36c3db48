//! Keeps the pages what they should be: shows what another command has imported, opens and closes forms
//! at their dates, and compresses the pages well when there is time. One thread publishes, so that an
//! older edition never replaces a newer one; good compression takes seconds and has a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use chrono::Utc;

use super::{TICK, tell};
use crate::app::{App, Basis};
use crate::error::{Error, Result};
use crate::site::publish;

pub fn run(app: &App, stop: &AtomicBool) {
    let mut tried = app.shown().basis;
    let mut last_failure = None;
    while !stop.load(Ordering::Relaxed) {
        let failure = follow(app, &mut tried).err();
        let words = failure.as_ref().map(|error| error.cause().unwrap_or_default().to_owned());
        // Asked five times a second, a database in trouble says the same each time.
        if words != last_failure {
            tell("showing the new content", failure.map_or(Ok(()), Err));
        }
        last_failure = words;
        thread::sleep(TICK);
    }
}

pub fn recompress(app: &App, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        publish::recompress(app, || stop.load(Ordering::Relaxed));
        thread::sleep(TICK);
    }
}

/// Publishes when there is something new. What cannot be shown is tried once: the site stays as it was.
fn follow(app: &App, tried: &mut Basis) -> Result<()> {
    let newest = publish::newest_basis(app, Utc::now())?;
    if newest == *tried || newest == app.shown().basis {
        return Ok(());
    }
    let started = Instant::now();
    match publish::publish(app) {
        Ok(()) => tracing::info!(
            milliseconds = started.elapsed().as_millis() as u64,
            "the site shows revision {} of the content",
            app.shown().revision
        ),
        // The database may answer the next time.
        Err(error @ Error::Unavailable(_)) => return Err(error),
        Err(error) => tell("showing the new content", Err(error)),
    }
    *tried = newest;
    Ok(())
}
