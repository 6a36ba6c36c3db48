//! The clock of the tests and of what they start. All runs begin at the same instant, so that no day ends and no report
//! falls due while a test runs, whenever that is.

use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta, Utc};

/// A Thursday, ten in the morning at the event, after the sample event's days.
const START: &str = "2026-11-19T15:00:00Z";

static OFFSET: LazyLock<TimeDelta> = LazyLock::new(|| {
    let start: DateTime<Utc> = START.parse().expect("an instant");
    TimeDelta::seconds((start - machine_time()).num_seconds())
});

/// How far the tests' clock is ahead of the machine's, in whole seconds.
pub fn offset() -> TimeDelta {
    *OFFSET
}

pub fn now() -> DateTime<Utc> {
    machine_time() + offset()
}

/// An instant of that many hours ago, as the database stores it.
pub fn stored_before(hours: i64) -> String {
    showcase::time::stored(now() - TimeDelta::hours(hours))
}

/// For what a test compares with other programs' time, such as a certificate's.
#[expect(clippy::disallowed_methods, reason = "everybody else asks these functions")]
pub fn machine_time() -> DateTime<Utc> {
    Utc::now()
}
