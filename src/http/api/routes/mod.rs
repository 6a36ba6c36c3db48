//! Every path of the API. A path's filters end in one that names its methods, for 405 and `Allow`.

mod organiser;
mod payments;

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::{HeaderMap, Request};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use warp::filters::BoxedFilter;
use warp::reply::Response;
use warp::{Filter, Rejection, Reply};

use super::handlers::{admin, export, health, lists, registrations, reports};
use super::session::signed_in;
use super::state::Desk;
use crate::admin::sessions::Session;
use crate::app::App;
use crate::error::{self, Error};
use crate::http::body::{self, BodyLimits};
use crate::http::client_ip::Client;
use crate::http::server::activity::Received;
use crate::model::Kind;
use crate::registrations::export::Format;
use crate::reports::Cadence;

/// What answers some paths and leaves the others to the next one.
type Route = BoxedFilter<(Response,)>;
/// An answer that takes its time.
pub type Later = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Whether a path belongs to the filters: whatever is not a page or an asset, and speaks to machines.
pub fn takes(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/") || path == "/healthz" || path == "/readyz"
}

/// All filters as one function from request to response.
pub fn service(app: &Arc<App>) -> Box<dyn Fn(Request<Received>) -> Later + Send + Sync> {
    let desk = Arc::new(Desk::new(app));
    let service = TowerToHyperService::new(warp::service(all(&desk)));
    Box::new(move |request| {
        let answered = service.call(request);
        Box::pin(async move {
            let Ok(response) = answered.await;
            response
        })
    })
}

