//! Tickets, volunteers' devices, and scans.

use rusqlite::{Connection, OptionalExtension, Row};
use serde::Serialize;

use crate::error::Result;
use crate::model::{Kind, Role};

/// The source of invited judges, who are no registrations.
pub const JUDGES: &str = "judges";

/// `7KX3M-9QW2T`, easier to read and to type.
pub fn grouped(code: &str) -> String {
    code.split_at_checked(code.len() / 2)
        .map_or_else(|| code.to_owned(), |(first, last)| format!("{first}-{last}"))
}

/// A stored ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    pub id: i64,
    pub created_at: String,
    pub code: String,
    pub held: Held,
    /// The registration or judge, and which of its places.
    pub source: Option<Source>,
    pub void_reason: Option<String>,
    /// Whether the organiser made it void, rather than the registration.
    pub is_void_by_organiser: bool,
    pub mailed_at: Option<String>,
    /// When its badge was printed.
    pub printed_at: Option<String>,
}

/// What a ticket says of its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub role: Role,
    pub name: String,
    pub business: Option<String>,
    pub email: Option<String>,
    pub note: Option<String>,
    pub seat: Option<String>,
    /// The only day on which they come, such as `2026-03-28`.
    pub day: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// A kind of registration, or `judges`.
    pub kind: String,
    pub id: i64,
    pub place: i64,
    pub holder: String,
}

/// Places of a sponsor if the organiser has said nothing else.
const SPONSOR_PLACES: i64 = 2;

/// How many people may come for a sponsor.
pub fn sponsor_places(connection: &Connection, sponsor_id: i64) -> Result<i64> {
    let sql = "select places from sponsor_places where sponsor_id = ?";
    let places = connection.prepare_cached(sql)?.query_row([sponsor_id], |row| row.get(0)).optional()?;
    Ok(places.unwrap_or(SPONSOR_PLACES))
}

/// The codes of the valid tickets of a registration's other places.
pub fn other_places(connection: &Connection, source: &Source) -> Result<Vec<String>> {
    let sql = "select code from tickets
         where kind = ?1 and subject_id = ?2 and place <> ?3 and holder = '' and void_reason is null order by place";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map((&source.kind, source.id, source.place), |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn set_sponsor_places(connection: &Connection, sponsor_id: i64, places: i64) -> Result<()> {
    let sql = "insert or replace into sponsor_places (sponsor_id, places) values (?, ?)";
    connection.execute(sql, (sponsor_id, places))?;
    Ok(())
}

const COLUMNS: &str =
    "id, created_at, code, role, name, business, email, note, seat, day, kind, subject_id, place, holder,
    void_reason, void_by, mailed_at, printed_at";

fn ticket(row: &Row<'_>) -> rusqlite::Result<Ticket> {
    let kind: Option<String> = row.get(10)?;
    let source = match kind {
        Some(kind) => Some(Source { kind, id: row.get(11)?, place: row.get(12)?, holder: row.get(13)? }),
        None => None,
    };
    Ok(Ticket {
        id: row.get(0)?,
        created_at: row.get(1)?,
        code: row.get(2)?,
        held: Held {
            role: row.get(3)?,
            name: row.get(4)?,
            business: row.get(5)?,
            email: row.get(6)?,
            note: row.get(7)?,
            seat: row.get(8)?,
            day: row.get(9)?,
        },
        source,
        void_reason: row.get(14)?,
        is_void_by_organiser: row.get::<_, Option<String>>(15)?.as_deref() == Some("organiser"),
        mailed_at: row.get(16)?,
        printed_at: row.get(17)?,
    })
}

/// All tickets, by name.
pub fn all(connection: &Connection) -> Result<Vec<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets order by name collate nocase, id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([], ticket)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The tickets of one registration.
pub fn of_source(connection: &Connection, kind: &str, id: i64) -> Result<Vec<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets where kind = ? and subject_id = ? order by id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((kind, id), ticket)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The codes of the valid tickets of whoever has this address.
pub fn codes_of(connection: &Connection, email: &str) -> Result<Vec<String>> {
    let sql = "select code from tickets where email = ? collate nocase and void_reason is null order by id";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([email], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets where id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([id], ticket).optional()?)
}

pub fn by_code(connection: &Connection, code: &str) -> Result<Option<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets where code = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([code], ticket).optional()?)
}

/// Stores a ticket and returns its id; `None` if the code is taken.
pub fn insert(
    connection: &Connection,
    code: &str,
    held: &Held,
    source: Option<&Source>,
    at: &str,
) -> Result<Option<i64>> {
    if by_code(connection, code)?.is_some() {
        return Ok(None);
    }
    connection
        .prepare_cached(
            "insert into tickets (created_at, code, role, name, business, email, note, seat, day, kind, subject_id, place, holder)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, 1), coalesce(?, ''))",
        )?
        .execute((
            at,
            code,
            held.role,
            &held.name,
            &held.business,
            &held.email,
            &held.note,
            &held.seat,
            &held.day,
            source.map(|source| &source.kind),
            source.map(|source| source.id),
            source.map(|source| source.place),
            source.map(|source| &source.holder),
        ))?;
    Ok(Some(connection.last_insert_rowid()))
}

