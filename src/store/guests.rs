//! The guests of the event: entrants with a place, and everybody whose application was accepted.

use std::collections::HashSet;

use rusqlite::Connection;

use super::registrations::person::ERASED;
use crate::error::Result;
use crate::model::{EntryId, Kind, Status};
use crate::store::query::query_all;

/// A guest, from one registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    pub kind: Kind,
    pub id: i64,
    /// Of a sponsor: the contact's.
    pub name: String,
    pub email: String,
    pub business: String,
    pub status: Status,
    /// Only for judges.
    pub availability: Option<String>,
    /// Of an entry: category and subcategory, the primary one first; without those that were withdrawn.
    pub nominations: Vec<(String, String)>,
    /// Only for entries: `vip`, `guaranteed`, or both.
    pub front_row: Option<String>,
    /// Who has the ticket of an entry, if not the entrant.
    pub holder: Option<(String, String)>,
}

/// All guests. A withdrawn or declined entry has no place; one marked as a no-show still has one.
pub fn all(connection: &Connection) -> Result<Vec<Guest>> {
    let mut guests = entrants(connection, None)?;
    for (kind, name, business, availability) in [
        (Kind::SpeakerApplications, "name", "company", "null"),
        (Kind::JudgeApplications, "name", "company", "availability"),
        (Kind::SponsorApplications, "contact_name", "company", "null"),
        (Kind::ProfessionalDemoRegistrations, "name", "company", "null"),
    ] {
        let sql = format!(
            "select id, {name}, email, {business}, status, {availability} from {} where status = 'accepted'",
            super::registrations::table(kind)
        );
        let accepted: Vec<Guest> = query_all(connection, &sql, [], |row| {
            Ok(Guest {
                kind,
                id: row.get(0)?,
                name: row.get(1)?,
                email: row.get(2)?,
                business: row.get(3)?,
                status: row.get(4)?,
                availability: row.get(5)?,
                nominations: Vec::new(),
                front_row: None,
                holder: None,
            })
        })?;
        guests.extend(accepted);
    }
    Ok(guests)
}

/// The guest of an entry; empty if it has no place.
pub fn of_entry(connection: &Connection, entry_id: EntryId) -> Result<Vec<Guest>> {
    entrants(connection, Some(entry_id))
}

/// The entrants with a place, or with `only` that of one entry. An erased entrant is left out, unless somebody took over
/// the ticket.
fn entrants(connection: &Connection, only: Option<EntryId>) -> Result<Vec<Guest>> {
    let sql = format!(
        "select competition_entries.id, competition_entries.name, competition_entries.email, business_name, status, {},
                primary_category, sub_category, additional_category1, additional_category1_sub, additional_category2,
                additional_category2_sub, holder.name, holder.email
         from competition_entries
         left join ticket_transfers as holder
             on holder.entry_id = competition_entries.id and holder.state = 'accepted'
             and holder.email <> competition_entries.email collate nocase
         where (?1 is null or competition_entries.id = ?1)
             and coalesce(holder.email, competition_entries.email) <> ?2 and {}",
        super::registrations::FRONT_ROW.sql,
        takes_part!()
    );
    let mut entrants: Vec<Guest> = query_all(connection, &sql, (only, ERASED), |row| {
        let mut nominations = Vec::new();
        for column in [6, 8, 10] {
            let (category, sub): (Option<String>, Option<String>) = (row.get(column)?, row.get(column + 1)?);
            nominations.extend(category.map(|category| (category, sub.unwrap_or_default())));
        }
        let holder: Option<String> = row.get(12)?;
        Ok(Guest {
            kind: Kind::CompetitionEntries,
            id: row.get(0)?,
            name: row.get(1)?,
            email: row.get(2)?,
            business: row.get(3)?,
            status: row.get(4)?,
            availability: None,
            nominations,
            front_row: row.get(5)?,
            holder: holder.zip(row.get(13)?),
        })
    })?;

    let withdrawn = withdrawn_nominations(connection)?;
    for entrant in &mut entrants {
        entrant
            .nominations
            .retain(|(category, sub)| !withdrawn.contains(&(entrant.id, category.clone(), sub.clone())));
    }
    Ok(entrants)
}

/// The entry, category and subcategory of each withdrawn nomination.
fn withdrawn_nominations(connection: &Connection) -> Result<HashSet<(i64, String, String)>> {
    let sql = "select entry_id, category, sub_category from nominations where state = 'withdrawn'";
    query_all(connection, sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}
