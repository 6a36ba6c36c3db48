//! What happens by the clock: the outbox is emptied, forms open and close, a change of the content is
//! noticed and shown, the database is kept trim.
//! Left out on purpose: deciding what a job does, which is the use cases' business.

mod probe;
mod publisher;
mod sender;
mod watchdog;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chrono::{TimeDelta, Utc};
use job_scheduler_ng::{Job, JobScheduler};

use crate::admin::sessions;
use crate::app::App;
use crate::error::Result;
use crate::mail::Mailer;
use crate::mail::outbox;
use crate::ops::backups;
use crate::ops::storage;
use crate::payments;
use crate::payments::provider::Provider;
use crate::reports;
use crate::store::{idempotency, payments as payment_store};
use crate::time;

/// How soon a job that is due starts, and how soon a stop is noticed.
const TICK: Duration = Duration::from_millis(200);
/// A repeated request is recognised for this long.
const KEYS_KEPT: TimeDelta = TimeDelta::days(7);
/// An event that comes again is recognised for this long: a day more than it can be asked for.
const EVENTS_KEPT: TimeDelta = TimeDelta::days(31);

/// The threads that work by the clock.
pub struct Schedule {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Schedule {
    /// Starts the clock, and the sender when there is a mail server: a mailer for each connection to it.
    pub fn start(app: &Arc<App>, mailers: Vec<Mailer>) -> Result<Schedule> {
        let stop = Arc::new(AtomicBool::new(false));
        app.backup_is_to_come.store(!app.demo, Ordering::Relaxed);
        let mut threads = Vec::new();
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        if !mailers.is_empty() {
            let (app, stop) = (Arc::clone(app), Arc::clone(&stop));
            threads.push(named("outbox-sender").spawn(move || sender::run(&app, &mailers, &stop))?);
        }
        for (name, work) in [
            ("publisher", publisher::run as fn(&App, &AtomicBool)),
            ("compressor", publisher::recompress),
            ("checkup", probe::run),
            ("watchdog", watchdog::run),
        ] {
            let (app, stop) = (Arc::clone(app), Arc::clone(&stop));
            threads.push(named(name).spawn(move || work(&app, &stop))?);
        }
        let (app, stop_clock) = (Arc::clone(app), Arc::clone(&stop));
        threads.push(named("clock").spawn(move || run_clock(&app, &stop_clock))?);
        Ok(Schedule { stop, threads })
    }

    /// Lets the work in hand finish, for so long at most. What takes longer, as where a mail server hangs, ends with
    /// the process, and the next one does it again.
    pub fn stop(self, patience: Duration) {
        self.stop.store(true, Ordering::Relaxed);
        let until = Instant::now() + patience;
        for thread in self.threads {
            while !thread.is_finished() && Instant::now() < until {
                thread::sleep(TICK / 20);
            }
            if !thread.is_finished() {
                let name = thread.thread().name().unwrap_or_default();
                tracing::warn!("the {name} was still at work after {} s and was cut off", patience.as_secs());
            }
        }
    }
}

fn run_clock(app: &App, stop: &AtomicBool) {
    let mut jobs = JobScheduler::new();
    tell("reports", reports::run_due(app, Utc::now()));
    jobs.add(job("0 * * * * *", || tell("reports", reports::run_due(app, Utc::now()))));
    tell("the outbox", outbox::recall(app, Utc::now()));
    jobs.add(job("45 * * * * *", || tell("the outbox", outbox::recall(app, Utc::now()))));
    tell("unpaid entries", payments::sweep(app, Utc::now()));
    jobs.add(job("15 * * * * *", || tell("unpaid entries", payments::sweep(app, Utc::now()))));
    jobs.add(job("0 50 3 * * *", || tell("payments without an entry", look_for_strays(app))));
    if !app.demo {
        tell("the backup", back_up(app));
        jobs.add(job("30 * * * * *", || tell("the backup", back_up(app))));
    }
    jobs.add(job("0 40 3 * * *", || tell("keeping the database trim", keep_trim(app))));
    tell("the size of the database", storage::note_size(app, Utc::now().date_naive()));
    while !stop.load(Ordering::Relaxed) {
        jobs.tick();
        thread::sleep(TICK);
    }
}

fn job<'a>(schedule: &str, work: impl FnMut() + Send + 'a) -> Job<'a> {
    Job::new(schedule.parse().expect("our own schedules are valid"), work)
}

fn back_up(app: &App) -> Result<()> {
    let made = backups::make_if_due(&app.config, Utc::now());
    app.backup_is_to_come.store(false, Ordering::Relaxed);
    if let Some(made) = made? {
        tracing::info!("backed up as {}", made.display());
    }
    if let Some(drilled) = backups::drill_if_due(app, Utc::now())? {
        tracing::info!("the restore drill went well: {} holds all that it should", drilled.display());
    }
    Ok(())
}

/// An event may never have come, as while the server was away for longer than the provider repeats it.
fn look_for_strays(app: &App) -> Result<()> {
    if matches!(app.payments, Provider::Off) {
        return Ok(());
    }
    payments::look_for_strays(app, Utc::now()).map(drop)
}

fn keep_trim(app: &App) -> Result<()> {
    let before = time::stored(Utc::now() - KEYS_KEPT);
    app.store.write(move |connection| idempotency::delete_before(connection, &before).map(drop))?;
    let before = time::stored(Utc::now() - EVENTS_KEPT);
    app.store.write(move |connection| {
        payment_store::forget_events(connection, &before)?;
        payment_store::forget_failed_cards(connection, &before).map(drop)
    })?;
    sessions::forget_ended(app)?;
    storage::trim(app, Utc::now())?;
    storage::note_size(app, Utc::now().date_naive())?;
    app.store.optimize()
}

fn tell(what: &str, outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::error!("{what}: {}", error.cause().unwrap_or(&error.to_string()));
    }
}
