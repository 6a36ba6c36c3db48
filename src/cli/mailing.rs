//! `showcase mailing`.

use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global, ask, id, number};
use crate::app::App;
use crate::error::Result;
use crate::mailings::{self, Mailing};
use crate::model::{Actor, Expected};
use crate::store::mailings::State;
use crate::time;

/// List, send, pause and stop emails to groups. They are written on the organiser's pages
#[derive(clap::Args)]
#[command(after_help = "Example: showcase mailing list")]
pub struct MailingCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List emails to groups and their progress, the newest first
    #[command(after_help = "Example: showcase mailing list --limit 5")]
    List {
        /// The maximum number
        #[arg(long, default_value_t = 100, value_parser = number::<u32>)]
        limit: u32,
    },
    /// Send a draft to its group, or resume one that is paused
    #[command(after_help = "Example: showcase mailing send 3")]
    Send {
        #[arg(value_parser = id)]
        id: i64,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Pause: no further emails are sent until it is sent again
    #[command(after_help = "Example: showcase mailing pause 3")]
    Pause {
        #[arg(value_parser = id)]
        id: i64,
    },
    /// Stop for good: nobody else gets the email
    #[command(after_help = "Example: showcase mailing stop 3")]
    Stop {
        #[arg(value_parser = id)]
        id: i64,
    },
}

impl MailingCommand {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            Action::List { limit } => list(&global.open(Access::Read)?, *limit),
            Action::Send { id, yes } => {
                let (app, is_served) = global.open_and_server()?;
                send(global, &app, *id, *yes, is_served)
            }
            Action::Pause { id } => {
                mailings::pause(&global.open(Access::Write)?, &Actor::CommandLine, *id)?;
                global.say(&format!("Mailing {id} is paused. `showcase mailing send {id}` resumes it."));
                Ok(())
            }
            Action::Stop { id } => {
                mailings::stop(&global.open(Access::Write)?, &Actor::CommandLine, *id)?;
                global.say(&format!("Mailing {id} is stopped."));
                Ok(())
            }
        }
    }
}

fn list(app: &App, limit: u32) -> Result<()> {
    let zone = app.content().event.time_zone.clone();
    let (mailings, _) = mailings::page(app, limit, 0)?;
    print_line!(
        "{:>6}  {:<8}  {:<19}  {:>10}  {:>6}  {:>6}  subject",
        "id",
        "state",
        "created",
        "recipients",
        "sent",
        "failed"
    )?;
    for Mailing { stored, progress, .. } in mailings {
        print_line!(
            "{:>6}  {:<8}  {:<19}  {:>10}  {:>6}  {:>6}  {}",
            stored.id,
            stored.state,
            time::local(&stored.created_at, &zone),
            progress.recipients,
            progress.sent,
            progress.failed,
            stored.subject
        )?;
    }
    Ok(())
}

fn send(global: &Global, app: &App, id: i64, yes: bool, is_served: bool) -> Result<()> {
    let Mailing { stored, progress, .. } = mailings::get(app, id)?;
    if !yes && matches!(stored.state, State::Draft | State::Paused) {
        let count = if stored.state == State::Draft { progress.recipients } else { progress.waiting };
        let people = if count == 1 { "1 person".to_owned() } else { format!("{count} people") };
        ask::confirm(&format!("Send '{}' to {people}?", stored.subject))?;
    }
    let expected = Expected::OneOf(vec![stored.version.to_string()]);
    mailings::send(app, &Actor::CommandLine, id, expected)?;
    print_line!("{}", mailings::get(app, id)?.progress.recipients)?;
    global.say_queued(app, &format!("Mailing {id} is"), is_served);
    Ok(())
}
