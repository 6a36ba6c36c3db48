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

/// Writes a temporary file and renames it to `path`.
///
/// # Errors
/// [`Error::Io`] or [`Error::Failed`] when it cannot be written. Then an existing file is unchanged.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    let context = || format!("{} cannot be written", path.display());
    // The user chose this file, so it gets the usual permissions of a new file, not the strict ones of a temporary file.
    let mut partial = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder_of(path))
        .map_err(Error::io(context()))?;
    let written = write(partial.as_file_mut()).map_err(|error| match error {
        Error::Io { source, .. } => Error::io(context())(source),
        other => Error::Failed(format!("{}: {}", context(), other.for_log())),
    })?;
    partial.as_file().sync_all().map_err(Error::io(context()))?;
    partial.persist(path).map_err(|error| Error::io(context())(error.error))?;
    Ok(written)
}

/// Refuses a path whose folder does not exist: it is more likely a typing mistake.
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

/// Refuses to overwrite anything but an empty file or another backup.
pub fn require_backup_or_absent(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    // Reading from a pipe would never end.
    if path.metadata().is_ok_and(|existing| !existing.is_file()) {
        return Err(Error::Failed(format!("{} is not a regular file. Name another one.", path.display())));
    }
    // A plain backup keeps no log beside it; a database in use does, which its header says in bytes 18 and 19
    // (<https://www.sqlite.org/fileformat.html>, 1.3.3).
    let is_plain = |start: &[u8]| {
        start.starts_with(b"SQLite format 3\0")
            && start.ends_with(&[1, 1])
            && migrate::version(path).is_ok_and(|version| version > 0)
    };
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(20).read_to_end(&mut start));
    let is_packed = |start: &[u8]| {
        let mut unpacked = [0; 16];
        start.starts_with(&[0x1f, 0x8b])
            && File::open(path).is_ok_and(|file| GzDecoder::new(file).read_exact(&mut unpacked).is_ok())
            && unpacked == *b"SQLite format 3\0"
    };
    if read.is_ok() && (start.is_empty() || is_packed(&start) || is_plain(&start)) {
        return Ok(());
    }
    Err(Error::Failed(format!("{} already exists and is not a backup. Name another file.", path.display())))
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
