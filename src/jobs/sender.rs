//! Sends the outbox over several connections to the mail server. One thread assigns the emails, so that no two senders
//! have the same one. Emails that were being sent when the process ended are still waiting in the outbox.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use chrono::NaiveDate;

use super::TICK;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::Mailer;
use crate::mail::outbox::{self, Attempt, Next};
use crate::mailings::{self, Pace};
use crate::ops::health::probe;
use crate::time;

/// How long nothing is sent after a failure of the database.
const PAUSE: Duration = Duration::from_secs(5);
/// How long fewer connections are used after the mail server has refused one.
const FEWER_FOR: Duration = Duration::from_secs(600);

/// Sends until `stop` is set, with a thread and a connection for each mailer. Then lets the current sends finish.
pub fn run(app: &App, mailers: &[Mailer], stop: &AtomicBool) {
    let (report_sender, reports) = channel();
    thread::scope(|scope| {
        let mut senders = Vec::new();
        for (sender, mailer) in mailers.iter().enumerate() {
            let (queue_sender, queue) = channel::<i64>();
            let reports = report_sender.clone();
            let work = move || {
                for mail in queue {
                    if reports.send(Report { sender, mail, attempt: attempt(app, mailer, mail) }).is_err() {
                        break;
                    }
                }
            };
            match thread::Builder::new().name(format!("outbox-sender-{sender}")).spawn_scoped(scope, work) {
                Ok(_) => senders.push(queue_sender),
                Err(error) => tracing::error!("an outbox sender thread could not be started: {error}"),
            }
        }
        Dispatcher::new(app, senders).run(&reports, stop);
    });
}

fn attempt(app: &App, mailer: &Mailer, mail: i64) -> Result<Option<Attempt>> {
    catch_unwind(AssertUnwindSafe(|| outbox::attempt(app, mailer, mail)))
        .unwrap_or_else(|_| Err(Error::Internal(format!("sending mail {mail} panicked"))))
}

/// The outcome of one attempt to send an email.
struct Report {
    sender: usize,
    mail: i64,
    attempt: Result<Option<Attempt>>,
}

/// Assigns emails to senders.
struct Dispatcher<'a> {
    app: &'a App,
    senders: Vec<Sender<i64>>,
    idle: Vec<usize>,
    sending: Vec<i64>,
    /// The part of `sending` that was assigned while more than one connection was allowed.
    in_parallel: Vec<i64>,
    /// Attempts whose outcome is not in the database yet. Their emails must not be sent again.
    unrecorded: Vec<Attempt>,
    /// A lower number of connections, and until when it applies.
    fewer: Option<(usize, Instant)>,
    /// Nothing is assigned before this.
    not_before: Instant,
    alarmed_on: Option<NaiveDate>,
    /// How fast emails to groups enter the outbox.
    pace: Pace,
}

