//! `showcase media`.

use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global};
use crate::error::{Error, Result};
use crate::ops::backups::{self, media};
use crate::time;

/// Check the photos of competitors, in the database and beside the backups
#[derive(clap::Args)]
#[command(after_help = "Example: showcase media check")]
pub struct Media {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Read every photo, compare it with its SHA-256, and print those that are missing or wrong
    #[command(after_help = "Example: showcase media check")]
    Check,
}

impl Media {
    pub fn run(&self, global: &Global) -> Result<()> {
        let Action::Check = self.action;
        let app = global.open(Access::Read)?;
        let backups = backups::until(&app.config, time::now())?;
        let newest = backups.first();
        let stored = media::check_stored(&app)?;
        let files = media::check_files(&app, newest)?;
        for line in stored.lines() {
            print_line!("{line}  in the database")?;
        }
        for line in files.lines() {
            print_line!("{line}  in {}", backups::folder(&app.config).join("media").display())?;
        }
        let wrong = stored.lines().chain(files.lines()).count();
        if wrong > 0 {
            return Err(Error::Failed(format!(
                "Missing or damaged copies of photos: {wrong}. Restore them from a backup."
            )));
        }
        let note = if newest.is_none() { " There is no backup yet." } else { "" };
        global.say(&format!("All {} photos are intact.{note}", stored.photos));
        Ok(())
    }
}
