//! `showcase judge`.

use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global};
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::judges::{self, Change, Invitation};
use crate::model::Actor;

/// Invite, list, change or remove judges
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
        /// The judge's name [default: the name of the existing judge or accepted application with this address]
        #[arg(long)]
        name: Option<String>,
        /// Invite even if the judge shares a phone, a handle or a business with an entrant
        #[arg(long)]
        anyway: bool,
    },
    /// Print the judges with their panels
    #[command(after_help = "Example: showcase judge list")]
    List,
    /// Change a judge's name, name on the site or address; changing the address sends a new link and revokes the old ones
    #[command(after_help = "Example: showcase judge change mara@example.com --public-name 'Mara S.'")]
    Change {
        email: String,
        #[arg(long)]
        name: Option<String>,
        /// The name on the site, if it is another one; empty for none
        #[arg(long)]
        public_name: Option<String>,
        #[arg(long = "email", id = "new email")]
        new_email: Option<String>,
    },
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
                judges::invite(&app, &Actor::CommandLine, &invitation)?;
                global.say_queued(&app, "1 link is", is_served);
                Ok(())
            }
            Action::List => list(&global.open(Access::Read)?),
            Action::Change { email, name, public_name, new_email } => {
                let (app, is_served) = global.open_and_server()?;
                let judge = with_email(&app, email)?;
                let change = Change {
                    name: name.clone(),
                    public_name: public_name.clone(),
                    email: new_email.clone(),
                    ..Change::default()
                };
                let after = judges::change(&app, &Actor::CommandLine, judge.id, change)?;
                if after.judge.email.eq_ignore_ascii_case(&judge.email) {
                    global.say(&format!("{} was updated.", after.judge.name));
                } else {
                    global.say_queued(&app, "1 link is", is_served);
                }
                Ok(())
            }
            Action::Remove { email } => {
                let app = global.open(Access::Write)?;
                let judge = with_email(&app, email)?;
                judges::remove(&app, &Actor::CommandLine, judge.id)?;
                global.say(&format!("{} is no longer a judge.", judge.name));
                Ok(())
            }
        }
    }
}

fn with_email(app: &App, email: &str) -> Result<judges::Judge> {
    let found = judges::list(app)?.0.into_iter().find(|one| one.judge.email.eq_ignore_ascii_case(email));
    Ok(found.ok_or_else(|| Error::Failed(format!("No judge has the address {email}.")))?.judge)
}

fn name_of(app: &App, email: &str) -> Result<String> {
    let (known, applications) = judges::list(app)?;
    let known = known.into_iter().map(|one| (one.judge.email, one.judge.name));
    let mut named = known.chain(applications.into_iter().map(|(one, _)| (one.email, one.name)));
    let found = named.find(|(one, _)| one.eq_ignore_ascii_case(email));
    let missing =
        || Error::Failed(format!("{email} has no accepted judge application. Give the name with --name."));
    Ok(found.ok_or_else(missing)?.1)
}

fn list(app: &App) -> Result<()> {
    for found in judges::list(app)?.0 {
        let judge = &found.judge;
        let terms = if judge.terms_accepted_at.is_some() { "terms accepted" } else { "terms not accepted" };
        let panels: Vec<String> = found
            .panels
            .iter()
            .map(|(category, subcategory, role)| format!("{category}/{subcategory} ({role})"))
            .collect();
        let panels = if panels.is_empty() { "no panel".to_owned() } else { panels.join(", ") };
        print_line!("{}  {}  {}  {terms}  {panels}", judge.id, judge.name, judge.email)?;
    }
    Ok(())
}
