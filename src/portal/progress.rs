//! How far competitors have come, for the daily report.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::own;
use crate::error::Result;
use crate::model::NominationState;
use crate::site::content::Content;
use crate::store::portal::nominations;
use crate::time;

/// How many of the missing things the sentence names.
const MAX_NAMED: usize = 3;

/// One sentence: how many nominations are complete, and what is missing most. `None` if no nomination takes part, or the
/// portal is closed.
pub fn sentence(connection: &Connection, content: &Content) -> Result<Option<String>> {
    if !content.portal.open {
        return Ok(None);
    }
    let now = time::now();
    let (mut total, mut complete) = (0, 0);
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    for nomination in nominations::all(connection)? {
        match nomination.state {
            NominationState::HandedIn | NominationState::Ready => complete += 1,
            NominationState::Open | NominationState::Returned => {
                let own = own::view(connection, content, nomination, now)?;
                for key in own.missing() {
                    let label = own.slot(key).map_or("the model's release", |slot| slot.slot.label.as_str());
                    *missing.entry(label.to_owned()).or_default() += 1;
                }
            }
            NominationState::Withdrawn | NominationState::Forfeited | NominationState::Disqualified => {
                continue;
            }
        }
        total += 1;
    }
    if total == 0 {
        return Ok(None);
    }
    let mut top: Vec<(String, usize)> = missing.into_iter().collect();
    top.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let top: Vec<String> =
        top.iter().take(MAX_NAMED).map(|(label, count)| format!("{label} ({count})")).collect();
    let are = if complete == 1 { "is" } else { "are" };
    let mut sentence = format!("{complete} of {total} nominations {are} handed in.");
    if !top.is_empty() {
        sentence.push_str(&format!(" Missing most: {}.", top.join(", ")));
    }
    Ok(Some(sentence))
}
