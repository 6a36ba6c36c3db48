//! Files that nobody else on the machine reads: they hold personal data and private keys.
//!
//! What root makes belongs to whom the folder belongs to: a host who restores a backup by hand must not keep
//! the server, which has a user of its own, from its database.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown, fchown};
use std::path::Path;

/// A new, empty file.
pub fn create_private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)?;
    if let Some((user, group)) = owner_of_new(path)? {
        fchown(&file, Some(user), Some(group))?;
    }
    Ok(file)
}

/// A folder, unless it is there.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() || path.as_os_str().is_empty() {
        return Ok(());
    }
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    match owner_of_new(path)? {
        Some((user, group)) => chown(path, Some(user), Some(group)),
        None => Ok(()),
    }
}

/// Whose something new in a folder is to be, when root makes it.
fn owner_of_new(path: &Path) -> io::Result<Option<(u32, u32)>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let folder = super::folder_of(path).metadata()?;
    Ok(Some((folder.uid(), folder.gid())))
}
