//! The program's clock: the machine's, or one that is some seconds away from it, for tests (CONTRIBUTING.md, "Recipes").
//! Timeouts and deadlines are not here: they use the monotonic clock, [`std::time::Instant`].

use std::sync::OnceLock;

use chrono::{DateTime, TimeDelta, Utc};

/// The environment variable with the seconds by which a test sets the clock ahead, or back if negative.
pub const OFFSET_VARIABLE: &str = "SHOWCASE_TEST_CLOCK_OFFSET";

static OFFSET: OnceLock<TimeDelta> = OnceLock::new();

/// The current time.
#[expect(clippy::disallowed_methods, reason = "everybody else asks this function")]
pub fn now() -> DateTime<Utc> {
    Utc::now() + OFFSET.get().copied().unwrap_or_default()
}

/// Sets the clock of this process, once.
pub fn set_offset(offset: TimeDelta) {
    let _ = OFFSET.set(offset);
}
