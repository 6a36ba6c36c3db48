//! `showcase migrate`.

use super::Global;
use super::output::print_line;
use crate::error::{Error, Result};
use crate::store::{ServerLock, migrate};

/// Migrate the database to this version's schema, after a verified backup
#[derive(clap::Args)]
#[command(after_help = "Example: showcase migrate --status")]
pub struct Migrate {
    /// List the migrations and change nothing; fail if `serve` would refuse the settings, or has no room for the backup
    #[arg(long)]
    status: bool,
}

impl Migrate {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = global.settings()?;
        let path = &config.database;
        let steps = migrate::status(path)?;
        if self.status {
            for step in steps {
                let state = if step.applied { "applied" } else { "pending" };
                print_line!("V{}  {state}  {}", step.version, step.name)?;
            }
            if let Some(problem) = config.problems().into_iter().next() {
                return Err(Error::Failed(problem));
            }
            return migrate::require_disk_space(path);
        }
        // Safe here: `status` has closed its connection. Closing any handle of the file would release SQLite's locks
        // (see `ServerLock`).
        if steps.iter().any(|step| !step.applied) && ServerLock::is_held(path) {
            return Err(ServerLock::refusal(path, "migrate"));
        }
        let done = migrate::migrate(path)?;
        if let Some(backup) = &done.backup {
            global.say(&format!("Backup: {}", backup.display()));
        }
        if done.applied.is_empty() {
            global.say(&format!("{} is up to date.", path.display()));
        }
        for applied in done.applied {
            print_line!("applied {applied}")?;
        }
        Ok(())
    }
}
