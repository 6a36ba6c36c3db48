//! Pages that a link in an email opens without signing in: the offer of a ticket, a receipt, unsubscribing. They have the
//! site's look and no script, are never stored or indexed, and their tokens are kept out of the log.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use http::StatusCode;
use http::header::{HeaderName, HeaderValue, LOCATION, REFERRER_POLICY};
use minijinja::{Environment, Value, context};
use percent_encoding::percent_decode_str;
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use sha2::{Digest, Sha256};
use warp::reply::Response;

use super::call::{self, Call, unknown_value};
use super::fields::query_flag;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::door::tickets::{self, TicketFilter, sync_registrations};
use crate::error::{Error, FieldErrors, Result};
use crate::http::problem;
use crate::judging::certificates::{self, CertificateKind};
use crate::model::{TransferState, ticket_code};
use crate::payments::{self, ReceiptPage};
use crate::registrations::ticket_transfers;
use crate::site::render::asset_path;
use crate::store::receipts::Details;
use crate::time;

/// The paths whose next part is a token.
pub const PATHS: [&str; 4] = ["/transfer/", "/receipt/", "/unsubscribe/", "/t/"];

/// Where the code of a certificate is checked. The code is printed on paper, and no secret.
pub const VERIFY: &str = "/verify/";

/// The pages' style, with the addresses of the site's fonts.
static STYLE: LazyLock<String> = LazyLock::new(|| {
    let font = |name: &str| asset_path(name, ".woff2").unwrap_or_default();
    include_str!("token_pages/page.css")
        .replace("FRAUNCES_DISPLAY", &font("fraunces-display"))
        .replace("FRAUNCES_TEXT", &font("fraunces-text"))
        .replace("DM_SANS", &font("dm-sans"))
        .replace("DISPLAY_ACCENTS", &font("fraunces-display-latin-1"))
        .replace("TEXT_ACCENTS", &font("fraunces-text-latin-1"))
        .replace("SANS_ACCENTS", &font("dm-sans-latin-1"))
        .replace("MORE_LETTERS", &font("fraunces-latin-ext"))
});

/// The content security policy of a page: it allows this style by its hash, and the site's own fonts and icon.
fn policy(style: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(style.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; font-src 'self'; img-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'"
    )
}

const BADGE_STYLE: &str = include_str!("token_pages/badges.css");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    for (name, source) in [
        ("page.html", include_str!("token_pages/page.html")),
        ("transfer.html", include_str!("token_pages/transfer.html")),
        ("receipt.html", include_str!("token_pages/receipt.html")),
        ("verify.html", include_str!("token_pages/verify.html")),
        ("notice.html", include_str!("token_pages/notice.html")),
        ("ticket.html", include_str!("token_pages/ticket.html")),
        ("badges.html", include_str!("token_pages/badges.html")),
        ("unsubscribe.html", include_str!("token_pages/unsubscribe.html")),
    ] {
        environment.add_template(name, source).expect("our own templates are valid");
    }
    environment
});

pub async fn transfer(call: Call) -> Result<Response> {
    let token = call.name();
    call.run(move |app| match ticket_transfers::find_offer(app, &token) {
        Ok(offer) if offer.is_usable => {
            let content = app.content();
            let event = &content.event;
            let code = tickets::code_of_holder(app, offer.transfer.entry_id, &offer.transfer.email)?;
            let values = context! {
                ticket => code.map(|code| format!("/t/{code}")),
                name => offer.transfer.name,
                from => offer.from,
                is_accepted => offer.transfer.state == TransferState::Accepted,
                when => format!("{}, {}", event.dates, event.hours),
                place => content.venue.name,
                address => content.venue.address.iter().collect::<Vec<_>>(),
            };
            page(app, StatusCode::OK, "transfer.html", "Your ticket", values)
        }
        Ok(_) => notice(app, StatusCode::CONFLICT, "This ticket can no longer be taken. Please write to us."),
        Err(error) => refusal(app, error),
    })
    .await
}

/// `POST /transfer/<token>` takes the ticket.
pub async fn accept_transfer(mut call: Call) -> Result<Response> {
    let token = call.name();
    call.form().await?;
    call.state.writes.take(call.client)?;
    call.run(move |app| {
        match ticket_transfers::accept(app, &token, time::now()).and_then(|()| sync_registrations(app)) {
            Ok(()) => Ok(see_other(&format!("/transfer/{token}"))),
            Err(error) => refusal(app, error),
        }
    })
    .await
}

