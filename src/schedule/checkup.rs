//! Looks after disk and database for as long as the server runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::TICK;
use crate::app::App;
use crate::checkup::{self, identity, judge_database, judge_disk, judge_place, judge_writing};
use crate::condition::Trouble;

/// How often the disk and the place of the database are looked at.
const DISK: Duration = Duration::from_secs(5);
/// How often a sound database is checked.
const DATABASE: Duration = Duration::from_secs(24 * 60 * 60);

pub fn run(app: &App, stop: &AtomicBool) {
    let opened = identity(&app.config);
    let mut damage = None;
    let mut last_check = Instant::now();
    let (mut next_disk, mut next_database) = (Instant::now(), Instant::now());
    while !stop.load(Ordering::Relaxed) {
        let now = Instant::now();
        if damage.is_none() && app.store.take_suspicion() {
            next_database = next_database.min(last_check + DISK);
        }
        if now >= next_database {
            damage = judge_database(&app.config);
            // A damaged one is watched closely, but not so that the check is all that the disk does.
            let pause = if damage.is_some() { DISK.max(now.elapsed() * 20) } else { DATABASE };
            last_check = Instant::now();
            next_database = last_check + pause;
            next_disk = now;
        }
        if now >= next_disk {
            let moved = judge_place(&app.config, opened);
            checkup::apply(
                app,
                moved.or_else(|| damage.clone()).or_else(|| low_disk(app)).or_else(|| unwritable(app)),
            );
            next_disk = Instant::now() + DISK;
        }
        thread::sleep(TICK);
    }
}

/// Tried when a write has failed, and until one works again.
fn unwritable(app: &App) -> Option<Trouble> {
    let is_suspected =
        app.store.take_refusal() || matches!(app.condition.trouble(), Some(Trouble::Unwritable(_)));
    if is_suspected { judge_writing(&app.config) } else { None }
}

fn low_disk(app: &App) -> Option<Trouble> {
    match checkup::free_bytes(&app.config) {
        Ok(free) => judge_disk(&app.config, free),
        Err(error) => {
            tracing::warn!("{error}");
            None
        }
    }
}