/// Writes what a ticket says of its holder again.
pub fn update(connection: &Connection, id: i64, held: &Held) -> Result<()> {
    connection
        .prepare_cached(
            "update tickets set role = ?2, name = ?3, business = ?4, email = ?5, note = ?6, seat = ?7, day = ?8
             where id = ?1",
        )?
        .execute((
            id,
            held.role,
            &held.name,
            &held.business,
            &held.email,
            &held.note,
            &held.seat,
            &held.day,
        ))?;
    Ok(())
}

/// Makes a ticket void, or, without a reason, valid.
pub fn set_void(connection: &Connection, id: i64, reason: Option<(&str, &str)>) -> Result<()> {
    connection
        .prepare_cached("update tickets set void_reason = ?2, void_by = ?3 where id = ?1")?
        .execute((id, reason.map(|(reason, _)| reason), reason.map(|(_, by)| by)))?;
    Ok(())
}

pub fn set_mailed(connection: &Connection, id: i64, at: &str) -> Result<()> {
    connection.prepare_cached("update tickets set mailed_at = ?2 where id = ?1")?.execute((id, at))?;
    Ok(())
}

/// Notes that the badges of the valid tickets made until `made_until` were printed.
pub fn set_printed(connection: &Connection, role: Option<Role>, made_until: &str, at: &str) -> Result<()> {
    let sql = "update tickets set printed_at = ?3
         where void_reason is null and created_at <= ?2 and (?1 is null or role = ?1)";
    connection.prepare_cached(sql)?.execute((role, made_until, at))?;
    Ok(())
}

/// Deletes the tickets of a registration or of an address with their scans. Somebody who has taken over the ticket of a
/// registration keeps it, without the name of the person who had it.
pub fn erase(connection: &Connection, email: &str, subject: Option<(&str, i64)>) -> Result<()> {
    let (kind, id) = subject.unzip();
    let meant = "email = ?1 collate nocase or (kind = ?2 and subject_id = ?3 and holder = '')";
    let scans = format!("delete from scans where ticket_id in (select id from tickets where {meant})");
    connection.execute(&scans, (email, kind, id))?;
    connection.execute(&format!("delete from tickets where {meant}"), (email, kind, id))?;
    connection.execute("update tickets set note = null where kind = ? and subject_id = ?", (kind, id))?;
    Ok(())
}

/// The tickets of an address, and those of its registrations.
pub fn of_person(connection: &Connection, email: &str, subjects: &[(Kind, i64)]) -> Result<Vec<Ticket>> {
    let is_own = |ticket: &Ticket| {
        let is_addressed =
            ticket.held.email.as_ref().is_some_and(|address| address.eq_ignore_ascii_case(email));
        let is_of = |source: &Source| {
            let is_subject = |(kind, id): &(Kind, i64)| source.kind == kind.as_str() && source.id == *id;
            source.holder.is_empty() && subjects.iter().any(is_subject)
        };
        is_addressed || ticket.source.as_ref().is_some_and(is_of)
    };
    Ok(all(connection)?.into_iter().filter(is_own).collect())
}

