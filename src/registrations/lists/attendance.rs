//! Who came, and when: one row a ticket, so that those who did not come are the rows without a time.

use std::collections::HashMap;

use crate::site::content::Content;
use crate::store::door::{Scan, Ticket};
use crate::time;

/// The columns, one for each list of the door, and the rows by name; with `day` (from 1, one of the event's), the lists of
/// that day. Void tickets are left out unless somebody came in with them.
pub fn rows(
    content: &Content,
    day: Option<usize>,
    tickets: &[Ticket],
    admissions: &[Scan],
) -> (Vec<String>, Vec<Vec<String>>) {
    let all = content.door.lists_of(&content.event);
    let date = day.and_then(|day| content.event.days.get(day - 1)).map(|day| day.date);
    let lists: Vec<_> = all.iter().filter(|list| date.is_none_or(|date| list.day == date)).collect();
    let mut first: HashMap<(i64, &str), String> = HashMap::new();
    let mut rows = Vec::new();
    let row = |name: &str, business: &str, role: &str, note: &str, times: Vec<String>| {
        [name, business, role, note].into_iter().map(str::to_owned).chain(times).collect::<Vec<_>>()
    };
    let mut without_ticket = Vec::new();
    // The earliest comes first.
    for admission in admissions {
        let at = time::local(&admission.at, &content.event.time_zone);
        match admission.ticket_id {
            Some(id) => {
                first.entry((id, &admission.list)).or_insert(at);
            }
            None if lists.iter().any(|list| list.key == admission.list) => {
                let sent: serde_json::Value = serde_json::from_str(&admission.sent).unwrap_or_default();
                let times = lists
                    .iter()
                    .map(|list| if list.key == admission.list { at.clone() } else { String::new() });
                let reason = sent["anyway"].as_str().unwrap_or_default();
                without_ticket.push(row("Without a known ticket", "", "Guest", reason, times.collect()));
            }
            None => {}
        }
    }
    for ticket in tickets {
        let attendee = &ticket.attendee;
        let is_on = ticket.is_valid()
            && lists.iter().any(|list| list.includes(attendee.role, attendee.day.as_deref()));
        let times: Vec<String> = lists
            .iter()
            .map(|list| first.get(&(ticket.id, list.key.as_str())).cloned().unwrap_or_default())
            .collect();
        if is_on || times.iter().any(|time| !time.is_empty()) {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            rows.push(row(
                &attendee.name,
                &text(&attendee.business),
                attendee.role.label(),
                &text(&attendee.note),
                times,
            ));
        }
    }
    rows.extend(without_ticket);
    let columns = ["Name", "Business", "Comes as", "Note"].into_iter().map(str::to_owned);
    (columns.chain(lists.iter().map(|list| list.label.clone())).collect(), rows)
}
