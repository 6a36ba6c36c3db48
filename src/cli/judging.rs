//! `showcase judging`.

use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global};
use crate::app::App;
use crate::error::{Error, Result};
use crate::judging::{organiser, seal, verify};
use crate::model::Actor;

/// Show, verify, seal or publish the judges' scores
#[derive(clap::Args)]
#[command(after_help = "Example: showcase judging status")]
pub struct Judging {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print each competition with its sheets and what keeps it from being sealed
    #[command(after_help = "Example: showcase judging status")]
    Status,
    /// Check the log of scores, and compute the sealed results again from it
    #[command(after_help = "Example: showcase judging verify")]
    Verify,
    /// Seal the results of a competition
    #[command(after_help = "Example: showcase judging seal lash-lift 'Standard Lash Lift'")]
    Seal { category: String, sub_category: String },
    /// Publish sealed results, and email each competitor
    #[command(after_help = "Example: showcase judging publish lash-lift 'Standard Lash Lift'")]
    Publish { category: String, sub_category: String },
}

impl Judging {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            Action::Status => status(&global.open(Access::Write)?),
            Action::Verify => {
                let found = verify::verify(&global.open(Access::Read)?)?;
                for problem in &found.problems {
                    print_line!("{problem}")?;
                }
                if !found.problems.is_empty() {
                    return Err(Error::Failed(match found.problems.len() {
                        1 => "The log of scores has 1 problem.".into(),
                        count => format!("The log of scores has {count} problems."),
                    }));
                }
                global.say(&format!(
                    "{} rows of the log and {} sealed competitions are as they should be.",
                    found.lines, found.sealed
                ));
                Ok(())
            }
            Action::Seal { category, sub_category } => {
                let app = global.open(Access::Write)?;
                seal::seal(&app, &Actor::CommandLine, category, sub_category)?;
                global.say(&format!("{} is sealed.", app.content().nomination(category, sub_category)));
                Ok(())
            }
            Action::Publish { category, sub_category } => {
                let app = global.open(Access::Write)?;
                seal::publish(&app, &Actor::CommandLine, category, sub_category)?;
                global.say(&format!("{} is published.", app.content().nomination(category, sub_category)));
                Ok(())
            }
        }
    }
}

fn status(app: &App) -> Result<()> {
    for found in organiser::list(app)? {
        let counts = found.counts;
        print_line!(
            "{}  {}  {} nominations, {} judges  {} open, {} saved, {} confirmed, {} out",
            found.label,
            found.state,
            found.nominations,
            found.judges,
            counts.open,
            counts.saved + counts.second_look,
            counts.confirmed,
            counts.conflict + counts.abstained
        )?;
        if found.state == "scoring" {
            for blocker in organiser::get(app, &found.category, &found.sub_category)?.blockers {
                print_line!("  {blocker}")?;
            }
        }
    }
    Ok(())
}