impl Dispatcher<'_> {
    fn new(app: &App, senders: Vec<Sender<i64>>) -> Dispatcher<'_> {
        Dispatcher {
            app,
            idle: (0..senders.len()).rev().collect(),
            senders,
            sending: Vec::new(),
            in_parallel: Vec::new(),
            unrecorded: Vec::new(),
            fewer: None,
            not_before: Instant::now(),
            alarmed_on: None,
            pace: Pace::new(app.config.limits.group_mails_per_minute),
        }
    }

    fn run(mut self, reports: &Receiver<Report>, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            if Instant::now() >= self.not_before && self.assign() {
                continue;
            }
            // The timeout is also how new emails are noticed.
            if let Ok(report) = reports.recv_timeout(TICK) {
                self.handle(report);
            }
        }
        // Closes the queues: each sender ends after its current email.
        self.senders.clear();
        for report in reports.iter().take(self.sending.len() - self.unrecorded.len()) {
            self.handle(report);
        }
    }

    /// Assigns one email to an idle sender. Returns `false` if no sender is idle or nothing is due.
    fn assign(&mut self) -> bool {
        match self.try_assign() {
            Ok(assigned) => assigned,
            Err(error) => {
                self.pause(&error);
                false
            }
        }
    }

    fn try_assign(&mut self) -> Result<bool> {
        while let Some(attempt) = self.unrecorded.pop() {
            if let Err(error) = outbox::record_attempt(self.app, &attempt) {
                self.unrecorded.push(attempt);
                return Err(error);
            }
            self.sending.retain(|id| attempt.mail_id() != *id);
        }
        if self.sending.len() >= self.connections() {
            return Ok(false);
        }
        let Some(sender) = self.idle.pop() else { return Ok(false) };
        let next = outbox::next(self.app, &self.sending, time::now());
        if let Ok(Next::Mail(id)) = next
            && self.senders[sender].send(id).is_ok()
        {
            self.sending.push(id);
            if self.connections() > 1 {
                self.in_parallel.push(id);
            }
            return Ok(true);
        }
        self.idle.push(sender);
        match next? {
            Next::HeldBack => self.alarm()?,
            Next::Nothing => return self.queue_for_groups(),
            Next::Mail(_) | Next::Paused => {}
        }
        Ok(false)
    }

    /// Queues the next emails to groups, as no other email is due. Returns `false` if there are none now.
    fn queue_for_groups(&mut self) -> Result<bool> {
        let due = self.pace.due(Instant::now());
        if due == 0 || !outbox::has_room_for_group(self.app, self.sending.len(), time::now())? {
            return Ok(false);
        }
        let queued = mailings::queue_due(self.app, due, time::now())?;
        self.pace.advance(queued, Instant::now());
        Ok(queued > 0)
    }

    /// The number of connections that may be used at the same time.
    fn connections(&mut self) -> usize {
        self.fewer = self.fewer.filter(|(_, until)| Instant::now() < *until);
        self.fewer.map_or(self.senders.len(), |(count, _)| count)
    }

    fn handle(&mut self, report: Report) {
        let was_in_parallel = self.in_parallel.contains(&report.mail);
        self.in_parallel.retain(|id| *id != report.mail);
        match report.attempt {
            Ok(Some(attempt)) if was_in_parallel && attempt.found_no_connection() => {
                // The server accepts no further connection. The email is not the reason, and keeps waiting.
                // Senders that have a connection are used before this one.
                self.idle.insert(0, report.sender);
                let fewer = self.connections().saturating_sub(1).max(1);
                tracing::info!("the mail server refused a connection; using {fewer} for 10 minutes");
                self.fewer = Some((fewer, Instant::now() + FEWER_FOR));
                return self.sending.retain(|id| *id != report.mail);
            }
            Ok(Some(attempt)) => {
                if let Err(error) = outbox::record_attempt(self.app, &attempt) {
                    self.pause(&error);
                    self.unrecorded.push(attempt);
                } else {
                    self.sending.retain(|id| *id != report.mail);
                }
            }
            Ok(None) => self.sending.retain(|id| *id != report.mail),
            Err(error) => {
                self.pause(&error);
                self.sending.retain(|id| *id != report.mail);
            }
        }
        self.idle.push(report.sender);
    }

    fn pause(&mut self, error: &Error) {
        tracing::error!("the outbox: {}", error.for_log());
        self.not_before = Instant::now() + PAUSE;
    }

    /// Emails the organiser, at most once a day, that the hourly limit holds emails back.
    fn alarm(&mut self) -> Result<()> {
        let today = time::now().date_naive();
        if self.alarmed_on == Some(today) {
            return Ok(());
        }
        let ceiling = self.app.config.limits.mails_per_hour;
        tracing::warn!("{ceiling} emails were sent within an hour (limits.mails_per_hour); the others wait");
        let sentence = format!(
            "More than {ceiling} emails were due within an hour, which is the limit (limits.mails_per_hour). Confirmations, \
             notices and decisions wait in the outbox and are sent as the limit allows; receipts are sent at once. If the \
             new registrations look automated, discard their emails in the outbox; if they are genuine, raise the limit."
        );
        probe::alarm(self.app, "mail-ceiling", &sentence)?;
        self.alarmed_on = Some(today);
        Ok(())
    }
}
