//! Tickets for the organiser, and the door for volunteers' devices.

use chrono::{DateTime, Utc};
use http::StatusCode;
use http::header::{ACCEPT_ENCODING, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY};
use serde::Serialize;
use serde_json::{Value, json};
use warp::Reply;
use warp::reply::Response;

use super::call::{Call, accepted, created, no_content, no_content_with, ok, unknown_value};
use super::caller::Caller;
use super::cookie::Cookie;
use super::fields::Fields;
use super::paging::Paging;
use super::records::changed_record;
use super::session::{check_cookie, require_own_origin};
use crate::admin::sessions::Session;
use crate::app::App;
use crate::door::devices::{self, Device};
use crate::door::figures;
use crate::door::mails;
use crate::door::scans::{self, Batch, DoorTicket, Snapshot};
use crate::door::tickets::{self, NewGuest, Ticket, TicketFilter};
use crate::error::{Error, Result};
use crate::http::body::{parse, require_json};
use crate::http::pages::matches_tag;
use crate::model::{Kind, Role};
use crate::site::render::{Document, entity_tag};
use crate::store::door::Scan;
use crate::time;

/// The largest body of a batch of 500 scans, in bytes.
const MAX_BATCH: usize = 1_000_000;

impl Caller for Device {
    async fn identify(call: &mut Call) -> Result<Device> {
        device_of(call, devices::check).await
    }
}

/// A device that sends what it has scanned, also for a day after it was ended.
pub struct ScanSender {
    device: Device,
    is_late: bool,
}

impl Caller for ScanSender {
    async fn identify(call: &mut Call) -> Result<ScanSender> {
        let (device, is_late) = device_of(call, devices::check_for_scans).await?;
        Ok(ScanSender { device, is_late })
    }
}

async fn device_of<T: Send + 'static>(call: &Call, check: fn(&App, &str) -> Result<T>) -> Result<T> {
    let refused = "Please scan the organizer's code for this device first.";
    check_cookie(call, Cookie::DOOR, refused, check).await
}

/// `GET /api/tickets?search= &role= &state= &page= &pageSize=` → `{items, total, page, pageSize}`
pub async fn list(call: Call, _session: Session) -> Result<Response> {
    let paging = Paging::parse(&call.query)?;
    let role = call.query_parsed("role")?;
    let is_valid = match call.query_value("state").as_deref() {
        None => None,
        Some("valid") => Some(true),
        Some("void") => Some(false),
        Some(_) => return Err(unknown_value("state")),
    };
    let filter = TicketFilter { search: call.query_value("search"), role, is_valid };
    let found = call.run(move |app| tickets::list(app, &filter)).await?;
    let items: Vec<_> = paging.of(&found).map(|ticket| TicketAnswer::new(&call.state.app, ticket)).collect();
    Ok(paging.answer(&items, found.len()))
}

