//! Files that commands read and write.

use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::error::{Error, Result};
use crate::store::folder_of;

/// The bytes of a file, or of standard input when it is called `-`.
///
/// # Errors
/// [`Error::Failed`]: it cannot be read, or is larger than `limit` bytes.
pub fn read_limited(path: &Path, limit: usize) -> Result<Vec<u8>> {
    let unreadable = |error| Error::io(format!("{} cannot be read", path.display()))(error);
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let mut bytes = Vec::new();
    // One byte more than is taken tells a file that is too large from one that just fits.
    source.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > limit {
        let (size, unit) = if limit < 2_000_000 { (limit / 1000, "KB") } else { (limit / 1_000_000, "MB") };
        return Err(Error::Failed(format!(
            "{} is larger than the {size} {unit} that are taken here; nothing was changed.",
            path.display()
        )));
    }
    Ok(bytes)
}

/// Writes a file that gets its name only once it is whole.
///
/// # Errors
/// [`Error::Io`] or [`Error::Failed`] when it cannot be written; what had the name before is then still there.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    let context = || format!("{} cannot be written", path.display());
    // As readable for others as any new file is.
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

/// Refuses to write into a folder that is not there: more likely a typing mistake than a wish for one.
///
/// # Errors
/// [`Error::Failed`] names the folder.
pub fn require_folder(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "There is no folder {} for {}. Make it, or name another file.",
        folder.display(),
        path.display()
    )))
}

/// Refuses to put a backup in the place of anything but an empty file or another compressed one.
///
/// # Errors
/// [`Error::Failed`].
pub fn require_no_other(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    // Reading from a pipe, such as a standard output that somebody reads, would never end.
    if path.metadata().is_ok_and(|present| !present.is_file()) {
        return Err(Error::Failed(format!(
            "{} is no ordinary file, as a backup must be. Name another one.",
            path.display()
        )));
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(2).read_to_end(&mut start));
    let is_ours = read.is_ok() && (start.is_empty() || start == [0x1f, 0x8b]);
    if is_ours {
        return Ok(());
    }
    Err(Error::Failed(format!("{} is there already, and no backup. Name another file.", path.display())))
}

/// Refuses to put a file in the place of what is no file, or of the database.
///
/// # Errors
/// [`Error::Failed`] says what stands there.
pub fn require_replaceable(path: &Path, database: &Path) -> Result<()> {
    let Ok(present) = path.metadata() else { return Ok(()) };
    if !present.is_file() {
        return Err(Error::Failed(format!(
            "{} is not a regular file, so it is not replaced. Omit `--output` to write to standard output.",
            path.display()
        )));
    }
    if path.canonicalize().ok() == database.canonicalize().ok() {
        return Err(Error::Failed(format!("{} is the database itself; name another file.", path.display())));
    }
    Ok(())
}
