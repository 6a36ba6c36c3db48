//! The recipients of each mailing, frozen when it is started, and what became of their emails.

use rusqlite::{Connection, OptionalExtension};

use super::{Member, Notice};
use crate::error::Result;
use crate::model::text_enum;
use crate::store::outbox;

text_enum! {
    /// Why somebody in a group gets no email.
    pub enum Skipped, "a reason to skip somebody" {
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
    skipped: Option<Skipped>,
) -> Result<()> {
    connection
        .prepare_cached(
            "insert into mailing_recipients (mailing_id, recipient, kind, registration_id, state, skipped_because)
             values (?1, ?2, ?3, ?4, case when ?5 is null then 'waiting' else 'skipped' end, ?5)
             on conflict do nothing",
        )?
        .execute((mailing_id, &member.address, member.kind, member.registration_id, skipped))?;
    Ok(())
}

/// The next recipients who wait, with their row's id.
pub fn waiting(connection: &Connection, mailing_id: i64, most: usize) -> Result<Vec<(i64, Member)>> {
    let mut statement = connection.prepare_cached(
        "select id, kind, registration_id, recipient from mailing_recipients
         where mailing_id = ? and state = 'waiting' order by id limit ?",
    )?;
    let rows = statement.query_map((mailing_id, i64::try_from(most).unwrap_or(i64::MAX)), |row| {
        let member = Member { kind: row.get(1)?, registration_id: row.get(2)?, address: row.get(3)? };
        Ok((row.get(0)?, member))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
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
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([outbox_id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}

pub fn mark_queued(connection: &Connection, recipient_id: i64, outbox_id: i64) -> Result<()> {
    connection
        .prepare_cached("update mailing_recipients set state = 'queued', outbox_id = ?2 where id = ?1")?
        .execute((recipient_id, outbox_id))?;
    Ok(())
}

pub fn mark_skipped(connection: &Connection, recipient_id: i64, reason: Skipped) -> Result<()> {
    connection
        .prepare_cached(
            "update mailing_recipients set state = 'skipped', skipped_because = ?2 where id = ?1",
        )?
        .execute((recipient_id, reason))?;
    Ok(())
}

/// Skips all who wait and discards the emails that have not been sent.
pub fn stop_waiting(connection: &Connection, mailing_id: i64) -> Result<()> {
    connection.execute(
        "update mailing_recipients set state = 'skipped', skipped_because = 'stopped'
         where mailing_id = ? and state = 'waiting'",
        [mailing_id],
    )?;
    connection.execute(
        "update outbox set state = 'discarded' where state in ('waiting', 'failed')
         and id in (select outbox_id from mailing_recipients where mailing_id = ?)",
        [mailing_id],
    )?;
    Ok(())
}

/// How many recipients are in the same state.
pub struct Tally {
    pub is_waiting: bool,
    pub skipped: Option<Skipped>,
    /// The state of their email, if it is still there.
    pub mail: Option<outbox::State>,
    pub count: i64,
}

/// The recipients of a mailing, counted by their states.
pub fn progress(connection: &Connection, mailing_id: i64) -> Result<Vec<Tally>> {
    let mut statement = connection.prepare_cached(
        "select recipient.state = 'waiting', recipient.skipped_because, outbox.state, count(*)
         from mailing_recipients as recipient left join outbox on outbox.id = recipient.outbox_id
         where mailing_id = ? group by 1, 2, 3",
    )?;
    let rows = statement.query_map([mailing_id], |row| {
        Ok(Tally { is_waiting: row.get(0)?, skipped: row.get(1)?, mail: row.get(2)?, count: row.get(3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
