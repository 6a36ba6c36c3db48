//! Empties the outbox over several connections to the mail server. One thread hands out the mails, so that each of them
//! is with one sender at most; what was being sent when the process ended still waits in the outbox.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{NaiveDate, Utc};

use super::TICK;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::Mailer;
use crate::mail::outbox::{self, Attempt, Next};
use crate::ops::health::probe;

/// After a failure of the database nothing is sent for so long.
const PAUSE: Duration = Duration::from_secs(5);
/// A mail server that refused connections is tried with all of them again after this long.
const FEWER_FOR: Duration = Duration::from_secs(600);

/// Sends until it is asked to stop, each mailer over a connection of its own; then finishes what is being sent.
pub fn run(app: &App, mailers: &[Mailer], stop: &AtomicBool) {
    let (reports, reported) = channel();
    thread::scope(|scope| {
        let mut senders = Vec::new();
        for (number, mailer) in mailers.iter().enumerate() {
            let (mails, queue) = channel::<i64>();
            let reports = reports.clone();
            let work = move || {
                for mail in queue {
                    if reports
                        .send(Report { sender: number, mail, attempt: attempt(app, mailer, mail) })
                        .is_err()
                    {
                        break;
                    }
                }
            };
            match thread::Builder::new().name(format!("outbox-sender-{number}")).spawn_scoped(scope, work) {
                Ok(_) => senders.push(mails),
                Err(error) => tracing::error!("a thread that sends mails cannot be started: {error}"),
            }
        }
        Dispatcher::new(app, senders).run(&reported, stop);
    });
}

fn attempt(app: &App, mailer: &Mailer, mail: i64) -> Result<Option<Attempt>> {
    catch_unwind(AssertUnwindSafe(|| outbox::attempt(app, mailer, mail)))
        .unwrap_or_else(|_| Err(Error::Internal(format!("sending mail {mail} panicked"))))
}

/// What a sender has done with a mail.
struct Report {
    sender: usize,
    mail: i64,
    attempt: Result<Option<Attempt>>,
}

/// Knows which mail is with which sender.
struct Dispatcher<'a> {
    app: &'a App,
    senders: Vec<Sender<i64>>,
    idle: Vec<usize>,
    sending: Vec<i64>,
    /// Of these, mails that were handed out when more than one connection was asked for.
    beside_others: Vec<i64>,
    /// Sent or refused, and not yet noted in the database: not to be sent again.
    unnoted: Vec<Attempt>,
    /// Fewer connections than there are senders, until then.
    fewer: Option<(usize, Instant)>,
    /// Nothing is handed out before.
    not_before: Instant,
    alarmed_on: Option<NaiveDate>,
}

impl Dispatcher<'_> {
    fn new(app: &App, senders: Vec<Sender<i64>>) -> Dispatcher<'_> {
        Dispatcher {
            app,
            idle: (0..senders.len()).rev().collect(),
            senders,
            sending: Vec::new(),
            beside_others: Vec::new(),
            unnoted: Vec::new(),
            fewer: None,
            not_before: Instant::now(),
            alarmed_on: None,
        }
    }

    fn run(mut self, reported: &Receiver<Report>, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            if Instant::now() >= self.not_before && self.hand_out() {
                continue;
            }
            // Also how it waits for a mail that is due.
            if let Ok(report) = reported.recv_timeout(TICK) {
                self.take(report);
            }
        }
        // Each sender ends after the mail that it has.
        self.senders.clear();
        for report in reported.iter().take(self.sending.len() - self.unnoted.len()) {
            self.take(report);
        }
    }

    /// Hands one mail to an idle sender; `false` when there is none, or nothing to send.
    fn hand_out(&mut self) -> bool {
        match self.next() {
            Ok(given) => given,
            Err(error) => {
                self.pause(&error);
                false
            }
        }
    }

    fn next(&mut self) -> Result<bool> {
        while let Some(attempt) = self.unnoted.last() {
            outbox::note(self.app, attempt)?;
            let noted = self.unnoted.pop();
            self.sending.retain(|id| noted.as_ref().is_none_or(|attempt| attempt.mail_id() != *id));
        }
        if self.sending.len() >= self.connections() {
            return Ok(false);
        }
        let Some(sender) = self.idle.pop() else { return Ok(false) };
        let next = outbox::next(self.app, &self.sending, Utc::now());
        if let Ok(Next::Mail(id)) = next
            && self.senders[sender].send(id).is_ok()
        {
            self.sending.push(id);
            if self.connections() > 1 {
                self.beside_others.push(id);
            }
            return Ok(true);
        }
        self.idle.push(sender);
        if next? == Next::HeldBack {
            self.alarm()?;
        }
        Ok(false)
    }

    /// How many connections the mail server is asked for at once.
    fn connections(&mut self) -> usize {
        self.fewer = self.fewer.filter(|(_, until)| Instant::now() < *until);
        self.fewer.map_or(self.senders.len(), |(count, _)| count)
    }

    fn take(&mut self, report: Report) {
        let was_beside_others = self.beside_others.contains(&report.mail);
        self.beside_others.retain(|id| *id != report.mail);
        match report.attempt {
            Ok(Some(attempt)) if was_beside_others && attempt.found_no_connection() => {
                // It was one too many for the server, which says nothing of the mail: it waits for its turn. Those that
                // have a connection are used before this sender.
                self.idle.insert(0, report.sender);
                let fewer = self.connections().saturating_sub(1).max(1);
                tracing::info!("the mail server refused a connection; {fewer} are used for a while");
                self.fewer = Some((fewer, Instant::now() + FEWER_FOR));
                return self.sending.retain(|id| *id != report.mail);
            }
            Ok(Some(attempt)) => {
                if let Err(error) = outbox::note(self.app, &attempt) {
                    self.pause(&error);
                    self.unnoted.push(attempt);
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

    /// Tells the organiser once a day that the hour's ceiling holds mails back.
    fn alarm(&mut self) -> Result<()> {
        let today = Utc::now().date_naive();
        if self.alarmed_on == Some(today) {
            return Ok(());
        }
        let ceiling = self.app.config.limits.mails_per_hour;
        tracing::warn!("{ceiling} mails were sent within an hour (limits.mails_per_hour): others wait");
        let sentence = format!(
            "More than {ceiling} emails were due within an hour, which is the limit (limits.mails_per_hour). Confirmations, \
             notices and decisions wait in the outbox and are sent as the limit allows; receipts are sent at once. If the \
             registrations on the dashboard look like a machine's, discard their emails there; if they are real, raise the limit."
        );
        probe::alarm(self.app, "mail-ceiling", &sentence)?;
        self.alarmed_on = Some(today);
        Ok(())
    }
}
