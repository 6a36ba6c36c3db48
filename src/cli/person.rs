//! `showcase person`.

use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global, ask, plural};
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::privacy::{self, ErasureCounts};

/// Export or erase one person's data
#[derive(clap::Args)]
#[command(after_help = "Example: showcase person export ada@example.com > ada.json")]
pub struct Person {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print everything stored about an email address, as JSON
    #[command(after_help = "Example: showcase person export ada@example.com > ada.json")]
    Export { email: String },
    /// Erase a person from registrations, their history and emails; payments are kept without the person
    #[command(after_help = "Example: showcase person erase ada@example.com --yes")]
    Erase {
        email: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

impl Person {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            Action::Export { email } => {
                let app = global.open(Access::ReadAudited)?;
                let data = privacy::export(&app, &Actor::CommandLine, &email.parse()?)?;
                let text = serde_json::to_string_pretty(&data)
                    .map_err(|error| Error::Internal(format!("a person's data as JSON: {error}")))?;
                print_line!("{text}")
            }
            Action::Erase { email, yes } => {
                let app = global.open(Access::Write)?;
                let email = email.parse()?;
                let found = privacy::count(&app, &email)?;
                if !yes {
                    ask::confirm(&format!("Erase {email} from {}? This cannot be undone.", summary(found)))?;
                }
                let erased = privacy::erase(&app, &Actor::CommandLine, &email)?;
                global.say(&format!(
                    "Erased: {}. Backups still contain the data until they expire.",
                    summary(erased)
                ));
                Ok(())
            }
        }
    }
}

/// The counts that are not zero: "2 registrations, 3 emails".
pub fn summary(erased: ErasureCounts) -> String {
    let ErasureCounts { registrations, payments_kept, mails, other_texts } = erased;
    let parts = [
        (registrations, "registration", "registrations", ""),
        (payments_kept, "entry", "entries", " (anonymised, payments kept)"),
        (mails, "email", "emails", ""),
        (other_texts, "other text", "other texts", ""),
    ];
    let parts = parts.into_iter().filter(|(number, ..)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, one, many, note)| format!("{}{note}", plural(number, one, many))).collect();
    // All counts are zero if only a judge is stored, or the file still holds deleted data.
    if parts.is_empty() { "other data".to_owned() } else { parts.join(", ") }
}
