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

use chrono::TimeDelta;
use job_scheduler_ng::{Job, JobScheduler};

use crate::admin::sessions;
use crate::app::App;
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
use crate::time;

/// The interval at which threads check for due jobs and for a stop.
const TICK: Duration = Duration::from_millis(200);
/// How long idempotency keys are kept.
const KEYS_KEPT: TimeDelta = TimeDelta::days(7);
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
            ("compressor", publisher::improve),
            ("probe", probe::run),
            ("watchdog", watchdog::run),
        ] {
            let (app, stop) = (Arc::clone(app), Arc::clone(&stop));
            threads.push(named(name).spawn(move || work(&app, &stop))?);
        }
        let (app, stop_clock) = (Arc::clone(app), Arc::clone(&stop));
        threads.push(named("clock").spawn(move || run_clock(&app, &stop_clock))?);
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

fn run_clock(app: &App, stop: &AtomicBool) {
    let mut jobs = JobScheduler::new();
    run_job("reports", || reports::run_due(app, time::now()));
    jobs.add(job("0 * * * * *", || run_job("reports", || reports::run_due(app, time::now()))));
    run_job("the outbox", || outbox::recall(app, time::now()));
    jobs.add(job("45 * * * * *", || run_job("the outbox", || outbox::recall(app, time::now()))));
    run_job("unpaid entries", || payments::sweep(app, time::now()));
    jobs.add(job("15 * * * * *", || run_job("unpaid entries", || payments::sweep(app, time::now()))));
    run_job("sheets for judges", || judging::give_out_missing(app));
    jobs.add(job("25 * * * * *", || run_job("sheets for judges", || judging::give_out_missing(app))));
    run_job("the portal's reminders", || portal::reminders::remind(app, time::now()));
    jobs.add(job("20 * * * * *", || {
        run_job("the portal's reminders", || portal::reminders::remind(app, time::now()));
    }));
    jobs.add(job("0 50 3 * * *", || {
        run_job("payments without an entry", || find_payments_without_entry(app));
    }));
    if !app.demo {
        run_job("the backup", || back_up(app));
        jobs.add(job("30 * * * * *", || run_job("the backup", || back_up(app))));
    }
    jobs.add(job("0 40 3 * * *", || run_job("database maintenance", || maintain_database(app))));
    run_job("the looks of photos", || portal::look::fill_missing(app));
    while !stop.load(Ordering::Relaxed) {
        jobs.tick();
        thread::sleep(TICK);
    }
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
    let before = time::stored(time::now() - KEYS_KEPT);
    app.store.write(move |connection| idempotency::delete_before(connection, &before).map(drop))?;
    let before = time::stored(time::now() - EVENTS_KEPT);
    app.store.write(move |connection| {
        payment_store::forget_events(connection, &before)?;
        payment_store::forget_failed_cards(connection, &before).map(drop)
    })?;
    sessions::delete_expired(app)?;
    portal::access::forget_ended(app)?;
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
    fn the_clock_goes_on_after_a_job_that_panics() {
        run_job("a job", || panic!("as the test wishes"));
    }
}
