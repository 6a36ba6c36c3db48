//! How far competitors have come, for the daily report.

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::error::Result;
use crate::model::{NominationState, RELEASE_SLOT};
use crate::site::content::Content;
use crate::store::portal::{media, nominations, releases};

/// How many of the missing things the sentence names.
const MAX_NAMED: usize = 3;

/// One sentence: how many nominations are complete, and what is missing most. `None` if no nomination takes part, or the
/// portal is closed.
pub fn sentence(connection: &Connection, content: &Content) -> Result<Option<String>> {
    if !content.portal.open {
        return Ok(None);
    }
    let (mut total, mut complete) = (0, 0);
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    for (nomination, _) in nominations::find(connection, None, "")? {
        match nomination.state {
            NominationState::HandedIn | NominationState::Ready => complete += 1,
            NominationState::Open | NominationState::Returned => {
                let photos = media::of_nomination(connection, nomination.id)?;
                let slots = content.portal.slots_of(&nomination.category, &nomination.sub_category);
                let is_there = |key: &str| photos.iter().any(|photo| photo.slot == key);
                let empty = slots
                    .filter(|slot| slot.required && !is_there(&slot.key))
                    .map(|slot| slot.label.as_str());
                let release = releases::of_nomination(connection, nomination.id)?;
                let is_signed = release.is_some_and(|release| release.signed_at.is_some());
                let lacks_release = !is_signed && !is_there(RELEASE_SLOT);
                for what in empty.chain(lacks_release.then_some("the model's release")) {
                    *missing.entry(what).or_default() += 1;
                }
            }
            NominationState::Withdrawn | NominationState::Forfeited | NominationState::Disqualified => {
                continue;
            }
        }
        total += 1;
    }
    Ok((total > 0).then(|| sentence_of(total, complete, missing)))
}

fn sentence_of(total: usize, complete: usize, missing: BTreeMap<&str, usize>) -> String {
    let mut most: Vec<(&str, usize)> = missing.into_iter().collect();
    most.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let most: Vec<String> =
        most.iter().take(MAX_NAMED).map(|(what, count)| format!("{what} ({count})")).collect();
    let are = if complete == 1 { "is" } else { "are" };
    let handed_in = format!("{complete} of {total} nominations {are} handed in.");
    if most.is_empty() { handed_in } else { format!("{handed_in} Missing most: {}.", most.join(", ")) }
}
