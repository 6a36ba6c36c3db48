//! Photos in backups. Each photo is written once, to `media/` beside the backups, as a file named by its SHA-256. Every
//! backup sets the modification time of all files that it needs to its own time. So a file that is older than the oldest
//! backup is needed by none, and is deleted.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Result};
use crate::store::portal::media::{self, Medium, Size};
use crate::store::{create_private, create_private_folder, with_ending};
use crate::time;

const FOLDER: &str = "media";
const PARTIAL: &str = ".partial";
/// The suffix of a file whose content does not have the hash in its name.
const DAMAGED: &str = ".damaged";
/// The maximum number of names in a sentence.
const MOST_NAMED: usize = 5;

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
        let (count, more) = (names.len(), names.len().saturating_sub(MOST_NAMED));
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let first = names[..count.min(MOST_NAMED)].join(", ");
        format!("{count} files of photos are missing or damaged: {first}{more}")
    }

    fn add(&mut self, found: Found, name: &str) {
        match found {
            Found::Sound(_) => {}
            Found::Missing => self.missing.push(name.to_owned()),
            Found::Wrong => self.wrong.push(name.to_owned()),
        }
    }
}

enum Found {
    Sound(Vec<u8>),
    Missing,
    Wrong,
}

/// The folder of photos beside a backup.
pub fn beside(backup: &Path) -> PathBuf {
    backup.parent().unwrap_or(Path::new("")).join(FOLDER)
}

/// Writes the photos that are not in the folder yet, and sets the modification time of all to the time of this backup. A
/// photo that is damaged in the database is left out; the drill reports it.
///
/// # Errors
/// Those of the disk and the database.
pub fn write(source: &Connection, folder: &Path, now: DateTime<Utc>) -> Result<()> {
    let photos = media::all(source)?;
    if photos.is_empty() {
        return Ok(());
    }
    create_private_folder(folder)?;
    let mut kept: HashMap<String, u64> = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        kept.insert(entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len());
    }
    let mut has_new = false;
    for photo in &photos {
        for (size, name, length) in photo.sizes() {
            let path = folder.join(name);
            if kept.get(name) != Some(&length.unsigned_abs()) {
                let Found::Sound(bytes) = stored(source, photo, size)? else {
                    tracing::error!("the photo {name} is damaged in the database and was not backed up");
                    continue;
                };
                write_file(&path, &bytes)?;
                has_new = true;
            }
            File::open(&path)?.set_modified(now.into())?;
        }
    }
    if has_new {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = with_ending(path, PARTIAL);
    let _ = fs::remove_file(&partial);
    let written = create_private(&partial).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Renames files that were found to be wrong, so that the next backup writes them again from the database.
///
/// # Errors
/// Those of the disk.
pub fn rename_damaged(folder: &Path, wrong: &[String]) -> io::Result<()> {
    for path in wrong.iter().map(|name| folder.join(name)).filter(|path| path.exists()) {
        fs::rename(&path, with_ending(&path, DAMAGED))?;
    }
    Ok(())
}

/// Deletes the files that no backup needs any more, given the time of the oldest backup.
///
/// # Errors
/// Those of the disk.
pub fn delete_unnamed(folder: &Path, oldest: DateTime<Utc>) -> Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_old = DateTime::<Utc>::from(entry.metadata()?.modified()?) < oldest;
        let hash = name.strip_suffix(PARTIAL).or(name.strip_suffix(DAMAGED)).unwrap_or(&name);
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
///
/// # Errors
/// Those of the database.
pub fn check(unpacked: &Connection, folder: &Path) -> Result<Checked> {
    each(unpacked, |photo, size| match stored(unpacked, photo, size)? {
        Found::Sound(bytes) => Ok(Found::Sound(bytes)),
        _ => read(folder, name_of(photo, size)),
    })
}

/// Copies the photos beside a backup into the database that was unpacked from it.
///
/// # Errors
/// Those of the database.
pub fn put_back(unpacked: &Connection, folder: &Path) -> Result<Checked> {
    let transaction = unpacked.unchecked_transaction()?;
    let checked = each(&transaction, |photo, size| {
        if let Found::Sound(bytes) = stored(&transaction, photo, size)? {
            return Ok(Found::Sound(bytes));
        }
        let found = read(folder, name_of(photo, size))?;
        if let Found::Sound(bytes) = &found {
            media::put_content(&transaction, photo.id, size, bytes)?;
        }
        Ok(found)
    })?;
    transaction.commit()?;
    Ok(checked)
}

/// Checks the photos in the database.
///
/// # Errors
/// Those of the database.
pub fn check_stored(app: &App) -> Result<Checked> {
    app.store.read(|connection| each(connection, |photo, size| stored(connection, photo, size)))
}

/// Checks the photos in the backup folder: every file in it, and those that the newest backup needs.
///
/// # Errors
/// Those of the database and the disk.
pub fn check_files(app: &App, newest: Option<DateTime<Utc>>) -> Result<Checked> {
    let folder = super::folder(&app.config).join(FOLDER);
    // The time of a backup, which comes from its name, has whole seconds.
    let before = newest.map(|at| time::stored(at + TimeDelta::seconds(1))).unwrap_or_default();
    let mut checked = app.store.read(|connection| {
        each(connection, |photo, size| {
            if photo.created_at >= before {
                return Ok(Found::Sound(Vec::new()));
            }
            read(&folder, name_of(photo, size))
        })
    })?;
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(checked),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if is_hash(&name) && !checked.wrong.contains(&name) {
            checked.add(read(&folder, &name)?, &name);
        }
    }
    Ok(checked)
}

fn each(connection: &Connection, mut find: impl FnMut(&Medium, Size) -> Result<Found>) -> Result<Checked> {
    let mut checked = Checked::default();
    for photo in media::all(connection)? {
        checked.photos += 1;
        for (size, name, _) in photo.sizes() {
            checked.add(find(&photo, size)?, name);
        }
    }
    Ok(checked)
}

fn name_of(photo: &Medium, size: Size) -> &str {
    match size {
        Size::Full => &photo.sha256,
        Size::Thumbnail => &photo.thumbnail_sha256,
    }
}

fn stored(connection: &Connection, photo: &Medium, size: Size) -> Result<Found> {
    match media::content(connection, photo, size) {
        Ok(bytes) if has_hash(&bytes, name_of(photo, size)) => Ok(Found::Sound(bytes)),
        Ok(_) | Err(Error::Damaged(_)) => Ok(Found::Wrong),
        Err(error) => Err(error),
    }
}

fn read(folder: &Path, name: &str) -> Result<Found> {
    match fs::read(folder.join(name)) {
        Ok(bytes) if has_hash(&bytes, name) => Ok(Found::Sound(bytes)),
        Ok(_) => Ok(Found::Wrong),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
        // Such as a bad sector or a missing permission: the file cannot be used.
        Err(error) => {
            tracing::warn!("{name} cannot be read: {error}");
            Ok(Found::Wrong)
        }
    }
}

fn has_hash(bytes: &[u8], name: &str) -> bool {
    hex::encode(Sha256::digest(bytes)) == name
}

#[cfg(test)]
mod tests {
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
        delete_unnamed(folder.path(), oldest).expect("deleted");
        delete_unnamed(&folder.path().join("none"), oldest).expect("nothing to do");
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
