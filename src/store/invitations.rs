//! Invitations from the waitlist to enter.

use rusqlite::Connection;

use crate::error::Result;
use crate::model::text_enum;
use crate::store::query::{execute, from_row, query_all, query_optional};

text_enum! {
    /// The state of a waitlist signup's invitation.
    pub enum InvitationState, "a state of an invitation" {
        /// Not invited.
        Waiting = "waiting",
        Invited = "invited",
        /// The person has an entry that takes part.
        Accepted = "accepted",
        /// The invitation has ended without one.
        Expired = "let_pass",
    }
}

/// The state of a row of `waitlist_signups` as SQL. An entry with the signup's address counts too, because people also
/// come without their link. Somebody whose entry was withdrawn or refunded can be invited again.
pub const STATE: &str = concat!(
    "(select case
       when exists (select 1 from competition_entries as e
            where (e.email = waitlist_signups.email collate nocase
                   or e.id in (select i.entry_id from waitlist_invitations as i where i.signup_id = waitlist_signups.id))
            and ",
    takes_part!(),
    ") then 'accepted'
       when not exists (select 1 from waitlist_invitations as i where i.signup_id = waitlist_signups.id) then 'waiting'
       when exists (select 1 from waitlist_invitations as i where i.signup_id = waitlist_signups.id
            and i.holds_until > stored_now()) then 'invited'
       else 'let_pass' end)"
);

/// When the newest invitation of a row of `waitlist_signups` ends, as SQL.
pub const ENDS_AT: &str =
    "(select max(i.holds_until) from waitlist_invitations as i where i.signup_id = waitlist_signups.id)";

/// A stored invitation.
#[derive(Debug, Clone)]
pub struct Invitation {
    pub id: i64,
    /// The signup's address.
    pub email: String,
    pub holds_until: String,
    /// An entry that was made with it takes part.
    pub is_used: bool,
}

from_row!(Invitation: id, email, holds_until, is_used);

pub fn insert(
    connection: &Connection,
    signup_id: i64,
    token_hash: &[u8],
    holds_until: &str,
    now: &str,
) -> Result<()> {
    let sql = "insert into waitlist_invitations (signup_id, token_hash, invited_at, holds_until) values (?, ?, ?, ?)";
    execute(connection, sql, (signup_id, token_hash, now, holds_until))
}

pub fn by_token(connection: &Connection, token_hash: &[u8]) -> Result<Option<Invitation>> {
    let sql = concat!(
        "select invitation.id, signup.email, invitation.holds_until,
           exists (select 1 from competition_entries as e where e.id = invitation.entry_id and ",
        takes_part!(),
        ") from waitlist_invitations as invitation
         join waitlist_signups as signup on signup.id = invitation.signup_id
         where token_hash = ?"
    );
    query_optional(connection, sql, [token_hash], Invitation::from_row)
}

/// Whether a signup has an invitation that has not ended at `now`.
pub fn is_invited(connection: &Connection, signup_id: i64, now: &str) -> Result<bool> {
    let sql = "select 1 from waitlist_invitations where signup_id = ? and holds_until > ?";
    Ok(connection.prepare_cached(sql)?.exists((signup_id, now))?)
}

/// Whether a signup's person has an entry that takes part, with an invitation's link or from the same address.
pub fn has_entered(connection: &Connection, signup_id: i64) -> Result<bool> {
    let sql = concat!(
        "select 1 from competition_entries as e where ",
        takes_part!(),
        " and (e.email = (select email from waitlist_signups where id = ?1) collate nocase
              or e.id in (select entry_id from waitlist_invitations where signup_id = ?1))"
    );
    Ok(connection.prepare_cached(sql)?.exists([signup_id])?)
}

/// Names the entry that was made with an invitation. One that takes part is not replaced.
pub fn set_entry(connection: &Connection, id: i64, entry_id: i64) -> Result<()> {
    let sql = concat!(
        "update waitlist_invitations set entry_id = ?2 where id = ?1
         and not exists (select 1 from competition_entries as e where e.id = waitlist_invitations.entry_id and ",
        takes_part!(),
        ")"
    );
    execute(connection, sql, (id, entry_id))
}

/// The signups that are invited next, the oldest first: people who want to compete, whose address was not invited before
/// and has no entry that takes part. Each address is there once.
pub fn next(connection: &Connection, limit: u32) -> Result<Vec<i64>> {
    let sql = concat!(
        "select min(id) from waitlist_signups as signup
         where status in ('new', 'in_review', 'waitlisted') and want_to_compete = 1
         and not exists (select 1 from waitlist_invitations as i join waitlist_signups as other on other.id = i.signup_id
                         where other.email = signup.email collate nocase)
         and not exists (select 1 from competition_entries as e where e.email = signup.email collate nocase and ",
        takes_part!(),
        ") group by email collate nocase order by 1 limit ?"
    );
    query_all(connection, sql, [limit], |row| row.get(0))
}
