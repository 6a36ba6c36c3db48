//! A test sees the wall clock go on, and some instants of it change what is right: a day ends, reports are due.

use std::time::Duration;

use chrono::{DateTime, NaiveTime, TimeDelta, Timelike, Utc};

/// Longer than a test that asks for the day more than once takes.
const MARGIN: TimeDelta = TimeDelta::minutes(2);

/// Waits until no day ends soon, neither in UTC nor at the event, and no report falls due there.
pub fn wait_for_it() {
    while let Some(left) = until_change(Utc::now()) {
        std::thread::sleep(left);
    }
}

/// How long to wait when something changes within the margin.
fn until_change(now: DateTime<Utc>) -> Option<Duration> {
    let of_the_event = now.with_timezone(&chrono_tz::America::New_York).time();
    let nine = NaiveTime::from_hms_opt(9, 0, 0).expect("a time");
    let changes = [(now.time(), NaiveTime::MIN), (of_the_event, NaiveTime::MIN), (of_the_event, nine)];
    changes.into_iter().find_map(|(clock, change)| {
        let day = TimeDelta::days(1);
        let since_midnight = |time: NaiveTime| {
            TimeDelta::seconds(time.num_seconds_from_midnight().into())
                + TimeDelta::nanoseconds(time.nanosecond().into())
        };
        let ahead = since_midnight(change) - since_midnight(clock);
        let left = if ahead <= TimeDelta::zero() { ahead + day } else { ahead };
        (left < MARGIN).then(|| left.to_std().expect("ahead"))
    })
}

#[test]
fn the_minutes_before_a_day_ends_or_reports_are_due_are_waited_out() {
    let left = |now: &str| until_change(now.parse().expect("an instant")).map(|left| left.as_secs());
    assert_eq!(left("2026-11-22T23:58:30Z"), Some(90));
    assert_eq!(left("2026-11-22T23:57:59Z"), None);
    assert_eq!(left("2026-11-23T00:00:00Z"), None);
    // Midnight and nine o'clock in New York, in winter and in summer.
    assert_eq!(left("2026-11-22T04:59:30Z"), Some(30));
    assert_eq!(left("2026-06-22T03:59:30Z"), Some(30));
    assert_eq!(left("2026-11-22T13:59:59Z"), Some(1));
    assert_eq!(left("2026-06-22T12:59:59Z"), Some(1));
    assert_eq!(left("2026-11-22T12:59:59Z"), None);
}
