//! When reports are due: a pure function of the current instant, the time zone and the last run. The job scheduler cannot
//! do this: it knows only fixed offsets from UTC, and nothing of what was missed while the program was not running.

use chrono::{DateTime, Days, NaiveDate, Utc};

use crate::config::Reports;
use crate::model::text_enum;
use crate::time::Zone;

text_enum! {
    pub enum Cadence, "a cadence of reports" {
        Daily = "daily",
        Weekly = "weekly",
    }
}

impl Cadence {
    /// How many days a report covers.
    pub const fn days(self) -> u64 {
        match self {
            Cadence::Daily => 1,
            Cadence::Weekly => 7,
        }
    }
}

/// The days that a report covers, in the event's time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub cadence: Cadence,
    /// Inclusive.
    pub last_day: NaiveDate,
}

impl Period {
    pub fn first_day(self) -> NaiveDate {
        back(self.last_day, self.cadence.days() - 1)
    }

    /// The period of the same length directly before it.
    pub fn before(self) -> Period {
        Period { last_day: back(self.last_day, self.cadence.days()), ..self }
    }
}

/// A report that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    pub period: Period,
    /// The earlier periods whose reports were missed, oldest first.
    pub missed: Vec<Period>,
}

/// The times of reports.
pub struct Timetable<'a> {
    /// Its times are local, in `zone`.
    reports: &'a Reports,
    /// The event's time zone.
    zone: Zone,
}

impl Timetable<'_> {
    pub fn new(reports: &Reports, zone: Zone) -> Timetable<'_> {
        Timetable { reports, zone }
    }

    /// The latest report whose time has passed after `since`, which is the last run or the instant at which reports were
    /// switched on.
    pub fn due(&self, cadence: Cadence, now: DateTime<Utc>, since: DateTime<Utc>) -> Option<Due> {
        let mut day = self.zone.at(now).date_naive();
        let mut passed = Vec::new();
        let first = self.zone.at(since).date_naive();
        while day >= first {
            if let Some(at) = self.time_on(cadence, day)
                && at <= now
                && at > since
            {
                passed.push(Period { cadence, last_day: back(day, 1) });
            }
            day = back(day, 1);
        }
        let mut passed = passed.into_iter();
        let period = passed.next()?;
        Some(Due { period, missed: passed.rev().collect() })
    }

    /// The time of the next report after `now`.
    pub fn next(&self, cadence: Cadence, now: DateTime<Utc>) -> DateTime<Utc> {
        let mut day = self.zone.at(now).date_naive();
        loop {
            match self.time_on(cadence, day) {
                Some(at) if at > now => return at,
                _ => day = day + Days::new(1),
            }
        }
    }

    /// The period of a report that is sent on demand: it always ends yesterday.
    pub fn on_demand(&self, cadence: Cadence, now: DateTime<Utc>) -> Period {
        Period { cadence, last_day: back(self.zone.at(now).date_naive(), 1) }
    }

    /// When a report is due on a day, if one is.
    fn time_on(&self, cadence: Cadence, day: NaiveDate) -> Option<DateTime<Utc>> {
        use chrono::Datelike;
        match cadence {
            Cadence::Daily => Some(self.zone.instant(day.and_time(self.reports.daily_at))),
            Cadence::Weekly if day.weekday() == self.reports.weekly_on => {
                Some(self.zone.instant(day.and_time(self.reports.weekly_at)))
            }
            Cadence::Weekly => None,
        }
    }
}

