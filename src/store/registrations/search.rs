//! Translates an organiser's search text to SQL. A search ignores case and diacritics, because people leave them out of
//! names.
//!
//! A phone number is found with any separators, and an Instagram name also by the address of its profile.
//!
//! SQLite's `lower` handles only ASCII. So ASCII columns, which are nearly all, are searched with it, and any other with
//! our own function (`store::fold`).

use rusqlite::{Connection, params_from_iter};
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use super::{search_expressions, table};
use crate::error::Result;
use crate::forms;
use crate::model::Kind;
use crate::store::fold::fold;
use crate::store::query::query_all;

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

/// The newest registrations of a kind that match a search, including those held for review, and entries to one of
/// `categories`, each a slug with or without a subcategory. Empty if there is nothing to search for.
pub fn find(
    connection: &Connection,
    kind: Kind,
    search: &str,
    categories: &[(&str, Option<&str>)],
    limit: usize,
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
        for (category, subcategory) in categories {
            let columns = [
                ("primary_category", "sub_category"),
                ("additional_category1", "additional_category1_sub"),
                ("additional_category2", "additional_category2_sub"),
            ];
            for (category_column, subcategory_column) in columns {
                clause.push_str(&format!(" or {category_column} = ?"));
                values.push((*category).to_owned());
                if let Some(subcategory) = subcategory {
                    clause.push_str(&format!(" and {subcategory_column} = ?"));
                    values.push((*subcategory).to_owned());
                }
            }
        }
    }
    let (table, order) = (table(kind), "order by created_at desc, id desc");
    // As in a list, the inner statement reads only the index.
    let sql = format!(
        "select id, created_at, status, {name}, {business}, email, {payment_status} from {table}
         where id in (select id from {table} where {clause} {order} limit {limit}) {order}"
    );
    query_all(connection, &sql, params_from_iter(values), |row| {
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
    })
}

/// The SQL condition that finds a search text in [`search_expressions`], and the values of its parameters; `None` if there
/// is nothing to search for.
pub fn condition(kind: Kind, search: &str) -> Option<(String, Vec<String>)> {
    let text = format!("lower({})", search_expressions(kind).join(" || char(10) || "));
    let is_ascii = format!("octet_length({text}) = length({text})");
    let (mut clauses, mut values) = (Vec::new(), Vec::new());
    for term in terms(search) {
        clauses.push(format!("(instr({text}, ?) > 0 or not {is_ascii} and instr(folded({text}), ?) > 0)"));
        values.extend([term.clone(), term]);
    }
    if clauses.is_empty() {
        return None;
    }
    let terms = clauses.join(" and ");
    match phone_digits(search) {
        None => Some((format!("({terms})"), values)),
        Some(digits) => {
            values.push(digits);
            Some((format!("({terms} or instr({text}, ?) > 0)"), values))
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

/// The words of a search, folded. They may occur in any order.
fn terms(search: &str) -> Vec<String> {
    let text: String = search.trim().nfc().filter(|c| !c.is_control()).take(MAX_LENGTH).collect();
    // A profile's address is searched for by its name only.
    let name = |word: &str| if word.contains('/') { forms::instagram(word) } else { None };
    let folded = text.split_whitespace().map(|word| fold(name(word).as_deref().unwrap_or(word)));
    folded.filter(|term| !term.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
