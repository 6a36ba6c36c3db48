//! Who came, for the organiser: of each list by role and by quarter of an hour, and who was let in twice.

use std::collections::BTreeMap;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use serde::Serialize;

use super::tickets::{self, Ticket};
use crate::app::App;
use crate::error::Result;
use crate::model::Role;
use crate::store::door as store;
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
    let (tickets, admissions) =
        app.store.read(|connection| Ok((store::all(connection)?, store::admissions(connection)?)))?;
    let current = tickets::current(&tickets);
    let mut twice = Vec::new();
    let mut figures = Vec::new();
    for list in &lists {
        let mut by_role: BTreeMap<Role, RoleFigures> = BTreeMap::new();
        let is_on = |ticket: &&Ticket| list.includes(ticket.attendee.role, ticket.attendee.day.as_deref());
        for ticket in tickets.iter().filter(|ticket| ticket.is_valid()).filter(is_on) {
            by_role.entry(ticket.attendee.role).or_default().expected += 1;
        }
        let mut quarters: BTreeMap<DateTime<Utc>, u32> = BTreeMap::new();
        let mut scans_by_ticket: BTreeMap<i64, u32> = BTreeMap::new();
        // The earliest comes first. Somebody without a ticket, who was let in all the same, is a guest.
        for admission in admissions.iter().filter(|admission| admission.list == list.key) {
            let ticket = admission.ticket_id.and_then(|id| current.get(&id));
            if let Some(ticket) = ticket {
                let times = scans_by_ticket.entry(ticket.id).or_default();
                *times += 1;
                if *times > 1 {
                    continue;
                }
            }
            by_role.entry(ticket.map_or(Role::Guest, |ticket| ticket.attendee.role)).or_default().came += 1;
            let at: Option<DateTime<Utc>> = admission.at.parse().ok();
            let quarter = at.and_then(|at| at.duration_trunc(TimeDelta::minutes(15)).ok());
            *quarters.entry(quarter.unwrap_or_default()).or_default() += 1;
        }
        let repeated = scans_by_ticket.into_iter().filter(|(_, scans)| *scans > 1);
        twice.extend(repeated.map(|(ticket_id, scans)| {
            let name = current[&ticket_id].attendee.name.clone();
            Twice { ticket_id, name, list: list.key.clone(), scans }
        }));
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
    let unprinted = tickets.iter().filter(|ticket| ticket.is_valid() && ticket.printed_at.is_none()).count();
    Ok(Figures { at, twice, lists: figures, unprinted })
}
