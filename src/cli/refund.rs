//! `showcase refund`.

use super::output::print_line;
use super::progress::Progress;
use super::{Access, Global, ask, id, plural, provider};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::model::{Actor, Cents, EntryId};
use crate::payments;
use crate::store::payments::{self as payment_store, Payment};

/// Refund an entry, or all entries of a cancelled event
#[derive(clap::Args)]
#[command(after_help = "Example: showcase refund 12 --category BR-317 --reason 'Her model is ill'")]
pub struct Refund {
    /// The entry's id
    #[arg(value_parser = id, required_unless_present = "all_paid")]
    entry: Option<i64>,
    /// The amount in cents [default: all that is left]
    #[arg(long, value_name = "CENTS", conflicts_with = "all_paid", value_parser = cents)]
    amount: Option<i64>,
    /// Refund one category, and withdraw it: its code, such as BR-317 [default amount: what it cost]
    #[arg(long, value_name = "CODE", conflicts_with = "all_paid")]
    category: Option<String>,
    /// Refund every paid entry of a cancelled event; run it again to continue after an interruption
    #[arg(long, conflicts_with = "entry")]
    all_paid: bool,
    /// The reason, for the entry's history; the person never sees it
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Send the person an email that the money is on its way
    #[arg(long)]
    notify: bool,
    /// Show what would be refunded; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long, requires = "all_paid")]
    yes: bool,
}

impl Refund {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = global.open(if self.dry_run { Access::Read } else { Access::Write })?;
        match self.entry {
            Some(entry) => self.one(global, &app, EntryId(entry)),
            None => self.all(global, &app),
        }
        .map_err(provider::for_terminal)
    }

    fn one(&self, global: &Global, app: &App, entry: EntryId) -> Result<()> {
        if self.dry_run {
            let preview = payments::preview_refund(app, entry, &self.request()?)?;
            let (amount, left) = (preview.amount_cents, preview.left_cents);
            let also = preview.category.map_or_else(String::new, |category| {
                format!("; {} ({}) would be withdrawn", category.label, category.code)
            });
            return print_line!("entry {entry}: {amount} of {left}{also}");
        }
        let refunded = payments::refund(app, &Actor::CommandLine, entry, &self.request()?)?;
        global.say(&format!(
            "A refund of {} for entry {entry} is on its way. The entry is now {}.",
            refunded.amount_cents, refunded.status
        ));
        Ok(())
    }

    fn request(&self) -> Result<payments::RefundRequest> {
        let reason = self.reason.as_deref().map(|text| forms::free_text("reason", text)).transpose()?;
        Ok(payments::RefundRequest {
            amount_cents: self.amount.map(Cents),
            category: self.category.clone(),
            reason: reason.flatten(),
            notify: self.notify,
            ..payments::RefundRequest::default()
        })
    }

    fn all(&self, global: &Global, app: &App) -> Result<()> {
        let request = self.request()?;
        let live = app.payments.is_live();
        let (paid, disputed) = app.store.read(|connection| {
            Ok((
                payment_store::refundable(connection, live)?,
                payment_store::count_disputed(connection, live)?,
            ))
        })?;
        let sum: Cents = paid.iter().map(Payment::left_cents).sum();
        print_line!("{}, {sum} in all", plural(paid.len(), "paid entry", "paid entries"))?;
        if disputed > 0 {
            let disputed = plural(disputed as usize, "disputed entry", "disputed entries");
            print_line!("{disputed} left out, because the bank decides. Respond in Stripe's dashboard.")?;
        }
        if self.dry_run || paid.is_empty() {
            return Ok(());
        }
        if !self.yes {
            ask::confirm(&format!("Refund {sum} for {}? This cannot be undone.", entries(paid.len())))?;
        }
        let mut progress = Progress::new(global);
        let (mut done, mut failed) = (0, Vec::new());
        let outcome = payments::refund_all(app, &Actor::CommandLine, &request, &paid, |payment, refunded| {
            match refunded {
                Ok(_) => done += 1,
                Err(error) => failed.push(format!("entry {}: {}", payment.entry_id, error.for_log())),
            }
            progress.show(&format!("{} of {}", done + failed.len(), entries(paid.len())));
        });
        drop(progress);
        global.say(&format!("Refunds for {} are on their way.", entries(done)));
        let not_done = match outcome {
            Ok(()) => failed.len(),
            Err(Error::ProviderSlow) => {
                failed.push(
                    "Several requests in a row timed out; the remaining entries were not attempted.".into(),
                );
                paid.len() - done
            }
            Err(error) => return Err(error),
        };
        if not_done == 0 {
            return Ok(());
        }
        Err(Error::Failed(format!(
            "{} could not be refunded. Run `showcase payments reconcile` to find refunds that were made but not recorded, then this command again to continue.\n{}",
            entries(not_done),
            failed.join("\n")
        )))
    }
}

fn cents(text: &str) -> std::result::Result<i64, String> {
    text.parse()
        .ok()
        .filter(|cents| *cents > 0)
        .ok_or_else(|| "it is not an amount in cents; write 100 for a dollar".to_owned())
}

fn entries(count: usize) -> String {
    plural(count, "entry", "entries")
}
