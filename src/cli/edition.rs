//! `showcase edition`.

use std::path::PathBuf;

use clap::Subcommand;

use super::output::print_line;
use super::progress::Progress;
use super::{Access, Global, ask, number, person, plural};
use crate::edition;
use crate::error::Result;
use crate::model::Actor;
use crate::privacy;
use crate::time;

/// Archive an edition, and start the next one from it
#[derive(clap::Args)]
#[command(after_help = "Example: showcase edition close")]
pub struct Edition {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Write an archive of everything and verify it; changes nothing else
    #[command(after_help = "Example: showcase edition close")]
    Close,
    /// Erase the personal data of everybody once the event is over; payments are kept without the people
    #[command(after_help = "Example: showcase edition erase --yes")]
    Erase {
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Start a new database from an archive: its content with every date moved, and no people
    #[command(
        after_help = "Example: showcase edition new --from archive/lash-brow-showcase-20260401T120000Z.zip --shift-days 364 --database showcase-2027.db"
    )]
    New {
        /// An archive written by `showcase edition close`
        #[arg(long, value_name = "ARCHIVE")]
        from: PathBuf,
        /// By how many days every date is moved; 364 keeps the weekdays
        #[arg(long, value_name = "N", value_parser = number::<i64>, allow_negative_numbers = true)]
        shift_days: i64,
    },
}

impl Edition {
    fn erase(global: &Global, yes: bool) -> Result<()> {
        let app = global.open(Access::Write)?;
        let everybody = privacy::everybody(&app)?;
        let people = everybody.people;
        if people == 0 && !everybody.has_unaddressed {
            global.say("No personal data of this edition is stored.");
            return Ok(());
        }
        if !yes {
            ask::confirm(&format!(
                "Erase the personal data of {}? Payments are kept without them. This cannot be undone.",
                if people == 0 {
                    "guests without an address".to_owned()
                } else {
                    plural(people, "person", "people")
                }
            ))?;
        }
        let mut progress = Progress::new(global);
        let outcome = privacy::erase_everybody(&app, &Actor::CommandLine, &mut |done| {
            progress.show(&format!("Erased {done} of {people}"));
        });
        drop(progress);
        let (people, erased) = outcome?;
        global.say(&format!(
            "Erased {}: {}. Backups and archives still contain the data.",
            plural(people, "person", "people"),
            person::summary(erased)
        ));
        Ok(())
    }

    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            Action::Close => {
                let app = global.open(Access::Write)?;
                let archive = edition::close(&app, &Actor::CommandLine, time::now())?;
                print_line!("{}", archive.path.display())?;
                global.say(&format!(
                    "Wrote and verified {} files. The database is unchanged; keep the archive with your backups.",
                    archive.files
                ));
                Ok(())
            }
            Action::Erase { yes } => Edition::erase(global, *yes),
            Action::New { from, shift_days } => {
                let database = global.settings()?.database;
                let started = edition::start(from, *shift_days, &database)?;
                print_line!("{}", database.display())?;
                global.say(&format!(
                    "The event is now on {}. {} to be confirmed; `showcase doctor` and the dashboard list them.",
                    started.content.event.dates,
                    plural(started.samples, "sample item needs", "sample items need")
                ));
                global.say(&format!(
                    "Copied: the content, {}, and hashes of the addresses that have unsubscribed. Not copied: registrations and people, competitors' photos, emails, scores, accounts and passwords.",
                    plural(started.pictures, "picture", "pictures")
                ));
                if started.mail_texts > 0 {
                    let dated = started.dated_mail_texts.join(", ");
                    let check = match started.dated_mail_texts.len() {
                        0 => String::new(),
                        _ => format!(" Check the dates in: {dated}."),
                    };
                    global.say(&format!(
                        "Also copied: {}.{check}",
                        plural(
                            started.mail_texts,
                            "edited text of a standard email",
                            "edited texts of standard emails"
                        )
                    ));
                }
                if shift_days % 7 != 0 {
                    global.say("The dates fall on different weekdays than before.");
                }
                Ok(())
            }
        }
    }
}
