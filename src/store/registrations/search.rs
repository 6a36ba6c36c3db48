//! What an organiser typed into a search, as a pattern of SQLite's `glob`.
//!
//! `glob` tells capitals from small letters, and SQLite's `lower` knows ASCII only; so the text is looked
//! for in small ASCII letters, and every other letter in each of its cases.

/// The longest search, in letters; what is beyond it is left out.
const LONGEST: usize = 100;

/// One word to look for.
pub struct Wanted {
    /// The longest part of it in ASCII, in small letters: quick to look for, and enough without others.
    pub part: String,
    /// All of it, when there are other letters.
    pub pattern: Option<String>,
}

impl Wanted {
    /// The words of a search, in whatever order they stand; none when there is nothing to look for.
    pub fn words(search: &str) -> Vec<Wanted> {
        let text: String =
            search.trim().chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        text.split_whitespace().map(Wanted::of).collect()
    }

    fn of(word: &str) -> Wanted {
        let parts = word.split(|letter: char| !letter.is_ascii());
        let part = parts.max_by_key(|part| part.len()).unwrap_or_default().to_ascii_lowercase();
        Wanted { pattern: (!word.is_ascii()).then(|| pattern(word)), part }
    }
}

/// Finds the text anywhere, whatever the case.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("*");
    for letter in text.chars() {
        match letter {
            '*' | '?' | '[' => pattern.extend(['[', letter, ']']),
            letter if letter.is_ascii() => pattern.push(letter.to_ascii_lowercase()),
            letter => {
                let cases: Vec<char> = cases(letter).collect();
                match cases.as_slice() {
                    [only] => pattern.push(*only),
                    cases => {
                        pattern.push('[');
                        pattern.extend(cases);
                        pattern.push(']');
                    }
                }
            }
        }
    }
    pattern.push('*');
    pattern
}

/// The letter, as a small one and as a capital, each once.
fn cases(letter: char) -> impl Iterator<Item = char> {
    let single = |mut cases: Vec<char>| if cases.len() == 1 { cases.pop() } else { None };
    let small = single(letter.to_lowercase().collect()).filter(|small| *small != letter);
    let capital = single(letter.to_uppercase().collect()).filter(|capital| *capital != letter);
    [Some(letter), small, capital].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_what_it_says() {
        for (search, part, pattern) in [
            ("Ada", "ada", None),
            ("  Ada ", "ada", None),
            ("100%_x*?[", "100%_x*?[", None),
            ("Élodie[x]*", "lodie[x]*", Some("*[Éé]lodie[[]x][*]*")),
            ("straße", "stra", Some("*straße*")),
            ("東京", "", Some("*東京*")),
            ("a\0b", "ab", None),
        ] {
            let [wanted] = Wanted::words(search).try_into().ok().expect("one word to look for");
            assert_eq!((wanted.part.as_str(), wanted.pattern.as_deref()), (part, pattern), "{search:?}");
        }
        let words = |search| Wanted::words(search).into_iter().map(|word| word.part).collect::<Vec<_>>();
        assert_eq!(words(" Sample\u{a0} Ada "), ["sample", "ada"]);
        for nothing in ["\0", "   ", "", "\u{a0}"] {
            assert!(words(nothing).is_empty(), "{nothing:?}");
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
