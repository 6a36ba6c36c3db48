//! Finds what new content would remove although it is in use: categories with entries, and lists of the door by which
//! people came in.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::content::{Content, Problem};
use crate::error::Result;
use crate::store::door;
use crate::store::registrations::{self, Unpaid};

/// [`categories`], and the lists that are lost.
pub fn all(
    connection: &Connection,
    live: &Content,
    content: &Content,
    unpaid: Unpaid,
) -> Result<Vec<Problem>> {
    let mut lost = categories(connection, live, content, unpaid)?;
    lost.extend(lists(connection, live, content)?);
    Ok(lost)
}

/// Categories and subcategories that entries use and `live` has, but `content` lacks. An import ignores entries awaiting
/// payment: they can still be paid after their category is gone.
pub fn categories(
    connection: &Connection,
    live: &Content,
    content: &Content,
    unpaid: Unpaid,
) -> Result<Vec<Problem>> {
    let has = |content: &Content, slug: &str, subcategory: &str| {
        let mut categories = content.categories.iter();
        categories.any(|category| {
            category.slug == slug
                && (subcategory.is_empty() || category.subcategories.iter().any(|known| known == subcategory))
        })
    };
    let mut rules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for used in registrations::categories_in_use(connection, unpaid)? {
        if !has(live, &used.category, &used.subcategory) || has(content, &used.category, &used.subcategory) {
            continue;
        }
        let at = content.categories.iter().position(|category| category.slug == used.category);
        let key =
            at.map_or_else(|| "categories".to_owned(), |index| format!("categories[{index}].subcategories"));
        let entries =
            if used.entries == 1 { "1 entry is".to_owned() } else { format!("{} entries are", used.entries) };
        rules.entry(key).or_default().push(format!(
            "{entries} in {} (for example entry {}), so it cannot be removed",
            live.nomination(&used.category, &used.subcategory),
            used.example
        ));
    }
    Ok(rules.into_iter().map(|(key, rules)| Problem::without_line(&key, &rules.join("; "))).collect())
}

/// Lists by which people were let in and that `live` has, but `content` lacks. Their figures would be gone with them.
fn lists(connection: &Connection, live: &Content, content: &Content) -> Result<Option<Problem>> {
    let after = content.door.lists_of(&content.event);
    let before = live.door.lists_of(&live.event);
    let mut rules = Vec::new();
    for (key, people) in door::admitted_by_list(connection)? {
        let Some(list) = before.iter().find(|list| list.key == key) else { continue };
        if after.iter().any(|list| list.key == key) {
            continue;
        }
        let people = if people == 1 { "1 person was".to_owned() } else { format!("{people} people were") };
        rules.push(format!("{people} let in to {} ({key}), so it cannot be removed", list.label));
    }
    Ok((!rules.is_empty()).then(|| Problem::without_line("door.lists", &rules.join("; "))))
}
