//! `showcase waitlist`.

use chrono::{DateTime, Utc};
use clap::Subcommand;

use super::output::print_line;
use super::{Global, ask, id, number};
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
    /// Send the next people on the waitlist, the oldest first, or one of them a personal link to the entry form
    #[command(after_help = "Example: showcase waitlist invite 10 --until 2026-03-01T22:00:00Z")]
    Invite {
        /// How many people
        #[arg(value_parser = number::<i64>, required_unless_present = "signup")]
        count: Option<i64>,
        /// Invite this signup
        #[arg(long, value_name = "ID", value_parser = id, conflicts_with = "count")]
        signup: Option<i64>,
        /// When the invitations end, as an instant such as 2026-03-01T22:00:00Z
        #[arg(long, value_name = "INSTANT", value_parser = instant)]
        until: DateTime<Utc>,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

fn instant(text: &str) -> std::result::Result<DateTime<Utc>, String> {
    let parsed = DateTime::parse_from_rfc3339(text);
    parsed.map(|at| at.to_utc()).map_err(|_| "not an instant like 2026-03-01T22:00:00Z".into())
}

/// Names the arguments where the use case names the API's fields.
fn with_arguments(error: Error) -> Error {
    let Error::Invalid(errors) = error else { return error };
    let argument = |field: String| match field.as_str() {
        "count" => "COUNT".to_owned(),
        "holdsUntil" => "--until".to_owned(),
        _ => field,
    };
    Error::Invalid(errors.into_iter().map(|(field, message)| (argument(field), message)).collect())
}

impl Waitlist {
    pub fn run(&self, global: &Global) -> Result<()> {
        let Action::Invite { count, signup, until, yes } = &self.action;
        let (app, is_served) = global.open_and_server()?;
        let count = count.unwrap_or_default();
        if !yes {
            let question = match signup {
                Some(id) => format!("Invite signup {id} of the waitlist?"),
                None => format!("Invite the next {count} people on the waitlist?"),
            };
            ask::confirm(&question)?;
        }
        let actor = &Actor::CommandLine;
        let invited = match signup {
            Some(id) => invitations::invite_one(&app, actor, *id, *until).map(|()| vec![*id]),
            None => invitations::invite(&app, actor, count, *until),
        };
        let ids = invited.map_err(with_arguments)?;
        for id in &ids {
            print_line!("{id}")?;
        }
        let invitations = match ids.len() {
            1 => "1 invitation is".to_owned(),
            count => format!("{count} invitations are"),
        };
        global.say_queued(&app, &invitations, is_served);
        Ok(())
    }
}
