//! Answers `GET /metrics` on a separate listener that visitors cannot reach.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, StatusCode};
use warp::Reply;
use warp::reply::Response;

use super::service::{add_headers, with_status};
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::blocking::blocking;
use crate::http::metrics::Metrics;
use crate::site::render::headers;

pub async fn answer<B>(app: &Arc<App>, metrics: Arc<Metrics>, request: &Request<B>) -> Response {
    let response = match text(app, metrics, request.method(), request.uri().path()).await {
        Ok(text) => {
            let mut response = with_status(StatusCode::OK, Bytes::from(text));
            let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
            response.headers_mut().insert(CONTENT_TYPE, kind);
            response
        }
        Err(error) => error.into_response(),
    };
    add_headers(response, &headers::of_answer())
}

async fn text(app: &Arc<App>, metrics: Arc<Metrics>, method: &Method, path: &str) -> Result<String> {
    if path != "/metrics" {
        return Err(Error::NotFound("The metrics are at /metrics.".into()));
    }
    if !method.is_safe() {
        return Err(Error::MethodNotAllowed("GET, HEAD".into()));
    }
    blocking(app, move |app| Ok(metrics.text(app))).await
}
