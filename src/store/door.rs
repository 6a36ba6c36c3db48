//! Tickets, volunteers' devices, and scans.

use rusqlite::{Connection, Params, Row};
use serde::Serialize;

use crate::error::Result;
use crate::model::{Kind, Role, text_enum};
use crate::store::query::{execute, from_row, query_all, query_optional};

/// The source of the tickets of invited judges, who have no registration.
pub const JUDGES: &str = "judges";

/// The start of the note on a ticket that somebody has taken over, before the entrant's name.
pub const TICKET_OF: &str = "Ticket of ";

text_enum! {
    pub enum VoidedBy, "who makes a ticket void" {
        /// Because of the registration. A ticket becomes valid again with it.
        Program = "program",
        Organiser = "organiser",
    }
}

/// A stored ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    pub id: i64,
    pub created_at: String,
    pub code: String,
    pub attendee: Attendee,
    /// The registration or judge, and which of its places.
    pub source: Option<Source>,
    pub void_reason: Option<String>,
    pub voided_by: Option<VoidedBy>,
    pub mailed_at: Option<String>,
    /// When its badge was printed.
    pub printed_at: Option<String>,
}

/// Whom a ticket admits, as it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attendee {
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
    /// From 1; only sponsors have more than one.
    pub place: i64,
    /// The lowercase address of the person who has taken the ticket over; otherwise empty.
    pub holder: String,
}

impl Source {
    /// The place, whoever has it.
    pub fn key(&self) -> (&str, i64, i64) {
        (&self.kind, self.id, self.place)
    }
}

/// The places of a sponsor for whom the organiser has set no number.
const SPONSOR_PLACES: i64 = 2;

/// How many people may come for a sponsor.
pub fn sponsor_places(connection: &Connection, sponsor_id: i64) -> Result<i64> {
    let sql = "select places from sponsor_places where sponsor_id = ?";
    Ok(query_optional(connection, sql, [sponsor_id], |row| row.get(0))?.unwrap_or(SPONSOR_PLACES))
}

/// The codes of the valid tickets of a registration's other places.
pub fn other_places(connection: &Connection, source: &Source) -> Result<Vec<String>> {
    let sql = "select code from tickets
         where kind = ?1 and subject_id = ?2 and place <> ?3 and holder = '' and void_reason is null order by place";
    query_all(connection, sql, (&source.kind, source.id, source.place), |row| row.get(0))
}

pub fn set_sponsor_places(connection: &Connection, sponsor_id: i64, places: i64) -> Result<()> {
    let sql = "insert or replace into sponsor_places (sponsor_id, places) values (?, ?)";
    execute(connection, sql, (sponsor_id, places))
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
        attendee: Attendee {
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
        voided_by: row.get(15)?,
        mailed_at: row.get(16)?,
        printed_at: row.get(17)?,
    })
}

/// All tickets, by name.
pub fn all(connection: &Connection) -> Result<Vec<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets order by name collate nocase, id");
    query_all(connection, &sql, [], ticket)
}

/// The tickets of one registration.
pub fn of_source(connection: &Connection, kind: &str, id: i64) -> Result<Vec<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets where kind = ? and subject_id = ? order by id");
    query_all(connection, &sql, (kind, id), ticket)
}

/// The codes of the valid tickets with this email address.
pub fn codes_by_email(connection: &Connection, email: &str) -> Result<Vec<String>> {
    let sql = "select code from tickets where email = ? collate nocase and void_reason is null order by id";
    query_all(connection, sql, [email], |row| row.get(0))
}

pub fn get(connection: &Connection, id: i64) -> Result<Option<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets where id = ?");
    query_optional(connection, &sql, [id], ticket)
}

pub fn by_code(connection: &Connection, code: &str) -> Result<Option<Ticket>> {
    let sql = format!("select {COLUMNS} from tickets where code = ?");
    query_optional(connection, &sql, [code], ticket)
}