fn back(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Days::new(days)).unwrap_or(NaiveDate::MIN)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use chrono::NaiveTime;

    use super::*;
    use crate::config::Config;

    /// Reports at nine in the morning and on Mondays.
    static NINE: LazyLock<Reports> = LazyLock::new(|| Config::default().reports);

    fn timetable() -> Timetable<'static> {
        Timetable::new(&NINE, "America/New_York".parse().expect("a zone"))
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    /// The runs between two instants, with the last day of each, as the program would do them minute by minute.
    fn simulated(cadence: Cadence, from: &str, to: &str) -> Vec<(String, String)> {
        let (mut now, mut since) = (at(from), at(from));
        let mut runs = Vec::new();
        while now <= at(to) {
            if let Some(due) = timetable().due(cadence, now, since) {
                assert!(due.missed.is_empty());
                runs.push((crate::time::stored(now), due.period.last_day.to_string()));
                since = now;
            }
            now += chrono::TimeDelta::minutes(1);
        }
        runs
    }

    #[test]
    fn nine_in_the_morning_stays_nine_across_both_clock_changes() {
        let runs = |from, to| simulated(Cadence::Daily, from, to);
        let pair = |at: &str, day: &str| (at.to_owned(), day.to_owned());
        assert_eq!(
            runs("2026-03-07T00:00:00Z", "2026-03-09T23:00:00Z"),
            [
                pair("2026-03-07T14:00:00.000Z", "2026-03-06"),
                pair("2026-03-08T13:00:00.000Z", "2026-03-07"),
                pair("2026-03-09T13:00:00.000Z", "2026-03-08"),
            ]
        );
        assert_eq!(
            runs("2026-10-31T00:00:00Z", "2026-11-02T23:00:00Z"),
            [
                pair("2026-10-31T13:00:00.000Z", "2026-10-30"),
                pair("2026-11-01T14:00:00.000Z", "2026-10-31"),
                pair("2026-11-02T14:00:00.000Z", "2026-11-01"),
            ]
        );
        assert_eq!(
            simulated(Cadence::Weekly, "2026-03-01T00:00:00Z", "2026-03-20T00:00:00Z"),
            [
                pair("2026-03-02T14:00:00.000Z", "2026-03-01"),
                pair("2026-03-09T13:00:00.000Z", "2026-03-08"),
                pair("2026-03-16T13:00:00.000Z", "2026-03-15"),
            ]
        );
    }

    #[test]
    fn a_time_that_does_not_exist_or_occurs_twice_runs_once() {
        let at_half_past = |hour| Reports {
            daily_at: NaiveTime::from_hms_opt(hour, 30, 0).expect("a time"),
            ..NINE.clone()
        };
        let reports = at_half_past(2);
        let early = Timetable { reports: &reports, ..timetable() };
        // The clocks go forward: 02:30 does not exist, and the report runs at the end of the gap.
        assert_eq!(early.next(Cadence::Daily, at("2026-03-08T05:00:00Z")), at("2026-03-08T07:00:00Z"));
        let reports = at_half_past(1);
        let early = Timetable { reports: &reports, ..timetable() };
        // The clocks go back: 01:30 occurs at 05:30 and 06:30 UTC. After the first run it is not due again.
        let first = at("2026-11-01T05:30:00Z");
        assert!(early.due(Cadence::Daily, first, at("2026-10-31T12:00:00Z")).is_some());
        assert_eq!(early.due(Cadence::Daily, at("2026-11-01T06:30:00Z"), first), None);
    }

    #[test]
    fn after_a_week_of_downtime_one_report_of_each_cadence_is_due_and_names_the_missed_ones() {
        let (down, up) = (at("2026-03-03T12:00:00Z"), at("2026-03-11T20:00:00Z"));
        // March 3, 9:00 EST is 14:00 UTC, after the program stopped.
        let daily = timetable().due(Cadence::Daily, up, down).expect("due");
        assert_eq!(daily.period.last_day.to_string(), "2026-03-10");
        let missed: Vec<String> = daily.missed.iter().map(|period| period.last_day.to_string()).collect();
        assert_eq!(missed.len(), 8);
        assert_eq!((missed[0].as_str(), missed[7].as_str()), ("2026-03-02", "2026-03-09"));
        let weekly = timetable().due(Cadence::Weekly, up, down).expect("due");
        assert_eq!(weekly.period.last_day.to_string(), "2026-03-08");
        assert_eq!(weekly.period.first_day().to_string(), "2026-03-02");
        assert!(weekly.missed.is_empty());
        assert_eq!(timetable().due(Cadence::Daily, up, up), None, "it is due only once");
    }

    #[test]
    fn a_report_sent_on_demand_ends_yesterday_at_any_hour() {
        // 8:59 and 9:01 in the morning of Tuesday, March 10, and a minute before midnight.
        for now in ["2026-03-10T12:59:00Z", "2026-03-10T13:01:00Z", "2026-03-11T03:59:00Z"] {
            let daily = timetable().on_demand(Cadence::Daily, at(now));
            assert_eq!(
                (daily.first_day().to_string(), daily.last_day.to_string()),
                ("2026-03-09".into(), "2026-03-09".into())
            );
            let weekly = timetable().on_demand(Cadence::Weekly, at(now));
            assert_eq!(
                (weekly.first_day().to_string(), weekly.last_day.to_string()),
                ("2026-03-03".into(), "2026-03-09".into())
            );
        }
    }

    #[test]
    fn no_report_is_due_before_its_first_time() {
        let since = at("2026-03-03T15:00:00Z");
        assert_eq!(timetable().due(Cadence::Daily, at("2026-03-04T13:59:59Z"), since), None);
        assert!(timetable().due(Cadence::Daily, at("2026-03-04T14:00:00Z"), since).is_some());
        assert_eq!(
            timetable().due(Cadence::Daily, at("2026-03-01T00:00:00Z"), since),
            None,
            "the clock was set back"
        );
    }
}
