//! The recipients of each mailing, frozen when it is started, and what became of their emails.

use rusqlite::Connection;

use super::{Member, Notice};
use crate::error::Result;
use crate::model::text_enum;
use crate::store::outbox;
use crate::store::query::{execute, from_row, query_all, query_optional};

text_enum! {
    /// Why somebody in a group gets no email.
    pub enum SkipReason, "a reason to skip somebody" {
        Unsubscribed = "unsubscribed",
        /// A mail server has refused the address for good.
        Refused = "refused",
        /// The registration is held for review.
        SetAside = "set_aside",
        /// The registration is gone, or the person was erased from it.
        Erased = "erased",
        /// The address was corrected to one that is in the mailing already.
        SameAddress = "same_address",
        /// The mailing was stopped.
        Stopped = "stopped",
        /// The email left before a backup was restored that does not have it.
        SentBefore = "sent_before",
    }
}

/// Adds somebody to the frozen group. Somebody who is in it stays as they are.
pub fn insert(
    connection: &Connection,
    mailing_id: i64,
    member: &Member,
    skipped: Option<SkipReason>,
) -> Result<()> {
    let sql = "insert into mailing_recipients (mailing_id, recipient, kind, registration_id, state, skipped_because)
             values (?1, ?2, ?3, ?4, case when ?5 is null then 'waiting' else 'skipped' end, ?5)
             on conflict do nothing";
    execute(connection, sql, (mailing_id, &member.address, member.kind, member.registration_id, skipped))
}

/// The next recipients who wait, with their row's id.
pub fn waiting(connection: &Connection, mailing_id: i64, limit: usize) -> Result<Vec<(i64, Member)>> {
    let sql = "select id, kind, registration_id, recipient from mailing_recipients
         where mailing_id = ? and state = 'waiting' order by id limit ?";
    query_all(connection, sql, (mailing_id, limit), |row| {
        let member = Member { kind: row.get(1)?, registration_id: row.get(2)?, address: row.get(3)? };
        Ok((row.get(0)?, member))
    })
}

/// Gives a recipient another address; `false` if somebody in the mailing has it already.
pub fn readdress(connection: &Connection, recipient_id: i64, address: &str) -> Result<bool> {
    let sql = "update or ignore mailing_recipients set recipient = ?2 where id = ?1";
    Ok(connection.prepare_cached(sql)?.execute((recipient_id, address))? == 1)
}

/// A recipient by the email to them, with why their mailing is a necessary notice.
pub fn of_mail(connection: &Connection, outbox_id: i64) -> Result<Option<(i64, Option<Notice>)>> {
    let sql = "select recipient.id, mailing.notice from mailing_recipients as recipient
               join mailings as mailing on mailing.id = recipient.mailing_id where outbox_id = ?";
    query_optional(connection, sql, [outbox_id], |row| row.try_into())
}

pub fn mark_queued(connection: &Connection, recipient_id: i64, outbox_id: i64) -> Result<()> {
    let sql = "update mailing_recipients set state = 'queued', outbox_id = ?2 where id = ?1";
    execute(connection, sql, (recipient_id, outbox_id))
}

pub fn mark_skipped(connection: &Connection, recipient_id: i64, reason: SkipReason) -> Result<()> {
    let sql = "update mailing_recipients set state = 'skipped', skipped_because = ?2 where id = ?1";
    execute(connection, sql, (recipient_id, reason))
}

/// Skips all who wait and discards the emails that have not been sent.
pub fn stop_waiting(connection: &Connection, mailing_id: i64) -> Result<()> {
    connection.execute(
        "update mailing_recipients set state = 'skipped', skipped_because = 'stopped'
         where mailing_id = ? and state = 'waiting'",
        [mailing_id],
    )?;
    let sql = "update outbox set state = 'discarded' where state in ('waiting', 'failed')
         and id in (select outbox_id from mailing_recipients where mailing_id = ?)";
    execute(connection, sql, [mailing_id])
}

/// How many recipients are in the same state.
pub struct StateCount {
    pub is_waiting: bool,
    pub skipped: Option<SkipReason>,
    /// The state of their email, if it is still there.
    pub mail: Option<outbox::State>,
    pub count: i64,
}

from_row!(StateCount: is_waiting, skipped, mail, count);

/// The recipients of a mailing, counted by their states.
pub fn progress(connection: &Connection, mailing_id: i64) -> Result<Vec<StateCount>> {
    let sql = "select recipient.state = 'waiting', recipient.skipped_because, outbox.state, count(*)
         from mailing_recipients as recipient left join outbox on outbox.id = recipient.outbox_id
         where mailing_id = ? group by 1, 2, 3";
    query_all(connection, sql, [mailing_id], StateCount::from_row)
}