/// Stores a ticket and returns its id; `None` if the code is taken.
pub fn insert(
    connection: &Connection,
    code: &str,
    attendee: &Attendee,
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
            attendee.role,
            &attendee.name,
            &attendee.business,
            &attendee.email,
            &attendee.note,
            &attendee.seat,
            &attendee.day,
            source.map(|source| &source.kind),
            source.map(|source| source.id),
            source.map(|source| source.place),
            source.map(|source| &source.holder),
        ))?;
    Ok(Some(connection.last_insert_rowid()))
}

/// Replaces what a ticket says of its holder.
pub fn update(connection: &Connection, id: i64, attendee: &Attendee) -> Result<()> {
    // A badge that says something else now has to be printed again. Of the note it shows only whether there may be photos
    // (`http::api::token_pages`).
    let sql = "update tickets set role = ?2, name = ?3, business = ?4, email = ?5, note = ?6, seat = ?7, day = ?8,
             printed_at = case when role = ?2 and name = ?3 and business is ?4 and seat is ?7
                 and coalesce(note like '%no photo%', 0) = coalesce(?6 like '%no photo%', 0) then printed_at end
             where id = ?1";
    execute(
        connection,
        sql,
        (
            id,
            attendee.role,
            &attendee.name,
            &attendee.business,
            &attendee.email,
            &attendee.note,
            &attendee.seat,
            &attendee.day,
        ),
    )
}

pub fn set_void(connection: &Connection, id: i64, reason: &str, by: VoidedBy) -> Result<()> {
    execute(connection, "update tickets set void_reason = ?2, void_by = ?3 where id = ?1", (id, reason, by))
}

/// Makes a void ticket valid, and due to be sent again, because its holder may have been told that it is void.
pub fn set_valid(connection: &Connection, id: i64) -> Result<()> {
    let sql = "update tickets set void_reason = null, void_by = null, mailed_at = null
         where id = ? and void_reason is not null";
    execute(connection, sql, [id])
}

pub fn set_mailed(connection: &Connection, id: i64, at: &str) -> Result<()> {
    execute(connection, "update tickets set mailed_at = ?2 where id = ?1", (id, at))
}

/// Notes that the badges of the valid tickets made until `made_until` were printed.
pub fn set_printed(connection: &Connection, role: Option<Role>, made_until: &str, at: &str) -> Result<()> {
    let sql = "update tickets set printed_at = ?3
         where void_reason is null and created_at <= ?2 and (?1 is null or role = ?1)";
    connection.prepare_cached(sql)?.execute((role, made_until, at))?;
    Ok(())
}

/// Notes that the badge of one ticket was printed.
pub fn set_one_printed(connection: &Connection, id: i64, at: &str) -> Result<()> {
    execute(connection, "update tickets set printed_at = ?2 where id = ?1", (id, at))
}

/// Deletes the tickets of an address with their scans.
pub fn erase_of_address(connection: &Connection, email: &str) -> Result<()> {
    erase_where(connection, "email = ? collate nocase", [email])
}

/// Deletes the tickets of a registration with their scans. Somebody who has taken one over keeps it, without the name of the
/// person who had it.
pub fn erase_of_registration(connection: &Connection, kind: Kind, id: i64) -> Result<()> {
    erase_where(connection, "kind = ? and subject_id = ? and holder = ''", (kind, id))?;
    let sql = "update tickets set note = null where kind = ? and subject_id = ? and note like ? || '%'";
    execute(connection, sql, (kind, id, TICKET_OF))
}

fn erase_where(connection: &Connection, condition: &str, parameters: impl Params + Clone) -> Result<()> {
    let scans = format!("delete from scans where ticket_id in (select id from tickets where {condition})");
    execute(connection, &scans, parameters.clone())?;
    execute(connection, &format!("delete from tickets where {condition}"), parameters)
}

