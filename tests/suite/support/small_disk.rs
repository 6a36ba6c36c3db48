//! A small disk of its own, which can be full or read-only. Only root can mount one.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub struct SmallDisk {
    folder: PathBuf,
    /// The file that holds the file system, if it is not one in memory.
    _image: Option<tempfile::NamedTempFile>,
}

impl SmallDisk {
    /// A file system in memory of this size, like `100m`. `None` if this user, or this container, may not mount one.
    pub fn mount(folder: &Path, size: &str) -> Option<SmallDisk> {
        let options = format!("size={size}");
        run(Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder))
            .then(|| SmallDisk { folder: folder.to_owned(), _image: None })
    }

    /// An ext4 that becomes read-only when it meets an error, as most systems mount theirs. `None` as above.
    pub fn mount_ext4(folder: &Path) -> Option<SmallDisk> {
        let image = tempfile::NamedTempFile::new().expect("a file");
        image.as_file().set_len(64 << 20).expect("a size");
        let is_mounted = run(Command::new("mkfs.ext4").args(["-q", "-F"]).arg(image.path()))
            && run(Command::new("mount")
                .args(["-o", "loop,errors=remount-ro"])
                .arg(image.path())
                .arg(folder));
        is_mounted.then(|| SmallDisk { folder: folder.to_owned(), _image: Some(image) })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn remount(&self, how: &str) {
        let options = format!("remount,{how}");
        assert!(run(Command::new("mount").args(["-o", &options]).arg(&self.folder)), "{how}");
    }

    /// Takes all space that is left; removing the returned file gives it back.
    pub fn fill(&self) -> PathBuf {
        let path = self.folder.join("filling");
        let mut file = File::create(&path).expect("a file");
        // To the last byte: smaller and smaller pieces.
        for size in [1 << 20, 4096, 1] {
            while file.write_all(&vec![b'x'; size]).is_ok() {}
        }
        path
    }

    /// Makes all writes to an ext4 wait until the returned value is dropped. Processes that write cannot be killed before that.
    pub fn freeze(&self) -> Frozen<'_> {
        assert!(run(Command::new("fsfreeze").arg("-f").arg(&self.folder)), "fsfreeze");
        Frozen(self)
    }

    /// Makes an ext4 meet an error, so that the kernel makes it read-only at once, whoever writes to it. `false` if this
    /// kernel cannot.
    pub fn fail(&self) -> bool {
        let source = output(Command::new("findmnt").args(["-no", "SOURCE"]).arg(&self.folder)).stdout;
        let device = String::from_utf8_lossy(&source).trim().replace("/dev/", "");
        std::fs::write(format!("/sys/fs/ext4/{device}/trigger_fs_error"), "1").is_ok()
    }
}

/// A disk on which nothing can be written; thawed when dropped.
pub struct Frozen<'a>(&'a SmallDisk);

impl Drop for Frozen<'_> {
    fn drop(&mut self) {
        run(Command::new("fsfreeze").arg("-u").arg(self.0.folder()));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        run(Command::new("umount").arg("-l").arg(&self.folder));
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn run(command: &mut Command) -> bool {
    output(command).status.success()
}
