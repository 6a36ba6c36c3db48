//! The JSON API: one table of paths, one file of handlers a topic.

mod accounts;
pub mod artist;
mod call;
mod caller;
mod content;
pub mod cookie;
mod corrections;
pub mod door;
mod erasure;
mod exports;
mod fields;
mod first_steps;
mod health;
mod images;
mod invitations;
mod judge;
pub mod judging;
mod lists;
mod mail_texts;
mod mailings;
mod media_file;
pub mod nominations;
mod openapi;
mod openings;
mod outbox;
mod overview;
mod paging;
mod participation;
mod payments;
mod precondition;
mod records;
mod reports;
mod route;
pub mod session;
mod sign_in;
mod sign_in_limits;
pub mod state;
mod submissions;
mod tickets;
pub mod token_pages;

use std::convert::Infallible;
use std::sync::Arc;

use http::{Method, Request};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use warp::reply::Response;
use warp::{Filter, Rejection, Reply};

use self::artist::PortalIsOpen;
use self::artist::uploads::tus;
use self::call::Call;
use self::caller::{for_caller, organiser};
use self::door::ScanSender;
use self::judge::SomethingIsJudged;
use self::judging::TieDecider;
pub use self::route::ResponseFuture;
use self::route::{Endpoint, first_of, public, route};
use self::state::ApiState;
use super::server::activity::RequestBody;
use crate::app::App;
use crate::door::devices::Device;
use crate::error::{self, Error};
use crate::judging::access::Judge;
use crate::payments::{make_complimentary, withdraw_entry};
use crate::portal::access::{Artist, Audience};
use crate::registrations::export::Format;
use crate::reports::Cadence;

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const PATCH: Method = Method::PATCH;
const PUT: Method = Method::PUT;
const DELETE: Method = Method::DELETE;
const OPTIONS: Method = Method::OPTIONS;

/// Defines a function for each kind of caller, which the table of paths uses like [`public`].
macro_rules! callers {
    ($($name:ident: $caller:ty,)*) => {$(
        fn $name<F, Fut>(method: Method, handler: F) -> Endpoint
        where
            F: Fn(Call, $caller) -> Fut + Send + Sync + Copy + 'static,
            Fut: Future<Output = error::Result<Response>> + Send + 'static,
        {
            for_caller(method, handler)
        }
    )*};
}

callers! {
    artist: Artist,
    judge: Judge,
    tie_decider: TieDecider,
    device: Device,
    scan_sender: ScanSender,
    portal_visitor: PortalIsOpen,
    judging_visitor: SomethingIsJudged,
}

