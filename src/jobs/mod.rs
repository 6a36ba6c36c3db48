//! Background jobs: send the outbox, open and close forms, publish changed content, create backups, maintain the
//! database. Left out on purpose: what a job does, which is in the use cases.

mod probe;
mod publisher;
mod sender;
mod watchdog;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use job_scheduler_ng::{Job, JobScheduler};

use crate::admin::sessions;
use crate::app::App;
use crate::door;
use crate::error::{Error, Result};
use crate::judging;
use crate::mail::Mailer;
use crate::mail::outbox;
use crate::ops::backups;
use crate::ops::storage;
use crate::payments;
use crate::payments::provider::Provider;
use crate::portal;
use crate::reports;
use crate::store::{idempotency, payments as payment_store};
use crate::time::{self, Zone};

/// The interval at which threads check for due jobs and for a stop.
const TICK: Duration = Duration::from_millis(200);
/// How long idempotency keys are kept: a day longer than a browser keeps a draft with its key (`ui/src/forms/draft.ts`).
const KEYS_KEPT: TimeDelta = TimeDelta::days(31);
/// How long the provider's events are kept to recognise repeats: a day longer than the provider can resend them.
const EVENTS_KEPT: TimeDelta = TimeDelta::days(31);

/// The threads of the background jobs.
pub struct Schedule {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Schedule {
    /// Starts the threads. The outbox is sent if there are mailers, one for each connection to the mail server.
    pub fn start(app: &Arc<App>, mailers: Vec<Mailer>) -> Result<Schedule> {
        let stop = Arc::new(AtomicBool::new(false));
        app.backup_is_pending.store(!app.demo, Ordering::Relaxed);
        let mut threads = Vec::new();
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        if !mailers.is_empty() {
            let (app, stop) = (Arc::clone(app), Arc::clone(&stop));
            threads.push(named("outbox-sender").spawn(move || sender::run(&app, &mailers, &stop))?);
        }
        for (name, work) in [
            ("publisher", publisher::run as fn(&App, &AtomicBool)),
            ("compressor", publisher::recompress),
            ("probe", probe::run),
            ("watchdog", watchdog::run),
            ("backups", run_backups),
            ("clock", run_clock),
        ] {
            let (app, stop) = (Arc::clone(app), Arc::clone(&stop));
            threads.push(named(name).spawn(move || work(&app, &stop))?);
        }
        Ok(Schedule { stop, threads })
    }

