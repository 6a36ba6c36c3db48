//! `showcase transfer`.

use super::{Global, id};
use crate::error::Result;
use crate::model::Actor;
use crate::registrations::tickets::{self, NewHolder};
use crate::registrations::version::Expected;
use crate::time;

/// Offer the ticket of an entry to somebody else
#[derive(clap::Args)]
#[command(
    long_about = "Offer the ticket of an entry to somebody else.\n\nThe new person gets an email with a link, and holds the ticket \
                  once they have confirmed. The competition entry stays with the entrant.",
    after_help = "Example: showcase transfer 12 --name 'Bea Sample' --email bea@example.com"
)]
pub struct Transfer {
    /// The entry's id
    #[arg(value_parser = id)]
    entry: i64,
    /// The new person's name
    #[arg(long, value_name = "NAME")]
    name: String,
    /// The new person's email address
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// The reason, for the entry's history; needed within 14 days of the event
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Transfer {
    pub fn run(&self, global: &Global) -> Result<()> {
        let (app, is_served) = global.open_and_server()?;
        let holder = NewHolder::new(&self.name, &self.email, self.reason.as_deref(), Expected::Any)?;
        let address = holder.email.to_string();
        tickets::offer(&app, &Actor::CommandLine, self.entry, holder, time::now())?;
        global.say(&format!("The ticket of entry {} is offered to {address}.", self.entry));
        global.say_queued(&app, "The email with the link is", is_served);
        Ok(())
    }
}
