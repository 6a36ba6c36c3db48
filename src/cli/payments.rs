//! `showcase payments`.

use clap::Subcommand;

use super::output::print_line;
use super::progress::Progress;
use super::{Access, Global, provider};
use crate::error::{Error, Result};
use crate::payments;
use crate::store::payment_findings;
use crate::time;

/// Compare entries with the payment provider
#[derive(clap::Args)]
#[command(after_help = "Example: showcase payments reconcile")]
pub struct Payments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check every unsettled entry now, and find payments without an entry
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
    let app = global.open(Access::Write)?;
    let mut progress = Progress::new(global);
    let done = payments::reconcile(&app, time::now(), |checked, total| {
        progress.show(&format!("{checked} of {total} entries checked"));
    });
    drop(progress);
    let done = done.map_err(provider::for_terminal)?;
    print_line!("{} checked, {} paid, {} findings", done.checked, done.paid, done.findings)?;
    let open = app.store.read(payment_findings::open)?;
    for finding in open {
        let entry = finding.entry_id.map_or_else(|| "no entry".to_owned(), |id| format!("entry {id}"));
        let amount = finding.amount_cents;
        let (problem, intent) = (finding.problem, finding.stripe_payment_intent_id);
        print_line!("{}  {problem}  {amount}  {entry}  {intent}", finding.found_at)?;
    }
    if done.failed > 0 {
        return Err(Error::Failed(format!(
            "{} could not be checked, because the payment provider did not answer properly (see the warnings). Try again later.",
            done.failed
        )));
    }
    Ok(())
}
