//! Categories that entries use stay in the content.

use rusqlite::Connection;

use crate::error::Result;
use crate::site::content::{Content, Problem};
use crate::store::registrations;

/// The categories and subcategories that entries are in, that `live` has and `content` does not. `with_unpaid`: an entry
/// that waits for its payment counts too. An import may remove its category: it can still be paid.
pub fn lost_categories(
    connection: &Connection,
    live: &Content,
    content: &Content,
    with_unpaid: bool,
) -> Result<Vec<Problem>> {
    let has = |content: &Content, slug: &str, subcategory: &str| {
        let mut categories = content.categories.iter();
        categories.any(|category| {
            category.slug == slug
                && (subcategory.is_empty() || category.subcategories.iter().any(|one| one == subcategory))
        })
    };
    let mut lost = Vec::new();
    for used in registrations::categories_in_use(connection, with_unpaid)? {
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
                "{entries} in {}, such as number {}; it has to stay",
                live.nomination(&used.category, &used.subcategory),
                used.example
            ),
        });
    }
    Ok(lost)
}
