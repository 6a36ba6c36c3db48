//! Reads and writes the files that are named on the command line.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Reads a file, or standard input if `path` is `-`.
///
/// # Errors
/// [`Error::Failed`] when it cannot be read or is larger than `limit` bytes.
pub fn read_limited(path: &Path, limit: usize) -> Result<Vec<u8>> {
    let unreadable =
        |error: std::io::Error| Error::Failed(format!("{} cannot be read: {error}.", path.display()));
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut bytes = Vec::new();
    // One byte more than the limit distinguishes a file that is too large from one that just fits.
    source.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > limit {
        let (size, unit) = if limit < 2_000_000 { (limit / 1000, "KB") } else { (limit / 1_000_000, "MB") };
        return Err(Error::Failed(format!(
            "{} is larger than the limit of {size} {unit}; nothing was changed.",
            path.display()
        )));
    }
    Ok(bytes)
}

/// Writes a temporary file and renames it to `path`.
///
/// # Errors
/// [`Error::Failed`] when it cannot be written. An existing file is then left as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let write = || {
        let mut file = File::create(&partial)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&partial, path)
    };
    write().map_err(|error| {
        let _ = std::fs::remove_file(&partial);
        Error::Failed(format!("{} cannot be written: {error}.", path.display()))
    })
}

/// Refuses a path whose folder does not exist: it is more likely a typing mistake.
///
/// # Errors
/// [`Error::Failed`] names the folder.
pub fn require_folder(path: &Path) -> Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => Err(Error::Failed(format!(
            "The folder {} of {} does not exist. Create it, or name another file.",
            folder.display(),
            path.display()
        ))),
        None => Ok(()),
    }
}

/// Refuses to overwrite anything but an empty or gzip-compressed file with a backup.
///
/// # Errors
/// [`Error::Failed`] says what is at the path.
pub fn require_backup_or_absent(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    // Reading from a pipe would never end.
    if path.metadata().is_ok_and(|existing| !existing.is_file()) {
        return Err(Error::Failed(format!("{} is not a regular file. Name another one.", path.display())));
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(2).read_to_end(&mut start));
    let is_backup = read.is_ok() && (start.is_empty() || start == [0x1f, 0x8b]);
    if is_backup {
        return Ok(());
    }
    Err(Error::Failed(format!("{} already exists and is not a backup. Name another file.", path.display())))
}

/// Refuses to overwrite the database, or anything that is not a regular file.
///
/// # Errors
/// [`Error::Failed`] says what is at the path.
pub fn require_replaceable(path: &Path, database: &Path) -> Result<()> {
    let Ok(existing) = path.metadata() else { return Ok(()) };
    if !existing.is_file() {
        return Err(Error::Failed(format!(
            "{} is not a regular file, so it is not replaced. Omit `--output` to write to standard output.",
            path.display()
        )));
    }
    if path.canonicalize().ok() == database.canonicalize().ok() {
        return Err(Error::Failed(format!("{} is the database itself. Name another file.", path.display())));
    }
    Ok(())
}