/// Every path with its methods, and who may call each. The first match answers, so the busiest paths come first.
#[rustfmt::skip]
fn paths() -> Vec<(&'static str, Vec<Endpoint>)> {
    vec![
        ("/api/{kind}", vec![public(POST, submissions::submit), organiser(GET, records::list)]),
        ("/api/create-competition-payment-intent", vec![public(POST, payments::create_intent)]),
        ("/api/competition-payments/status", vec![public(POST, payments::status)]),
        ("/api/demo-payment", vec![public(POST, payments::demo_payment)]),
        ("/api/stripe/webhook", vec![public(POST, payments::webhook)]),
        ("/healthz", vec![public(GET, health::alive)]),
        ("/readyz", vec![public(GET, health::ready)]),
        ("/api/openapi.json", vec![public(GET, health::description)]),

        ("/transfer/{name}", vec![public(GET, token_pages::transfer), public(POST, token_pages::accept_transfer)]),
        ("/receipt/{name}", vec![public(GET, token_pages::receipt), public(POST, token_pages::set_receipt_details)]),
        ("/api/artist/links", vec![portal_visitor(POST, artist::access::send_link)]),
        ("/api/artist/session", vec![portal_visitor(POST, |call, _| artist::access::sign_in(call, Audience::Competitors)), portal_visitor(GET, artist::access::show), portal_visitor(DELETE, |call, _| artist::access::sign_out(call, Audience::Competitors))]),
        ("/api/artist/session/end-all", vec![artist(POST, |call, artist| artist::access::end_all(call, Audience::Competitors, artist.email))]),
        ("/api/artist/nominations", vec![artist(GET, artist::nominations::list)]),
        ("/api/artist/nominations/{id}", vec![artist(GET, artist::nominations::show)]),
        ("/api/artist/nominations/{id}/hand-in", vec![artist(POST, artist::nominations::hand_in)]),
        ("/api/artist/nominations/{id}/score-sheet", vec![artist(GET, judging::certificates::score_sheet)]),
        ("/api/artist/relations", vec![artist(GET, artist::relations::show), artist(PUT, artist::relations::declare)]),
        ("/api/artist/uploads", vec![tus(artist(POST, artist::uploads::create)), tus(portal_visitor(OPTIONS, artist::uploads::options))]),
        ("/api/artist/uploads/{name}", vec![tus(artist(GET, artist::uploads::show)), tus(artist(PATCH, artist::uploads::append)), tus(artist(DELETE, artist::uploads::delete)), tus(portal_visitor(OPTIONS, artist::uploads::options))]),
        ("/api/artist/media/{id}", vec![artist(GET, artist::uploads::show_media), artist(DELETE, artist::uploads::delete_media)]),
        ("/api/releases/{name}", vec![portal_visitor(GET, artist::releases::show), portal_visitor(POST, artist::releases::sign)]),

        ("/api/judge/links", vec![judging_visitor(POST, judge::access::send_link)]),
        ("/api/judge/session", vec![judging_visitor(POST, |call, _| artist::access::sign_in(call, Audience::Judges)), judging_visitor(GET, judge::access::show), judging_visitor(DELETE, |call, _| artist::access::sign_out(call, Audience::Judges))]),
        ("/api/judge/session/end-all", vec![judge(POST, |call, judge| artist::access::end_all(call, Audience::Judges, judge.email))]),
        ("/api/judge/terms", vec![judge(GET, judge::access::terms), judge(POST, judge::access::accept_terms)]),
        ("/api/judge/work", vec![judge(GET, judge::sheets::work)]),
        ("/api/judge/conflicts", vec![judge(GET, judge::sheets::names), judge(POST, judge::sheets::declare)]),
        ("/api/judge/panel", vec![judge(GET, judge::sheets::panel)]),
        ("/api/judge/reopen", vec![judge(POST, judge::sheets::reopen)]),
        ("/api/judge/photos/{name}", vec![judge(GET, judge::sheets::photo)]),
        ("/api/judge/sheets/{name}", vec![judge(GET, judge::sheets::show)]),
        ("/api/judge/sheets/{name}/scores", vec![judge(PUT, judge::sheets::save)]),
        ("/api/judge/sheets/{name}/confirm", vec![judge(POST, judge::sheets::confirm)]),
        ("/api/judge/sheets/{name}/recuse", vec![judge(POST, judge::sheets::recuse)]),
        ("/api/judge/sheets/{name}/second-look", vec![judge(POST, judge::sheets::second_look)]),
        ("/api/judge/sheets/{name}/tie", vec![judge(POST, judge::sheets::tie)]),
        ("/api/verify/{name}", vec![public(GET, judging::certificates::verify)]),
        ("/verify/{name}", vec![public(GET, token_pages::verify)]),

        ("/api/admin/session", vec![public(POST, sign_in::sign_in), public(GET, sign_in::show), public(DELETE, sign_in::sign_out)]),
        ("/api/admin/session/confirm", vec![organiser(POST, sign_in::confirm)]),
        ("/api/admin/sessions", vec![organiser(GET, accounts::sessions)]),
        ("/api/admin/sessions/{name}", vec![organiser(DELETE, accounts::end_session)]),
        ("/api/admin/accounts", vec![organiser(GET, accounts::list), organiser(POST, accounts::add)]),
        ("/api/admin/accounts/{name}", vec![organiser(PATCH, accounts::change), organiser(DELETE, accounts::remove)]),

        ("/api/{kind}/{id}", vec![organiser(GET, records::show), organiser(PATCH, records::change)]),
        ("/api/{kind}/{id}/address", vec![organiser(POST, records::correct_address)]),
        ("/api/{kind}/{id}/fields", vec![organiser(PATCH, corrections::correct)]),
        ("/api/{kind}/{id}/fields/preview", vec![organiser(POST, corrections::preview)]),
        ("/api/{kind}/{id}/decision-mail", vec![organiser(GET, records::decision_mail)]),
        ("/api/{kind}/{id}/decision-mail/html", vec![organiser(GET, records::decision_mail_html)]),
        ("/api/competition-entries/{id}/withdraw", vec![organiser(POST, |call, session| participation::change(call, session, withdraw_entry))]),
        ("/api/competition-entries/{id}/complimentary", vec![organiser(POST, |call, session| participation::change(call, session, make_complimentary))]),
        ("/api/competition-entries/{id}/transfer", vec![organiser(POST, tickets::offer)]),
        ("/api/competition-entries/{id}/receipt-link", vec![organiser(POST, payments::receipt_link)]),
        ("/api/competition-entries/{id}/refund", vec![organiser(POST, payments::refund)]),
        ("/api/competition-entries/{id}/refund-mail", vec![organiser(GET, payments::refund_mail)]),
        ("/api/competition-entries/{id}/refund-mail/html", vec![organiser(GET, payments::refund_mail_html)]),
        ("/api/sponsor-applications/{id}/places", vec![organiser(PUT, door::set_sponsor_places)]),
        ("/api/payment-findings", vec![organiser(GET, payments::findings)]),
        ("/api/payment-findings/{id}/settle", vec![organiser(POST, payments::settle)]),
        ("/api/nominations", vec![organiser(GET, nominations::list)]),
        ("/api/nominations/{id}", vec![organiser(GET, nominations::show), organiser(PATCH, nominations::change)]),
        ("/api/nominations/{id}/photos/{name}", vec![organiser(GET, nominations::photo)]),
        ("/api/nominations/{id}/confirm-release", vec![organiser(POST, nominations::confirm_release)]),
        ("/api/nominations/{id}/link", vec![organiser(POST, nominations::replace_link)]),
        ("/api/nominations/{id}/{name}", vec![organiser(POST, nominations::decide)]),
        ("/api/judges", vec![organiser(GET, judging::judges::list), organiser(POST, judging::judges::invite)]),
        ("/api/judges/{id}", vec![organiser(GET, judging::judges::show), organiser(PATCH, judging::judges::change), organiser(DELETE, judging::judges::remove)]),
        ("/api/judges/{id}/link", vec![organiser(POST, judging::judges::replace_link)]),
        ("/api/judging", vec![organiser(GET, judging::list)]),
        ("/api/judging/ceremony", vec![organiser(GET, judging::certificates::ceremony)]),
        ("/api/judging/certificates", vec![organiser(GET, judging::certificates::list)]),
        ("/api/judging/{name}/{other}", vec![organiser(GET, |call, _| judging::show(call))]),
        ("/api/judging/{name}/{other}/panel", vec![organiser(POST, judging::set_panel)]),
        ("/api/judging/{name}/{other}/conflicts", vec![organiser(POST, judging::add_conflict)]),
        ("/api/judging/{name}/{other}/conflicts/remove", vec![organiser(POST, judging::remove_conflict)]),
        ("/api/judging/{name}/{other}/relations/{request}/accept", vec![organiser(POST, judging::accept_relation)]),
        ("/api/judging/{name}/{other}/relations/{request}/reject", vec![organiser(POST, judging::reject_relation)]),
        ("/api/judging/{name}/{other}/second-looks", vec![organiser(POST, judging::ask_second_look)]),
        ("/api/judging/{name}/{other}/second-looks/cancel", vec![organiser(POST, judging::cancel_second_look)]),
        ("/api/judging/{name}/{other}/paper", vec![organiser(GET, judging::typed), organiser(POST, judging::type_in)]),
        ("/api/judging/{name}/{other}/paper/verify", vec![organiser(POST, judging::verify_typed)]),
        ("/api/judging/{name}/{other}/tie", vec![tie_decider(POST, judging::tie)]),
        ("/api/judging/{name}/{other}/seal", vec![organiser(POST, judging::seal)]),
        ("/api/judging/{name}/{other}/reopen", vec![organiser(POST, judging::reopen)]),
        ("/api/judging/{name}/{other}/publish", vec![organiser(POST, judging::publish)]),
        ("/api/tickets", vec![organiser(GET, door::list), organiser(POST, door::add)]),
        ("/api/tickets/send", vec![organiser(POST, door::send_all)]),
        ("/api/tickets/figures", vec![organiser(GET, door::show_figures)]),
        ("/api/tickets/{id}", vec![organiser(GET, door::show)]),
        ("/api/tickets/{id}/void", vec![organiser(POST, door::make_void)]),
        ("/api/tickets/{id}/restore", vec![organiser(POST, door::restore)]),
        ("/api/tickets/{id}/send", vec![organiser(POST, door::send)]),
        ("/api/tickets/{id}/note", vec![organiser(POST, door::set_note)]),
        ("/api/door/devices", vec![organiser(GET, door::list_devices), organiser(POST, door::add_device)]),
        ("/api/door/devices/{id}", vec![organiser(DELETE, door::end_device)]),
        ("/api/door/session", vec![public(POST, door::sign_in)]),
        ("/api/door/list", vec![device(GET, door::door_list)]),
        ("/api/door/scans", vec![scan_sender(POST, door::store_scans)]),
        ("/api/door/scans/{name}/undo", vec![device(POST, door::undo)]),
        ("/api/badges", vec![organiser(GET, token_pages::badges), organiser(POST, door::note_printed)]),
        ("/t/{name}", vec![public(GET, token_pages::ticket)]),
        ("/api/search", vec![organiser(GET, records::search)]),

        ("/api/outbox", vec![organiser(GET, outbox::list)]),
        ("/api/outbox/retry", vec![organiser(POST, outbox::retry_all)]),
        ("/api/outbox/{id}", vec![organiser(GET, outbox::show)]),
        ("/api/outbox/{id}/html", vec![organiser(GET, outbox::html)]),
        ("/api/outbox/{id}/retry", vec![organiser(POST, outbox::retry)]),
        ("/api/outbox/{id}/discard", vec![organiser(POST, outbox::discard)]),
        ("/api/outbox/{id}/correct", vec![organiser(POST, outbox::correct)]),

        ("/api/mailings", vec![organiser(GET, mailings::list), organiser(POST, mailings::create)]),
        ("/api/mailings/count", vec![organiser(POST, mailings::count)]),
        ("/api/mailings/placeholders", vec![organiser(GET, mailings::placeholders)]),
        ("/api/mailings/refused", vec![organiser(GET, mailings::refused)]),
        ("/api/mailings/{id}", vec![organiser(GET, mailings::show), organiser(PATCH, mailings::change), organiser(DELETE, mailings::delete)]),
        ("/api/mailings/{id}/preview", vec![organiser(GET, mailings::preview)]),
        ("/api/mailings/{id}/preview/html", vec![organiser(GET, mailings::preview_html)]),
        ("/api/mailings/{id}/test", vec![organiser(POST, mailings::test)]),
        ("/api/mailings/{id}/send", vec![organiser(POST, mailings::send)]),
        ("/api/mailings/{id}/pause", vec![organiser(POST, mailings::pause)]),
        ("/api/mailings/{id}/stop", vec![organiser(POST, mailings::stop)]),
        ("/api/mail-texts", vec![organiser(GET, mail_texts::list)]),
        ("/api/mail-texts/{name}", vec![organiser(GET, mail_texts::show), organiser(PATCH, mail_texts::change), organiser(DELETE, mail_texts::reset)]),
        ("/api/mail-texts/{name}/preview", vec![organiser(POST, mail_texts::preview)]),
        ("/api/mail-texts/{name}/preview/html", vec![organiser(GET, mail_texts::preview_html)]),
        ("/api/content/draft", vec![organiser(GET, content::show), organiser(PATCH, content::change)]),
        ("/api/content/draft/publish", vec![organiser(POST, content::publish)]),
        ("/api/content/draft/discard", vec![organiser(POST, content::discard)]),
        ("/api/content/images", vec![organiser(GET, images::list), organiser(POST, images::add)]),
        ("/api/content/images/{name}", vec![organiser(GET, images::show), organiser(PATCH, images::describe), organiser(DELETE, images::remove)]),
        ("/api/content/preview/{name}", vec![organiser(GET, content::preview)]),
        ("/api/content/revisions", vec![organiser(GET, content::revisions)]),
        ("/api/content/revisions/{id}", vec![organiser(GET, content::revision)]),
        ("/api/content/revisions/{id}/restore", vec![organiser(POST, content::restore)]),
        ("/api/first-steps", vec![organiser(GET, first_steps::list)]),
        ("/api/waitlist-signups/invite", vec![organiser(POST, invitations::invite)]),
        ("/api/waitlist-signups/{id}/invite", vec![organiser(POST, invitations::invite_one)]),
        ("/api/waitlist-invitations/check", vec![public(POST, invitations::check)]),
        ("/unsubscribe/{name}", vec![public(GET, mailings::ask_to_unsubscribe), public(POST, mailings::unsubscribe)]),

        ("/api/export/csv", vec![organiser(GET, |call, session| exports::export(call, session, Format::Csv))]),
        ("/api/export/json", vec![organiser(GET, exports::json)]),
        ("/api/export/xlsx", vec![organiser(GET, |call, session| exports::export(call, session, Format::Xlsx))]),
        ("/api/lists/{name}/{other}", vec![organiser(GET, lists::show)]),
        ("/api/export/send-daily-report", vec![organiser(POST, |call, session| reports::send(call, session, Cadence::Daily))]),
        ("/api/export/send-weekly-report", vec![organiser(POST, |call, session| reports::send(call, session, Cadence::Weekly))]),
        ("/api/export/send-notification", vec![organiser(POST, reports::notify)]),
        ("/api/scheduler/status", vec![organiser(GET, reports::status)]),
        ("/api/scheduler/start", vec![organiser(POST, |call, session| reports::switch(call, session, crate::reports::start))]),
        ("/api/scheduler/stop", vec![organiser(POST, |call, session| reports::switch(call, session, crate::reports::stop))]),

        ("/api/audit", vec![organiser(GET, overview::audit)]),
        ("/api/tallies", vec![organiser(GET, overview::daily_counts)]),
        ("/api/attention", vec![organiser(GET, overview::attention)]),
        ("/api/storage", vec![organiser(GET, overview::storage)]),
        ("/api/backups", vec![organiser(GET, overview::backups), organiser(POST, overview::back_up)]),
        ("/api/edition/erasure", vec![organiser(GET, erasure::show), organiser(POST, erasure::erase)]),
        ("/api/openings", vec![organiser(GET, openings::list)]),
        ("/api/openings/{kind}", vec![organiser(POST, openings::set)]),
    ]
}

