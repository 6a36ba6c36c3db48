//! `showcase payments`.

use std::io::{IsTerminal, Write};

use chrono::Utc;
use clap::Subcommand;

use super::{Global, provider};
use crate::error::{Error, Result};
use crate::payments;
use crate::payments::pricing::money;

/// Ask the payment provider what was paid
#[derive(clap::Args)]
#[command(after_help = "Example: showcase payments reconcile")]
pub struct Payments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Ask about every unsettled entry now, and look for money without an entry
    #[command(after_help = "Example: showcase payments reconcile")]
    Reconcile,
}

impl Payments {
    pub fn run(&self, global: &Global) -> Result<()> {
        match self.command {
            Command::Reconcile => reconcile(global),
        }
    }
}

fn reconcile(global: &Global) -> Result<()> {
    let app = global.app()?;
    let shows_progress = std::io::stderr().is_terminal() && !global.quiet;
    let done = payments::reconcile(&app, Utc::now(), |asked, of| {
        if shows_progress {
            eprint!("\r{asked} of {of} entries asked about");
            let _ = std::io::stderr().flush();
        }
    })
    .map_err(provider::told)?;
    if shows_progress {
        eprintln!();
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} asked about, {} paid, {} need a look", done.asked, done.paid, done.findings)?;
    for finding in payments::findings(&app, false)? {
        let entry = finding.entry_id.map_or_else(|| "no entry".to_owned(), |id| format!("entry {id}"));
        let amount = money(finding.amount_cents);
        let (problem, intent) = (finding.problem, finding.stripe_payment_intent_id);
        writeln!(out, "{}  {problem}  {amount}  {entry}  {intent}", finding.found_at)?;
    }
    if done.failed > 0 {
        return Err(Error::Failed(format!(
            "{} could not be asked about (see the warnings); the payment provider did not answer as it should. Try again later.",
            done.failed
        )));
    }
    Ok(())
}
