//! `showcase complimentary`.

use super::{Global, id, provider};
use crate::error::Result;
use crate::model::Actor;
use crate::payments;
use crate::registrations::correct_answers;
use crate::registrations::version::Expected;

/// Let an unpaid entry take part without a payment
#[derive(clap::Args)]
#[command(
    long_about = "Let an unpaid entry take part without a payment.\n\nThe person fills in the entry form and stops before paying. \
                  An open payment is cancelled, and the entry is confirmed by email.",
    after_help = "Example: showcase complimentary 12 --reason 'Guest of a sponsor'"
)]
pub struct Complimentary {
    /// The entry's id
    #[arg(value_parser = id)]
    entry: i64,
    /// The reason, for the entry's history; the person never sees it
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Complimentary {
    pub fn run(&self, global: &Global) -> Result<()> {
        let (app, is_served) = global.open_and_server()?;
        let reason = correct_answers::reason(&self.reason)?;
        payments::make_complimentary(&app, &Actor::CommandLine, self.entry, reason, Expected::Any)
            .map_err(provider::for_terminal)?;
        global.say(&format!("Entry {} takes part without a payment.", self.entry));
        global.say_queued(&app, "Its confirmation is", is_served);
        Ok(())
    }
}
