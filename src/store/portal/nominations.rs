//! Nominations: one for each category of a paid entry.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::{EntryId, NominationState};
use crate::store::query::{execute, from_row, query_all, query_optional};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nomination {
    pub id: i64,
    pub created_at: String,
    pub entry_id: EntryId,
    pub code: String,
    /// The category's slug.
    pub category: String,
    pub sub_category: String,
    pub state: NominationState,
    pub handed_in_at: Option<String>,
    /// Its own deadline in place of everybody's, as an instant.
    pub extended_until: Option<String>,
    /// Why it was returned, withdrawn on its own, forfeited or disqualified.
    pub reason: Option<String>,
    /// When it was last returned.
    pub returned_at: Option<String>,
    /// The keys of the slots that are open again, as a JSON list.
    pub returned_slots: Option<String>,
    /// What was confirmed when it was handed in, as a JSON object.
    pub ticks: Option<String>,
    /// Of a withdrawn one: the state that it had, and has again when the withdrawal is taken back.
    pub withdrawn_from: Option<NominationState>,
}

from_row!(
    COLUMNS for Nomination:
    id, created_at, entry_id, code, category, sub_category, state, handed_in_at, extended_until, reason,
    returned_at, returned_slots, ticks, withdrawn_from = "before_withdrawal ->> 0"
);

impl Nomination {
    /// Whether it was withdrawn on its own, not with its entry: only then it has a reason.
    pub fn is_withdrawn_alone(&self) -> bool {
        self.state == NominationState::Withdrawn && self.reason.is_some()
    }

    /// An open nomination.
    #[cfg(test)]
    pub fn sample() -> Nomination {
        Nomination {
            id: 1,
            created_at: String::new(),
            entry_id: EntryId(1),
            code: "LL-317".into(),
            category: "lash-lift".into(),
            sub_category: "Standard Lash Lift".into(),
            state: NominationState::Open,
            handed_in_at: None,
            extended_until: None,
            reason: None,
            returned_at: None,
            returned_slots: None,
            ticks: None,
            withdrawn_from: None,
        }
    }
}

/// Stores a nomination; `false` if its code is taken. The log keeps the points of a nomination that was erased under its code.
pub fn insert(
    connection: &Connection,
    entry_id: EntryId,
    category: &str,
    sub_category: &str,
    code: &str,
    at: &str,
) -> Result<bool> {
    // `on conflict do nothing` would use up an id for each code that is taken.
    let added = connection
        .prepare_cached(
            "insert into nominations (created_at, entry_id, code, category, sub_category)
             select ?1, ?2, ?3, ?4, ?5 where not exists (select 1 from nominations where code = ?3)
             and not exists (select 1 from score_log where code = ?3)",
        )?
        .execute((at, entry_id, code, category, sub_category))?;
    Ok(added == 1)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Nomination>> {
    let sql = format!("select {COLUMNS} from nominations where id = ?");
    query_optional(connection, &sql, [id], Nomination::from_row)
}

pub fn of_entry(connection: &Connection, entry_id: EntryId) -> Result<Vec<Nomination>> {
    let sql = format!("select {COLUMNS} from nominations where entry_id = ? order by id");
    query_all(connection, &sql, [entry_id], Nomination::from_row)
}

/// The nominations of all entries from an email address, ignoring case.
pub fn of_person(connection: &Connection, email: &str) -> Result<Vec<Nomination>> {
    let sql = format!(
        "select {COLUMNS} from nominations
         where entry_id in (select id from competition_entries where email = ? collate nocase) order by id"
    );
    query_all(connection, &sql, [email], Nomination::from_row)
}

/// The nominations of a subcategory, by code.
pub fn of_category(connection: &Connection, category: &str, sub_category: &str) -> Result<Vec<Nomination>> {
    let sql =
        format!("select {COLUMNS} from nominations where category = ? and sub_category = ? order by code");
    query_all(connection, &sql, (category, sub_category), Nomination::from_row)
}

/// Withdraws a nomination and keeps what [`reinstate`] brings back. `reason` is that of one withdrawn on its own.
pub fn withdraw(connection: &Connection, id: i64, reason: Option<&str>) -> Result<()> {
    let sql = "update nominations set before_withdrawal = json_array(state, reason, returned_slots), state = 'withdrawn',
             reason = ?2, returned_slots = null
         where id = ?1";
    execute(connection, sql, (id, reason))
}

/// Takes a withdrawal back: everything is as it was before.
pub fn reinstate(connection: &Connection, id: i64) -> Result<()> {
    let sql = "update nominations set state = coalesce(before_withdrawal ->> 0, 'open'), reason = before_withdrawal ->> 1,
             returned_slots = before_withdrawal ->> 2, before_withdrawal = null
         where id = ? and state = 'withdrawn'";
    execute(connection, sql, [id])
}

/// Hands a nomination in.
pub fn hand_in(
    connection: &Connection,
    id: i64,
    state: NominationState,
    ticks: &str,
    at: &str,
) -> Result<()> {
    let sql = "update nominations set state = ?2, ticks = ?3, handed_in_at = ?4, reason = null, returned_slots = null where id = ?1";
    execute(connection, sql, (id, state, ticks, at))
}

/// The person whose nomination it is. Only organisers may see this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    pub name: String,
    pub business_name: String,
    pub email: String,
}