/// Whether something is stored of people without an address: guests, walk-ins, and what volunteers wrote of somebody.
pub fn has_unaddressed(connection: &Connection) -> Result<bool> {
    let sql = "select exists (select 1 from tickets where email is null) or exists (select 1 from scans)
             or exists (select 1 from door_devices where name <> '')";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Deletes all scans and the tickets without an address. Ends all devices, which can send nothing more, and deletes their names,
/// which may be those of volunteers.
pub fn erase_unaddressed(connection: &Connection, at: &str) -> Result<()> {
    execute(connection, "delete from scans", ())?;
    execute(connection, "delete from tickets where email is null", ())?;
    execute(
        connection,
        "update door_devices set name = '', token_hash = randomblob(32), ended_at = coalesce(ended_at, ?)",
        [at],
    )
}

/// The tickets of an address, and those of its registrations that nobody else has taken over.
pub fn of_person(connection: &Connection, email: &str, registrations: &[(Kind, i64)]) -> Result<Vec<Ticket>> {
    let is_own = |ticket: &Ticket| {
        let is_addressed =
            ticket.attendee.email.as_ref().is_some_and(|address| address.eq_ignore_ascii_case(email));
        let is_of = |source: &Source| {
            let is_source = |(kind, id): &(Kind, i64)| source.kind == kind.as_str() && source.id == *id;
            source.holder.is_empty() && registrations.iter().any(is_source)
        };
        is_addressed || ticket.source.as_ref().is_some_and(is_of)
    };
    Ok(all(connection)?.into_iter().filter(is_own).collect())
}

/// Judges who were invited without an application, or whose application is not accepted: each with what a ticket says.
pub fn judges(connection: &Connection) -> Result<Vec<(i64, Attendee)>> {
    let sql = "select id, name, email, business_name from judges where removed_at is null and not exists
             (select 1 from judge_applications as application where status = 'accepted'
                 and (application.id = judges.application_id or application.email = judges.email collate nocase))";
    query_all(connection, sql, [], |row| {
        let attendee = Attendee {
            role: Role::Judge,
            name: row.get(1)?,
            business: row.get(3)?,
            email: row.get(2)?,
            note: None,
            seat: None,
            day: None,
        };
        Ok((row.get(0)?, attendee))
    })
}

/// A volunteer's device.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Device {
    pub id: i64,
    #[serde(skip)]
    pub created_at: String,
    pub name: String,
    /// When it stops working. RFC 3339, UTC, like all instants here.
    pub until: String,
    #[serde(skip)]
    pub ended_at: Option<String>,
    pub last_seen_at: Option<String>,
    /// The scans that it has not sent yet, as it last said.
    pub waiting: i64,
}

from_row!(DEVICE for Device: id, created_at, name, until, ended_at, last_seen_at, waiting);

pub fn insert_device(
    connection: &Connection,
    name: &str,
    until: &str,
    token_hash: &[u8],
    at: &str,
) -> Result<i64> {
    let sql = "insert into door_devices (created_at, name, until, token_hash) values (?, ?, ?, ?)";
    Ok(connection.prepare_cached(sql)?.insert((at, name, until, token_hash))?)
}

/// The devices that were not ended.
pub fn open_devices(connection: &Connection) -> Result<Vec<Device>> {
    let sql = format!("select {DEVICE} from door_devices where ended_at is null order by id");
    query_all(connection, &sql, [], Device::from_row)
}

pub fn device_with(connection: &Connection, token_hash: &[u8]) -> Result<Option<Device>> {
    let sql = format!("select {DEVICE} from door_devices where token_hash = ?");
    query_optional(connection, &sql, [token_hash], Device::from_row)
}

/// `false` if there is no such device, or it was ended before.
pub fn end_device(connection: &Connection, id: i64, at: &str) -> Result<bool> {
    let sql = "update door_devices set ended_at = ?2 where id = ?1 and ended_at is null";
    Ok(connection.execute(sql, (id, at))? == 1)
}

/// Records that a device has sent a request.
pub fn touch_device(connection: &Connection, id: i64, at: &str) -> Result<()> {
    execute(connection, "update door_devices set last_seen_at = ?2 where id = ?1", (id, at))
}

