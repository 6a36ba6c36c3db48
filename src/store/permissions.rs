//! Creates files that only their owner can read, because they have personal data and private keys.
//!
//! A file that root creates gets the folder's owner: a backup restored by root must be accessible to the server, which
//! runs as another user.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown, fchown};
use std::path::Path;

/// Creates an empty file.
pub fn create_private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)?;
    if let Some((user, group)) = owner_of_new(path)? {
        fchown(&file, Some(user), Some(group))?;
    }
    Ok(file)
}

/// Creates a folder if it does not exist.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() || path.as_os_str().is_empty() {
        return Ok(());
    }
    // One by one, so that each missing folder gets the same owner.
    if let Some(parent) = path.parent() {
        create_private_folder(parent)?;
    }
    // Recursive, so that another process may create it at the same time.
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    match owner_of_new(path)? {
        Some((user, group)) => chown(path, Some(user), Some(group)),
        None => Ok(()),
    }
}

/// The user and group to give to a new file if this process is root.
fn owner_of_new(path: &Path) -> io::Result<Option<(u32, u32)>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let folder = super::folder_of(path).metadata()?;
    Ok(Some((folder.uid(), folder.gid())))
}