fn all(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Infallible> + Clone + use<> {
    let api = any_of([
        registration_paths(desk),
        payments::paths(desk),
        session_path(desk),
        export_paths(desk),
        record_path(desk),
        report_paths(desk),
        scheduler_paths(desk),
        organiser::paths(desk),
    ]);
    any_of([warp::path("api").and(api).boxed(), health_paths(desk)]).recover(recover).unify()
}

/// The first of these that takes a request. They are boxed, so that one piece of code tries them all: `or`
/// makes another one for each pair of types.
fn any_of<const N: usize>(routes: [Route; N]) -> Route {
    routes.into_iter().reduce(|tried, next| tried.or(next).unify().boxed()).expect("at least one route")
}

/// `/api/<kind>`: visitors send, the organiser lists.
fn registration_paths(desk: &Arc<Desk>) -> Route {
    let kind = warp::path::param::<Kind>().and(warp::path::end());
    let register = kind
        .and(warp::post())
        .and(with(desk))
        .and(warp::ext::get::<Client>())
        .and(idempotency_key())
        .and(body::json(body_limits(desk)))
        .then(registrations::register)
        .map(Reply::into_response)
        .boxed();
    let list = kind
        .and(warp::get())
        .and(with(desk))
        .and(signed_in(desk))
        .and(query())
        .then(lists::list)
        .map(Reply::into_response)
        .boxed();
    let other = kind.map(|_| Error::MethodNotAllowed("GET, HEAD, POST").into_response()).boxed();
    any_of([register, list, other])
}

/// `/api/<kind>/<id>` and what is below it.
fn record_path(desk: &Arc<Desk>) -> Route {
    let record = warp::path::param::<Kind>().and(warp::path::param::<i64>()).and(warp::path::end());
    let show = record
        .and(warp::get())
        .and(with(desk))
        .and(signed_in(desk))
        .then(lists::show)
        .map(Reply::into_response)
        .boxed();
    let change = record
        .and(warp::patch())
        .and(with(desk))
        .and(signed_in_with_json(desk))
        .then(lists::change)
        .map(Reply::into_response)
        .boxed();
    let other = record.map(|_, _| Error::MethodNotAllowed("GET, HEAD, PATCH").into_response()).boxed();
    let mail = warp::path::param::<Kind>().and(warp::path::param::<i64>());
    let mail = mail.and(warp::path("decision-mail"));
    let mail_html = mail.and(warp::path("html")).and(warp::path::end());
    let mail = mail.and(warp::path::end());
    let preview = mail
        .and(warp::get())
        .and(with(desk))
        .and(signed_in(desk))
        .and(query())
        .then(lists::decision_mail)
        .map(Reply::into_response)
        .boxed();
    let address = warp::path::param::<Kind>().and(warp::path::param::<i64>());
    let address = address.and(warp::path("address")).and(warp::path::end());
    let correct = address
        .and(warp::post())
        .and(with(desk))
        .and(signed_in_with_json(desk))
        .then(lists::correct_address)
        .map(Reply::into_response)
        .boxed();
    let no_read = address.map(|_, _| Error::MethodNotAllowed("POST").into_response()).boxed();
    let preview_html = mail_html
        .and(warp::get())
        .and(with(desk))
        .and(signed_in(desk))
        .and(query())
        .then(lists::decision_mail_html)
        .map(Reply::into_response)
        .boxed();
    let read = mail.or(mail_html).unify();
    let no_write = read.map(|_, _| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    any_of([show, change, other, preview, preview_html, correct, no_write, no_read])
}

/// `/api/admin/session` and `/api/admin/session/confirm`.
fn session_path(desk: &Arc<Desk>) -> Route {
    let session = warp::path("admin").and(warp::path("session")).and(warp::path::end());
    let headers = warp::header::headers_cloned;
    let sign_in = session
        .and(warp::post())
        .and(with(desk))
        .and(warp::ext::get::<Client>())
        .and(headers())
        .and(body::json(body_limits(desk)))
        .then(admin::sign_in)
        .map(Reply::into_response)
        .boxed();
    let show =
        session.and(warp::get()).and(signed_in(desk)).then(admin::show).map(Reply::into_response).boxed();
    let sign_out = session
        .and(warp::delete())
        .and(with(desk))
        .and(headers())
        .then(admin::sign_out)
        .map(Reply::into_response)
        .boxed();
    let confirmed =
        warp::path("admin").and(warp::path("session")).and(warp::path("confirm")).and(warp::path::end());
    let confirm = confirmed
        .and(warp::post())
        .and(with(desk))
        .and(warp::ext::get::<Client>())
        .and(signed_in_with_json(desk))
        .then(admin::confirm)
        .map(Reply::into_response)
        .boxed();
    let other = session.map(|| Error::MethodNotAllowed("DELETE, GET, HEAD, POST").into_response()).boxed();
    let no_read = confirmed.map(|| Error::MethodNotAllowed("POST").into_response()).boxed();
    any_of([sign_in, show, sign_out, confirm, other, no_read])
}

/// `/api/export/…`.
fn export_paths(desk: &Arc<Desk>) -> Route {
    let export = warp::path("export");
    let file = |name: &'static str, format: Format| {
        export.and(warp::path(name)).and(warp::path::end()).map(move || format)
    };
    let csv_or_json = file("csv", Format::Csv).or(file("json", Format::Json)).unify();
    let format = csv_or_json.or(file("xlsx", Format::Xlsx)).unify();
    let get = format
        .and(warp::get())
        .and(with(desk))
        .and(signed_in(desk))
        .and(query())
        .then(export::export)
        .map(Reply::into_response)
        .boxed();
    let other = format.map(|_| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    any_of([get, other])
}

/// `/api/export/send-…`.
fn report_paths(desk: &Arc<Desk>) -> Route {
    let export = warp::path("export");
    let daily = export.and(warp::path("send-daily-report")).and(warp::path::end()).map(|| Cadence::Daily);
    let weekly = export.and(warp::path("send-weekly-report")).and(warp::path::end()).map(|| Cadence::Weekly);
    let cadence = daily.or(weekly).unify();
    let notification = export.and(warp::path("send-notification")).and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let send = cadence.and(warp::post()).and(asked()).then(reports::send).map(Reply::into_response).boxed();
    let notify = notification
        .and(warp::post())
        .and(with(desk))
        .and(signed_in_with_json(desk))
        .then(reports::notify)
        .map(Reply::into_response)
        .boxed();
    let other = cadence.map(|_| ()).untuple_one().or(notification).unify();
    let other = other.map(|| Error::MethodNotAllowed("POST").into_response()).boxed();
    any_of([send, notify, other])
}

/// `/api/scheduler/…`.
fn scheduler_paths(desk: &Arc<Desk>) -> Route {
    let scheduler = warp::path("scheduler");
    let status = scheduler.and(warp::path("status")).and(warp::path::end());
    let start = scheduler.and(warp::path("start")).and(warp::path::end()).map(|| true);
    let stop = scheduler.and(warp::path("stop")).and(warp::path::end()).map(|| false);
    let switch = start.or(stop).unify();
    let asked = || with(desk).and(signed_in(desk));
    let show = status.and(warp::get()).and(asked()).then(reports::status).map(Reply::into_response).boxed();
    let switched =
        switch.and(warp::post()).and(asked()).then(reports::switch).map(Reply::into_response).boxed();
    let no_read = status.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    let no_write = switch.map(|_| Error::MethodNotAllowed("POST").into_response()).boxed();
    any_of([show, switched, no_read, no_write])
}

/// The `Idempotency-Key`, or that it cannot be read.
fn idempotency_key() -> impl Filter<Extract = (error::Result<Option<String>>,), Error = Infallible> + Copy {
    warp::header::headers_cloned().map(|headers: HeaderMap| {
        let read = |value: &http::HeaderValue| value.to_str().map(str::to_owned);
        let key = headers.get("idempotency-key").map(read).transpose();
        key.map_err(|_| Error::Malformed("An Idempotency-Key is made of visible ASCII characters.".into()))
    })
}

fn query() -> impl Filter<Extract = (HashMap<String, String>,), Error = Rejection> + Copy {
    warp::query::<HashMap<String, String>>()
}

/// `/healthz`, `/readyz` and `/api/openapi.json`.
fn health_paths(desk: &Arc<Desk>) -> Route {
    let alive = warp::path!("healthz")
        .and(warp::get())
        .and(with(desk))
        .and(warp::ext::get::<Client>())
        .and(warp::header::headers_cloned())
        .then(health::alive);
    let ready = warp::path!("readyz").and(warp::get()).and(with(desk)).then(health::ready);
    let described = warp::path!("api" / "openapi.json");
    let describe = described.and(warp::get()).map(health::description).map(Reply::into_response).boxed();
    let other = warp::path!("healthz").or(warp::path!("readyz")).unify().or(described).unify();
    let other = other.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    let alive = alive.map(Reply::into_response).boxed();
    any_of([alive, ready.map(Reply::into_response).boxed(), describe, other])
}

fn with(desk: &Arc<Desk>) -> impl Filter<Extract = (Arc<Desk>,), Error = Infallible> + Clone + use<> {
    let desk = Arc::clone(desk);
    warp::any().map(move || Arc::clone(&desk))
}

/// Who is signed in, and the JSON of the request: an organiser may send more than a visitor.
fn signed_in_with_json(
    desk: &Arc<Desk>,
) -> impl Filter<Extract = (error::Result<Session>, error::Result<Value>), Error = Rejection> + Clone + use<>
{
    let visitors = body_limits(desk);
    let organisers = desk.body_limits(desk.app.config.limits.signed_in_body_bytes);
    signed_in(desk)
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<Client>())
        .and(warp::body::stream())
        .then(move |session: error::Result<Session>, headers: HeaderMap, client: Client, stream| {
            let is_organiser = session.is_ok();
            let limits = if is_organiser { organisers.clone() } else { visitors.clone() };
            async move {
                let client = (!is_organiser).then_some(client);
                let json = body::read_json(&headers, stream, &limits, client).await;
                (session, json)
            }
        })
        .untuple_one()
}

fn body_limits(desk: &Desk) -> BodyLimits {
    desk.body_limits(desk.app.config.limits.body_bytes)
}

/// Whatever no filter took: there is nothing at this path.
async fn recover(rejection: Rejection) -> Result<Response, Infallible> {
    let error = if rejection.is_not_found() {
        Error::NotFound("There is nothing at this address.".into())
    } else {
        tracing::debug!("rejected: {rejection:?}");
        Error::Malformed("The headers or the query of this request cannot be read.".into())
    };
    Ok(error.into_response())
}
