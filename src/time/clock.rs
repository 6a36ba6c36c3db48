//! The program's clock: the machine's, or one that is some time away from it, for the demo, which runs on a day before
//! the event, and for tests (CONTRIBUTING.md, "Recipes").
//! Timeouts and deadlines are not here: they use the monotonic clock, [`std::time::Instant`].

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};

/// The environment variable with the seconds by which a test sets the clock ahead, or back if negative.
pub const OFFSET_VARIABLE: &str = "SHOWCASE_TEST_CLOCK_OFFSET";

/// In milliseconds.
static OFFSET: AtomicI64 = AtomicI64::new(0);

/// The current time.
#[expect(clippy::disallowed_methods, reason = "everybody else asks this function")]
pub fn now() -> DateTime<Utc> {
    Utc::now() + offset()
}

/// How far the clock is ahead of the machine's; negative if it is behind.
pub fn offset() -> TimeDelta {
    TimeDelta::milliseconds(OFFSET.load(Ordering::Relaxed))
}

/// Sets the clock of this process. Set before other threads start, so that time does not jump for them.
pub fn set_offset(offset: TimeDelta) {
    OFFSET.store(offset.num_milliseconds(), Ordering::Relaxed);
}
