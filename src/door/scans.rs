//! The scans of devices. Batches may arrive late, twice and out of order: the device gives each scan an id, and of the scans of
//! a ticket for a list the earliest one counts.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::devices::Device;
use super::tickets::{self, Ticket};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::model::{Role, ticket_code};
use crate::site::content::model::door::DoorList;
use crate::store::door::{self as store, Scan, VoidedBy};
use crate::time;

/// The most scans in one batch.
pub const MAX_SCANS: usize = 500;
/// A clock that is wrong by more is corrected.
const WRONG_CLOCK: TimeDelta = TimeDelta::minutes(1);
/// A scan that is sent later than this was made without a network: the volunteer has acted on what the device showed. Measured
/// by the device's clock alone, which may differ from ours.
const ACTED_ON: TimeDelta = TimeDelta::seconds(20);
/// A phone may send what it scanned before it was opened by a newer link. What is older than this is from a clock that was not
/// set: a phone that has lost it starts years ago.
const BEFORE_ITS_LINK: TimeDelta = TimeDelta::days(365);
/// A device cannot have more scans than this; what it says is shown to the organiser.
const MAX_WAITING: i64 = 100_000;
/// In characters. A longer text is truncated, not refused: otherwise the device could never send the rest of its scans.
const MAX_TEXT_LENGTH: usize = 200;
/// The length of an instant without fractions of a second and `Z`, such as `2026-03-28T12:31:00`.
const SECONDS: usize = 19;
/// The length of a UUID, in characters.
const MAX_ID_LENGTH: usize = 36;

/// A batch as a device sends it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// By the device's clock.
    pub sent_at: DateTime<Utc>,
    /// How many scans the device has still.
    #[serde(default)]
    pub waiting: Option<i64>,
    pub scans: Vec<SentScan>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Scan"))]
pub struct SentScan {
    pub id: String,
    #[serde(default)]
    pub code: String,
    pub list: String,
    pub at: DateTime<Utc>,
    /// The name of somebody without a ticket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub walk_in: Option<String>,
    /// The result that the device showed, from its own list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub shown: Option<Verdict>,
    /// Why somebody is let in in spite of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub anyway: Option<String>,
}

impl SentScan {
    /// As it is stored. A camera reads anything, also somebody's address or a password: what is not a code becomes its hash,
    /// which still tells one scan from another.
    fn tidied(mut self) -> SentScan {
        if ticket_code::parse(&self.code).is_none() && !self.code.is_empty() {
            self.code = format!("sha256:{}", hex::encode(Sha256::digest(&self.code)));
        }
        self.list = self.list.chars().take(MAX_TEXT_LENGTH).collect();
        for text in [&mut self.walk_in, &mut self.anyway].into_iter().flatten() {
            *text = text.chars().take(MAX_TEXT_LENGTH).collect();
        }
        self
    }
}

/// The result of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Verdict {
    Welcome,
    /// The holder came in before.
    Already,
    Void,
    WrongList,
    Unknown,
    /// Let in by name, without a ticket until then.
    WalkIn,
}

impl Verdict {
    fn lets_in(self) -> bool {
        matches!(self, Verdict::Welcome | Verdict::Already | Verdict::WalkIn)
    }
}

/// The answer to a scan.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScanOutcome {
    pub id: String,
    pub result: Verdict,
    /// When and where the holder came in before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub first: Option<FirstScan>,
    /// `false`: the result lets in, but the scan does not count. It was undone, or made after the device was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub counts: Option<bool>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FirstScan {
    pub at: String,
    pub device: String,
}

/// Stores a batch as a whole, and returns an outcome for each of its scans in their order. A scan that was stored before has the
/// outcome that it had then. `is_late`: the device was ended, or its time is over.
///
/// # Errors
/// [`Error::BatchTooLarge`]: more than [`MAX_SCANS`]. [`Error::Invalid`]: a scan's id. [`Error::Conflict`]: an id is that of another
/// scan. Then nothing is stored.
pub fn store_batch(app: &App, device: &Device, batch: Batch, is_late: bool) -> Result<Vec<ScanOutcome>> {
    if batch.scans.len() > MAX_SCANS {
        return Err(Error::BatchTooLarge(MAX_SCANS));
    }
    let batch = Batch { scans: batch.scans.into_iter().map(SentScan::tidied).collect(), ..batch };
    let content = app.content();
    let lists = content.door.lists_of(&content.event);
    for (index, sent) in batch.scans.iter().enumerate() {
        let is_id = (1..=MAX_ID_LENGTH).contains(&sent.id.len())
            && sent.id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_id {
            return Err(Error::field(&format!("scans[{index}].id"), "Must be a UUID"));
        }
    }
    app.store.write(|connection| {
        let now = time::now();
        let offset = now - batch.sent_at;
        let correction = Some(offset).filter(|offset| offset.abs() > WRONG_CLOCK);
        // The earliest counts, wherever it stands in the batch.
        let mut order: Vec<usize> = (0..batch.scans.len()).collect();
        order.sort_by_key(|index| batch.scans[*index].at);
        let mut outcomes: Vec<Option<ScanOutcome>> = vec![None; batch.scans.len()];
        let sent_at = batch.sent_at;
        let recorder = ScanRecorder { connection, lists: &lists, device, now, sent_at, correction, is_late };
        for index in order {
            outcomes[index] = Some(recorder.record(&batch.scans[index])?);
        }
        store::touch_device(connection, device.id, &time::stored(now))?;
        if let Some(waiting) = batch.waiting {
            store::set_waiting(connection, device.id, waiting.clamp(0, MAX_WAITING))?;
        }
        Ok(outcomes.into_iter().flatten().collect())
    })
}

