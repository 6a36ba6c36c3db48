//! Monitors disk and database and releases freed memory while the server runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::TICK;
use crate::app::App;
use crate::ops::health::probe::{self, check_database, check_disk, check_writing};
use crate::ops::health::status::Trouble;
use crate::ops::memory;

/// How often the disk is checked, and freed memory released.
const DISK_INTERVAL: Duration = Duration::from_secs(5);
/// How often a sound database is checked.
const DATABASE_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

pub fn run(app: &App, stop: &AtomicBool) {
    let mut damage = None;
    let mut last_check = Instant::now();
    let (mut next_disk, mut next_database) = (Instant::now(), Instant::now());
    while !stop.load(Ordering::Relaxed) {
        let now = Instant::now();
        if damage.is_none() && app.store.take_suspected_damage() {
            next_database = next_database.min(last_check + DISK_INTERVAL);
        }
        if now >= next_database {
            damage = check_database(&app.config);
            // A damaged database is checked often, but the checks take at most a twentieth of the time.
            let pause =
                if damage.is_some() { DISK_INTERVAL.max(now.elapsed() * 20) } else { DATABASE_INTERVAL };
            last_check = Instant::now();
            next_database = last_check + pause;
            next_disk = now;
        }
        if now >= next_disk {
            probe::apply(app, damage.clone().or_else(|| low_disk(app)).or_else(|| unwritable(app)));
            // What connections, pages, passwords and photos have left.
            memory::release_freed();
            next_disk = Instant::now() + DISK_INTERVAL;
        }
        thread::sleep(TICK);
    }
}

/// Checked after a failed write, until a write succeeds again.
fn unwritable(app: &App) -> Option<Trouble> {
    let is_suspected =
        app.store.take_failed_write() || matches!(app.health.trouble(), Some(Trouble::Unwritable(_)));
    if is_suspected { check_writing(&app.config) } else { None }
}

fn low_disk(app: &App) -> Option<Trouble> {
    match probe::free_bytes(&app.config) {
        Ok(free) => check_disk(&app.config, free),
        Err(error) => {
            tracing::warn!("{error}");
            None
        }
    }
}
