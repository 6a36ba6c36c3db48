//! Keeps the pages current: publishes content that a command has imported, opens and closes forms at their dates, renders
//! the pages that were not rendered at the start, and recompresses all of them more strongly. Strong compression takes
//! seconds and has its own thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{TICK, log_failure};
use crate::app::{App, Fingerprint};
use crate::error::{Error, Result};
use crate::site::publish;
use crate::time;

/// Pages are recompressed when they have been the same for this long. The seconds after a start belong to visitors, and
/// an organiser may publish several times in a row.
const SETTLED_AFTER: Duration = Duration::from_secs(10);

/// The environment variable with which a test does without [`improve`], which takes two seconds of processor time.
pub const NO_COMPRESSOR_VARIABLE: &str = "SHOWCASE_TEST_NO_COMPRESSOR";

pub fn run(app: &App, stop: &AtomicBool) {
    let mut tried = app.published().fingerprint;
    let mut last_failure = None;
    while !stop.load(Ordering::Relaxed) {
        let failure = publish_if_changed(app, &mut tried).err();
        let cause = failure.as_ref().map(|error| error.cause().unwrap_or_default().to_owned());
        // Log a failure once: an unavailable database gives the same one five times a second.
        if cause != last_failure {
            log_failure("publishing the new content", failure.map_or(Ok(()), Err));
        }
        last_failure = cause;
        thread::sleep(TICK);
    }
}

/// Renders and recompresses in the background until `stop` is set.
pub fn improve(app: &App, stop: &AtomicBool) {
    if std::env::var_os(NO_COMPRESSOR_VARIABLE).is_some() {
        return;
    }
    let (mut newest, mut since) = (app.site(), Instant::now());
    while !stop.load(Ordering::Relaxed) {
        let site = app.site();
        if !Arc::ptr_eq(&site, &newest) {
            (newest, since) = (site, Instant::now());
        } else if since.elapsed() < SETTLED_AFTER {
            // Visitors come first.
        } else if !site.is_complete() {
            log_failure("rendering the other pages", publish::complete(app));
            since = Instant::now();
        } else {
            publish::recompress(app, || stop.load(Ordering::Relaxed));
        }
        thread::sleep(TICK);
    }
}

/// Publishes if something has changed. Content that cannot be published is tried once, and the site does not change.
fn publish_if_changed(app: &App, tried: &mut Fingerprint) -> Result<()> {
    let newest = publish::newest_fingerprint(app, time::now())?;
    if newest == *tried || newest == app.published().fingerprint {
        return Ok(());
    }
    let started = Instant::now();
    match publish::publish(app) {
        Ok(()) => tracing::info!(
            milliseconds = started.elapsed().as_millis() as u64,
            "published revision {} of the content",
            app.published().revision
        ),
        // The database may be available next time.
        Err(error @ Error::Unavailable(_)) => return Err(error),
        Err(error) => log_failure("publishing the new content", Err(error)),
    }
    *tried = newest;
    Ok(())
}