    /// Lets current work finish for up to `grace`. Work that takes longer, such as a hanging mail server, ends with
    /// the process and is repeated by the next one.
    pub fn stop(self, grace: Duration) {
        self.stop.store(true, Ordering::Relaxed);
        let until = Instant::now() + grace;
        for thread in self.threads {
            while !thread.is_finished() && Instant::now() < until {
                thread::sleep(TICK / 20);
            }
            if !thread.is_finished() {
                let name = thread.thread().name().unwrap_or_default();
                tracing::warn!(
                    "the {name} thread was still working after {} s and was stopped",
                    grace.as_secs()
                );
            }
        }
    }
}

/// A job of each minute: its schedule, its name in the log, and its work.
type MinuteJob = (&'static str, &'static str, fn(&App) -> Result<()>);

fn run_clock(app: &App, stop: &AtomicBool) {
    let mut jobs = JobScheduler::new();
    let each_minute: [MinuteJob; 6] = [
        ("0 * * * * *", "reports", |app| reports::run_due(app, time::now())),
        ("45 * * * * *", "the outbox", |app| outbox::reset_far_attempts(app, time::now())),
        ("15 * * * * *", "unpaid entries", |app| payments::sweep(app, time::now())),
        ("30 * * * * *", "tickets", update_tickets),
        ("25 * * * * *", "sheets for judges", judging::assign_due_work),
        ("20 * * * * *", "the portal's reminders", |app| portal::reminders::remind(app, time::now())),
    ];
    for (schedule, what, work) in each_minute {
        run_job(what, || work(app));
        jobs.add(job(schedule, move || run_job(what, || work(app))));
    }
    jobs.add(job("0 50 * * * *", || {
        run_at_night(app, "payments without an entry", find_payments_without_entry);
    }));
    jobs.add(job("0 40 * * * *", || run_at_night(app, "database maintenance", maintain_database)));
    run_job("the chunks of ended uploads", || portal::uploads::sweep(app));
    tick_until(stop, jobs);
}

fn tick_until(stop: &AtomicBool, mut jobs: JobScheduler<'_>) {
    while !stop.load(Ordering::Relaxed) {
        jobs.tick();
        thread::sleep(TICK);
    }
}

/// Backups have a thread of their own: one of many photos on a slow disk must delay no payment.
fn run_backups(app: &App, stop: &AtomicBool) {
    if app.demo {
        return;
    }
    let mut jobs = JobScheduler::new();
    run_job("the backup", || back_up(app));
    jobs.add(job("30 * * * * *", || run_job("the backup", || back_up(app))));
    tick_until(stop, jobs);
}

fn update_tickets(app: &App) -> Result<()> {
    let followed = door::follow_registrations(app);
    door::mails::remind(app, time::now())?;
    followed
}

fn run_at_night(app: &App, what: &str, work: fn(&App) -> Result<()>) {
    if is_night(&app.content().event.time_zone, time::now()) {
        run_job(what, || work(app));
    }
}

/// Whether it is the hour, in the event's time zone, of the jobs that would disturb somebody during the day.
fn is_night(zone: &Zone, now: DateTime<Utc>) -> bool {
    zone.at(now).hour() == 3
}

fn job<'a>(schedule: &str, work: impl FnMut() + Send + 'a) -> Job<'a> {
    Job::new(schedule.parse().expect("our own schedules are valid"), work)
}

fn back_up(app: &App) -> Result<()> {
    let made = backups::make_if_due(&app.config, time::now());
    app.backup_is_pending.store(false, Ordering::Relaxed);
    if let Some(backup) = made? {
        tracing::info!("created the backup {}", backup.display());
    }
    Ok(())
}

/// An event can be lost for good, for instance if the server is down for longer than the provider resends it.
fn find_payments_without_entry(app: &App) -> Result<()> {
    if matches!(app.payments, Provider::Off) {
        return Ok(());
    }
    payments::find_unmatched(app, time::now()).map(drop)
}

fn maintain_database(app: &App) -> Result<()> {
    let now = time::now();
    let (keys_before, events_before) = (time::stored(now - KEYS_KEPT), time::stored(now - EVENTS_KEPT));
    app.store.write(|connection| {
        idempotency::delete_before(connection, &keys_before)?;
        payment_store::delete_events_before(connection, &events_before)?;
        payment_store::delete_failed_cards_before(connection, &events_before)
    })?;
    sessions::delete_expired(app)?;
    portal::access::delete_expired(app)?;
    portal::uploads::forget_expired(app)?;
    storage::trim(app, time::now())?;
    app.store.optimize()
}

/// Runs a job of the clock, which goes on after one that fails or panics.
fn run_job(what: &str, work: impl FnOnce() -> Result<()>) {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    log_failure(what, outcome.unwrap_or_else(|_| Err(Error::Internal("the job panicked".into()))));
}

fn log_failure(what: &str, outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::error!("{what}: {}", error.for_log());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_the_night_run_in_the_night_of_the_event() {
        let zone: Zone = "America/New_York".parse().expect("a zone");
        for (utc, expected) in [
            ("2026-01-15T08:40:00Z", true),
            ("2026-01-15T03:40:00Z", false),
            // Daylight saving time, from its first night on.
            ("2026-03-08T07:40:00Z", true),
            ("2026-07-15T07:40:00Z", true),
            ("2026-07-15T08:40:00Z", false),
        ] {
            assert_eq!(is_night(&zone, utc.parse().expect("an instant")), expected, "{utc}");
        }
    }

    #[test]
    fn the_clock_goes_on_after_a_job_that_panics() {
        run_job("a job", || panic!("as the test wishes"));
    }
}
