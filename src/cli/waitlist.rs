//! `showcase waitlist`.

use chrono::{DateTime, Utc};
use clap::Subcommand;

use super::output::print_line;
use super::{Global, ask};
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::registrations::invitations;

/// Invite people from the waitlist to enter
#[derive(clap::Args)]
#[command(after_help = "Example: showcase waitlist invite 10 --until 2026-03-01T22:00:00Z")]
pub struct Waitlist {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Send the next people on the waitlist, the oldest first, a personal link to the entry form
    #[command(after_help = "Example: showcase waitlist invite 10 --until 2026-03-01T22:00:00Z")]
    Invite {
        /// How many people
        count: i64,
        /// When the invitations end, as an instant such as 2026-03-01T22:00:00Z
        #[arg(long, value_name = "INSTANT", value_parser = instant)]
        until: DateTime<Utc>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

fn instant(text: &str) -> std::result::Result<DateTime<Utc>, String> {
    let parsed = DateTime::parse_from_rfc3339(text);
    parsed.map(|at| at.to_utc()).map_err(|_| "not an instant like 2026-03-01T22:00:00Z".into())
}

impl Waitlist {
    pub fn run(&self, global: &Global) -> Result<()> {
        let Action::Invite { count, until, yes } = &self.action;
        let (app, is_served) = global.open_and_server()?;
        if !yes {
            ask::confirm(&format!("Invite the next {count} people on the waitlist?"))?;
        }
        let ids =
            invitations::invite(&app, &Actor::CommandLine, *count, *until).map_err(|error| match error {
                Error::Conflict(message) => Error::Failed(message),
                other => other,
            })?;
        for id in &ids {
            print_line!("{id}")?;
        }
        global.say_queued(&app, &format!("The email to each of {} people", ids.len()), is_served);
        Ok(())
    }
}
