//! Monitors disk and database and releases freed memory while the server runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::TICK;
use crate::app::App;
use crate::ops::health::probe::{self, check_database, check_disk, check_writing};
use crate::ops::health::status::Trouble;
use crate::ops::memory;

/// How often the disk is checked.
const DISK_INTERVAL: Duration = Duration::from_secs(5);
/// How often a sound database is checked.
const DATABASE_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
/// How often memory is released after a few connections have ended.
const MEMORY_INTERVAL: Duration = Duration::from_secs(5 * 60);
/// How often memory is released after at least [`MANY_CONNECTIONS`] have ended.
const BUSY_MEMORY_INTERVAL: Duration = Duration::from_secs(10);
/// This many connections leave megabytes of freed memory.
const MANY_CONNECTIONS: u64 = 200;

pub fn run(app: &App, stop: &AtomicBool) {
    let mut damage = None;
    let mut last_check = Instant::now();
    let (mut next_disk, mut next_database) = (Instant::now(), Instant::now());
    let (mut released_at, mut ended_before) = (None, 0);
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
            next_disk = Instant::now() + DISK_INTERVAL;
        }
        let ended = app.connections_ended.load(Ordering::Relaxed);
        if should_release_memory(ended - ended_before, released_at.map(|at: Instant| at.elapsed())) {
            memory::release_freed();
            (released_at, ended_before) = (Some(Instant::now()), ended);
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

/// `ended`: connections that have ended since the last release; `since`: the time since then.
fn should_release_memory(ended: u64, since: Option<Duration>) -> bool {
    let interval = if ended >= MANY_CONNECTIONS { BUSY_MEMORY_INTERVAL } else { MEMORY_INTERVAL };
    ended > 0 && since.is_none_or(|since| since >= interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_released_often_after_many_connections_sometimes_after_few_and_never_after_none() {
        let day = Some(Duration::from_secs(86_400));
        for (ended, since, expected) in [
            (0, None, false),
            (0, day, false),
            (1, None, true),
            (1, Some(MEMORY_INTERVAL - Duration::from_secs(1)), false),
            (1, Some(MEMORY_INTERVAL), true),
            (MANY_CONNECTIONS - 1, Some(BUSY_MEMORY_INTERVAL), false),
            (MANY_CONNECTIONS, Some(BUSY_MEMORY_INTERVAL), true),
            (MANY_CONNECTIONS, Some(Duration::ZERO), false),
        ] {
            assert_eq!(should_release_memory(ended, since), expected, "{ended} {since:?}");
        }
    }
}
