//! What an organiser typed into a search, as what SQLite can look for: whatever the case, and with or without
//! the marks on its letters, as people leave them out of names that have them.
//!
//! SQLite's `lower` knows ASCII only. So a text in ASCII, as nearly all are, is looked through for the plain
//! letters, and any other with a pattern of `glob`, which has each letter in all its cases and marks.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest search, in letters; what is beyond it is left out.
const LONGEST: usize = 100;

/// One word to look for.
pub struct Wanted {
    /// In small letters without marks.
    pub plain: String,
    pub pattern: String,
}

impl Wanted {
    /// The words of a search, in whatever order they stand; none when there is nothing to look for.
    pub fn words(search: &str) -> Vec<Wanted> {
        let text: String = search.trim().nfc().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        text.split_whitespace().map(Wanted::of).collect()
    }

    fn of(word: &str) -> Wanted {
        let plain = word.chars().map(|letter| plain(letter).unwrap_or(letter)).collect();
        let classes: String = word.chars().map(class).collect();
        Wanted { plain, pattern: format!("*{classes}*") }
    }
}

/// The small ASCII letter or other sign that remains when a letter's marks are left out.
fn plain(letter: char) -> Option<char> {
    let bare = match letter {
        'Ø' | 'ø' => 'o',
        'Ł' | 'ł' => 'l',
        'Đ' | 'đ' => 'd',
        'ı' => 'i',
        letter => letter.nfd().find(|part| !is_combining_mark(*part))?,
    };
    bare.is_ascii().then(|| bare.to_ascii_lowercase())
}

/// The Latin letters with marks, by what is plain of them.
static MARKED: LazyLock<BTreeMap<char, String>> = LazyLock::new(|| {
    let mut marked: BTreeMap<char, String> = BTreeMap::new();
    for letter in ('À'..='\u{24f}').chain('\u{1e00}'..='\u{1eff}') {
        if let Some(plain) = plain(letter) {
            marked.entry(plain).or_default().push(letter);
        }
    }
    marked
});

/// The letter as `glob` finds it.
fn class(letter: char) -> String {
    match plain(letter) {
        Some(plain) if plain.is_ascii_alphabetic() => {
            format!("[{plain}{}]", MARKED.get(&plain).map_or("", String::as_str))
        }
        Some(plain @ ('*' | '?' | '[')) => format!("[{plain}]"),
        Some(plain) => plain.to_string(),
        None => either_case(letter),
    }
}

/// The letter, as a small one and as a capital, each once.
fn either_case(letter: char) -> String {
    let single = |mut cases: Vec<char>| if cases.len() == 1 { cases.pop() } else { None };
    let small = single(letter.to_lowercase().collect()).filter(|small| *small != letter);
    let capital = single(letter.to_uppercase().collect()).filter(|capital| *capital != letter);
    let cases: String = [Some(letter), small, capital].into_iter().flatten().collect();
    format!("[{cases}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_what_it_says() {
        for (search, plain, pattern) in [
            ("7", "7", "*7*"),
            ("  100%_ ", "100%_", "*100%_*"),
            ("*?[]", "*?[]", "*[*][?][[]]*"),
            ("ß9", "ß9", "*[ß]9*"),
            ("Жж", "Жж", "*[Жж][жЖ]*"),
            ("東京", "東京", "*[東][京]*"),
            ("1\0 2", "1", "*1*"),
        ] {
            let wanted = Wanted::words(search).into_iter().next().expect("a word to look for");
            assert_eq!((wanted.plain.as_str(), wanted.pattern.as_str()), (plain, pattern), "{search:?}");
        }
        let words = |search| Wanted::words(search).into_iter().map(|word| word.plain).collect::<Vec<_>>();
        assert_eq!(words(" Sample\u{a0} Ada "), ["sample", "ada"]);
        for nothing in ["\0", "   ", "", "\u{a0}"] {
            assert!(words(nothing).is_empty(), "{nothing:?}");
        }
    }

    #[test]
    fn a_letter_is_found_with_its_marks_and_without() {
        for typed in ["Jose", "jose", "JOSÉ", "jose\u{301}"] {
            let [wanted] = Wanted::words(typed).try_into().ok().expect("one word");
            assert_eq!(wanted.plain, "jose", "{typed}");
            let classes: Vec<&str> = wanted.pattern.trim_matches('*').split_inclusive(']').collect();
            for (class, letters) in classes.iter().zip(["j", "oóøÖ", "sš", "eéÉẽ"]) {
                assert!(letters.chars().all(|letter| class.contains(letter)), "{class} for {letters}");
            }
        }
    }

    /// A list with a search reads an index that holds all it asks for, not whole records.
    #[test]
    fn every_list_is_found_in_its_index_alone() {
        use super::super::{Filter, condition, table};
        use crate::model::Kind;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        crate::store::migrate::migrate(&path).expect("migrated");
        let connection = crate::store::open_connection(&path).expect("a database");
        for kind in Kind::ALL {
            let filter = Filter { search: Some("ada é".into()), ..Filter::default() };
            let (clause, values) = condition(kind, &filter);
            for sql in [
                format!("select count(*) from {} where {clause}", table(kind)),
                format!(
                    "select id from {} where {clause} order by created_at desc, id desc limit 50",
                    table(kind)
                ),
            ] {
                let mut statement =
                    connection.prepare(&format!("explain query plan {sql}")).expect("a statement");
                let plan: Vec<String> = statement
                    .query_map(rusqlite::params_from_iter(values.iter()), |row| row.get(3))
                    .and_then(Iterator::collect)
                    .expect("a plan");
                let expected = format!("USING COVERING INDEX {}_listed", table(kind));
                assert!(plan[0].contains(&expected), "{sql}: {plan:?}");
                // What came in the same millisecond is sorted by its number, and nothing else is sorted.
                assert!(
                    plan[1..].iter().all(|step| step.ends_with("LAST TERM OF ORDER BY")),
                    "{sql}: {plan:?}"
                );
            }
        }
    }
}
