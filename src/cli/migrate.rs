//! `showcase migrate`.

use super::Global;
use super::output::print_line;
use crate::error::Result;
use crate::store::migrate;

/// Migrate the database to this version's schema, after a verified backup
#[derive(clap::Args)]
#[command(after_help = "Example: showcase migrate --status")]
pub struct Migrate {
    /// List the migrations and change nothing
    #[arg(long)]
    status: bool,
}

impl Migrate {
    pub fn run(&self, global: &Global) -> Result<()> {
        let path = global.settings()?.database;
        if self.status {
            for step in migrate::status(&path)? {
                let state = if step.applied { "applied" } else { "pending" };
                print_line!("V{}  {state}  {}", step.version, step.name)?;
            }
            return Ok(());
        }
        let done = migrate::migrate(&path)?;
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
