//! Emails to groups, their recipients, and who gets none.

use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

use super::invitations::{self, InvitationState};
use super::outbox;
use super::registrations::table;
use crate::error::Result;
use crate::model::{Actor, Kind, PaymentStatus, Status, text_enum};

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
    /// Why everybody in a group has to know something, also those who have unsubscribed.
    pub enum Notice, "a reason for a necessary notice" {
        Place = "place",
        Time = "time",
        Cancellation = "cancellation",
    }
}

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
    }
}

/// The group that a mailing goes to: registrations of these kinds that meet all of the conditions, except those held for
/// review. An empty list is no condition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Group {
    pub kinds: Vec<Kind>,
    pub statuses: Vec<Status>,
    /// For entries only.
    pub payment_statuses: Vec<PaymentStatus>,
    /// The slug of a category; of entries only.
    pub category: Option<String>,
    /// The state of the invitation to enter; for waitlist signups only.
    pub invitations: Vec<InvitationState>,
}

impl Group {
    /// The registrations as one statement's `from`, with the values of its places: the newest one of each address.
    fn members(&self) -> (String, Vec<String>) {
        let mut values = Vec::new();
        let mut selects = Vec::new();
        for kind in &self.kinds {
            let mut clauses = vec!["status <> 'set_aside'".to_owned(), "instr(email, '@')".to_owned()];
            clauses.extend(one_of("status", &self.statuses, Status::as_str, &mut values));
            if *kind == Kind::CompetitionEntries {
                clauses.extend(one_of(
                    "payment_status",
                    &self.payment_statuses,
                    PaymentStatus::as_str,
                    &mut values,
                ));
                if self.payment_statuses.is_empty() {
                    clauses.push("payment_status not in ('abandoned', 'failed')".to_owned());
                }
                if let Some(category) = &self.category {
                    clauses.push(
                        "? in (primary_category, additional_category1, additional_category2)".to_owned(),
                    );
                    values.push(category.clone());
                }
            }
            if *kind == Kind::WaitlistSignups {
                let state = InvitationState::as_str;
                clauses.extend(one_of(invitations::STATE, &self.invitations, state, &mut values));
            }
            selects.push(format!(
                "select '{kind}' as kind, id, email, created_at from {} where {}",
                table(*kind),
                clauses.join(" and ")
            ));
        }
        let members = format!(
            "select kind, id, email, max(created_at || id) from ({}) group by email collate nocase",
            selects.join(" union all ")
        );
        (members, values)
    }
}

