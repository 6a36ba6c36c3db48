//! Finds categories that entries use but new content would remove.

use rusqlite::Connection;

use crate::error::Result;
use crate::site::content::{Content, Problem};
use crate::store::registrations;

/// Whether entries that await payment count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unpaid {
    Count,
    Ignore,
}

/// Categories and subcategories that entries use and `live` has, but `content` lacks. An import ignores entries awaiting
/// payment: they can still be paid after their category is gone.
pub fn lost_categories(
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
    let mut lost = Vec::new();
    for used in registrations::categories_in_use(connection, unpaid == Unpaid::Count)? {
        if !has(live, &used.category, &used.subcategory) || has(content, &used.category, &used.subcategory) {
            continue;
        }
        let at = content.categories.iter().position(|category| category.slug == used.category);
        let entries =
            if used.entries == 1 { "1 entry is".to_owned() } else { format!("{} entries are", used.entries) };
        lost.push(Problem {
            line: 1,
            key: at.map_or_else(
                || "categories".to_owned(),
                |index| format!("categories[{index}].subcategories"),
            ),
            rule: format!(
                "{entries} in {} (for example entry {}), so it cannot be removed",
                live.nomination(&used.category, &used.subcategory),
                used.example
            ),
        });
    }
    Ok(lost)
}