/// `GET /verify/<code>`: what a certificate says, for whoever holds it.
pub async fn verify(call: Call) -> Result<Response> {
    let code = call.name();
    call.run(move |app| {
        let found = match certificates::verify(app, &code) {
            Ok(found) => found,
            Err(Error::NotFound(message)) => {
                return page(app, StatusCode::NOT_FOUND, "verify.html", "Certificate", context! { message });
            }
            Err(error) => return Err(error),
        };
        let content = app.content();
        let title = match (found.kind, found.place) {
            (CertificateKind::Place, Some(1)) => "First place",
            (CertificateKind::Place, Some(2)) => "Second place",
            (CertificateKind::Place, _) => "Third place",
            (CertificateKind::Participant, _) => "Participant",
            (CertificateKind::Judge, _) => "Judge",
            (CertificateKind::Speaker, _) => "Speaker",
        };
        let values = context! {
            name => found.name, honor => title, label => found.label, award => found.award, code => found.code,
            dates => content.event.dates,
        };
        page(app, StatusCode::OK, "verify.html", "Certificate", values)
    })
    .await
}

pub async fn receipt(call: Call) -> Result<Response> {
    let token = call.name();
    call.run(move |app| receipt_page(app, &token, None)).await
}

/// `POST /receipt/<token>` with `businessName`, `address` and `taxId`.
pub async fn set_receipt_details(mut call: Call) -> Result<Response> {
    let token = call.name();
    let form = call.form().await?;
    call.state.writes.take(call.client)?;
    let given = |name: &str| form.get(name).cloned().unwrap_or_default();
    let typed = [given("businessName"), given("address"), given("taxId")];
    call.run(move |app| {
        let [business_name, address, tax_id] = &typed;
        let saved = payments::receipt_details(business_name, address, tax_id)
            .and_then(|details| payments::set_receipt_details(app, &token, details, time::now()));
        match saved {
            Ok(()) => Ok(see_other(&format!("/receipt/{token}"))),
            Err(Error::Invalid(errors)) => {
                let [business_name, address, tax_id] = typed.map(Some);
                receipt_page(app, &token, Some((Details { business_name, address, tax_id }, errors)))
            }
            Err(error) => refusal(app, error),
        }
    })
    .await
}

/// The receipt. If details were refused, it shows them with the errors.
fn receipt_page(app: &App, token: &str, refused: Option<(Details, FieldErrors)>) -> Result<Response> {
    let ReceiptPage { lines, details, refunded, left, journey, next, ticket } =
        match payments::receipt_page(app, token, time::now()) {
            Ok(page) => page,
            Err(error) => return refusal(app, error),
        };
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let (typed, errors) = refused.unwrap_or_else(|| (details.clone(), FieldErrors::new()));
    let values = context! {
        receipt => lines,
        refunded,
        left,
        journey,
        next,
        ticket,
        details,
        typed,
        errors,
    };
    page(app, status, "receipt.html", "Receipt", values)
}

/// `GET /t/<code>`: a ticket, for whoever has its code. It shows no address, amount or other data.
pub async fn ticket(call: Call) -> Result<Response> {
    // A code may be written with spaces.
    let code = percent_decode_str(&call.name()).decode_utf8_lossy().into_owned();
    call.run(move |app| {
        let found = match tickets::by_code(app, &code) {
            Ok(found) => found,
            Err(error) => return refusal(app, error),
        };
        let content = app.content();
        let (event, attendee) = (&content.event, &found.attendee);
        let lists = content.door.lists_of(event);
        let on = found.lists(&lists);
        let days = on.iter().map(|list| format!("{}, {}", list.label, list.day.format("%A, %B %-d, %Y")));
        let values = context! {
            name => attendee.name,
            business => attendee.business,
            role => attendee.role.label(),
            seat => attendee.seat,
            note => attendee.note,
            days => days.collect::<Vec<_>>(),
            hours => event.hours,
            venue => content.venue.name,
            address => content.venue.address.iter().collect::<Vec<_>>(),
            bring => content.door.bring.get(&attendee.role),
            code => ticket_code::format(&found.code),
            qr => qr_code(&format!("{}/t/{}", app.public_url(), found.code))?,
            void_reason => found.void_reason,
        };
        let title = if found.is_valid() { "Your ticket" } else { "This ticket is void" };
        page(app, StatusCode::OK, "ticket.html", title, values)
    })
    .await
}

