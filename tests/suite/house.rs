//! Imports go down the house, never up (ARCHITECTURE.md).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors, from the door down. Within a floor imports are free, but for [`STRANGERS`].
const FLOORS: [&[&str]; 7] = [
    &["main"],
    &["cli"],
    &["web", "schedule"],
    &[
        "accounts",
        "attention",
        "backups",
        "certificates",
        "checkup",
        "content_desk",
        "correct",
        "days",
        "demo",
        "doctor",
        "enter",
        "export",
        "outbox",
        "password",
        "person",
        "publish",
        "register",
        "report",
        "review",
        "search",
        "session",
        "storage",
        "summary",
    ],
    &["app"],
    &["mail", "render", "store", "stripe"],
    &["condition", "config", "content", "error", "memory", "model", "pricing", "rules", "screening", "time"],
];
/// Rooms of one floor that never import one another.
const STRANGERS: [&str; 6] = ["mail", "render", "store", "stripe", "web", "schedule"];

#[test]
fn imports_go_down_the_house() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for file in files(&source) {
        let inside = file.strip_prefix(&source).expect("inside src");
        let room =
            inside.components().next().expect("a name").as_os_str().to_string_lossy().replace(".rs", "");
        if room == "lib" {
            continue;
        }
        let from = floor(&room);
        for imported in imports(&fs::read_to_string(&file).expect("source")) {
            let to = floor(&imported);
            let stranger = room != imported
                && STRANGERS.contains(&room.as_str())
                && STRANGERS.contains(&imported.as_str())
                && from == to;
            if to < from || stranger {
                wrong.insert(format!("{} imports {imported}", inside.display()));
            }
            seen.insert((room.clone(), imported));
        }
    }
    assert!(seen.len() > 30, "the scan found only {} imports", seen.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn floor(room: &str) -> usize {
    FLOORS
        .iter()
        .position(|rooms| rooms.contains(&room))
        .unwrap_or_else(|| panic!("'{room}' has no floor: draw it in ARCHITECTURE.md and here"))
}

/// The rooms named in `crate::room` paths and `use crate::{room, …}` lists.
fn imports(source: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for (at, _) in source.match_indices("crate::") {
        if source[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let rest = &source[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![rest],
        };
        for name in names {
            let name: String = name
                .trim()
                .chars()
                .take_while(|letter| letter.is_ascii_lowercase() || *letter == '_')
                .collect();
            if !name.is_empty() {
                rooms.insert(name);
            }
        }
    }
    rooms
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_scan_sees_lists_and_paths() {
    let source =
        "use crate::{content_desk, demo, web};\nuse crate::store::{a, b};\nfn f() { crate::error::x(); }";
    let found: Vec<String> = imports(source).into_iter().collect();
    assert_eq!(found, ["content_desk", "demo", "error", "store", "web"]);
}
