//! Root may read and write everything; a test of permissions needs somebody who may not.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use crate::support::{BINARY, Place, without_clock_warning};

pub const NOBODY: u32 = 65_534;

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs a command in a place: by nobody in particular when it is root who runs the tests, else as who runs them.
pub fn run(place: &Place, arguments: &[&str]) -> Output {
    if !is_root() {
        return place.run(arguments);
    }
    // The folders that lead to the program may be open to root alone; these are not.
    let open = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(open.path(), std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let program = open.path().join("showcase");
    if std::fs::hard_link(BINARY, &program).is_err() {
        copy_program(&program);
    }
    let mut command = place.command_of(&program, arguments);
    command.uid(NOBODY).gid(NOBODY);
    without_clock_warning(command.output().expect("the binary runs, for another user too"))
}

/// Copies the program by another process: what this one has open to write, a child that another test starts in that
/// moment holds open too, and a file that is open to be written cannot be run.
pub fn copy_program(target: &std::path::Path) {
    let copied = Command::new("install").args(["-m", "755", BINARY]).arg(target).status();
    assert!(copied.expect("install runs").success());
}