/// Stores the scans of a batch.
struct ScanRecorder<'a> {
    connection: &'a Connection,
    lists: &'a [DoorList],
    device: &'a Device,
    now: DateTime<Utc>,
    /// By the device's clock.
    sent_at: DateTime<Utc>,
    /// How far the device's clock is behind, if it is wrong.
    correction: Option<TimeDelta>,
    is_late: bool,
}

impl ScanRecorder<'_> {
    fn record(&self, sent: &SentScan) -> Result<ScanOutcome> {
        let internal = |error: serde_json::Error| Error::Internal(format!("a scan: {error}"));
        let as_sent = serde_json::to_string(sent).map_err(internal)?;
        if let Some(known) = store::get_scan(self.connection, &sent.id)? {
            if known.sent != as_sent {
                return Err(Error::Conflict(format!(
                    "The id {} is that of another scan. Nothing of this batch was stored.",
                    sent.id
                )));
            }
            let mut outcome: ScanOutcome = serde_json::from_str(&known.answer).map_err(internal)?;
            if known.undone_at.is_some() {
                outcome.counts = Some(false);
            }
            return Ok(outcome);
        }
        let at = self.instant_of(sent);
        let at_text = time::stored(at);
        // What a device scans after the organiser has ended it lets nobody in. One whose time is over may not know it without a
        // network: whom it lets in is in.
        let ended_at = self.device.ended_at.as_ref();
        let is_after_end = ended_at.is_some_and(|ended| time::stored(at - WRONG_CLOCK) > *ended);
        let name = sent.walk_in.as_deref().and_then(forms::visible_text).filter(|_| !is_after_end);
        let (mut result, ticket_id, mut first) = self.result(sent, name.as_deref(), &at_text)?;
        let has_reason = sent.anyway.as_ref().is_some_and(|reason| !reason.trim().is_empty());
        let mut lets_in = result.lets_in() || has_reason;
        // Without a network, the volunteer has acted on what the device showed, whatever the server knows by now.
        let is_acted_on = self.sent_at - sent.at > ACTED_ON && !has_reason;
        if let Some(shown) = sent.shown.filter(|shown| is_acted_on && shown.lets_in() != lets_in) {
            (result, first, lets_in) = (shown, None, shown.lets_in());
        }
        let counts = (lets_in && is_after_end).then_some(false);
        let outcome = ScanOutcome { id: sent.id.clone(), result, first, counts };
        let scan = Scan {
            id: sent.id.clone(),
            device_id: self.device.id,
            device: self.device.name.clone(),
            ticket_id,
            code: ticket_code::parse(&sent.code).unwrap_or_default(),
            list: sent.list.clone(),
            at: at_text,
            sent: as_sent,
            answer: serde_json::to_string(&outcome).map_err(internal)?,
            lets_in: lets_in && !is_after_end,
            is_corrected: at != sent.at,
            is_late: self.is_late,
            undone_at: None,
        };
        store::insert_scan(self.connection, &scan, &time::stored(self.now))?;
        Ok(outcome)
    }

    /// When it was scanned, with the device's clock corrected. Nobody was scanned in the future.
    fn instant_of(&self, sent: &SentScan) -> DateTime<Utc> {
        let corrected = self.correction.map_or(Some(sent.at), |offset| sent.at.checked_add_signed(offset));
        let earliest = self.device.created_at.parse::<DateTime<Utc>>().map(|at| at - BEFORE_ITS_LINK);
        let possible = corrected.filter(|at| earliest.is_ok_and(|earliest| *at >= earliest));
        possible.map_or(self.now, |at| at.min(self.now))
    }

    /// The result, the ticket, and when its holder came in before. `walk_in`: the name of somebody without a ticket.
    fn result(
        &self,
        sent: &SentScan,
        walk_in: Option<&str>,
        at: &str,
    ) -> Result<(Verdict, Option<i64>, Option<FirstScan>)> {
        let ticket = match ticket_code::parse(&sent.code) {
            Some(code) => match store::by_code(self.connection, &code)? {
                Some(ticket) => Some(ticket),
                // Another name is another person, for instance with the same picture of a code.
                None => store::ticket_of_walk_in(self.connection, &code)?
                    .filter(|known| walk_in.is_none_or(|name| known.attendee.name == name.trim())),
            },
            None => None,
        };
        if !self.lists.iter().any(|list| list.key == sent.list) {
            return Ok((Verdict::WrongList, ticket.map(|ticket| ticket.id), None));
        }
        let Some(ticket) = ticket else {
            let Some(name) = walk_in else { return Ok((Verdict::Unknown, None, None)) };
            let (id, _) = tickets::add_walk_in(self.connection, name, &time::stored(self.now))?;
            return Ok((Verdict::WalkIn, Some(id), None));
        };
        let id = Some(ticket.id);
        if !ticket.is_valid() {
            return Ok((Verdict::Void, id, None));
        }
        let first_admission = store::first_admission(self.connection, ticket.id, &sent.list)?;
        // Whoever was let in by name is in, on a list without guests too.
        if first_admission.is_none() && !ticket.lists(self.lists).iter().any(|list| list.key == sent.list) {
            return Ok((Verdict::WrongList, id, None));
        }
        Ok(match first_admission {
            Some((first, device)) if first.as_str() <= at => {
                (Verdict::Already, id, Some(FirstScan { at: first, device }))
            }
            _ => (Verdict::Welcome, id, None),
        })
    }
}

