//! Reads and writes the files that are named on the command line.

use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::read::GzDecoder;

use crate::error::{Error, Result};
use crate::store::{folder_of, migrate};

/// Reads a file, or standard input if `path` is `-`.
///
/// # Errors
/// [`Error::Failed`] when it cannot be read or is larger than `limit` bytes.
pub fn read_limited(path: &Path, limit: usize) -> Result<Vec<u8>> {
    let unreadable = |error| Error::io(format!("{} cannot be read", path.display()))(error);
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

/// Writes a temporary file and renames it to `path`, or to what `path` links to. An existing file keeps its permissions.
///
/// # Errors
/// [`Error::Io`] or [`Error::Failed`] when it cannot be written. Then an existing file is unchanged.
fn replace<T>(path: &Path, write: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    let context = || format!("{} cannot be written", path.display());
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // The user chose this file, so it gets the usual permissions of a new file, not the strict ones of a temporary file.
    let mut partial = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder_of(&target))
        .map_err(Error::io(context()))?;
    if let Ok(existing) = target.metadata() {
        partial.as_file().set_permissions(existing.permissions()).map_err(Error::io(context()))?;
    }
    let written = write(partial.as_file_mut()).map_err(|error| match error {
        Error::Io { source, .. } => Error::io(context())(source),
        other => Error::Failed(format!("{}: {}", context(), other.for_log())),
    })?;
    partial.as_file().sync_all().map_err(Error::io(context()))?;
    partial.persist(&target).map_err(|error| Error::io(context())(error.error))?;
    Ok(written)
}

/// Writes a file that the user named, unless it is the database, or its folder does not exist.
pub fn write<T>(path: &Path, database: &Path, write: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    require_folder(path)?;
    require_replaceable(path, database)?;
    replace(path, write)
}

/// Refuses a path whose folder does not exist: a missing folder is probably a typing mistake.
pub fn require_folder(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "The folder {} of {} does not exist. Create it, or name another file.",
        folder.display(),
        path.display()
    )))
}

/// Refuses to overwrite a file that is neither empty nor a backup.
pub fn require_backup_or_absent(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    // Reading from a pipe would never end.
    if path.metadata().is_ok_and(|existing| !existing.is_file()) {
        return Err(Error::Failed(format!("{} is not a regular file. Name another one.", path.display())));
    }
    let mut header = Vec::new();
    let read = File::open(path).and_then(|file| file.take(20).read_to_end(&mut header));
    let is_backup =
        header.is_empty() || is_plain_backup(path, &header) || is_compressed_backup(path, &header);
    if read.is_ok() && is_backup {
        return Ok(());
    }
    Err(Error::Failed(format!("{} already exists and is not a backup. Name another file.", path.display())))
}

/// A backup is in rollback-journal mode. A database in use is in WAL mode, which bytes 18 and 19 of its header say
/// (<https://www.sqlite.org/fileformat.html>, 1.3.3).
fn is_plain_backup(path: &Path, header: &[u8]) -> bool {
    header.starts_with(b"SQLite format 3\0")
        && header.ends_with(&[1, 1])
        && migrate::version(path).is_ok_and(|version| version > 0)
}

fn is_compressed_backup(path: &Path, header: &[u8]) -> bool {
    let mut unpacked = [0; 16];
    header.starts_with(&[0x1f, 0x8b])
        && File::open(path).is_ok_and(|file| GzDecoder::new(file).read_exact(&mut unpacked).is_ok())
        && unpacked == *b"SQLite format 3\0"
}

/// Refuses to overwrite the database, or anything that is not a regular file.
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
