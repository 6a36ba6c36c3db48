//! Finds lists of the door by which people came in, but which new content would remove.

use rusqlite::Connection;

use crate::error::Result;
use crate::site::content::{Content, Problem};
use crate::store::door;

/// Lists by which people were let in and that `live` has, but `content` lacks. Their figures would be gone with them.
pub fn lost_lists(connection: &Connection, live: &Content, content: &Content) -> Result<Vec<Problem>> {
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
    let found = (!rules.is_empty()).then(|| Problem {
        line: 1,
        key: "door.lists".to_owned(),
        rule: rules.join("; "),
    });
    Ok(found.into_iter().collect())
}
