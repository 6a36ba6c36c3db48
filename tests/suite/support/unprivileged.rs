//! Runs commands without root's privileges, for tests of file permissions.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use crate::support::{BINARY, Place, without_clock_warning};

pub const NOBODY: u32 = 65_534;

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs a command as the user who runs the tests, or as `nobody` if that is root.
pub fn run(place: &Place, arguments: &[&str]) -> Output {
    if !is_root() {
        return place.run(arguments);
    }
    // Only root may have access to the folder of the binary.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let program = folder.path().join("showcase");
    if std::fs::hard_link(BINARY, &program).is_err() {
        copy_program(&program);
    }
    let mut command = place.command_of(&program, arguments);
    command.uid(NOBODY).gid(NOBODY);
    without_clock_warning(command.output().expect("the binary runs, for another user too"))
}

/// Copies the program in another process. If this process had it open for writing, a child that another test starts at
/// that moment would inherit the descriptor, and a file that is open for writing cannot be executed.
pub fn copy_program(target: &std::path::Path) {
    let copied = Command::new("install").args(["-m", "755", BINARY]).arg(target).status();
    assert!(copied.expect("install runs").success());
}