/// Undoes a scan: it does not count any more, and stays in the log. The ticket that the door gave a walk-in becomes void. A second
/// time changes nothing.
///
/// # Errors
/// [`Error::NotFound`].
pub fn undo(app: &App, id: &str) -> Result<()> {
    app.store.write(|connection| {
        let scan = store::get_scan(connection, id)?
            .ok_or_else(|| Error::NotFound("The server does not have this scan.".into()))?;
        store::undo_scan(connection, id, &time::stored(time::now()))?;
        let outcome: ScanOutcome = serde_json::from_str(&scan.answer)
            .map_err(|error| Error::Internal(format!("a scan's answer: {error}")))?;
        if let Some(ticket) = scan.ticket_id
            && outcome.result == Verdict::WalkIn
            && scan.undone_at.is_none()
            // A person who was let in by name offline may have a ticket that only the server knew. That one stays as it is.
            && store::get(connection, ticket)?.is_some_and(|given| given.code != scan.code)
            // They came again with the same code, and that scan counts.
            && !store::scans_of(connection, ticket)?.iter().any(|other| other.lets_in && other.undone_at.is_none())
        {
            store::set_void(connection, ticket, "The door has undone this.", VoidedBy::Organiser)?;
        }
        Ok(())
    })
}

/// What a device needs to work without a network.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Snapshot {
    lists: Vec<AdmissionList>,
    tickets: Vec<DoorTicket>,
    scans: Vec<Admission>,
}

/// Whom the door lets in to what: a day or an evening.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AdmissionList {
    key: String,
    label: String,
    #[cfg_attr(test, ts(type = "string"))]
    day: NaiveDate,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoorTicket {
    code: String,
    name: String,
    business: Option<String>,
    role: Role,
    #[cfg_attr(test, ts(type = "\"valid\" | \"void\""))]
    state: &'static str,
    /// The keys of the lists that it is on.
    lists: Vec<String>,
    seat: Option<String>,
    note: Option<String>,
}

impl DoorTicket {
    pub fn new(ticket: &Ticket, lists: &[DoorList]) -> DoorTicket {
        let attendee = ticket.attendee.clone();
        DoorTicket {
            code: ticket.code.clone(),
            name: attendee.name,
            business: attendee.business,
            role: attendee.role,
            state: ticket.state(),
            lists: ticket.lists(lists).into_iter().map(|list| list.key.clone()).collect(),
            seat: attendee.seat,
            note: attendee.note,
        }
    }
}

/// A scan of any device by which somebody came in.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Admission {
    id: String,
    code: String,
    /// The code of no ticket that was scanned, if the door has let somebody in by name with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    scanned: Option<String>,
    list: String,
    /// In whole seconds: many scans are sent over a hotel's network again and again.
    at: String,
    device: String,
}

pub fn snapshot(app: &App) -> Result<Snapshot> {
    let content = app.content();
    let lists = content.door.lists_of(&content.event);
    app.store.read(|connection| {
        let tickets = store::all(connection)?;
        let current = tickets::current(&tickets);
        let admission = |scan: Scan| {
            let ticket = scan.ticket_id.and_then(|id| current.get(&id));
            let code = ticket.map_or(&scan.code, |ticket| &ticket.code).clone();
            let is_unknown = !scan.code.is_empty() && tickets.iter().all(|ticket| ticket.code != scan.code);
            Admission {
                id: scan.id,
                scanned: (is_unknown && scan.code != code).then_some(scan.code),
                code,
                list: scan.list,
                at: format!("{}Z", &scan.at[..SECONDS]),
                device: scan.device,
            }
        };
        let scans = store::admissions(connection)?.into_iter().map(admission).collect();
        let tickets = tickets.iter().map(|ticket| DoorTicket::new(ticket, &lists)).collect();
        let list = |list: DoorList| AdmissionList { key: list.key, label: list.label, day: list.day };
        Ok(Snapshot { tickets, scans, lists: lists.into_iter().map(list).collect() })
    })
}