/// Records how many unsent scans a device has.
pub fn set_waiting(connection: &Connection, id: i64, waiting: i64) -> Result<()> {
    execute(connection, "update door_devices set waiting = ?2 where id = ?1", (id, waiting))
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
    /// The key of the door list that the device had open.
    pub list: String,
    /// When it was scanned, by the corrected clock of the device.
    pub at: String,
    /// JSON, as the device sent it.
    pub sent: String,
    /// JSON, as it was answered.
    pub answer: String,
    pub lets_in: bool,
    /// `at` is not the instant that the device sent, because its clock was wrong.
    pub is_corrected: bool,
    /// It came from a device that was ended, or whose time was over.
    pub is_late: bool,
    pub undone_at: Option<String>,
}

from_row!(
    Scan:
    id, device_id, device, ticket_id, code, list, at, sent, answer, lets_in, is_corrected, is_late,
    undone_at
);

const SCAN: &str = "select scans.id, device_id, door_devices.name, ticket_id, code, list, at, sent, answer, lets_in, is_corrected,
    is_late, undone_at from scans join door_devices on door_devices.id = device_id";

pub fn get_scan(connection: &Connection, id: &str) -> Result<Option<Scan>> {
    let sql = format!("{SCAN} where scans.id = ?");
    query_optional(connection, &sql, [id], Scan::from_row)
}

/// All scans by which somebody was let in, except undone ones, the earliest first.
pub fn admissions(connection: &Connection) -> Result<Vec<Scan>> {
    let sql = format!("{SCAN} where lets_in = 1 and undone_at is null order by at, scans.id");
    query_all(connection, &sql, [], Scan::from_row)
}

/// The lists by which people were let in, each with how many.
pub fn admitted_by_list(connection: &Connection) -> Result<Vec<(String, i64)>> {
    let sql = "select list, count(distinct coalesce(ticket_id, id)) from scans
         where lets_in = 1 and undone_at is null group by list order by list";
    query_all(connection, sql, [], |row| row.try_into())
}

/// Every scan of a ticket, the earliest first.
pub fn scans_of(connection: &Connection, ticket_id: i64) -> Result<Vec<Scan>> {
    let sql = format!("{SCAN} where ticket_id = ? order by at, scans.id");
    query_all(connection, &sql, [ticket_id], Scan::from_row)
}

/// The earliest scan by which somebody was let in to a ticket's place: when, and the device's name. The ticket may have passed on
/// since.
pub fn first_admission(
    connection: &Connection,
    ticket_id: i64,
    list: &str,
) -> Result<Option<(String, String)>> {
    let sql = "select at, name from scans join door_devices on door_devices.id = device_id
         where list = ?2 and lets_in = 1 and undone_at is null and ticket_id in (select other.id
             from tickets as own join tickets as other on other.id = own.id
                 or (other.kind = own.kind and other.subject_id = own.subject_id and other.place = own.place)
             where own.id = ?1)
         order by at, scans.id limit 1";
    query_optional(connection, sql, (ticket_id, list), |row| row.try_into())
}

/// The ticket that the door gave somebody whom it let in by name with this unknown code.
pub fn ticket_of_walk_in(connection: &Connection, code: &str) -> Result<Option<Ticket>> {
    let sql = format!(
        "select {COLUMNS} from tickets where id = (select ticket_id from scans
             where code = ? and ticket_id is not null and lets_in = 1 and undone_at is null order by at, id limit 1)"
    );
    query_optional(connection, &sql, [code], ticket)
}

pub fn insert_scan(connection: &Connection, scan: &Scan, received_at: &str) -> Result<()> {
    let sql = "insert into scans (id, device_id, ticket_id, received_at, code, list, at, sent, answer, lets_in, is_corrected, is_late)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    execute(
        connection,
        sql,
        (
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
        ),
    )
}

pub fn undo_scan(connection: &Connection, id: &str, at: &str) -> Result<()> {
    let sql = "update scans set undone_at = coalesce(undone_at, ?2) where id = ?1";
    execute(connection, sql, (id, at))
}
