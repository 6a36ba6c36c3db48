//! Translates an organiser's search text to SQL. A search ignores case and diacritics, because people leave them out of
//! names.
//!
//! A phone number is found with any separators, and an Instagram name also by the address of its profile.
//!
//! SQLite's `lower` handles only ASCII. So ASCII columns, which are nearly all, are searched for the plain text with
//! `instr`, and any other with a `glob` pattern that has every character in both cases and with all diacritics.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rusqlite::{Connection, params_from_iter};
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{searched, table};
use crate::error::Result;
use crate::forms;
use crate::model::Kind;

/// The longest search, in characters; the rest is ignored.
const MAX_LENGTH: usize = 100;

/// The fewest digits that are searched as part of a phone number.
const FEWEST_DIGITS: usize = 4;

/// A registration found by a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FoundRegistration"))]
pub struct Found {
    pub kind: Kind,
    pub id: i64,
    pub created_at: String,
    pub status: String,
    /// The person's, or the company's if there is no person's.
    pub name: String,
    pub business: Option<String>,
    pub email: String,
    /// `None` unless it is an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub payment_status: Option<String>,
}

/// A category or, with a subcategory, a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nomination {
    pub category: String,
    pub subcategory: Option<String>,
}

/// The newest registrations of a kind that match a search, including those held for review, and entries to one of
/// `nominations`. Empty if there is nothing to search for.
pub fn find(
    connection: &Connection,
    kind: Kind,
    search: &str,
    nominations: &[Nomination],
    most: usize,
) -> Result<Vec<Found>> {
    let Some((mut clause, mut values)) = condition(kind, search) else { return Ok(Vec::new()) };
    let (name, business, payment_status) = match kind {
        Kind::SponsorApplications => ("contact_name", "company", "null"),
        Kind::SponsorInquiries => ("company", "null", "null"),
        Kind::WaitlistSignups => ("name", "null", "null"),
        Kind::CompetitionEntries => ("name", "business_name", "payment_status"),
        Kind::SpeakerApplications | Kind::JudgeApplications | Kind::ProfessionalDemoRegistrations => {
            ("name", "company", "null")
        }
    };
    if kind == Kind::CompetitionEntries {
        for nomination in nominations {
            clause.push_str(&format!(" or {}", nomination.condition()));
            values.extend(nomination.values());
        }
    }
    let (table, order) = (table(kind), "order by created_at desc, id desc");
    // As in a list, the inner statement reads only the index.
    let sql = format!(
        "select id, created_at, status, {name}, {business}, email, {payment_status} from {table}
         where id in (select id from {table} where {clause} {order} limit {most}) {order}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(values), |row| {
        Ok(Found {
            kind,
            id: row.get(0)?,
            created_at: row.get(1)?,
            status: row.get(2)?,
            name: row.get(3)?,
            business: row.get(4)?,
            email: row.get(5)?,
            payment_status: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl Nomination {
    fn condition(&self) -> String {
        let columns = [
            ("primary_category", "sub_category"),
            ("additional_category1", "additional_category1_sub"),
            ("additional_category2", "additional_category2_sub"),
        ];
        let condition = |(category, subcategory): (&str, &str)| match self.subcategory {
            None => format!("{category} = ?"),
            Some(_) => format!("{category} = ? and {subcategory} = ?"),
        };
        columns.map(condition).join(" or ")
    }

    /// The values of the parameters in [`Nomination::condition`].
    fn values(&self) -> impl Iterator<Item = String> {
        let values = [Some(self.category.clone()), self.subcategory.clone()];
        std::iter::repeat_n(values, 3).flatten().flatten()
    }
}

/// The SQL condition that finds a search text in [`searched`] and the values of its parameters; `None` if there is nothing
/// to search for.
pub fn condition(kind: Kind, search: &str) -> Option<(String, Vec<String>)> {
    let text = format!("lower({})", searched(kind).join(" || char(10) || "));
    let is_ascii = format!("octet_length({text}) = length({text})");
    let (mut words, mut values) = (Vec::new(), Vec::new());
    for wanted in Wanted::words(search) {
        words.push(format!("(instr({text}, ?) > 0 or not {is_ascii} and {text} glob ?)"));
        values.extend([wanted.plain, wanted.pattern]);
    }
    if words.is_empty() {
        return None;
    }
    let words = words.join(" and ");
    match phone_digits(search) {
        None => Some((format!("({words})"), values)),
        Some(digits) => {
            values.push(digits);
            Some((format!("({words} or instr({text}, ?) > 0)"), values))
        }
    }
}

/// The digits of a text that looks like a phone number or part of one.
fn phone_digits(search: &str) -> Option<String> {
    let is_separator = |c: char| matches!(c, '+' | '-' | '.' | '(' | ')' | '/') || c.is_whitespace();
    let digits: String = search.chars().filter(char::is_ascii_digit).take(MAX_LENGTH).collect();
    let is_number = search.chars().all(|c| c.is_ascii_digit() || is_separator(c));
    (is_number && digits.len() >= FEWEST_DIGITS).then_some(digits)
}

/// A word of a search.
pub struct Wanted {
    /// In lowercase, without diacritics.
    pub plain: String,
    /// For SQLite's `glob`.
    pub pattern: String,
}

impl Wanted {
    /// The words of a search, which may occur in any order.
    pub fn words(search: &str) -> Vec<Wanted> {
        let text: String = search.trim().nfc().filter(|c| !c.is_control()).take(MAX_LENGTH).collect();
        text.split_whitespace().map(Wanted::new).collect()
    }

    fn new(word: &str) -> Wanted {
        // A profile's address is searched for by its name only.
        let handle = if word.contains('/') { forms::instagram(word) } else { None };
        let word = handle.as_deref().unwrap_or(word);
        let plain = word.chars().map(|c| plain(c).unwrap_or(c)).collect();
        let classes: String = word.chars().map(class).collect();
        Wanted { plain, pattern: format!("*{classes}*") }
    }
}

/// The character in lowercase and without diacritics, if that is ASCII.
fn plain(character: char) -> Option<char> {
    let bare = match character {
        'Ø' | 'ø' => 'o',
        'Ł' | 'ł' => 'l',
        'Đ' | 'đ' => 'd',
        'ı' => 'i',
        other => other.nfd().find(|part| !is_combining_mark(*part))?,
    };
    bare.is_ascii().then(|| bare.to_ascii_lowercase())
}

/// The Latin letters with diacritics, by their plain letter.
static ACCENTED: LazyLock<BTreeMap<char, String>> = LazyLock::new(|| {
    let mut accented: BTreeMap<char, String> = BTreeMap::new();
    for character in ('À'..='\u{24f}').chain('\u{1e00}'..='\u{1eff}') {
        if let Some(plain) = plain(character) {
            accented.entry(plain).or_default().push(character);
        }
    }
    accented
});

/// The part of a `glob` pattern that matches a character in both cases and with any diacritic.
fn class(character: char) -> String {
    match plain(character) {
        Some(plain) if plain.is_ascii_alphabetic() => {
            format!("[{plain}{}]", ACCENTED.get(&plain).map_or("", String::as_str))
        }
        Some(plain @ ('*' | '?' | '[')) => format!("[{plain}]"),
        Some(plain) => plain.to_string(),
        None => either_case(character),
    }
}

/// The part of a `glob` pattern that matches a character in both cases.
fn either_case(character: char) -> String {
    let single = |mut cases: Vec<char>| if cases.len() == 1 { cases.pop() } else { None };
    let lowercase = single(character.to_lowercase().collect()).filter(|lowercase| *lowercase != character);
    let uppercase = single(character.to_uppercase().collect()).filter(|uppercase| *uppercase != character);
    let cases: String = [Some(character), lowercase, uppercase].into_iter().flatten().collect();
    format!("[{cases}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_becomes_words_and_glob_patterns() {
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
    fn a_phone_number_is_searched_by_its_digits() {
        for (search, digits) in [
            ("(201) 555-0104", Some("2015550104")),
            ("+1 201.555.0104", Some("12015550104")),
            ("0104", Some("0104")),
            ("104", None),
            ("Studio 2015", None),
            ("2015@example.com", None),
            ("", None),
        ] {
            assert_eq!(phone_digits(search).as_deref(), digits, "{search:?}");
        }
    }

    #[test]
    fn a_letter_is_found_with_and_without_diacritics() {
        for typed in ["Jose", "jose", "JOSÉ", "jose\u{301}"] {
            let [wanted] = Wanted::words(typed).try_into().ok().expect("one word");
            assert_eq!(wanted.plain, "jose", "{typed}");
            let classes: Vec<&str> = wanted.pattern.trim_matches('*').split_inclusive(']').collect();
            for (class, letters) in classes.iter().zip(["j", "oóøÖ", "sš", "eéÉẽ"]) {
                assert!(letters.chars().all(|letter| class.contains(letter)), "{class} for {letters}");
            }
        }
    }

    /// A list with a search reads a covering index and not whole records.
    #[test]
    fn every_list_is_read_from_its_index() {
        use super::super::{Filter, condition};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("test.db");
        crate::store::migrate::migrate(&path).expect("migrated");
        let connection = crate::store::open_connection(&path).expect("a database");
        for kind in Kind::ALL {
            let filter = Filter {
                search: Some("555 0101".into()),
                category: Some("brows".into()),
                ..Filter::default()
            };
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
                    .query_map(params_from_iter(values.iter()), |row| row.get(3))
                    .and_then(Iterator::collect)
                    .expect("a plan");
                let expected = format!("USING COVERING INDEX {}_listed", table(kind));
                assert!(plan[0].contains(&expected), "{sql}: {plan:?}");
                // Only rows of the same millisecond are sorted, by their id.
                assert!(
                    plan[1..].iter().all(|step| step.ends_with("LAST TERM OF ORDER BY")),
                    "{sql}: {plan:?}"
                );
            }
        }
    }
}
