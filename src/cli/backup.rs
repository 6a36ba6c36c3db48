//! `showcase backup` and `showcase restore`.

use std::path::{Path, PathBuf};

use super::output::print_line;
use super::{Access, Global, ask, files, open};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::{Actor, Kind};
use crate::ops::backups::{self, CarriedOver};
use crate::privacy;
use crate::store::{is_writable, registrations};
use crate::time;

/// Back up the whole database, even while the server is running
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase backup\n  showcase backup before-the-weekend.db\n  showcase backup before-the-weekend.db.gz"
)]
pub struct Backup {
    /// The file to create: compressed if its name ends in .gz, otherwise a plain SQLite database. Only an earlier
    /// backup is overwritten [default: a compressed, dated file in the backup folder]
    file: Option<PathBuf>,
}

/// Replace the database with a backup; the current one is kept under another name
#[derive(clap::Args)]
#[command(after_help = "Example: showcase restore backups/showcase-20260328T133000Z.db.gz --dry-run")]
pub struct Restore {
    /// A backup, compressed or plain: its content decides, not its name
    file: PathBuf,
    /// Check and summarise the backup; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
}

impl Backup {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = global.settings()?;
        if let Some(file) = &self.file {
            files::require_folder(file)?;
            files::require_backup_or_absent(file)?;
            files::require_replaceable(file, &config.database)?;
        }
        let now = time::now();
        let made = match &self.file {
            Some(file) => backups::make_file(&config, file).map(|()| file.clone()),
            None => backups::make_in_folder(&config, now).map_err(|error| advise_other_disk(error, &config)),
        }?;
        match open(config, Access::ReadAudited) {
            Ok(app) => backups::record_action(&app, &Actor::CommandLine, now),
            Err(error) => tracing::warn!("the backup is not in the audit log: {}", error.for_log()),
        }
        print_line!("{}", made.display())?;
        Ok(())
    }
}

/// The default folder is usually on the disk of the database, which may have become read-only.
fn advise_other_disk(error: Error, config: &Config) -> Error {
    if !config.database.exists() || is_writable(&config.database) {
        return error;
    }
    let sentence = error.for_log();
    Error::Failed(format!(
        "{}. Name a file on another disk: `showcase backup FILE`.",
        sentence.trim_end_matches('.')
    ))
}

impl Restore {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = global.settings()?;
        let contents = backups::inspect(&config, &self.file)?;
        print_line!("{} is sound (schema {}):", self.file.display(), contents.schema)?;
        for (kind, count) in contents.counts {
            print_line!("{count:>8}  {kind}")?;
        }
        let media = contents.media;
        if media.photos > 0 {
            print_line!("{:>8}  photos", media.photos)?;
        }
        for line in media.lines() {
            print_line!("          {line}")?;
        }
        if self.dry_run {
            return if media.is_sound() { Ok(()) } else { Err(incomplete(&media.sentence())) };
        }
        if !self.yes {
            ask::confirm(&format!("Replace {} with it?", config.database.display()))?;
        }
        let restored = backups::restore(&config, &self.file, time::now(), |file, erased| {
            erase_again(&config, file, erased)
        })?;
        if let Some(previous) = restored.previous {
            global.say(&format!("The previous database is kept as {}.", previous.display()));
        }
        if !restored.media.is_sound() {
            tracing::warn!("{}", incomplete(&restored.media.sentence()).for_log());
        }
        for line in lines(&restored.carried_over) {
            global.say(&line);
        }
        if restored.carried_over.held > 0 && config.smtp.host.is_empty() {
            global.say("No mail server is set (smtp.host), so this installation has sent none of them.");
        }
        global.say("Restored. Start the server with `showcase serve`; it migrates the database if needed.");
        if !config.stripe.secret_key.is_empty() {
            // The server does so by itself, but only at night.
            global.say(
                "Then run `showcase payments reconcile` to record payments and refunds made since that backup.",
            );
        }
        Ok(())
    }
}

/// Erases the persons of these registrations from a database that is about to replace the current one.
fn erase_again(config: &Config, file: &Path, erased: &[(Kind, i64)]) -> Result<()> {
    let app = open(Config { database: file.to_owned(), ..config.clone() }, Access::Write)?;
    for (kind, id) in erased.iter().copied() {
        let stored = app.store.read(|connection| registrations::get(connection, kind, id))?;
        let address =
            stored.map(|stored| stored.record.email()).filter(|address| address.as_str().contains('@'));
        // Another registration of the person may have erased this one too.
        if let Some(address) = address {
            privacy::erase(&app, &Actor::CommandLine, &address)?;
        }
    }
    Ok(())
}

/// What a restore held back and carried over, a sentence a line.
fn lines(carried: &CarriedOver) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |count: usize, sentence: &str| {
        if count > 0 {
            lines.push(format!("{sentence}: {count}."));
        }
    };
    add(
        carried.held,
        "Emails of the backup that may have been sent already are held (send them with `showcase outbox retry` or on the page Outbox)",
    );
    add(carried.paused, "Mailings that are paused (resume them on the page Emails to groups)");
    add(carried.unsubscribed, "People who have unsubscribed since the backup and stay unsubscribed");
    let erased = match carried.not_erased {
        None => "Registrations whose persons were erased since the backup and are erased again",
        Some(_) => {
            "Registrations of persons who were erased since the backup and are back (erase them with `showcase person erase`)"
        }
    };
    add(carried.erased.len(), erased);
    add(carried.ended, "Sessions and links that were ended since the backup and stay ended");
    if let Some(reason) = &carried.not_carried {
        lines.push(format!(
            "Nothing was carried over from the replaced database ({reason}): who unsubscribed, was erased or signed out since the backup is \
             as it was then. Please repeat what you know of."
        ));
    }
    lines
}

fn incomplete(sentence: &str) -> Error {
    Error::Failed(format!(
        "The backup can be restored, but {sentence}. Copy them to the folder 'media' beside the backup first, if they are elsewhere."
    ))
}
