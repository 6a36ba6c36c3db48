//! Looks after disk, database and memory for as long as the server runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::TICK;
use crate::app::App;
use crate::ops::health::probe::{self, identity, judge_database, judge_disk, judge_place, judge_writing};
use crate::ops::health::status::Trouble;
use crate::ops::memory;

/// How often the disk and the place of the database are looked at.
const DISK: Duration = Duration::from_secs(5);
/// How often a sound database is checked.
const DATABASE: Duration = Duration::from_secs(24 * 60 * 60);
/// How often memory is given back while connections end, and how often once a crowd of them has ended.
const MEMORY: Duration = Duration::from_secs(5 * 60);
const MEMORY_OF_A_CROWD: Duration = Duration::from_secs(10);
/// So many connections leave megabytes at least.
const CROWD: u64 = 200;

pub fn run(app: &App, stop: &AtomicBool) {
    let opened = identity(&app.config);
    let mut damage = None;
    let mut last_check = Instant::now();
    let (mut next_disk, mut next_database) = (Instant::now(), Instant::now());
    let (mut given_back, mut ended_before) = (None, 0);
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
            probe::apply(
                app,
                moved.or_else(|| damage.clone()).or_else(|| low_disk(app)).or_else(|| unwritable(app)),
            );
            next_disk = Instant::now() + DISK;
        }
        let ended = app.connections_ended.load(Ordering::Relaxed);
        if is_worth_giving_back(ended - ended_before, given_back.map(|at: Instant| at.elapsed())) {
            memory::give_back();
            (given_back, ended_before) = (Some(Instant::now()), ended);
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
    match probe::free_bytes(&app.config) {
        Ok(free) => judge_disk(&app.config, free),
        Err(error) => {
            tracing::warn!("{error}");
            None
        }
    }
}

/// Whether memory is given back after so many connections have ended since it was the last time, so long ago.
fn is_worth_giving_back(ended: u64, last: Option<Duration>) -> bool {
    let pause = if ended >= CROWD { MEMORY_OF_A_CROWD } else { MEMORY };
    ended > 0 && last.is_none_or(|last| last >= pause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_given_back_soon_after_a_crowd_now_and_then_after_a_few_and_never_after_nobody() {
        let day = Some(Duration::from_secs(86_400));
        for (ended, last, expected) in [
            (0, None, false),
            (0, day, false),
            (1, None, true),
            (1, Some(MEMORY - Duration::from_secs(1)), false),
            (1, Some(MEMORY), true),
            (CROWD - 1, Some(MEMORY_OF_A_CROWD), false),
            (CROWD, Some(MEMORY_OF_A_CROWD), true),
            (CROWD, Some(Duration::ZERO), false),
        ] {
            assert_eq!(is_worth_giving_back(ended, last), expected, "{ended} {last:?}");
        }
    }
}