from_row!(Entrant: name, business_name, email);

pub fn entrant(connection: &Connection, entry_id: EntryId) -> Result<Option<Entrant>> {
    let sql = "select name, business_name, email from competition_entries where id = ?";
    query_optional(connection, sql, [entry_id], Entrant::from_row)
}

/// All nominations, oldest first.
pub fn all(connection: &Connection) -> Result<Vec<Nomination>> {
    let sql = format!("select {COLUMNS} from nominations order by id");
    query_all(connection, &sql, [], Nomination::from_row)
}

/// The nominations in `state` (`None`: in any) whose code or entrant's name, business or email contains `text`, oldest
/// first.
pub fn find(
    connection: &Connection,
    state: Option<NominationState>,
    text: &str,
) -> Result<Vec<(Nomination, Entrant)>> {
    let columns: Vec<String> = COLUMNS.split(", ").map(|column| format!("nominations.{column}")).collect();
    let sql = format!(
        "select {}, name, business_name, email from nominations
         join competition_entries as entry on entry.id = entry_id
         where (?1 is null or nominations.state = ?1)
         and instr(lower(code || char(10) || name || char(10) || business_name || char(10) || email), lower(?2))
         order by nominations.id",
        columns.join(", ")
    );
    query_all(connection, &sql, (state, text), |row| {
        let entrant = Entrant { name: row.get(14)?, business_name: row.get(15)?, email: row.get(16)? };
        Ok((Nomination::from_row(row)?, entrant))
    })
}

/// The columns that an organiser's decision sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub state: NominationState,
    pub extended_until: Option<String>,
    pub reason: Option<String>,
    pub returned_at: Option<String>,
    pub returned_slots: Option<String>,
}

impl Change {
    /// The current values.
    pub fn new(nomination: &Nomination) -> Change {
        Change {
            state: nomination.state,
            extended_until: nomination.extended_until.clone(),
            reason: nomination.reason.clone(),
            returned_at: nomination.returned_at.clone(),
            returned_slots: nomination.returned_slots.clone(),
        }
    }
}

pub fn change(connection: &Connection, id: i64, change: &Change) -> Result<()> {
    let Change { state, extended_until, reason, returned_at, returned_slots } = change;
    let sql = "update nominations set state = ?2, extended_until = ?3, reason = ?4, returned_at = ?5, returned_slots = ?6
         where id = ?1";
    execute(connection, sql, (id, state, extended_until, reason, returned_at, returned_slots))
}

/// Ends the extensions that end before everybody's deadline, because it was moved to later.
pub fn drop_extensions_before(connection: &Connection, deadline: &str) -> Result<()> {
    execute(connection, "update nominations set extended_until = null where extended_until < ?", [deadline])
}

/// Each category of an entry with its subcategory, the primary one first.
pub fn chosen_categories(connection: &Connection, entry_id: EntryId) -> Result<Vec<(String, String)>> {
    let sql = "select primary_category, sub_category, coalesce(additional_category1, ''), coalesce(additional_category1_sub, ''),
             coalesce(additional_category2, ''), coalesce(additional_category2_sub, '')
         from competition_entries where id = ?";
    let chosen = query_optional(connection, sql, [entry_id], |row| {
        let pairs = [0, 2, 4].into_iter().map(|at| Ok((row.get(at)?, row.get(at + 1)?)));
        pairs.collect::<rusqlite::Result<Vec<(String, String)>>>()
    })?;
    Ok(chosen.unwrap_or_default().into_iter().filter(|(category, _)| !category.is_empty()).collect())
}

/// Deletes the nominations of an entry.
pub fn delete_of(connection: &Connection, entry_id: EntryId) -> Result<()> {
    execute(connection, "delete from nominations where entry_id = ?", [entry_id])
}
