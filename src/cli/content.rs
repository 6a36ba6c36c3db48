//! `showcase content`.

mod image;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::Global;
use super::files::{read_limited, write_whole};
use super::output::{print, print_line};
use crate::app::App;
use crate::error::{Error, Result};
use crate::site;
use crate::site::content::{Content, Problem};
use crate::site::revisions::{self, Outcome};
use crate::store::Store;
use crate::time;

/// Who a change is by, in the history and the audit log.
const ACTOR: &str = "command line";

/// The event's content as one TOML file, and its pictures
#[derive(clap::Args)]
#[command(after_help = "Example: showcase content export --output event.toml")]
pub struct ContentCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the content that is shown
    #[command(after_help = "Example: showcase content export --output event.toml")]
    Export {
        /// Where to write [default: standard output]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// An older revision; 0 is the compiled-in default
        #[arg(long, value_name = "NUMBER", conflicts_with = "default")]
        revision: Option<i64>,
        /// The compiled-in default
        #[arg(long)]
        default: bool,
    },
    /// Name line, key and rule for everything wrong in a file; changes nothing
    #[command(after_help = "Example: showcase content check event.toml")]
    Check {
        /// The file, or - for standard input
        file: PathBuf,
    },
    /// Check a file and show it from now on
    #[command(after_help = "Example: showcase content import event.toml --note 'two new judges'")]
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        /// What has changed, for the history
        #[arg(long, value_name = "TEXT", default_value = "")]
        note: String,
    },
    /// List the revisions, the newest first
    #[command(after_help = "Example: showcase content history")]
    History,
    /// Show an older revision again
    #[command(after_help = "Example: showcase content rollback 12")]
    Rollback {
        /// Its number; 0 is the compiled-in default [default: the one before the newest]
        revision: Option<i64>,
    },
    Image(image::Image),
}

impl ContentCommand {
    pub fn run(&self, global: &Global) -> Result<()> {
        match &self.action {
            // Works before there is a database.
            Action::Check { file } => check(global, file),
            Action::Export { output, default: true, .. } => give(output.as_deref(), Content::default_toml()),
            Action::Export { output, revision, .. } => {
                give(output.as_deref(), &revisions::text(&global.app_to_read()?, *revision)?)
            }
            Action::Import { file, note } => import(global, &global.app()?, file, note),
            Action::History => history(&global.app_to_read()?),
            Action::Rollback { revision } => rollback(global, &global.app()?, *revision),
            Action::Image(image) => image.run(global),
        }
    }
}

fn give(output: Option<&Path>, text: &str) -> Result<()> {
    match output {
        Some(path) => write_whole(path, text.as_bytes()),
        None => print(text.as_bytes()),
    }
}

fn check(global: &Global, file: &Path) -> Result<()> {
    let text = read_text(file)?;
    let database = global.settings()?.database;
    let checked = if database.exists() {
        site::check(&text, &Store::open_to_read(&database)?.read(site::picture_names)?)
    } else {
        Content::parse(&text)
    };
    let problems = match checked {
        Ok(content) => {
            global.say(&format!("{} can be imported.", file.display()));
            for missing in content.unanswered() {
                global.say(&format!("{}: competitors have not been told yet {}.", missing.key, missing.what));
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
    match revisions::import(app, &read_text(file)?, note, ACTOR)? {
        Outcome::Stored(id) => tell(global, id, "is shown now, by a running server within a second.")?,
        Outcome::Unchanged(id) => tell(global, id, "is this very text, and is shown already.")?,
        Outcome::Refused(problems) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            return Err(refusal(file, &problems));
        }
    }
    Ok(())
}

fn rollback(global: &Global, app: &App, revision: Option<i64>) -> Result<()> {
    let (back_to, outcome) = revisions::rollback(app, revision, ACTOR)?;
    if let Outcome::Stored(id) | Outcome::Unchanged(id) = outcome {
        tell(global, id, &format!("has the text of revision {back_to} and is shown now."))?;
    }
    Ok(())
}

/// The number is the result; the sentence is for a person.
fn tell(global: &Global, id: i64, what: &str) -> Result<()> {
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
    let bytes = read_limited(file, revisions::LARGEST)?;
    String::from_utf8(bytes).map_err(|error| {
        let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Error::Failed(format!("{} is not UTF-8 text: see line {line}. Save it as UTF-8.", file.display()))
    })
}

fn refusal(file: &Path, problems: &[Problem]) -> Error {
    let count = match problems.len() {
        1 => "one thing is".to_owned(),
        count => format!("{count} things are"),
    };
    Error::Failed(format!("{}: {count} to be put right; nothing was changed.", file.display()))
}
