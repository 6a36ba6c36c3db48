//! Which module may use which (ARCHITECTURE.md, "What is where", shows the layers).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module, and the modules that it may use. A module with a row of its own (`mail::outbox`) is apart from its
/// parent. Every module may use [`EVERYWHERE`]. A new domain gets a row here and in ARCHITECTURE.md.
const MAY_USE: &[(&str, &[&str])] = &[
    // Entry points.
    ("main", &[]),
    (
        "cli",
        &[
            "admin",
            "app",
            "demo",
            "edition",
            "forms",
            "http",
            "jobs",
            "judging",
            "mail",
            "mail::outbox",
            "ops",
            "payments",
            "portal",
            "privacy",
            "registrations",
            "reports",
            "site",
            "site::content",
            "store",
        ],
    ),
    ("door", &["app", "forms", "mail", "registrations", "site::content", "store"]),
    (
        "http",
        &[
            "admin",
            "app",
            "door",
            "forms",
            "judging",
            "mail",
            "mail::outbox",
            "mailings",
            "ops",
            "payments",
            "payments::provider",
            "portal",
            "privacy",
            "registrations",
            "reports",
            "site",
            "site::render",
            "store",
        ],
    ),
    (
        "jobs",
        &[
            "admin",
            "app",
            "door",
            "judging",
            "mail",
            "mail::outbox",
            "mailings",
            "ops",
            "ops::health::status",
            "payments",
            "payments::provider",
            "portal",
            "reports",
            "site",
            "store",
        ],
    ),
    (
        "demo",
        &[
            "app",
            "judging",
            "payments",
            "payments::pricing",
            "payments::provider",
            "portal",
            "registrations",
            "site",
            "site::content",
            "store",
        ],
    ),
    // Use cases.
    ("edition", &["app", "judging", "ops", "portal", "registrations", "site", "site::content", "store"]),
    ("admin", &["app", "store"]),
    (
        "judging",
        &["app", "forms", "mail", "mail::outbox", "portal", "registrations", "site::content", "store"],
    ),
    ("mail::outbox", &["app", "forms", "mail", "site::content", "store"]),
    ("mailings", &["app", "forms", "mail", "mail::outbox", "site::content", "store"]),
    (
        "ops",
        &[
            "admin",
            "app",
            "door",
            "forms",
            "judging",
            "mail",
            "mail::outbox",
            "ops::health::status",
            "payments::provider",
            "site",
            "site::content",
            "store",
        ],
    ),
    (
        "payments",
        &[
            "app",
            "door",
            "forms",
            "mail",
            "mail::outbox",
            "ops",
            "payments::pricing",
            "payments::provider",
            "portal",
            "registrations",
            "registrations::screening",
            "site",
            "site::content",
            "store",
        ],
    ),
    (
        "portal",
        &["app", "forms", "mail", "mail::outbox", "pictures", "registrations", "site::content", "store"],
    ),
    (
        "privacy",
        &[
            "app",
            "forms",
            "judging",
            "mail::outbox",
            "mailings",
            "payments",
            "portal",
            "registrations",
            "store",
        ],
    ),
    (
        "registrations",
        &[
            "app",
            "forms",
            "mail",
            "mail::outbox",
            "mailings",
            "registrations::screening",
            "site::content",
            "store",
        ],
    ),
    ("reports", &["app", "forms", "mail", "mail::outbox", "ops", "portal", "registrations", "store"]),
    ("site", &["app", "forms", "payments::provider", "pictures", "site::content", "site::render", "store"]),
    // What use cases are given.
    ("app", &["ops::health::status", "payments::provider", "site::content", "site::render", "store"]),
    // Adapters.
    ("mail", &["forms", "payments::pricing", "registrations::screening", "site::content"]),
    ("payments::provider", &[]),
    ("site::render", &["store"]),
    ("store", &["forms"]),
    // Facts and rules.
    ("forms", &[]),
    ("payments::pricing", &[]),
    ("pictures", &[]),
    ("registrations::screening", &["forms"]),
    ("site::content", &["forms", "payments::pricing"]),
    ("ops::health::status", &[]),
];
const EVERYWHERE: [&str; 4] = ["config", "error", "model", "time"];
/// What the modules of [`EVERYWHERE`] may use of one another.
const AMONG_THEM: &[(&str, &[&str])] =
    &[("config", &["error", "model", "time"]), ("error", &[]), ("model", &["error"]), ("time", &[])];

