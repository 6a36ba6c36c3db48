//! `showcase judge`.

use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global};
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::judges::{self, Invitation};
use crate::model::Actor;

/// Invite, list or remove judges
#[derive(clap::Args)]
#[command(after_help = "Example: showcase judge invite mara@example.com --name 'Mara Sample'")]
pub struct Judge {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Email somebody a link to the entries that they judge
    #[command(after_help = "Example: showcase judge invite mara@example.com --name 'Mara Sample'")]
    Invite {
        email: String,
        /// Without it, the name of the accepted judge application with this address
        #[arg(long)]
        name: Option<String>,
        /// Invite although the judge shares a phone, a handle or a business with an entrant
        #[arg(long)]
        anyway: bool,
    },
    /// Print the judges with their panels
    #[command(after_help = "Example: showcase judge list")]
    List,
    /// Remove a judge who has not scored
    #[command(after_help = "Example: showcase judge remove mara@example.com")]
    Remove { email: String },
}

impl Judge {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            Action::Invite { email, name, anyway } => {
                let (app, is_served) = global.open_and_server()?;
                let invitation = Invitation {
                    name: name.clone().map_or_else(|| name_of(&app, email), Ok)?,
                    email: email.clone(),
                    application_id: None,
                    anyway: *anyway,
                };
                judges::invite(&app, &Actor::CommandLine, &invitation).map_err(failed)?;
                global.say_queued(&app, "1 link", is_served);
                Ok(())
            }
            Action::List => list(&global.open(Access::Write)?),
            Action::Remove { email } => {
                let app = global.open(Access::Write)?;
                let found =
                    judges::list(&app)?.0.into_iter().find(|one| one.judge.email.eq_ignore_ascii_case(email));
                let judge =
                    found.ok_or_else(|| Error::Failed(format!("No judge has the address {email}.")))?.judge;
                judges::remove(&app, &Actor::CommandLine, judge.id).map_err(failed)?;
                global.say(&format!("{} judges no more.", judge.name));
                Ok(())
            }
        }
    }
}

fn name_of(app: &App, email: &str) -> Result<String> {
    let found = judges::list(app)?.1.into_iter().find(|(one, _)| one.email.eq_ignore_ascii_case(email));
    let missing =
        || Error::Failed(format!("{email} has no accepted judge application. Give the name with --name."));
    Ok(found.ok_or_else(missing)?.0.name)
}

fn list(app: &App) -> Result<()> {
    for found in judges::list(app)?.0 {
        let judge = &found.judge;
        let terms = if judge.terms_accepted_at.is_some() { "terms accepted" } else { "terms not accepted" };
        let panels: Vec<String> = found
            .panels
            .iter()
            .map(|(category, sub_category, role)| format!("{category}/{sub_category} ({role})"))
            .collect();
        let panels = if panels.is_empty() { "no panel".to_owned() } else { panels.join(", ") };
        print_line!("{}  {}  {}  {terms}  {panels}", judge.id, judge.name, judge.email)?;
    }
    Ok(())
}

/// A refusal as a sentence for the command line.
pub(super) fn failed(error: Error) -> Error {
    match error {
        Error::NotFound(message) | Error::Conflict(message) | Error::Closed(message) => {
            Error::Failed(message)
        }
        Error::Invalid(errors) => {
            let sentences: Vec<String> = errors.into_values().collect();
            Error::Failed(format!("{}.", sentences.join("; ")))
        }
        other => other,
    }
}
