//! Plain HTTP beside HTTPS (port 80): redirects visitors to HTTPS and answers the certificate authority's HTTP-01
//! challenges. Nothing else is served over plain HTTP.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST, HeaderValue};
use http::{Method, Request};
use warp::Reply;
use warp::reply::Response;

use super::request_check;
use super::service::{add_headers, redirect, with_status};
use crate::app::App;
use crate::error::Error;
use crate::http::tls::Certificates;
use crate::site::render::headers;

const CHALLENGES: &str = "/.well-known/acme-challenge/";

pub fn answer<B>(app: &App, certificates: &Certificates, mut request: Request<B>) -> Response {
    let answer_headers = headers::of_answer();
    if let Err(error) = request_check::require_sound(&mut request) {
        let refusal = add_headers(error.into_response(), &answer_headers);
        return request_check::last_answer(request.version(), refusal);
    }
    if let Some(token) = request.uri().path().strip_prefix(CHALLENGES) {
        return add_headers(challenge(certificates, request.method(), token), &answer_headers);
    }
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.split(':').next().unwrap_or_default();
    let public_url = app.public_url();
    let has_port = public_url.matches(':').count() > 1;
    // Of several names the redirect keeps the one that was typed.
    let known = app.config.tls.domains.iter().find(|domain| !has_port && domain.eq_ignore_ascii_case(name));
    let site = known.map_or(public_url, |domain| format!("https://{domain}"));
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let path = if path.starts_with('/') { path } else { "/" };
    redirect(&format!("{site}{path}"), &answer_headers)
}

fn challenge(certificates: &Certificates, method: &Method, token: &str) -> Response {
    let proof = certificates.http_01(token).filter(|_| method.is_safe());
    let Some(proof) = proof else {
        return Error::no_such_path().into_response();
    };
    let mut response = with_status(http::StatusCode::OK, Bytes::from(proof));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    response
}
