//! `showcase user`.

use clap::Subcommand;

use super::output::print_line;
use super::{Global, ask};
use crate::admin::accounts;
use crate::app::App;
use crate::error::Result;
use crate::model::Actor;
use crate::time;

/// Organisers with a name and a password of their own, beside the shared password
#[derive(clap::Args)]
#[command(after_help = "Example: showcase user add ines")]
pub struct User {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add an account; its password is asked for, or read from standard input
    #[command(after_help = "Example: showcase user add ines < password.txt")]
    Add { name: String },
    /// Remove an account and end its sessions
    #[command(after_help = "Example: showcase user remove ines")]
    Remove { name: String },
    /// List the accounts
    #[command(after_help = "Example: showcase user list")]
    List,
    /// Give an account another password and end its sessions
    #[command(after_help = "Example: showcase user password ines < password.txt")]
    Password { name: String },
}

impl User {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = match &self.action {
            Action::List => global.app_to_read()?,
            _ => global.app()?,
        };
        match &self.action {
            Action::Add { name } => {
                accounts::add(&app, &Actor::CommandLine, name, &ask::new_password()?)?;
                global.say(&format!("'{name}' can sign in now."));
            }
            Action::Remove { name } => {
                accounts::remove(&app, &Actor::CommandLine, name)?;
                global.say(&format!("'{name}' cannot sign in any more."));
            }
            Action::List => list(&app)?,
            Action::Password { name } => {
                accounts::set_password(&app, &Actor::CommandLine, name, &ask::new_password()?)?;
                global.say(&format!("'{name}' has another password; every session has ended."));
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
