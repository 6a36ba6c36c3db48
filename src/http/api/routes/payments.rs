//! Paths of card payment.

use std::sync::Arc;

use warp::{Filter, Reply};

use super::{Route, any_of, body_limits, idempotency_key, with};
use crate::error::Error;
use crate::http::api::handlers::payments;
use crate::http::api::session::signed_in;
use crate::http::api::state::Desk;
use crate::http::body;
use crate::http::client_ip::Client;
use crate::model::Kind;

/// Everything below `/api` that is about payment.
pub fn paths(desk: &Arc<Desk>) -> Route {
    any_of([visitors_paths(desk), webhook_path(desk), organisers_paths(desk)])
}

/// What the entry page calls.
fn visitors_paths(desk: &Arc<Desk>) -> Route {
    let intent = warp::path("create-competition-payment-intent").and(warp::path::end());
    let status = warp::path("competition-payments").and(warp::path("status")).and(warp::path::end());
    let demo = warp::path("demo-payment").and(warp::path::end());
    let asked = || warp::post().and(with(desk)).and(warp::ext::get::<Client>());
    let create = intent
        .and(asked())
        .and(idempotency_key())
        .and(body::json(body_limits(desk)))
        .then(payments::create_intent)
        .map(Reply::into_response)
        .boxed();
    let tell = status
        .and(asked())
        .and(body::json(body_limits(desk)))
        .then(payments::status)
        .map(Reply::into_response)
        .boxed();
    let pay = demo
        .and(asked())
        .and(body::json(body_limits(desk)))
        .then(payments::demo_payment)
        .map(Reply::into_response)
        .boxed();
    let other = intent
        .or(status)
        .unify()
        .or(demo)
        .unify()
        .map(|| Error::MethodNotAllowed("POST").into_response())
        .boxed();
    any_of([create, tell, pay, other])
}

/// `/api/stripe/webhook`.
fn webhook_path(desk: &Arc<Desk>) -> Route {
    let webhook = warp::path("stripe").and(warp::path("webhook")).and(warp::path::end());
    let take = webhook
        .and(warp::post())
        .and(with(desk))
        .and(warp::ext::get::<Client>())
        .and(warp::header::headers_cloned())
        // The handler reads it, once the signature's form and age are as they should be.
        .and(warp::body::stream())
        .then(payments::webhook)
        .map(Reply::into_response)
        .boxed();
    let other = webhook.map(|| Error::MethodNotAllowed("POST").into_response()).boxed();
    any_of([take, other])
}

/// `/api/competition-entries/<id>/refund` and `/api/payment-findings…`.
fn organisers_paths(desk: &Arc<Desk>) -> Route {
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
        .map(Reply::into_response)
        .boxed();
    let show = list
        .and(warp::get())
        .and(asked())
        .and(super::query())
        .then(payments::findings)
        .map(Reply::into_response)
        .boxed();
    let settled = settle
        .and(warp::post())
        .and(asked())
        .and(body::json_if_any(body_limits(desk)))
        .then(payments::settle)
        .map(Reply::into_response)
        .boxed();
    let told = warp::path::param::<Kind>().and(warp::path::param::<i64>()).and(warp::path("refund-mail"));
    let told_html = told.and(warp::path("html")).and(warp::path::end());
    let told = told.and(warp::path::end());
    let mail = told
        .and(warp::get())
        .and(asked())
        .and(super::query())
        .then(payments::refund_mail)
        .map(Reply::into_response)
        .boxed();
    let mail_html = told_html
        .and(warp::get())
        .and(asked())
        .and(super::query())
        .then(payments::refund_mail_html)
        .map(Reply::into_response)
        .boxed();
    let read = list.or(told.or(told_html).unify().map(|_, _| ()).untuple_one()).unify();
    let no_write = read.map(|| Error::MethodNotAllowed("GET, HEAD").into_response()).boxed();
    let no_read = refund.map(|_, _| ()).untuple_one().or(settle.map(|_| ()).untuple_one()).unify();
    let no_read = no_read.map(|| Error::MethodNotAllowed("POST").into_response()).boxed();
    any_of([pay_back, show, settled, mail, mail_html, no_write, no_read])
}
