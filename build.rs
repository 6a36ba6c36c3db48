//! Builds the UI before the program: installs the locked npm packages if they changed, bundles the pages with esbuild for
//! the browser and for the page engine, compiles the engine's script, and writes the result to `$OUT_DIR/ui`, from where it
//! is embedded.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};

#[path = "src/site/render/bytecode.rs"]
mod bytecode;

/// A change of these files or folders runs this script again.
const INPUTS: [&str; 7] = [
    "ui/src",
    "ui/files",
    "ui/build.mjs",
    "ui/package.json",
    "ui/package-lock.json",
    "ui/tsconfig.json",
    "src/forms/rules.json",
];

fn main() {
    for path in INPUTS {
        println!("cargo:rerun-if-changed={path}");
    }
    let ui = PathBuf::from("ui");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("ui");
    require_node();
    install(&ui);
    let bundled = Command::new("node").arg("build.mjs").arg("--out").arg(&out).current_dir(&ui).status();
    if !bundled.is_ok_and(|status| status.success()) {
        stop("The pages could not be bundled. See esbuild's message above.");
    }
    compile_script(&out);
}

/// Replaces the page engine's script by its bytecode.
fn compile_script(out: &Path) {
    let script = out.join("server.js");
    let source = fs::read_to_string(&script).expect("build.mjs writes it");
    let bytecode = bytecode::compile(&source).expect("esbuild writes valid scripts");
    fs::write(out.join("server.bytecode"), bytecode).expect("cargo makes OUT_DIR");
    fs::remove_file(&script).expect("it is not embedded");
}

/// Stops unless the PATH has Node 20.19 or newer.
fn require_node() {
    let version = Command::new("node").arg("--version").output();
    let version = match version {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => stop(
            "Node.js is needed to build the pages and was not found. Install Node 20.19 or newer, then build again.",
        ),
    };
    let mut numbers = version.trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < (20, 19) {
        stop(&format!("Node 20.19 or newer is needed to build the pages, but this is Node {version}."));
    }
}

/// Runs `npm ci` unless the installed packages are those of the lock file.
fn install(ui: &Path) {
    let lock = fs::read(ui.join("package-lock.json")).unwrap_or_default();
    let marker = ui.join("node_modules/.installed-lock");
    // `tests/all` installs the development packages too and writes the same marker.
    if fs::read(&marker).is_ok_and(|installed| installed == lock) {
        return;
    }
    let installed = Command::new("npm")
        .args(["ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(ui)
        .stdin(Stdio::null())
        .status();
    if !installed.is_ok_and(|status| status.success()) {
        stop("The UI's npm packages could not be installed. Check the network, then build again.");
    }
    if let Err(error) = fs::write(&marker, lock) {
        stop(&format!("{} could not be written: {error}.", marker.display()));
    }
}

fn stop(message: &str) -> ! {
    eprintln!("{message}");
    exit(1)
}
