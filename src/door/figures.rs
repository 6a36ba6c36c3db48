//! Who came, for the organiser: of each list by role and by quarter of an hour, and who was let in twice.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use serde::Serialize;

use crate::app::App;
use crate::error::Result;
use crate::model::Role;
use crate::store::door::{self as store, Ticket};
use crate::time;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Figures {
    /// By the server's clock.
    pub at: String,
    pub lists: Vec<ListFigures>,
    pub twice: Vec<Twice>,
    /// Valid tickets without a printed badge.
    pub unprinted: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListFigures {
    pub key: String,
    pub label: String,
    #[serde(rename = "in")]
    pub came: u32,
    pub expected: u32,
    pub by_role: BTreeMap<Role, RoleFigures>,
    pub by_quarter: Vec<Quarter>,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoleFigures {
    #[serde(rename = "in")]
    pub came: u32,
    pub expected: u32,
}

/// People who came in the quarter of an hour from this instant.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Quarter {
    pub from: String,
    #[serde(rename = "in")]
    pub came: u32,
}

/// A ticket by which somebody came in more than once.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Twice {
    pub ticket_id: i64,
    pub name: String,
    pub list: String,
    pub scans: u32,
}

pub fn figures(app: &App) -> Result<Figures> {
    let at = time::stored(time::now());
    let content = app.content();
    let lists = content.door.lists_of(&content.event);
    let (tickets, entries) =
        app.store.read(|connection| Ok((store::all(connection)?, store::admissions(connection)?)))?;
    let by_id: HashMap<i64, &Ticket> = tickets.iter().map(|ticket| (ticket.id, ticket)).collect();
    let mut twice: BTreeMap<(i64, String), u32> = BTreeMap::new();
    let mut figures = Vec::new();
    for list in &lists {
        let mut by_role: BTreeMap<Role, RoleFigures> = BTreeMap::new();
        let is_on = |ticket: &&Ticket| list.includes(ticket.attendee.role, ticket.attendee.day.as_deref());
        for ticket in tickets.iter().filter(|ticket| ticket.is_valid()).filter(is_on) {
            by_role.entry(ticket.attendee.role).or_default().expected += 1;
        }
        let mut quarters: BTreeMap<DateTime<Utc>, u32> = BTreeMap::new();
        let mut seen: HashMap<i64, u32> = HashMap::new();
        // The earliest comes first. Somebody without a ticket, who was let in all the same, is a guest.
        for entry in entries.iter().filter(|entry| entry.list == list.key) {
            if let Some(id) = entry.ticket_id {
                let times = seen.entry(id).or_default();
                *times += 1;
                if *times > 1 {
                    continue;
                }
            }
            let ticket = entry.ticket_id.and_then(|id| by_id.get(&id));
            by_role.entry(ticket.map_or(Role::Guest, |ticket| ticket.attendee.role)).or_default().came += 1;
            let at: Option<DateTime<Utc>> = entry.at.parse().ok();
            let quarter = at.and_then(|at| at.duration_trunc(TimeDelta::minutes(15)).ok());
            *quarters.entry(quarter.unwrap_or_default()).or_default() += 1;
        }
        let repeated = seen.into_iter().filter(|(_, times)| *times > 1);
        twice.extend(repeated.map(|(id, times)| ((id, list.key.clone()), times)));
        let by_quarter = quarters.into_iter().map(|(from, came)| Quarter { from: time::stored(from), came });
        figures.push(ListFigures {
            key: list.key.clone(),
            label: list.label.clone(),
            came: by_role.values().map(|role| role.came).sum(),
            expected: by_role.values().map(|role| role.expected).sum(),
            by_role,
            by_quarter: by_quarter.collect(),
        });
    }
    let name = |id: i64| by_id.get(&id).map(|ticket| ticket.attendee.name.clone()).unwrap_or_default();
    let twice = twice.into_iter().map(|((ticket_id, list), scans)| {
        let name = name(ticket_id);
        Twice { ticket_id, name, list, scans }
    });
    let unprinted = tickets.iter().filter(|ticket| ticket.is_valid() && ticket.printed_at.is_none()).count();
    Ok(Figures { at, twice: twice.collect(), lists: figures, unprinted })
}
