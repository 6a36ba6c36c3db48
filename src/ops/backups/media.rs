//! Photos and videos in backups. Each is written once, to `media/` beside the backups, as a file named by its SHA-256.
//! Every backup sets the modification time of all files that it needs to its own time, unless a later one is set. So a
//! file that is older than the oldest backup is not needed, and is deleted.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::Backup;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::store::portal::media::{self, Blob, CHUNK};
use crate::store::{backup, create_private, create_private_folder, with_ending};

pub const FOLDER: &str = "media";
const PARTIAL: &str = ".partial";
/// The maximum number of names in a sentence.
const MAX_NAMED: usize = 5;

/// Photos that were checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    pub photos: usize,
    /// The SHA-256 of photos that are missing.
    pub missing: Vec<String>,
    /// The SHA-256 of photos whose bytes do not have this hash.
    pub wrong: Vec<String>,
}

impl Checked {
    pub fn is_sound(&self) -> bool {
        self.missing.is_empty() && self.wrong.is_empty()
    }

    /// A line for each missing or wrong photo.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let missing = self.missing.iter().map(|name| format!("missing  {name}"));
        missing.chain(self.wrong.iter().map(|name| format!("wrong    {name}")))
    }

    /// One sentence for the log and the report, with the first names.
    pub fn sentence(&self) -> String {
        let names: Vec<&str> = self.missing.iter().chain(&self.wrong).map(String::as_str).collect();
        let (count, more) = (names.len(), names.len().saturating_sub(MAX_NAMED));
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let first = names[..count.min(MAX_NAMED)].join(", ");
        format!("{count} files of photos are missing or damaged: {first}{more}")
    }

    fn add(&mut self, found: Integrity, name: &str) {
        match found {
            Integrity::Sound => {}
            Integrity::Missing => self.missing.push(name.to_owned()),
            Integrity::Wrong => self.wrong.push(name.to_owned()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Integrity {
    Sound,
    Missing,
    Wrong,
}

/// The folder of photos beside a backup.
pub fn beside(backup: &Path) -> PathBuf {
    backup.parent().unwrap_or(Path::new("")).join(FOLDER)
}

/// Writes the photos that are not in the folder yet, and sets the modification time of all to the time of this backup. A
/// photo that is damaged in the database is left out; `doctor` reports it. `reserve` bytes stay free.
///
/// # Errors
/// Those of the disk and the database. [`Error::Failed`], before anything is written: the disk has no room for them.
pub fn write(source: &Connection, folder: &Path, now: DateTime<Utc>, reserve: u64) -> Result<()> {
    let blobs = media::blobs(source)?;
    if blobs.is_empty() {
        return Ok(());
    }
    create_private_folder(folder)?;
    let now = SystemTime::from(now);
    let mut kept: HashMap<String, (u64, SystemTime)> = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        kept.insert(name, (metadata.len(), metadata.modified()?));
    }
    let is_kept = |blob: &&Blob| kept.get(&blob.sha256).is_some_and(|(length, _)| *length == blob.bytes);
    // By name, because several photos may be the same file.
    let missing: HashMap<&str, u64> =
        blobs.iter().filter(|blob| !is_kept(blob)).map(|blob| (blob.sha256.as_str(), blob.bytes)).collect();
    backup::require_disk_space("The photos of this backup need", missing.values().sum(), reserve, folder)?;
    let mut has_new = false;
    for blob in &blobs {
        let path = folder.join(&blob.sha256);
        match kept.get(&blob.sha256) {
            // A backup that was made before the clock was set back may need it longer.
            Some((length, needed_at)) if *length == blob.bytes => {
                if *needed_at < now {
                    File::open(&path)?.set_modified(now)?;
                }
            }
            _ if check_stored_blob(source, blob)? == Integrity::Sound => {
                write_file(source, blob, &path)?;
                File::open(&path)?.set_modified(now)?;
                kept.insert(blob.sha256.clone(), (blob.bytes, now));
                has_new = true;
            }
            _ => {
                tracing::error!("{} is damaged in the database and was not backed up", blob.sha256);
            }
        }
    }
    if has_new {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn write_file(source: &Connection, blob: &Blob, path: &Path) -> Result<()> {
    let partial = with_ending(path, PARTIAL);
    let _ = fs::remove_file(&partial);
    let written = create_private(&partial).map_err(Error::from).and_then(|mut file| {
        media::each_part(source, blob, 0..blob.bytes, |part| Ok(file.write_all(part)?))?;
        file.sync_all()?;
        Ok(fs::rename(&partial, path)?)
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Deletes the files that no backup needs any more, given the time of the oldest backup.
pub fn delete_unneeded(folder: &Path, oldest: DateTime<Utc>) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_old = DateTime::<Utc>::from(entry.metadata()?.modified()?) < oldest;
        let hash = name.strip_suffix(PARTIAL).unwrap_or(&name);
        if is_old && is_hash(hash) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Checks that each photo of a backup is in its database or in the folder beside it.
pub fn check(unpacked: &Connection, folder: &Path) -> Result<Checked> {
    check_each(unpacked, |blob| match check_stored_blob(unpacked, blob)? {
        Integrity::Sound => Ok(Integrity::Sound),
        _ => check_file(folder, &blob.sha256, |_| Ok(())),
    })
}

/// Copies the photos beside a backup into the database that was unpacked from it.
pub fn restore_media(unpacked: &Connection, folder: &Path) -> Result<Checked> {
    let transaction = unpacked.unchecked_transaction()?;
    let checked = check_each(&transaction, |blob| {
        if check_stored_blob(&transaction, blob)? == Integrity::Sound {
            return Ok(Integrity::Sound);
        }
        let mut number = 0;
        transaction.execute_batch("savepoint restore_media")?;
        media::delete_content(&transaction, blob)?;
        let found = check_file(folder, &blob.sha256, |part| {
            media::put_chunk(&transaction, blob, number, part)?;
            number += 1;
            Ok(())
        })?;
        if found != Integrity::Sound {
            transaction.execute_batch("rollback to restore_media")?;
        }
        transaction.execute_batch("release restore_media")?;
        Ok(found)
    })?;
    transaction.commit()?;
    Ok(checked)
}

/// Checks the photos in the database.
pub fn check_stored(connection: &Connection) -> Result<Checked> {
    check_each(connection, |blob| check_stored_blob(connection, blob))
}

/// Checks the photos in the backup folder: every file in it, and those that this backup names. Only the backup itself
/// can say which these are: after the clock was set back, its date does not.
///
/// # Errors
/// Those of the database and the disk. [`Error::Failed`]: the backup cannot be restored.
pub fn check_files(config: &Config, backup: Option<&Backup>) -> Result<Checked> {
    let folder = super::folder(config).join(FOLDER);
    let checked = backup.map(|backup| super::inspect(config, &backup.path)).transpose()?;
    let mut checked = checked.map(|contents| contents.media).unwrap_or_default();
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(checked),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if is_hash(&name) && !checked.wrong.contains(&name) {
            checked.add(check_file(&folder, &name, |_| Ok(()))?, &name);
        }
    }
    Ok(checked)
}

fn check_each(connection: &Connection, mut find: impl FnMut(&Blob) -> Result<Integrity>) -> Result<Checked> {
    let mut checked = Checked::default();
    let mut last = None;
    for blob in media::blobs(connection)? {
        if last.replace(blob.media_id) != Some(blob.media_id) {
            checked.photos += 1;
        }
        checked.add(find(&blob)?, &blob.sha256);
    }
    Ok(checked)
}

fn check_stored_blob(connection: &Connection, blob: &Blob) -> Result<Integrity> {
    let mut hash = Sha256::new();
    let read = media::each_part(connection, blob, 0..blob.bytes, |part| {
        hash.update(part);
        Ok(())
    });
    match read {
        Ok(()) if hex::encode(hash.finalize()) == blob.sha256 => Ok(Integrity::Sound),
        Ok(()) | Err(Error::Damaged(_)) => Ok(Integrity::Wrong),
        Err(error) => Err(error),
    }
}

/// Compares a file with the hash that is its name, and passes its bytes to `take` in parts, before they are known to be right.
fn check_file(folder: &Path, name: &str, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<Integrity> {
    let mut hash = Sha256::new();
    let mut part = Vec::with_capacity(CHUNK);
    let unreadable = |error: io::Error| {
        // Such as a bad sector or a missing permission: the file cannot be used.
        tracing::warn!("{name} cannot be read: {error}");
        Ok(Integrity::Wrong)
    };
    let mut file = match File::open(folder.join(name)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Integrity::Missing),
        Err(error) => return unreadable(error),
    };
    loop {
        part.clear();
        if let Err(error) = (&mut file).take(CHUNK as u64).read_to_end(&mut part) {
            return unreadable(error);
        }
        if part.is_empty() {
            break;
        }
        hash.update(&part);
        take(&part)?;
    }
    let is_sound = hex::encode(hash.finalize()) == name;
    Ok(if is_sound { Integrity::Sound } else { Integrity::Wrong })
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn files_that_no_backup_names_any_more_are_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        let oldest: DateTime<Utc> = "2026-03-01T00:00:00Z".parse().expect("an instant");
        let (old, kept) = ("a".repeat(64), "b".repeat(64));
        let half = format!("{old}{PARTIAL}");
        for (name, seconds) in [(&old, -1), (&half, -1), (&kept, 0), (&"notes.txt".to_owned(), -1)] {
            let file = File::create(folder.path().join(name)).expect("a file");
            file.set_modified((oldest + TimeDelta::seconds(seconds)).into()).expect("a time");
        }
        delete_unneeded(folder.path(), oldest).expect("deleted");
        delete_unneeded(&folder.path().join("none"), oldest).expect("nothing to do");
        let mut names: Vec<String> = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(names, [kept, "notes.txt".to_owned()]);
    }

    #[test]
    fn a_sentence_names_five_photos_at_most() {
        let names = |letters: &str| letters.chars().map(String::from).collect();
        let checked = Checked { photos: 9, missing: names("abc"), wrong: names("defg") };
        assert_eq!(checked.sentence(), "7 files of photos are missing or damaged: a, b, c, d, e and 2 more");
    }
}
