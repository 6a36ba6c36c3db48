//! `showcase content`.

mod image;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::output::{print, print_line};
use super::{Access, Global, files, number, plural};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::site;
use crate::site::content::{Content, Problem};
use crate::site::revisions::{self, Outcome};
use crate::store::Store;
use crate::time;

/// Manage the event's content (one TOML file) and its pictures
#[derive(clap::Args)]
#[command(after_help = "Example: showcase content export --output event.toml")]
pub struct ContentCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the current content
    #[command(after_help = "Example: showcase content export --output event.toml")]
    Export {
        /// The file to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// An older revision; 0 is the compiled-in default
        #[arg(long, value_name = "NUMBER", value_parser = number::<i64>, conflicts_with = "default")]
        revision: Option<i64>,
        /// The compiled-in default
        #[arg(long)]
        default: bool,
    },
    /// Check a file and list every problem with its line, key and rule; changes nothing
    #[command(after_help = "Example: showcase content check event.toml")]
    Check {
        /// The file, or - for standard input
        file: PathBuf,
    },
    /// Check a file and publish it
    #[command(after_help = "Example: showcase content import event.toml --note 'two new judges'")]
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        /// A description of the change, for the history
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// List all revisions, the newest first
    #[command(after_help = "Example: showcase content history")]
    History,
    /// Publish an older revision again
    #[command(after_help = "Example: showcase content rollback 12")]
    Rollback {
        /// Its number; 0 is the compiled-in default [default: the one before the newest]
        #[arg(value_parser = number::<i64>)]
        revision: Option<i64>,
    },
    Image(image::Image),
}

impl ContentCommand {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            // Works without a database.
            Action::Check { file } => check(global, file),
            Action::Export { output: Some(path), default: true, .. } => {
                write(path, &global.settings()?.database, Content::default_toml())
            }
            Action::Export { default: true, .. } => print(Content::default_toml().as_bytes()),
            Action::Export { output, revision, .. } => {
                let app = global.open(Access::Read)?;
                let text = match revision {
                    Some(number) => revisions::text(&app, *number)?,
                    None => revisions::current_text(&app)?,
                };
                match output {
                    Some(path) => write(path, app.store.path(), &text),
                    None => print(text.as_bytes()),
                }
            }
            Action::Import { file, note } => import(global, &global.open(Access::Write)?, file, note),
            Action::History => history(&global.open(Access::Read)?),
            Action::Rollback { revision } => rollback(global, &global.open(Access::Write)?, *revision),
            Action::Image(image) => image.run(global),
        }
    }
}

fn write(path: &Path, database: &Path, text: &str) -> Result<()> {
    files::write(path, database, |file| Ok(file.write_all(text.as_bytes())?))
}

fn check(global: &Global, file: &Path) -> Result<()> {
    let text = read_text(file)?;
    let database = global.settings()?.database;
    let checked = if database.exists() {
        Content::parse_with(&text, &Store::open_read_only(&database)?.read(site::picture_names)?)
    } else {
        Content::parse(&text)
    };
    let problems = match checked {
        Ok(content) => {
            global.say(&format!("{} can be imported.", file.display()));
            for missing in content.unanswered() {
                global.say(&format!(
                    "{}: the content does not yet tell competitors {}.",
                    missing.key, missing.what
                ));
            }
            for passed in content.passed_dates(time::now()) {
                global.say(&format!("{}: {}", passed.key, passed.sentence));
            }
            for key in content.outdated_prices() {
                global.say(&format!(
                    "{key}: this text names the priority price, which ends on {}. Write {{price}} instead.",
                    content.pricing.priority_deadline.format("%B %-d, %Y")
                ));
            }
            for key in content.empty_picture_places() {
                global.say(&format!("{key} is empty: visitors see a placeholder drawing here, or nothing."));
            }
            return Ok(());
        }
        Err(problems) => problems,
    };
    for problem in &problems {
        print_line!("{problem}")?;
    }
    Err(refusal(file, &problems))
}

fn import(global: &Global, app: &App, file: &Path, note: &str) -> Result<()> {
    match revisions::import(app, &read_text(file)?, note, &Actor::CommandLine)? {
        Outcome::Stored(id) => {
            print_revision(global, id, "is published; a running server shows it within a second.")?;
        }
        Outcome::Unchanged(id) => print_revision(global, id, "already has exactly this text.")?,
        Outcome::Refused(problems) => {
            for problem in &problems {
                super::print_error_line(&problem.to_string());
            }
            return Err(refusal(file, &problems));
        }
    }
    Ok(())
}

fn rollback(global: &Global, app: &App, revision: Option<i64>) -> Result<()> {
    let wanted = revision.map_or_else(|| revisions::before_newest(app), Ok)?;
    let id = revisions::rollback(app, wanted, &Actor::CommandLine)?;
    print_revision(global, id, &format!("has the text of revision {wanted} and is published."))
}

/// Prints the number as the result and the sentence for a person.
fn print_revision(global: &Global, id: i64, what: &str) -> Result<()> {
    print_line!("{id}")?;
    global.say(&format!("Revision {id} {what}"));
    Ok(())
}

fn history(app: &App) -> Result<()> {
    let zone = app.content().event.time_zone.clone();
    print_line!("{:>8}  {:<19}  {:<16}  note", "revision", "imported", "by")?;
    for revision in revisions::history(app)? {
        let at = time::local(&revision.created_at, &zone);
        print_line!("{:>8}  {at:<19}  {:<16}  {}", revision.id, revision.actor, revision.note)?;
    }
    Ok(())
}

fn read_text(file: &Path) -> Result<String> {
    let bytes = files::read_limited(file, revisions::MAX_BYTES)?;
    String::from_utf8(bytes).map_err(|error| {
        let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Error::Failed(format!("{} is not valid UTF-8 on line {line}. Save it as UTF-8.", file.display()))
    })
}

fn refusal(file: &Path, problems: &[Problem]) -> Error {
    let count = plural(problems.len(), "problem", "problems");
    Error::Failed(format!("{} has {count}; nothing was changed.", file.display()))
}