/// `GET /api/badges?role= &since= &ticket= &unprinted= &size=4x3|a6`: badges to print, several a sheet.
pub async fn badges(call: Call, _session: Session) -> Result<Response> {
    let role = call.query_parsed("role")?;
    let id: Option<i64> = call.query_parsed("ticket")?;
    let unprinted = query_flag(&call.query, "unprinted")?;
    let content = call.state.app.content();
    let instant = |text: String| {
        let midnight = |day: NaiveDate| content.event.time_zone.instant(day.and_time(NaiveTime::MIN));
        let parsed = text.parse::<DateTime<Utc>>().or_else(|_| text.parse().map(midnight));
        parsed.map(time::stored).map_err(|_| unknown_value("since"))
    };
    let since = call.query_value("since").map(instant).transpose()?;
    let size = call.query_value("size").unwrap_or_else(|| "4x3".into());
    if !matches!(size.as_str(), "4x3" | "a6") {
        return Err(unknown_value("size"));
    }
    let filter = TicketFilter { role, is_valid: Some(true), search: None };
    call.run(move |app| {
        let mut found = tickets::list(app, &filter)?;
        found.retain(|ticket| {
            id.is_none_or(|id| ticket.id == id)
                && since.as_ref().is_none_or(|since| ticket.created_at >= *since)
                && !(unprinted && ticket.printed_at.is_some())
        });
        let badges = found.iter().map(|ticket| {
            let attendee = &ticket.attendee;
            // The name is as large as fits.
            let fit = match attendee.name.chars().count() {
                0..=14 => "short",
                15..=26 => "medium",
                27..=40 => "long",
                41..=70 => "longest",
                _ => "tiny",
            };
            let no_photos = attendee.note.as_ref().is_some_and(|note| note.to_lowercase().contains("no photo"));
            Ok(context! {
                name => attendee.name, business => attendee.business, role => attendee.role.label(), key => attendee.role.as_str(),
                seat => attendee.seat, fit, no_photos, qr => qr_code(&ticket.code)?,
            })
        });
        let badges = badges.collect::<Result<Vec<_>>>()?;
        let event = &app.content().event;
        let values = context! { badges, size, event => event.name, style => BADGE_STYLE };
        html(StatusCode::OK, "badges.html", values, BADGE_STYLE)
    })
    .await
}

/// A QR code as SVG.
pub fn qr_code(text: &str) -> Result<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)
        .map_err(|error| Error::Internal(format!("a QR code: {error}")))?;
    let drawn = code.render::<svg::Color<'_>>().min_dimensions(200, 200).build();
    Ok(drawn.find("<svg").map_or_else(String::new, |at| drawn[at..].to_owned()))
}

/// The page of a link to unsubscribe, which asks.
pub fn ask_to_unsubscribe(app: &App) -> Result<Response> {
    page(app, StatusCode::OK, "unsubscribe.html", "Unsubscribe", context! { is_done => false })
}

/// The page that confirms it.
pub fn unsubscribed(app: &App) -> Result<Response> {
    page(app, StatusCode::OK, "unsubscribe.html", "You are unsubscribed", context! { is_done => true })
}

/// A page for a link that does not work. Any other error is returned.
pub fn refusal(app: &App, error: Error) -> Result<Response> {
    match &error {
        Error::NotFound(message) | Error::Conflict(message) => notice(app, problem::status(&error), message),
        _ => Err(error),
    }
}

fn notice(app: &App, status: StatusCode, message: &str) -> Result<Response> {
    page(app, status, "notice.html", "This link does not work", context! { message })
}

fn page(app: &App, status: StatusCode, template: &str, title: &str, values: Value) -> Result<Response> {
    let content = app.content();
    let common = context! {
        title,
        event => content.event.name,
        event_dates => content.event.dates,
        event_city => content.event.city,
        email => content.contact.email,
        demo_banner => app.demo_banner(),
        style => STYLE.as_str(),
    };
    html(status, template, context! { ..values, ..common }, &STYLE)
}

/// A page with one style, which its policy allows by its hash.
fn html(status: StatusCode, template: &str, values: Value, style: &str) -> Result<Response> {
    let html = TEMPLATES
        .get_template(template)
        .and_then(|template| template.render(values))
        .map_err(|error| Error::Internal(format!("the page '{template}': {error:#}")))?;
    let policy = HeaderValue::try_from(policy(style))
        .map_err(|error| Error::Internal(format!("the content security policy: {error}")))?;
    let mut response = call::html(html, policy);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    // No other site learns the token. Without any referrer, the form's `Origin` would be null.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(ROBOTS, HeaderValue::from_static("noindex, nofollow"));
    Ok(response)
}

/// Redirects to the page, so that reloading it does not send the form again. A token has no character that needs encoding.
fn see_other(path: &str) -> Response {
    let mut response = Response::new(Default::default());
    *response.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(path) = HeaderValue::try_from(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    response
}