#[test]
fn modules_use_only_what_the_table_allows() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> = MAY_USE
        .iter()
        .chain(AMONG_THEM)
        .map(|(name, uses)| (*name, uses.iter().copied().collect()))
        .collect();
    let used = uses_of_the_sources();
    assert!(used.len() > 60, "the scan found only {} uses", used.len());

    let mut wrong = Vec::new();
    for ((from, to), file) in &used {
        let is_general = EVERYWHERE.contains(&to.as_str()) && !EVERYWHERE.contains(&from.as_str());
        if !is_general && !allowed[from.as_str()].contains(to.as_str()) {
            wrong.push(format!(
                "{file}: `{from}` uses `{to}`. Move the code to where both may use it, or, if this dependency is \
                 right, add it to the row of `{from}` in tests/suite/architecture.rs and in ARCHITECTURE.md."
            ));
        }
    }
    for (from, uses) in &allowed {
        for to in uses {
            if !used.contains_key(&((*from).to_owned(), (*to).to_owned())) {
                wrong.push(format!("`{from}` no longer uses `{to}`: take it out of its row."));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_has_no_cycle() {
    let mut left: BTreeMap<&str, BTreeSet<&str>> = MAY_USE
        .iter()
        .chain(AMONG_THEM)
        .map(|(name, uses)| (*name, uses.iter().copied().collect()))
        .collect();
    loop {
        let done: Vec<&str> = left
            .iter()
            .filter(|(_, uses)| uses.iter().all(|to| !left.contains_key(to)))
            .map(|(name, _)| *name)
            .collect();
        if done.is_empty() {
            break;
        }
        left.retain(|name, _| !done.contains(name));
    }
    let names: Vec<&&str> = left.keys().collect();
    assert!(left.is_empty(), "these modules use one another in a circle, or lead to one: {names:?}");
}

#[test]
fn no_files_use_one_another_in_a_circle() {
    let sources = sources();
    let known: BTreeSet<&str> = sources.iter().map(|(module, ..)| module.as_str()).collect();
    let file_of = |path: &str| {
        let starts = path.match_indices("::").map(|(at, _)| &path[..at]).chain([path]);
        starts.filter(|start| known.contains(start)).max_by_key(|start| start.len()).map(str::to_owned)
    };
    let mut uses: BTreeSet<(String, String)> = BTreeSet::new();
    for (module, _, code) in &sources {
        let used = paths(code, module).iter().filter_map(|path| file_of(path)).collect::<Vec<_>>();
        uses.extend(used.into_iter().filter(|to| to != module).map(|to| (module.clone(), to)));
    }
    assert!(uses.len() > 500, "the scan found only {} uses", uses.len());
    // What neither leads to a circle nor comes from one is taken away, until only circles and what is between them is left.
    loop {
        let (from, to): (BTreeSet<String>, BTreeSet<String>) = uses.iter().cloned().unzip();
        let before = uses.len();
        uses.retain(|(user, used)| to.contains(user) && from.contains(used));
        if uses.len() == before {
            break;
        }
    }
    let circles: Vec<String> = uses.iter().map(|(user, used)| format!("{user} uses {used}")).collect();
    assert!(uses.is_empty(), "move what both need to a file of its own: {}", circles.join(", "));
}

/// The module of each file, the file, and its code without tests.
fn sources() -> Vec<(String, String, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for file in files(&source) {
        let inside = file.strip_prefix(&source).expect("inside src").display().to_string();
        let module = inside.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        if module == "lib" || module.ends_with("tests") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("source");
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        found.push((module, inside, code.to_owned()));
    }
    found
}

/// Every use of one module by another, with a file that has it. Tests may use what they like.
fn uses_of_the_sources() -> BTreeMap<(String, String), String> {
    let mut uses = BTreeMap::new();
    for (module, inside, code) in sources() {
        let from = row_of(&module);
        for path in paths(&code, &module) {
            let to = row_of(&path);
            if from != to {
                uses.entry((from.clone(), to)).or_insert_with(|| inside.clone());
            }
        }
    }
    uses
}

/// The row of the table that a module or an item belongs to.
fn row_of(path: &str) -> String {
    let rows = MAY_USE.iter().map(|(name, _)| *name).chain(EVERYWHERE);
    rows.filter(|name| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")))
        .max_by_key(|name| name.len())
        .unwrap_or_else(|| panic!("`{path}` belongs to no row of tests/suite/architecture.rs: add one"))
        .to_owned()
}

/// The paths in a module's code that lead to other modules of the crate, from its root.
fn paths(code: &str, module: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let code: String =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            if before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let (mut base, mut rest): (Vec<&str>, &str) = match start {
                "crate::" => (Vec::new(), &code[at + start.len()..]),
                _ => (module.split("::").collect(), &code[at..]),
            };
            while let Some(further) = rest.strip_prefix("super::") {
                base.pop();
                rest = further;
            }
            let names: Vec<&str> = match rest.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap_or_default().split(',').collect(),
                None => vec![rest],
            };
            for name in names {
                let end = name.trim().find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
                let name = &name.trim()[..end.unwrap_or(name.trim().len())];
                let path =
                    base.iter().copied().chain([name.trim_end_matches(':')]).collect::<Vec<_>>().join("::");
                if !name.is_empty() && path.starts_with(|c: char| c.is_ascii_lowercase()) {
                    found.insert(path);
                }
            }
        }
    }
    found
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
fn the_scan_sees_lists_paths_and_parents() {
    let code = "use crate::{demo, http};\nuse crate::store::{a, b};\nuse super::Message;\nuse super::super::time;\n\
                // use crate::comment;\nfn f() { crate::error::x(); other_crate::y(); super::outbox::z() }";
    let found: Vec<String> = paths(code, "mail::outbox::ceilings").into_iter().collect();
    assert_eq!(
        found,
        [
            "demo",
            "error::x",
            "http",
            "mail::outbox::Message",
            "mail::outbox::outbox::z",
            "mail::time",
            "store"
        ]
    );
}
