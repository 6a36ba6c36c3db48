//! Keeps the pages current: publishes content that a command has imported, opens and closes forms at their dates, renders
//! the pages that were not rendered at the start, and recompresses all of them more strongly. Strong compression takes
//! seconds and has its own thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::{TICK, log_failure};
use crate::app::{App, Fingerprint};
use crate::error::{Error, Result};
use crate::site::publish::{self, Scope};
use crate::store;
use crate::time;

/// Pages are recompressed when they have been the same for this long. The seconds after a start belong to visitors, and
/// an organiser may publish several times in a row.
const SETTLED_AFTER: Duration = Duration::from_secs(10);

/// The environment variable with which a test does without [`recompress`], which takes two seconds of processor time.
pub const NO_COMPRESSOR_VARIABLE: &str = "SHOWCASE_TEST_NO_COMPRESSOR";

pub fn run(app: &App, stop: &AtomicBool) {
    let mut publisher =
        Publisher { changes: None, checked_at: None, last_tried: app.published().fingerprint };
    let mut last_failure = None;
    while !stop.load(Ordering::Relaxed) {
        let outcome = publisher.publish_if_changed(app, time::now());
        let cause = outcome.as_ref().err().map(|error| error.cause().unwrap_or_default().to_owned());
        // Log a failure once: an unavailable database gives the same one five times a second.
        if cause != last_failure {
            log_failure("publishing the new content", outcome);
        }
        last_failure = cause;
        thread::sleep(TICK);
    }
}

/// Renders and recompresses in the background until `stop` is set.
pub fn recompress(app: &App, stop: &AtomicBool) {
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

struct Publisher {
    /// A connection of its own, because SQLite counts changes for each connection.
    changes: Option<Connection>,
    /// The count of changes and the minute of the last check of the content.
    checked_at: Option<(i64, i64)>,
    last_tried: Fingerprint,
}

impl Publisher {
    /// Publishes if something has changed. Content that cannot be published is tried once, and the site does not change.
    fn publish_if_changed(&mut self, app: &App, now: DateTime<Utc>) -> Result<()> {
        let changes = match self.changes.take() {
            Some(connection) => connection,
            None => store::open_query_only(app.store.path())?,
        };
        let count = changes.query_row("pragma data_version", [], |row| row.get(0))?;
        self.changes = Some(changes);
        // Forms open and close at whole minutes.
        let checked_at = (count, now.timestamp() / 60);
        if self.checked_at != Some(checked_at) {
            self.publish_newest(app, now)?;
            self.checked_at = Some(checked_at);
        }
        Ok(())
    }

    fn publish_newest(&mut self, app: &App, now: DateTime<Utc>) -> Result<()> {
        let newest = publish::newest_fingerprint(app, now)?;
        if newest == self.last_tried || newest == app.published().fingerprint {
            return Ok(());
        }
        let started = Instant::now();
        match publish::publish(app, Scope::All) {
            Ok(()) => tracing::info!(
                milliseconds = started.elapsed().as_millis() as u64,
                "published revision {} of the content",
                app.published().revision
            ),
            // The database may be available next time.
            Err(error @ Error::Unavailable(_)) => return Err(error),
            Err(error) => log_failure("publishing the new content", Err(error)),
        }
        self.last_tried = newest;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::config::Config;

    #[test]
    fn the_content_is_checked_after_a_change_of_the_database_and_each_minute() {
        let (_folder, app) = App::for_test(Config::default());
        publish::publish(&app, Scope::All).expect("published");
        let now = time::now();
        let mut publisher = Publisher { changes: None, checked_at: None, last_tried: Fingerprint::default() };
        let mut publishes = |now: DateTime<Utc>| {
            let mut unlike = app.published();
            unlike.fingerprint = Fingerprint::default();
            app.set_published(unlike);
            publisher.last_tried = Fingerprint::default();
            publisher.publish_if_changed(&app, now).expect("published");
            app.published().fingerprint != Fingerprint::default()
        };
        assert!(publishes(now) && !publishes(now));
        assert!(publishes(now + TimeDelta::minutes(1)) && !publishes(now + TimeDelta::minutes(1)));
        app.store
            .write(|connection| Ok(connection.execute_batch("create table another (id)")?))
            .expect("a change");
        assert!(publishes(now + TimeDelta::minutes(1)) && !publishes(now + TimeDelta::minutes(1)));
    }
}