/// Judges who were invited without an application, or whose application is not accepted: each with what a ticket says.
pub fn judges(connection: &Connection) -> Result<Vec<(i64, Held)>> {
    let mut statement = connection.prepare_cached(
        "select id, name, email, business_name from judges where removed_at is null and not exists
             (select 1 from judge_applications as application where status = 'accepted'
                 and (application.id = judges.application_id or application.email = judges.email collate nocase))",
    )?;
    let rows = statement.query_map([], |row| {
        let held = Held {
            role: Role::Judge,
            name: row.get(1)?,
            business: row.get(3)?,
            email: row.get(2)?,
            note: None,
            seat: None,
            day: None,
        };
        Ok((row.get(0)?, held))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A volunteer's device.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Device {
    pub id: i64,
    pub name: String,
    pub until: String,
    #[serde(skip)]
    pub ended_at: Option<String>,
    pub last_seen_at: Option<String>,
    pub waiting: i64,
}

const DEVICE: &str = "id, name, until, ended_at, last_seen_at, waiting";

fn device(row: &Row<'_>) -> rusqlite::Result<Device> {
    Ok(Device {
        id: row.get(0)?,
        name: row.get(1)?,
        until: row.get(2)?,
        ended_at: row.get(3)?,
        last_seen_at: row.get(4)?,
        waiting: row.get(5)?,
    })
}

pub fn insert_device(
    connection: &Connection,
    name: &str,
    until: &str,
    token_hash: &[u8],
    at: &str,
) -> Result<i64> {
    let sql = "insert into door_devices (created_at, name, until, token_hash) values (?, ?, ?, ?)";
    connection.execute(sql, (at, name, until, token_hash))?;
    Ok(connection.last_insert_rowid())
}

/// The devices that were not ended.
pub fn devices(connection: &Connection) -> Result<Vec<Device>> {
    let sql = format!("select {DEVICE} from door_devices where ended_at is null order by id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([], device)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub fn device_with(connection: &Connection, token_hash: &[u8]) -> Result<Option<Device>> {
    let sql = format!("select {DEVICE} from door_devices where token_hash = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([token_hash], device).optional()?)
}

/// `false` if there is no such device, or it was ended before.
pub fn end_device(connection: &Connection, id: i64, at: &str) -> Result<bool> {
    let sql = "update door_devices set ended_at = ?2 where id = ?1 and ended_at is null";
    Ok(connection.execute(sql, (id, at))? == 1)
}

/// Notes that a device was heard of. `waiting`: how many scans it still has, if it said so.
pub fn touch_device(connection: &Connection, id: i64, at: &str, waiting: Option<i64>) -> Result<()> {
    let sql = "update door_devices set last_seen_at = ?2, waiting = coalesce(?3, waiting) where id = ?1";
    connection.prepare_cached(sql)?.execute((id, at, waiting))?;
    Ok(())
}

/// A stored scan.
#[derive(Debug, Clone)]
pub struct Scan {
    pub id: String,
    pub device_id: i64,
    /// The device's name.
    pub device: String,
    pub ticket_id: Option<i64>,
    pub code: String,
    pub list: String,
    pub at: String,
    pub sent: String,
    pub answer: String,
    pub lets_in: bool,
    pub is_corrected: bool,
    pub is_late: bool,
    pub undone_at: Option<String>,
}

const SCAN: &str = "select scans.id, device_id, door_devices.name, ticket_id, code, list, at, sent, answer, lets_in, is_corrected,
    is_late, undone_at from scans join door_devices on door_devices.id = device_id";

fn scan(row: &Row<'_>) -> rusqlite::Result<Scan> {
    Ok(Scan {
        id: row.get(0)?,
        device_id: row.get(1)?,
        device: row.get(2)?,
        ticket_id: row.get(3)?,
        code: row.get(4)?,
        list: row.get(5)?,
        at: row.get(6)?,
        sent: row.get(7)?,
        answer: row.get(8)?,
        lets_in: row.get(9)?,
        is_corrected: row.get(10)?,
        is_late: row.get(11)?,
        undone_at: row.get(12)?,
    })
}

pub fn get_scan(connection: &Connection, id: &str) -> Result<Option<Scan>> {
    let sql = format!("{SCAN} where scans.id = ?");
    Ok(connection.prepare_cached(&sql)?.query_row([id], scan).optional()?)
}

/// All scans by which somebody came in, except undone ones, the earliest first.
pub fn entries(connection: &Connection) -> Result<Vec<Scan>> {
    let sql = format!("{SCAN} where lets_in = 1 and undone_at is null order by at, scans.id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([], scan)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Every scan of a ticket, the earliest first.
pub fn scans_of(connection: &Connection, ticket_id: i64) -> Result<Vec<Scan>> {
    let sql = format!("{SCAN} where ticket_id = ? order by at, scans.id");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([ticket_id], scan)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The earliest scan by which the holder of a ticket came in: when, and the device's name.
pub fn first_entry(connection: &Connection, ticket_id: i64, list: &str) -> Result<Option<(String, String)>> {
    let sql = "select at, name from scans join door_devices on door_devices.id = device_id
         where ticket_id = ? and list = ? and lets_in = 1 and undone_at is null order by at, scans.id limit 1";
    let found =
        connection.prepare_cached(sql)?.query_row((ticket_id, list), |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(found.optional()?)
}

pub fn insert_scan(connection: &Connection, scan: &Scan, received_at: &str) -> Result<()> {
    connection
        .prepare_cached(
            "insert into scans (id, device_id, ticket_id, received_at, code, list, at, sent, answer, lets_in, is_corrected, is_late)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute((
            &scan.id,
            scan.device_id,
            scan.ticket_id,
            received_at,
            &scan.code,
            &scan.list,
            &scan.at,
            &scan.sent,
            &scan.answer,
            scan.lets_in,
            scan.is_corrected,
            scan.is_late,
        ))?;
    Ok(())
}

pub fn undo_scan(connection: &Connection, id: &str, at: &str) -> Result<()> {
    let sql = "update scans set undone_at = coalesce(undone_at, ?2) where id = ?1";
    connection.prepare_cached(sql)?.execute((id, at))?;
    Ok(())
}
