//! Emails to groups.

pub mod recipients;
pub mod unreachable;

use rusqlite::{Connection, params_from_iter};

use super::invitations::{self, InvitationState};
use super::registrations::table;
use crate::error::Result;
use crate::model::{Actor, Kind, PaymentStatus, Status, text_enum};
use crate::store::query::{execute, from_row, query_all, query_optional};

text_enum! {
    pub enum State, "a state of a mailing" {
        Draft = "draft",
        Sending = "sending",
        Paused = "paused",
        Stopped = "stopped",
        /// Every email is in the outbox.
        Sent = "sent",
    }
}

text_enum! {
    /// Whether somebody with a ticket was let in at the door, on any list.
    pub enum Attendance, "an attendance" {
        Came = "came",
        /// The ticket is valid, and nobody has come with it, or with another ticket of the same address.
        Absent = "absent",
    }
}

impl Attendance {
    /// A clause for the row of a registration, or of whoever has its ticket.
    fn clause(self, kind: Kind, id: &str, email: &str) -> String {
        let ticket = format!(
            "select 1 from tickets where tickets.kind = '{kind}' and subject_id = {id} and tickets.email = {email} collate nocase"
        );
        let admission = "select 1 from scans where lets_in = 1 and undone_at is null and ticket_id";
        match self {
            Attendance::Came => format!("exists ({ticket} and exists ({admission} = tickets.id))"),
            // Somebody with two tickets may have come with the other one.
            Attendance::Absent => format!(
                "exists ({ticket} and void_reason is null) and not exists
                     ({admission} in (select other.id from tickets as other where other.email = {email} collate nocase))"
            ),
        }
    }
}

text_enum! {
    /// Why everybody in a group has to know something, also those who have unsubscribed.
    pub enum Notice, "a reason for a necessary notice" {
        Place = "place",
        Time = "time",
        Cancellation = "cancellation",
    }
}

/// The group that a mailing goes to: registrations of these kinds that meet all of the conditions, except those held for
/// review. An empty list is no condition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    pub kinds: Vec<Kind>,
    pub statuses: Vec<Status>,
    /// For entries only. Statuses that hold a place leave out entries that were withdrawn or declined, unless `statuses` has
    /// them.
    pub payment_statuses: Vec<PaymentStatus>,
    /// The slug of a category; of entries only.
    pub category: Option<String>,
    /// The state of the invitation to enter; for waitlist signups only.
    pub invitations: Vec<InvitationState>,
    /// Only who has a ticket, and came or did not.
    pub attendance: Option<Attendance>,
}

impl Group {
    /// The registrations as one statement's `from`, with the values of its places: the newest one of each address. With
    /// `with_holders`, also the holder of a transferred ticket of one of these entries, through this entry.
    fn members(&self, with_holders: bool) -> (String, Vec<String>) {
        let mut values = Vec::new();
        let mut selects = Vec::new();
        for kind in &self.kinds {
            let first_value = values.len();
            let mut clauses = vec!["status <> 'set_aside'".to_owned(), "instr(email, '@')".to_owned()];
            clauses.extend(in_clause("status", &self.statuses, Status::as_str, &mut values));
            if *kind == Kind::CompetitionEntries {
                clauses.extend(in_clause(
                    "payment_status",
                    &self.payment_statuses,
                    PaymentStatus::as_str,
                    &mut values,
                ));
                if self.payment_statuses.is_empty() {
                    clauses.push("payment_status not in ('abandoned', 'failed')".to_owned());
                } else if self.statuses.is_empty()
                    && self.payment_statuses.iter().all(|status| status.holds_place())
                {
                    // The same entries as in `guests`.
                    clauses.push("status not in ('withdrawn', 'declined')".to_owned());
                }
                if let Some(category) = &self.category {
                    // Not somebody whose only nomination in it was withdrawn, for instance with the refund of its fee.
                    clauses.push(
                        "? in (primary_category, additional_category1, additional_category2)
                         and not exists (select 1 from nominations where nominations.entry_id = competition_entries.id
                             and nominations.category = ? and nominations.state = 'withdrawn' and reason is not null)"
                            .to_owned(),
                    );
                    values.extend([category.clone(), category.clone()]);
                }
            }
            if *kind == Kind::WaitlistSignups {
                let state = InvitationState::as_str;
                clauses.extend(in_clause(invitations::STATE, &self.invitations, state, &mut values));
            }
            let table = table(*kind);
            let from = format!("from {table} where {}", clauses.join(" and "));
            let attends = |id: &str, email: &str| {
                self.attendance.map_or_else(String::new, |attendance| {
                    format!(" and {}", attendance.clause(*kind, id, email))
                })
            };
            let own = attends(&format!("{table}.id"), &format!("{table}.email"));
            selects.push(format!("select '{kind}' as kind, id, email, created_at {from}{own}"));
            if with_holders && *kind == Kind::CompetitionEntries {
                // Somebody who also has a registration of their own is in the group by that one: every time is after '0'.
                selects.push(format!(
                    "select '{kind}', entry_id, email, '0' from ticket_transfers
                     where state = 'accepted' and instr(email, '@') and entry_id in (select id {from}){}",
                    attends("entry_id", "ticket_transfers.email")
                ));
                values.extend_from_within(first_value..);
            }
        }
        // SQLite takes the other columns from the row with the maximum.
        let members = format!(
            "select kind, id, email, max(created_at || format('%020d', id)) from ({}) group by email collate nocase",
            selects.join(" union all ")
        );
        (members, values)
    }
}

