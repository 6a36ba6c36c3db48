//! `showcase user`.

use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global, ask};
use crate::admin::accounts;
use crate::app::App;
use crate::error::Result;
use crate::model::Actor;
use crate::time;

/// Manage organisers' accounts, besides the shared password
#[derive(clap::Args)]
#[command(after_help = "Example: showcase user add ines")]
pub struct User {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add an account; the password is typed or read from standard input
    #[command(after_help = "Example: showcase user add ines < password.txt")]
    Add { name: String },
    /// Remove an account and end its sessions
    #[command(after_help = "Example: showcase user remove ines")]
    Remove { name: String },
    /// List the accounts
    #[command(after_help = "Example: showcase user list")]
    List,
    /// Change an account's password and end its sessions
    #[command(after_help = "Example: showcase user password ines < password.txt")]
    Password { name: String },
}

impl User {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = global.open(match &self.action {
            Action::List => Access::Read,
            _ => Access::Write,
        })?;
        match &self.action {
            Action::Add { name } => {
                accounts::add(&app, &Actor::CommandLine, name, &ask::new_password()?)?;
                global.say(&format!("'{name}' can now sign in."));
            }
            Action::Remove { name } => {
                accounts::remove(&app, &Actor::CommandLine, name)?;
                global.say(&format!("'{name}' can no longer sign in."));
            }
            Action::List => list(&app)?,
            Action::Password { name } => {
                accounts::set_password(&app, &Actor::CommandLine, name, &ask::new_password()?)?;
                global.say(&format!("'{name}' has a new password. All of its sessions have ended."));
            }
        }
        Ok(())
    }
}

fn list(app: &App) -> Result<()> {
    let zone = app.content().event.time_zone.clone();
    print_line!("{:<40}  {:<19}  {:<19}", "name", "added", "last seen")?;
    for account in accounts::list(app)? {
        let seen = account.last_seen_at.map_or("-".to_owned(), |at| time::local(&at, &zone));
        print_line!("{:<40}  {:<19}  {seen:<19}", account.username, time::local(&account.created_at, &zone))?;
    }
    Ok(())
}