/// `GET /api/tickets/<id>` → the ticket with `scans` and `source`
pub async fn show(call: Call, _session: Session) -> Result<Response> {
    let id = call.id();
    let (ticket, scans) = call.run(move |app| tickets::get(app, id)).await?;
    let content = call.state.app.content();
    let lists = content.door.lists_of(&content.event);
    let label = |key: &str| lists.iter().find(|list| list.key == key).map(|list| list.label.clone());
    let with_label = |scan: Scan| {
        let label = label(&scan.list);
        TicketScan::new(scan, label)
    };
    let answer = TicketAnswer::new(&call.state.app, &ticket);
    let source = ticket.source.map(|source| TicketSource { kind: source.kind, id: source.id });
    Ok(ok(&TicketDetails {
        ticket: answer,
        scans: scans.into_iter().map(with_label).collect(),
        source,
        void_reason: ticket.void_reason,
        email: ticket.attendee.email,
        created_at: ticket.created_at,
        mailed_at: ticket.mailed_at,
        printed_at: ticket.printed_at,
    }))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Ticket"))]
pub struct TicketAnswer {
    id: i64,
    #[serde(flatten)]
    ticket: DoorTicket,
    days: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TicketDetails {
    #[serde(flatten)]
    ticket: TicketAnswer,
    scans: Vec<TicketScan>,
    source: Option<TicketSource>,
    void_reason: Option<String>,
    email: Option<String>,
    created_at: String,
    mailed_at: Option<String>,
    printed_at: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TicketSource {
    kind: String,
    id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TicketScan {
    id: String,
    list: String,
    label: String,
    at: String,
    device: String,
    #[cfg_attr(test, ts(as = "scans::Verdict"))]
    result: Value,
    /// Why somebody was let in although the page said no.
    #[cfg_attr(test, ts(type = "string | null"))]
    anyway: Value,
    undone_at: Option<String>,
    lets_in: bool,
    corrected: bool,
    late: bool,
}

impl TicketScan {
    fn new(scan: Scan, label: Option<String>) -> TicketScan {
        let member = |json: &str, name: &str| serde_json::from_str(json).unwrap_or(Value::Null)[name].take();
        TicketScan {
            id: scan.id,
            label: label.unwrap_or_else(|| scan.list.clone()),
            list: scan.list,
            at: scan.at,
            device: scan.device,
            result: member(&scan.answer, "result"),
            anyway: member(&scan.sent, "anyway"),
            undone_at: scan.undone_at,
            lets_in: scan.lets_in,
            corrected: scan.is_corrected,
            late: scan.is_late,
        }
    }
}

impl TicketAnswer {
    fn new(app: &App, ticket: &Ticket) -> TicketAnswer {
        let content = app.content();
        let lists = content.door.lists_of(&content.event);
        let mut days: Vec<String> = ticket.lists(&lists).iter().map(|list| list.day.to_string()).collect();
        days.sort();
        days.dedup();
        TicketAnswer { id: ticket.id, ticket: DoorTicket::new(ticket, &lists), days }
    }
}

/// `POST /api/tickets {name, role: "guest", business?, note?, email?}` → `201 {id, code}`
pub async fn add(mut call: Call, session: Session) -> Result<Response> {
    let body = Fields::parse(&call.json().await?)?;
    if body.text("role")?.is_some_and(|role| role != Role::Guest.as_str()) {
        return Err(Error::field(
            "role",
            "Only guests are added here. Other tickets follow from a registration",
        ));
    }
    let guest = NewGuest {
        name: body.text("name")?.unwrap_or_default(),
        business: body.text("business")?,
        note: body.text("note")?,
        email: body.text("email")?,
    };
    let (id, code) = call.run(move |app| tickets::add(app, &session.actor(), guest)).await?;
    Ok(created(&json!({ "id": id, "code": code })))
}

/// `POST /api/tickets/<id>/void {reason}` → the ticket
pub async fn make_void(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let reason = Fields::parse(&call.json_object_if_any().await?)?.text("reason")?.unwrap_or_default();
    let ticket = call.run(move |app| tickets::make_void(app, &session.actor(), id, &reason)).await?;
    Ok(ok(&TicketAnswer::new(&call.state.app, &ticket)))
}

/// `POST /api/tickets/<id>/restore` → the ticket
pub async fn restore(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    call.json_object_if_any().await?;
    let ticket = call.run(move |app| tickets::restore(app, &session.actor(), id)).await?;
    Ok(ok(&TicketAnswer::new(&call.state.app, &ticket)))
}

/// `POST /api/tickets/<id>/note {note}` → the ticket
pub async fn set_note(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let note = Fields::parse(&call.json().await?)?.text("note")?.unwrap_or_default();
    let ticket = call.run(move |app| tickets::set_note(app, &session.actor(), id, &note)).await?;
    Ok(ok(&TicketAnswer::new(&call.state.app, &ticket)))
}

/// `POST /api/tickets/<id>/send` queues the ticket's email once more
pub async fn send(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    call.json_object_if_any().await?;
    call.run(move |app| mails::send(app, &session.actor(), id)).await?;
    Ok(ok(&json!({ "queued": 1 })))
}

/// `POST /api/tickets/send {role?}` → `202 {queued}`
pub async fn send_all(mut call: Call, session: Session) -> Result<Response> {
    let role = role_in(&Fields::parse(&call.json_object_if_any().await?)?)?;
    let queued = call.run(move |app| mails::send_all(app, &session.actor(), role)).await?;
    Ok(accepted(&json!({ "queued": queued })))
}

fn role_in(body: &Fields) -> Result<Option<Role>> {
    let role = body.text("role")?;
    role.map(|role| role.parse().map_err(|_| Error::field("role", "There is no such role"))).transpose()
}

/// `POST /api/badges {role?, madeUntil}`: the badges of the tickets made until then were printed, or with `{ticket}` that of one
pub async fn note_printed(mut call: Call, session: Session) -> Result<Response> {
    let body = Fields::parse(&call.json().await?)?;
    if let Some(id) = body.whole_number("ticket")? {
        call.run(move |app| tickets::note_one_printed(app, &session.actor(), id)).await?;
        return Ok(no_content());
    }
    let (role, made_until) = (role_in(&body)?, body.text("madeUntil")?.unwrap_or_default());
    let made_until: DateTime<Utc> = made_until
        .parse()
        .map_err(|_| Error::field("madeUntil", "Please send an instant like 2026-03-27T18:00:00Z"))?;
    call.run(move |app| tickets::note_printed(app, &session.actor(), role, made_until)).await?;
    Ok(no_content())
}

/// `PUT /api/sponsor-applications/<id>/places {places}` → the record
pub async fn set_sponsor_places(mut call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    let places = Fields::parse(&call.json().await?)?.whole_number("places")?;
    let places = places.ok_or_else(|| Error::field("places", "Please enter a number"))?;
    changed_record(&call, Kind::SponsorApplications, id, move |app| {
        tickets::set_sponsor_places(app, &session.actor(), id, places)
    })
    .await
}

pub async fn show_figures(call: Call, _session: Session) -> Result<Response> {
    Ok(ok(&call.run(figures::figures).await?))
}

/// `POST /api/door/devices {name, until?}` → `201 {id, url}`
pub async fn add_device(mut call: Call, session: Session) -> Result<Response> {
    let body = Fields::parse(&call.json().await?)?;
    let (name, until) = (body.text("name")?.unwrap_or_default(), body.text("until")?);
    let answer = call
        .run(move |app| {
            let (id, token) = devices::add(app, &session.actor(), &name, until.as_deref())?;
            // In the fragment, which no server, log or proxy sees.
            Ok(json!({ "id": id, "url": format!("{}/door#{token}", app.public_url()) }))
        })
        .await?;
    Ok(created(&answer))
}

/// `GET /api/door/devices` → `{items: [{id, name, until, lastSeenAt, waiting}]}`
pub async fn list_devices(call: Call, _session: Session) -> Result<Response> {
    let found = call.run(devices::list).await?;
    Ok(ok(&json!({ "items": found })))
}

/// `DELETE /api/door/devices/<id>` → `204`
pub async fn end_device(call: Call, session: Session) -> Result<Response> {
    let id = call.id();
    call.run(move |app| devices::end(app, &session.actor(), id)).await?;
    Ok(no_content())
}

/// `POST /api/door/session {token}` → `204` and the cookie
pub async fn sign_in(mut call: Call) -> Result<Response> {
    let token = Fields::parse(&call.json().await?)?.text("token")?;
    let token = token.ok_or_else(|| Error::field("token", "Please send the token of the link"))?;
    let network = call.client.network();
    call.state.link_failures.check(network)?;
    require_own_origin(&call.headers, &call.state.app)?;
    let known = token.clone();
    let device = call.run(move |app| devices::check(app, &known)).await;
    if let Err(Error::Unauthorised(_)) = device {
        call.state.link_failures.count(network);
    }
    let device = device?;
    let now = time::now();
    let until = device.until.parse::<DateTime<Utc>>().unwrap_or(now).max(now);
    let age = until - now + devices::LATE_SCANS;
    Ok(no_content_with(Cookie::DOOR.set(&call.state.app, &token, age)))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DoorSnapshot"))]
pub struct SnapshotAnswer {
    #[serde(flatten)]
    snapshot: Snapshot,
    at: String,
}

/// `GET /api/door/list` → `{at, lists, tickets, scans}` with an `ETag`, or `304`
pub async fn door_list(call: Call, device: Device) -> Result<Response> {
    let snapshot = call
        .run(move |app| {
            devices::touch(app, &device);
            scans::snapshot(app)
        })
        .await?;
    let tag = entity_tag(json!(snapshot).to_string().as_bytes());
    let mut response = if matches_tag(call.header(IF_NONE_MATCH), &tag) {
        warp::reply::with_status("", StatusCode::NOT_MODIFIED).into_response()
    } else {
        let answer = json!(SnapshotAnswer { snapshot, at: time::stored(time::now()) });
        // Compressed, because phones read it again and again over a hotel's network.
        let document = Document::text("application/json", "no-store", HeaderMap::new(), answer.to_string());
        let variant = document.variant(call.header(ACCEPT_ENCODING));
        let mut response = Response::new(variant.body.clone().into());
        *response.headers_mut() = variant.headers.clone();
        response
    };
    // A weak one: the answer may be compressed or not, and says when it was made.
    let tag = HeaderValue::try_from(format!("W/{tag}")).expect("a tag is ASCII");
    response.headers_mut().insert(ETAG, tag);
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    Ok(response)
}

/// `POST /api/door/scans {sentAt, waiting?, scans}` → `{results}`; also from a device that was ended less than a day ago.
pub async fn store_scans(mut call: Call, ScanSender { device, is_late }: ScanSender) -> Result<Response> {
    let body = call.bytes(MAX_BATCH).await?;
    require_json(&call.headers)?;
    let body = parse(&body)?;
    if body["scans"].as_array().is_some_and(|scans| scans.len() > scans::MAX_SCANS) {
        return Err(Error::BatchTooLarge(scans::MAX_SCANS));
    }
    let batch: Batch = serde_json::from_value(body)
        .map_err(|error| Error::Malformed(format!("This is no batch of scans: {error}.")))?;
    let results = call.run(move |app| scans::store_batch(app, &device, batch, is_late)).await?;
    Ok(ok(&json!({ "results": results })))
}

/// `POST /api/door/scans/<id>/undo {at}` → `200`, also twice
pub async fn undo(mut call: Call, _device: Device) -> Result<Response> {
    call.json_object_if_any().await?;
    let id = call.name();
    call.run(move |app| scans::undo(app, &id)).await?;
    Ok(ok(&json!({})))
}