/// Whether a path belongs to the API: `/api/…`, the health checks and the pages that a token opens.
pub fn is_api_path(path: &str) -> bool {
    path == "/api"
        || path.starts_with("/api/")
        || path == "/healthz"
        || path == "/readyz"
        || holds_token(path)
        || path.starts_with(token_pages::VERIFY)
}

/// Whether a path holds the token of a link, which must not be logged.
pub fn holds_token(path: &str) -> bool {
    token_pages::PATHS.iter().any(|start| path.starts_with(start))
}

/// The whole API as one function from request to response.
pub fn service(app: &Arc<App>) -> Box<dyn Fn(Request<RequestBody>) -> ResponseFuture + Send + Sync> {
    let state = Arc::new(ApiState::new(app));
    let routes = paths().into_iter().map(|(path, endpoints)| route(&state, path, endpoints)).collect();
    let service = TowerToHyperService::new(warp::service(first_of(routes).recover(recover).unify()));
    Box::new(move |request| {
        let answered = service.call(request);
        Box::pin(async move {
            let Ok(response) = answered.await;
            response
        })
    })
}

/// Answers a request that no route accepted.
async fn recover(rejection: Rejection) -> Result<Response, Infallible> {
    let error = if rejection.is_not_found() {
        Error::no_such_path()
    } else {
        tracing::debug!("rejected: {rejection:?}");
        Error::Malformed("The headers or the query of this request cannot be read.".into())
    };
    Ok(error.into_response())
}
