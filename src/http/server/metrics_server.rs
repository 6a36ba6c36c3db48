//! Answers `GET /metrics` on a separate listener that visitors cannot reach.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use http::{Method, Request, StatusCode};
use warp::Reply;
use warp::reply::Response;

use super::service::{add_headers, with_status};
use crate::app::App;
use crate::error::Error;
use crate::http::blocking::blocking;
use crate::http::metrics::Metrics;
use crate::site::render::headers;

pub struct MetricsServer {
    app: Arc<App>,
    metrics: Arc<Metrics>,
    answer_headers: HeaderMap,
}

impl MetricsServer {
    pub fn new(app: Arc<App>, metrics: Arc<Metrics>) -> MetricsServer {
        MetricsServer { app, metrics, answer_headers: headers::of_answer() }
    }

    pub async fn answer<B>(&self, request: &Request<B>) -> Response {
        add_headers(self.respond(request.method(), request.uri().path()).await, &self.answer_headers)
    }

    async fn respond(&self, method: &Method, path: &str) -> Response {
        if path != "/metrics" {
            return Error::NotFound("The metrics are at /metrics.".into()).into_response();
        }
        if !method.is_safe() {
            return Error::MethodNotAllowed("GET, HEAD".into()).into_response();
        }
        let metrics = Arc::clone(&self.metrics);
        match blocking(&self.app, move |app| Ok(metrics.text(app))).await {
            Ok(text) => {
                let mut response = with_status(StatusCode::OK, Bytes::from(text));
                let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
                response.headers_mut().insert(CONTENT_TYPE, kind);
                response
            }
            Err(error) => error.into_response(),
        }
    }
}
