//! Paths of card payment.

use std::sync::Arc;

use warp::reply::Response;
use warp::{Filter, Rejection, Reply};

use super::{body_limits, idempotency_key, with};
use crate::error::Error;
use crate::model::Kind;
use crate::web::body;
use crate::web::client::Client;
use crate::web::desk::Desk;
use crate::web::handlers::payments;
use crate::web::session::signed_in;

/// Everything below `/api` that is about payment.
pub fn paths(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    visitors_paths(desk).or(webhook_path(desk)).unify().or(organisers_paths(desk)).unify()
}

/// What the entry page calls.
fn visitors_paths(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let intent = warp::path("create-competition-payment-intent").and(warp::path::end());
    let status = warp::path("competition-payments").and(warp::path("status")).and(warp::path::end());
    let demo = warp::path("demo-payment").and(warp::path::end());
    let asked = || warp::post().and(with(desk)).and(warp::ext::get::<Client>());
    let create = intent
        .and(asked())
        .and(idempotency_key())
        .and(body::json(body_limits(desk)))
        .then(payments::create_intent)
        .map(Reply::into_response);
    let tell = status
        .and(asked())
        .and(body::json(body_limits(desk)))
        .then(payments::status)
        .map(Reply::into_response);
    let pay = demo
        .and(asked())
        .and(body::json(body_limits(desk)))
        .then(payments::demo_payment)
        .map(Reply::into_response);
    let other =
        intent.or(status).unify().or(demo).unify().map(|| Error::MethodNotAllowed("POST").into_response());
    create.or(tell).unify().or(pay).unify().or(other).unify()
}

/// `/api/stripe/webhook`.
fn webhook_path(desk: &Arc<Desk>) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let webhook = warp::path("stripe").and(warp::path("webhook")).and(warp::path::end());
    let take = webhook
        .and(warp::post())
        .and(with(desk))
        .and(warp::header::headers_cloned())
        .and(body::bytes(body::BodyLimits { bytes: payments::LARGEST_EVENT, ..body_limits(desk) }))
        .then(payments::webhook)
        .map(Reply::into_response);
    let other = webhook.map(|| Error::MethodNotAllowed("POST").into_response());
    take.or(other).unify()
}

/// `/api/competition-entries/<id>/refund` and `/api/payment-findings…`.
fn organisers_paths(
    desk: &Arc<Desk>,
) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone + use<> {
    let refund = warp::path::param::<Kind>()
        .and(warp::path::param::<i64>())
        .and(warp::path("refund"))
        .and(warp::path::end());
    let findings = warp::path("payment-findings");
    let list = findings.and(warp::path::end());
    let settle = findings.and(warp::path::param::<i64>()).and(warp::path("settle")).and(warp::path::end());
    let asked = || with(desk).and(signed_in(desk));
    let pay_back = refund
        .and(warp::post())
        .and(asked())
        .and(idempotency_key())
        .and(body::json_if_any(body_limits(desk)))
        .then(payments::refund)
        .map(Reply::into_response);
    let show = list
        .and(warp::get())
        .and(asked())
        .and(super::query())
        .then(payments::findings)
        .map(Reply::into_response);
    let settled = settle
        .and(warp::post())
        .and(asked())
        .and(body::json_if_any(body_limits(desk)))
        .then(payments::settle)
        .map(Reply::into_response);
    let no_write = list.map(|| Error::MethodNotAllowed("GET, HEAD").into_response());
    let no_read = refund.map(|_, _| ()).untuple_one().or(settle.map(|_| ()).untuple_one()).unify();
    let no_read = no_read.map(|| Error::MethodNotAllowed("POST").into_response());
    pay_back.or(show).unify().or(settled).unify().or(no_write).unify().or(no_read).unify()
}