/// A clause that a column has one of these values; `None` for no values.
fn one_of<T: Copy>(
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

/// Passes each member of a group to `take`, each address once, by the newest of its registrations.
pub fn each_member(
    connection: &Connection,
    group: &Group,
    mut take: impl FnMut(Member) -> Result<()>,
) -> Result<()> {
    if group.kinds.is_empty() {
        return Ok(());
    }
    let (sql, values) = group.members();
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        take(Member { kind: row.get(0)?, registration_id: row.get(1)?, address: row.get(2)? })?;
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
#[derive(Debug, Clone)]
pub struct Stored {
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

const COLUMNS: &str =
    "id, created_at, actor, state, version, audience, subject, text, notice, started_at, ended_at";

pub fn insert(connection: &Connection, mailing: &NewMailing<'_>, now: &str) -> Result<i64> {
    connection.execute(
        "insert into mailings (created_at, actor, audience, subject, text, notice) values (?, ?, ?, ?, ?, ?)",
        (now, mailing.actor, mailing.audience, mailing.subject, mailing.text, mailing.notice),
    )?;
    Ok(connection.last_insert_rowid())
}

/// Changes a draft, which then has another version.
pub fn update(connection: &Connection, mailing: &Stored) -> Result<()> {
    connection.execute(
        "update mailings set audience = ?2, subject = ?3, text = ?4, notice = ?5, version = version + 1 where id = ?1",
        (mailing.id, &mailing.audience, &mailing.subject, &mailing.text, mailing.notice),
    )?;
    Ok(())
}

pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.execute("delete from mailings where id = ?", [id])?;
    Ok(())
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Stored>> {
    let sql = format!("select {COLUMNS} from mailings where id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([id], stored).optional()?)
}

/// A page of mailings, the newest first.
pub fn list(connection: &Connection, most: u32, offset: u32) -> Result<Vec<Stored>> {
    let sql = format!("select {COLUMNS} from mailings order by id desc limit ? offset ?");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map((most, offset), stored)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
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
    connection.execute(
        "update mailings set state = 'sending', started_at = coalesce(started_at, ?2) where id = ?1",
        (id, now),
    )?;
    Ok(())
}

pub fn set_paused(connection: &Connection, id: i64) -> Result<()> {
    connection.execute("update mailings set state = 'paused' where id = ?", [id])?;
    Ok(())
}

/// Ends a mailing as stopped or sent.
pub fn end(connection: &Connection, id: i64, state: State, now: &str) -> Result<()> {
    connection.execute("update mailings set state = ?2, ended_at = ?3 where id = ?1", (id, state, now))?;
    Ok(())
}

/// Adds somebody to the frozen group. Somebody who is in it stays as they are.
pub fn insert_recipient(
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
        "update outbox set state = 'discarded' where state = 'waiting'
         and id in (select outbox_id from mailing_recipients where mailing_id = ?)",
        [mailing_id],
    )?;
    Ok(())
}

/// Discards the emails with this token in their link that wait for another attempt.
pub fn discard_with_token(connection: &Connection, token: &str) -> Result<()> {
    connection.execute(
        "update outbox set state = 'discarded' where state = 'waiting' and template = 'group' and instr(words, ?)",
        [token],
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

/// Deletes what mailings hold of an address, but not that it has unsubscribed.
pub fn forget(connection: &Connection, address: &str) -> Result<()> {
    connection.execute("delete from mailing_recipients where recipient = ?", [address])?;
    connection.execute("delete from refused_addresses where recipient = ?", [address])?;
    Ok(())
}

pub fn is_unsubscribed(connection: &Connection, address_hash: &[u8]) -> Result<bool> {
    let sql = "select 1 from unsubscribed where address_hash = ?";
    Ok(connection.prepare_cached(sql)?.exists([address_hash])?)
}

/// Returns whether it is new.
pub fn insert_unsubscribed(connection: &Connection, address_hash: &[u8], now: &str) -> Result<bool> {
    let sql = "insert into unsubscribed (address_hash, at) values (?, ?) on conflict do nothing";
    Ok(connection.execute(sql, (address_hash, now))? == 1)
}

pub fn is_refused(connection: &Connection, address: &str) -> Result<bool> {
    let sql = "select 1 from refused_addresses where recipient = ?";
    Ok(connection.prepare_cached(sql)?.exists([address])?)
}

/// Records that a mail server has refused an address for good.
pub fn insert_refused(connection: &Connection, address: &str, reply: &str, now: &str) -> Result<()> {
    connection.execute(
        "insert into refused_addresses (recipient, at, reply) values (?1, ?2, ?3)
         on conflict (recipient) do update set at = excluded.at, reply = excluded.reply",
        (address, now, reply),
    )?;
    Ok(())
}

/// Forgets that an address was refused, because an email has reached it.
pub fn delete_refused(connection: &Connection, address: &str) -> Result<()> {
    connection.prepare_cached("delete from refused_addresses where recipient = ?")?.execute([address])?;
    Ok(())
}

/// An address that a mail server has refused.
#[derive(Debug, Clone)]
pub struct Refused {
    pub recipient: String,
    pub at: String,
    pub reply: String,
}

/// The newest first.
pub fn refused(connection: &Connection, most: u32, offset: u32) -> Result<Vec<Refused>> {
    let mut statement = connection.prepare(
        "select recipient, at, reply from refused_addresses order by at desc, recipient limit ? offset ?",
    )?;
    let rows = statement.query_map((most, offset), |row| {
        Ok(Refused { recipient: row.get(0)?, at: row.get(1)?, reply: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn count_refused(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("select count(*) from refused_addresses", [], |row| row.get(0))?)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    Ok(Stored {
        id: row.get(0)?,
        created_at: row.get(1)?,
        actor: row.get(2)?,
        state: row.get(3)?,
        version: row.get(4)?,
        audience: row.get(5)?,
        subject: row.get(6)?,
        text: row.get(7)?,
        notice: row.get(8)?,
        started_at: row.get(9)?,
        ended_at: row.get(10)?,
    })
}
