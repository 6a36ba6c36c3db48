//! Content files for tests: the default content with changes.

use crate::support::{Place, text};

/// The default content with these replacements.
pub fn edited(replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(
        showcase::site::content::Content::default_toml().to_owned(),
        |toml, (from, to)| {
            assert!(toml.contains(from), "'{from}' is not in the default");
            toml.replace(from, to)
        },
    )
}

/// The default content with a closed Artist Portal.
pub fn closed_portal() -> String {
    edited(&[("sample = true\nopen = true\n# A sample date", "open = false\n# A sample date")])
}

/// Content that shows this number on every page, and more than once on each.
pub fn numbered(number: usize) -> String {
    edited(&[("Lash & Brow Showcase", &format!("Edition {number} of the Showcase"))])
}

pub fn import(place: &Place, toml: &str) -> i64 {
    let done = place.run_with_input(&["content", "import", "-"], toml);
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout).trim().parse().expect("a revision")
}
