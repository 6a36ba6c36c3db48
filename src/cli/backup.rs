//! `showcase backup` and `showcase restore`.

use std::path::PathBuf;

use chrono::Utc;

use super::output::print_line;
use super::{Global, ask, files};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Actor;
use crate::ops::backups;
use crate::store::is_writable;

/// Back up the whole database, beside a running server too
#[derive(clap::Args)]
#[command(after_help = "Example: showcase backup before-the-weekend.db.gz")]
pub struct Backup {
    /// The file to make; of what is there, only an earlier backup is replaced [default: a dated one in the backup folder]
    file: Option<PathBuf>,
}

/// Put a backup in the database's place; the present one is kept under another name
#[derive(clap::Args)]
#[command(after_help = "Example: showcase restore backups/showcase-20260328T133000Z.db.gz --dry-run")]
pub struct Restore {
    /// A file that `showcase backup` made, or a plain database file
    file: PathBuf,
    /// Check the backup, tell what it holds, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Backup {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = global.settings()?;
        if let Some(file) = &self.file {
            files::require_folder(file)?;
            files::require_no_other(file)?;
        }
        let now = Utc::now();
        let made =
            backups::make(&config, self.file.as_deref(), now).map_err(|error| self.told(error, &config))?;
        match global.app_of_to_take_along(config) {
            Ok(app) => backups::note(&app, &Actor::CommandLine, now),
            Err(error) => tracing::warn!("the backup is not in the audit log: {}", error.for_log()),
        }
        print_line!("{}", made.display())?;
        Ok(())
    }

    /// The usual folder is mostly on the disk of the database, which may take nothing any more.
    fn told(&self, error: Error, config: &Config) -> Error {
        if self.file.is_some() || !config.database.exists() || is_writable(&config.database) {
            return error;
        }
        let words = error.for_log();
        Error::Failed(format!(
            "{}. Name a file on another disk: `showcase backup FILE`.",
            words.trim_end_matches('.')
        ))
    }
}

impl Restore {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = global.settings()?;
        let contents = backups::inspect(&config, &self.file)?;
        print_line!("{} is whole (schema {}):", self.file.display(), contents.schema)?;
        for (kind, count) in contents.counts {
            print_line!("{count:>8}  {kind}")?;
        }
        if self.dry_run {
            return Ok(());
        }
        if !self.yes {
            ask::confirm(&format!("Put it in the place of {}?", config.database.display()))?;
        }
        if let Some(safety) = backups::restore(&config, &self.file, Utc::now())? {
            global.say(&format!("What was there before is kept as {}.", safety.display()));
        }
        global.say("Restored. `showcase serve` starts with it, and migrates it if it is older.");
        if !config.stripe.secret_key.is_empty() {
            // The server looks by itself, but at night.
            global.say(
                "Then `showcase payments reconcile` takes in what was paid and given back since that backup.",
            );
        }
        Ok(())
    }
}
