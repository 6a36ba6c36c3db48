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
use crate::site::publish;
use crate::store;
use crate::time;

/// Pages are recompressed when they have been the same for this long. The seconds after a start belong to visitors, and
/// an organiser may publish several times in a row.
const SETTLED_AFTER: Duration = Duration::from_secs(10);

/// The environment variable with which a test does without [`improve`], which takes two seconds of processor time.
pub const NO_COMPRESSOR_VARIABLE: &str = "SHOWCASE_TEST_NO_COMPRESSOR";

pub fn run(app: &App, stop: &AtomicBool) {
    let mut publisher = Publisher { changes: None, looked_at: None, tried: app.published().fingerprint };
    let mut last_failure = None;
    while !stop.load(Ordering::Relaxed) {
        let failure = publisher.publish_if_changed(app, time::now()).err();
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

struct Publisher {
    /// A connection of its own, because SQLite counts changes for each connection.
    changes: Option<Connection>,
    /// The count of changes and the minute of the last look at the content.
    looked_at: Option<(i64, i64)>,
    tried: Fingerprint,
}

impl Publisher {
    /// Publishes if something has changed. Content that cannot be published is tried once, and the site does not change.
    fn publish_if_changed(&mut self, app: &App, now: DateTime<Utc>) -> Result<()> {
        let changes = match self.changes.take() {
            Some(connection) => connection,
            None => store::open_reader(app.store.path())?,
        };
        let count = changes.query_row("pragma data_version", [], |row| row.get(0))?;
        self.changes = Some(changes);
        // Forms open and close at whole minutes.
        let now_at = (count, now.timestamp() / 60);
        if self.looked_at != Some(now_at) {
            self.look(app, now)?;
            self.looked_at = Some(now_at);
        }
        Ok(())
    }

    fn look(&mut self, app: &App, now: DateTime<Utc>) -> Result<()> {
        let newest = publish::newest_fingerprint(app, now)?;
        if newest == self.tried || newest == app.published().fingerprint {
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
        self.tried = newest;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::config::Config;
    use crate::site::content::Content;
    use crate::store::Store;

    #[test]
    fn the_content_is_looked_at_after_a_change_of_the_database_and_each_minute() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("showcase.db");
        store::migrate::migrate(&path).expect("migrated");
        let content = Content::parse(Content::default_toml()).expect("the default content");
        let app = App::new(Config::default(), Store::open(&path).expect("a store"), content, false);
        let app = app.expect("an application");
        publish::publish(&app).expect("published");
        let now = time::now();
        let mut publisher = Publisher { changes: None, looked_at: None, tried: Fingerprint::default() };
        let mut looks = |now: DateTime<Utc>| {
            let mut unlike = app.published();
            unlike.fingerprint = Fingerprint::default();
            app.set_published(unlike);
            publisher.tried = Fingerprint::default();
            publisher.publish_if_changed(&app, now).expect("published");
            app.published().fingerprint != Fingerprint::default()
        };
        assert!(looks(now) && !looks(now));
        assert!(looks(now + TimeDelta::minutes(1)) && !looks(now + TimeDelta::minutes(1)));
        app.store
            .write(|connection| Ok(connection.execute_batch("create table another (id)")?))
            .expect("a change");
        assert!(looks(now + TimeDelta::minutes(1)) && !looks(now + TimeDelta::minutes(1)));
    }
}
