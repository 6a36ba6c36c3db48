//! Every path of the API. A path's filters end in one that names its methods, for 405 and `Allow`.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use warp::reply::Response;
use warp::{Filter, Rejection, Reply};

use super::body::{self, BodyLimits};
use super::client::Client;
use super::desk::Desk;
use super::handlers::{health, registrations};
use crate::app::App;
use crate::error::Error;
use crate::model::Kind;

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Whether a path belongs to the filters: whatever is not a page or an asset, and speaks to machines.
pub fn takes(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/") || path == "/healthz" || path == "/readyz"
}

/// All filters as one function from request to response.
pub fn service(app: &Arc<App>) -> Box<dyn Fn(Request<Incoming>) -> Answer + Send + Sync> {
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
    let api = warp::path("api");
    api.and(registration_paths(desk)).or(health_paths(desk)).unify().recover(recover).unify()
}

/// `/healthz` and `/readyz`.
fn health_paths(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let alive = warp::path!("healthz").and(warp::get()).map(health::alive);
    let ready = warp::path!("readyz").and(warp::get()).and(with(desk)).then(health::ready);
    let other = warp::path!("healthz").or(warp::path!("readyz")).unify();
    let other = other.map(|| Error::MethodNotAllowed("GET, HEAD").into_response());
    let alive = alive.map(Reply::into_response);
    alive.or(ready.map(Reply::into_response)).unify().or(other).unify()
}

/// `/api/<kind>`.
fn registration_paths(
    desk: &Arc<Desk>,
) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let kind = warp::path::param::<Kind>().and(warp::path::end());
    let register = kind
        .and(warp::post())
        .and(with(desk))
        .and(warp::ext::get::<Client>())
        .and(warp::header::optional::<String>("idempotency-key"))
        .and(body::json(body_limits(desk)))
        .then(registrations::register)
        .map(Reply::into_response);
    let other = kind.map(|_| Error::MethodNotAllowed("POST").into_response());
    register.or(other).unify()
}

fn with(desk: &Arc<Desk>) -> impl Filter<Extract = (Arc<Desk>,), Error = Infallible> + Clone + use<> {
    let desk = Arc::clone(desk);
    warp::any().map(move || Arc::clone(&desk))
}

fn body_limits(desk: &Desk) -> BodyLimits {
    let limits = &desk.app.config.limits;
    BodyLimits { bytes: limits.body_bytes, time: Duration::from_secs(limits.body_seconds) }
}

/// Whatever no filter took: there is nothing at this path.
async fn recover(rejection: Rejection) -> Result<Response, Infallible> {
    let error = if rejection.is_not_found() {
        Error::NotFound("There is nothing at this address.".into())
    } else {
        tracing::debug!("rejected: {rejection:?}");
        Error::Malformed("A header of this request cannot be read.".into())
    };
    Ok(error.into_response())
}