/// A clause that a column has one of these values; `None` for no values.
fn in_clause<T: Copy>(
    column: &str,
    wanted: &[T],
    as_str: impl Fn(T) -> &'static str,
    values: &mut Vec<String>,
) -> Option<String> {
    values.extend(wanted.iter().map(|value| as_str(*value).to_owned()));
    (!wanted.is_empty()).then(|| format!("{column} in ({})", vec!["?"; wanted.len()].join(", ")))
}

/// Somebody in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub kind: Kind,
    pub registration_id: i64,
    pub address: String,
}

/// Passes each member of a group to `visit`, each address once, by the newest of its registrations. A necessary notice also
/// goes to the holder of a transferred ticket, because they come to the event; so does an email to those who came or did not.
pub fn for_each_member(
    connection: &Connection,
    group: &Group,
    notice: Option<Notice>,
    mut visit: impl FnMut(Member) -> Result<()>,
) -> Result<()> {
    if group.kinds.is_empty() {
        return Ok(());
    }
    let (sql, values) = group.members(notice.is_some() || group.attendance.is_some());
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        visit(Member { kind: row.get(0)?, registration_id: row.get(1)?, address: row.get(2)? })?;
    }
    Ok(())
}

/// A mailing to be stored.
pub struct NewMailing<'a> {
    pub actor: &'a Actor,
    /// JSON.
    pub audience: &'a str,
    pub subject: &'a str,
    pub text: &'a str,
    pub notice: Option<Notice>,
}

/// A stored mailing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMailing {
    pub id: i64,
    pub created_at: String,
    pub actor: Actor,
    pub state: State,
    pub version: i64,
    /// JSON.
    pub audience: String,
    pub subject: String,
    pub text: String,
    pub notice: Option<Notice>,
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
}

from_row!(
    COLUMNS for StoredMailing:
    id, created_at, actor, state, version, audience, subject, text, notice, started_at, ended_at
);

pub fn insert(connection: &Connection, mailing: &NewMailing<'_>, now: &str) -> Result<i64> {
    let sql =
        "insert into mailings (created_at, actor, audience, subject, text, notice) values (?, ?, ?, ?, ?, ?)";
    let NewMailing { actor, audience, subject, text, notice } = mailing;
    Ok(connection.prepare_cached(sql)?.insert((now, actor, audience, subject, text, notice))?)
}

/// Changes a draft, which then has another version.
pub fn update(connection: &Connection, mailing: &StoredMailing) -> Result<()> {
    let sql = "update mailings set audience = ?2, subject = ?3, text = ?4, notice = ?5, version = version + 1 where id = ?1";
    execute(connection, sql, (mailing.id, &mailing.audience, &mailing.subject, &mailing.text, mailing.notice))
}

pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    execute(connection, "delete from mailings where id = ?", [id])
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<StoredMailing>> {
    let sql = format!("select {COLUMNS} from mailings where id = ?");
    query_optional(connection, &sql, [id], StoredMailing::from_row)
}

/// A page of mailings, the newest first.
pub fn list(connection: &Connection, limit: u32, offset: u32) -> Result<Vec<StoredMailing>> {
    let sql = format!("select {COLUMNS} from mailings order by id desc limit ? offset ?");
    query_all(connection, &sql, (limit, offset), StoredMailing::from_row)
}

pub fn count(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("select count(*) from mailings", [], |row| row.get(0))?)
}

/// The mailing that is being sent, the oldest if there are several.
pub fn sending(connection: &Connection) -> Result<Option<i64>> {
    let sql = "select min(id) from mailings where state = 'sending'";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Starts or resumes sending. The first start is kept.
pub fn set_sending(connection: &Connection, id: i64, now: &str) -> Result<()> {
    let sql = "update mailings set state = 'sending', started_at = coalesce(started_at, ?2) where id = ?1";
    execute(connection, sql, (id, now))
}

pub fn set_paused(connection: &Connection, id: i64) -> Result<()> {
    execute(connection, "update mailings set state = 'paused' where id = ?", [id])
}

/// Ends a mailing as stopped or sent.
pub fn end(connection: &Connection, id: i64, state: State, now: &str) -> Result<()> {
    execute(connection, "update mailings set state = ?2, ended_at = ?3 where id = ?1", (id, state, now))
}

/// Deletes what mailings hold of an address, but not that it has unsubscribed.
pub fn forget(connection: &Connection, address: &str) -> Result<()> {
    connection.execute("delete from mailing_recipients where recipient = ?", [address])?;
    execute(connection, "delete from refused_addresses where recipient = ?", [address])
}
