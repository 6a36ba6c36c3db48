//! `showcase person`.

use clap::Subcommand;

use super::output::print_line;
use super::{Global, ask};
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::privacy::{self, Erased};

/// One person's data, out as JSON or gone
#[derive(clap::Args)]
#[command(after_help = "Example: showcase person export ada@example.com > ada.json")]
pub struct Person {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print everything that is kept about an address, as JSON
    #[command(after_help = "Example: showcase person export ada@example.com > ada.json")]
    Export { email: String },
    /// Erase a person from registrations, their history and mails; payments are kept without the person
    #[command(after_help = "Example: showcase person erase ada@example.com --yes")]
    Erase {
        email: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

impl Person {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            Action::Export { email } => {
                let app = global.app_to_take_along()?;
                let data = privacy::export(&app, &Actor::CommandLine, email)?;
                let text = serde_json::to_string_pretty(&data)
                    .map_err(|error| Error::Internal(format!("a person's data as JSON: {error}")))?;
                print_line!("{text}")
            }
            Action::Erase { email, yes } => {
                let app = global.app()?;
                let found = privacy::count(&app, email)?;
                if !yes {
                    ask::confirm(&format!("Erase {} of {email}? It cannot be undone.", in_words(found)))?;
                }
                let erased = privacy::erase(&app, &Actor::CommandLine, email)?;
                global.say(&format!("Erased: {}. Backups lose it as they expire.", in_words(erased)));
                Ok(())
            }
        }
    }
}

fn in_words(erased: Erased) -> String {
    let Erased { registrations, payments_kept, mails, texts } = erased;
    let kept = match payments_kept {
        0 => String::new(),
        kept => format!(", the person in {} (what is paid is kept)", counted(kept, "entry", "entries")),
    };
    let texts = match texts {
        0 => String::new(),
        texts => format!(", and the address in {}", counted(texts, "text of others", "texts of others")),
    };
    let registrations = counted(registrations, "registration", "registrations");
    format!("{registrations}{kept} and {}{texts}", counted(mails, "mail", "mails"))
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
