//! The lists of the door.

use super::Findings;
use crate::site::content::is_slug;
use crate::site::content::model::Content;

/// In characters.
const MAX_KEY_LENGTH: usize = 40;
/// The most days before the event on which tickets are sent.
const MAX_DAYS_BEFORE: u32 = 60;

pub(super) fn check(content: &Content, findings: &mut Findings<'_>) {
    let (door, event) = (&content.door, &content.event);
    for (index, list) in door.lists.iter().enumerate() {
        let key = |name| format!("door.lists[{index}].{name}");
        let is_key = (1..=MAX_KEY_LENGTH).contains(&list.key.len()) && is_slug(&list.key);
        findings.require(
            is_key,
            key("key"),
            "must consist of a-z, 0-9 and -, and have at most 40 characters",
        );
        let is_at_event = (event.first_day..=event.last_day).contains(&list.day);
        findings.require(is_at_event, key("day"), "must be a day of the event");
    }
    findings
        .unique(door.lists.iter().map(|list| list.key.as_str()), |index| format!("door.lists[{index}].key"));
    for (index, days) in door.tickets_before_days.iter().enumerate() {
        findings.require(
            (1..=MAX_DAYS_BEFORE).contains(days),
            format!("door.tickets_before_days[{index}]"),
            "must be from 1 to 60",
        );
    }
}
