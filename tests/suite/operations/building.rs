//! Building the pages on a machine that lacks a tool fails with one sentence that says what to do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most recently built build script, which is that of the program under test or a later build of it.
fn build_script() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_showcase")).with_file_name("build");
    fs::read_dir(built)
        .expect("cargo keeps it")
        .map(|entry| entry.expect("a folder").path())
        .filter(|folder| {
            folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("showcase-"))
        })
        .map(|folder| folder.join("build-script-build"))
        .filter(|script| script.exists())
        .max_by_key(|script| fs::metadata(script).and_then(|it| it.modified()).expect("a time"))
        .expect("a build script")
}

#[test]
fn a_missing_build_tool_is_reported_in_one_sentence() {
    let no_node = "Node.js is needed to build the pages and was not found. Install Node 20.19 or newer, then build again.";
    let old_node = "Node 20.19 or newer is needed to build the pages, but this is Node v20.18.1.";
    let no_packages = "The UI's npm packages could not be installed. Check the network, then build again.";
    for (programs, message) in [
        (&[] as &[(&str, &str)], no_node),
        (&[("node", "exit 1")], no_node),
        (&[("node", "echo v20.18.1")], old_node),
        (&[("node", "echo v20.19.0")], no_packages),
        (&[("node", "echo v22.1.0"), ("npm", "exit 1")], no_packages),
    ] {
        let machine = tempfile::tempdir().expect("a folder");
        let (bin, ui) = (machine.path().join("bin"), machine.path().join("ui"));
        fs::create_dir_all(&bin).expect("a folder");
        fs::create_dir_all(&ui).expect("a folder");
        fs::write(ui.join("package-lock.json"), "{}").expect("a file");
        for (name, does) in programs {
            // Copied by another process. If this process had the file open for writing, a child of another test could
            // inherit the descriptor, and a file that is open for writing cannot be executed.
            let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$0\" && chmod 755 \"$0\"";
            let written = Command::new("sh").args(["-c", write]).arg(bin.join(name)).arg(does).status();
            assert!(written.expect("sh runs").success());
        }
        let built = Command::new(build_script())
            .current_dir(machine.path())
            .env_clear()
            .env("PATH", &bin)
            .env("OUT_DIR", machine.path())
            .output()
            .expect("it runs");
        assert_eq!(built.status.code(), Some(1), "{programs:?}");
        assert_eq!(String::from_utf8_lossy(&built.stderr).trim_end(), message, "{programs:?}");
        // Cargo runs the script again only if one of these has changed.
        let reads = String::from_utf8_lossy(&built.stdout).into_owned();
        let belongs_to_pages = |line: &str| {
            let read = line.strip_prefix("cargo:rerun-if-changed=").expect("only this instruction");
            read.starts_with("ui/") || read == "src/forms/rules.json"
        };
        assert!(reads.contains("=ui/src\n") && reads.lines().all(belongs_to_pages), "{reads}");
    }
}

#[test]
fn packaging_writes_to_no_folder_that_has_files() {
    for script in ["packaging/build", "packaging/container"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("notes.txt");
        fs::write(&file, "somebody's").expect("a file");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        let refused =
            Command::new(script).args(["--program", "/bin/true", "--into"]).arg(folder.path()).output();
        let refused = refused.expect("bash runs");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1), "{told}");
        assert!(told.contains("is not empty") && file.exists(), "{told}");
    }
}
