//! `showcase report`.

use chrono::NaiveDate;
use lettre::message::Mailbox;

use super::output::print_line;
use super::{Access, Global, day, one_of};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms::EmailAddress;
use crate::mail::Mailer;
use crate::mail::outbox;
use crate::model::Actor;
use crate::reports::{self, Cadence, Delivery, Period, ReportRequest};
use crate::time;

/// Send or print a report
#[derive(clap::Args)]
#[command(after_help = "Example: showcase report daily --for 2026-03-27 --print")]
pub struct Report {
    /// The period: one day, or seven days
    #[arg(value_parser = one_of::<Cadence>(Cadence::ALL.map(Cadence::as_str)))]
    cadence: Cadence,
    /// The last day covered, in event time [default: yesterday]
    #[arg(long = "for", value_name = "DATE", value_parser = day)]
    last_day: Option<NaiveDate>,
    /// Send it to this address instead of reports.recipient
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    to: Option<String>,
    /// Do not attach the CSV
    #[arg(long)]
    no_csv: bool,
    /// Print the text and send nothing
    #[arg(long)]
    print: bool,
}

/// Sends the report, or waits for the running server to send it.
fn send(global: &Global, app: &App, id: i64, is_served: bool) -> Result<()> {
    if !is_served && let Some(mailer) = Mailer::new(&app.config.smtp)? {
        outbox::deliver_one(app, &mailer, id)?;
    }
    match reports::await_delivery(app, id)? {
        Delivery::Sent => global.say("The report was sent."),
        Delivery::Queued(reason) => global.say(&format!("The report is in the outbox. {reason}")),
        Delivery::Refused(reason) => {
            return Err(Error::Failed(format!("The mail server refused the report: {reason}")));
        }
    }
    Ok(())
}

/// Parses an email address, alone or as `Name <address>`.
fn address(text: &str) -> std::result::Result<String, String> {
    let mailbox = text.parse::<Mailbox>().ok();
    if mailbox.is_some_and(|mailbox| EmailAddress::parse(mailbox.email.as_ref()).is_some()) {
        return Ok(text.to_owned());
    }
    Err("it is not an email address; write one like hello@example.com".to_owned())
}

impl Report {
    pub fn run(&self, global: &Global) -> Result<()> {
        let (app, is_served) =
            if self.print { (global.open(Access::Read)?, false) } else { global.open_and_server()? };
        let latest = reports::timetable(&app).on_demand(self.cadence, time::now());
        let period = Period { last_day: self.last_day.unwrap_or(latest.last_day), ..latest };
        if self.print {
            return print_line!("{}", reports::preview(&app, period)?.trim_end());
        }
        let request = ReportRequest {
            period,
            missed: &[],
            recipient: self.to.as_deref(),
            with_csv: self.no_csv.then_some(false),
            by: Some(&Actor::CommandLine),
        };
        // `None` is only for the clock's reports: one that somebody asks for is always queued.
        let queued = reports::queue(&app, &request)?;
        match queued.filter(|_| outbox::is_active(&app)) {
            Some(id) => send(global, &app, id, is_served),
            None => {
                global.say_queued(&app, "The report is", is_served);
                Ok(())
            }
        }
    }
}
