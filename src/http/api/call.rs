//! The API's requests as handlers get them, and helpers for their answers.

use std::collections::HashMap;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::NaiveDate;
use http::header::{
    AsHeaderName, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue,
    SET_COOKIE,
};
use http::{Method, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};
use warp::reply::Response;
use warp::{Reply, Stream};

use super::state::ApiState;
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::blocking::{blocking, with_permit};
use crate::http::body::{self, Body, BodyLimits};
use crate::http::client_ip::Client;
use crate::model::Kind;
use crate::time;

/// The bytes of a request's body as they arrive.
pub type BodyStream = Pin<Box<dyn Stream<Item = std::result::Result<Bytes, warp::Error>> + Send + Sync>>;

/// The content security policy for the HTML of an email: inline styles and the site's images, but no scripts.
const EMAIL_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; frame-ancestors 'self'";

const FORM: &str = "application/x-www-form-urlencoded";

/// The values of `{kind}`, `{id}`, `{name}`, `{other}` and `{request}` in this request's path.
#[derive(Debug, Clone, Default)]
pub struct Params {
    pub kind: Option<Kind>,
    pub id: Option<i64>,
    pub name: Option<String>,
    pub other: Option<String>,
    pub request: Option<String>,
}

pub struct Call {
    pub state: Arc<ApiState>,
    pub client: Client,
    pub method: Method,
    pub headers: HeaderMap,
    pub params: Params,
    pub query: HashMap<String, String>,
    pub body: BodyStream,
    /// Whether an organiser is signed in, who may send a larger body.
    pub is_organiser: bool,
}

impl Call {
    /// The `{kind}` of the path.
    pub fn kind(&self) -> Kind {
        self.params.kind.expect("the route's path has a {kind}")
    }

    /// The `{id}` of the path.
    pub fn id(&self) -> i64 {
        self.params.id.expect("the route's path has an {id}")
    }

    /// The `{name}` of the path.
    pub fn name(&self) -> String {
        self.params.name.clone().expect("the route's path has a {name}")
    }

    /// The `{other}` of the path, as it was sent.
    pub fn other(&self) -> String {
        self.params.other.clone().expect("the route's path has an {other}")
    }

    /// The `{request}` of the path.
    pub fn request(&self) -> String {
        self.params.request.clone().expect("the route's path has a {request}")
    }

    /// A parameter of the query; `None` if it is absent or empty.
    pub fn query_value(&self, name: &str) -> Option<String> {
        self.query.get(name).filter(|value| !value.is_empty()).cloned()
    }

    /// A parameter of the query as a number or one of the known values; `None` if it is absent or empty.
    pub fn query_parsed<T: FromStr>(&self, name: &str) -> Result<Option<T>> {
        self.query_value(name).map(|text| text.parse().map_err(|_| unknown_value(name))).transpose()
    }

    /// A date in the query, such as `2026-03-28`.
    pub fn query_date(&self, name: &str) -> Result<Option<NaiveDate>> {
        let Some(text) = self.query_value(name) else { return Ok(None) };
        let day = time::parse_day(&text);
        day.map(Some).ok_or_else(|| Error::Malformed(format!("{name} must be a date like 2026-03-28.")))
    }

    /// A header of the request; empty if it is absent or not ASCII.
    pub fn header(&self, name: impl AsHeaderName) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The `Idempotency-Key`, or [`Error::Malformed`] when it cannot be read.
    pub fn idempotency_key(&self) -> Result<Option<String>> {
        let Some(key) = self.headers.get("idempotency-key") else { return Ok(None) };
        let key = key.to_str().map_err(|_| {
            Error::Malformed("The Idempotency-Key must consist of visible ASCII characters.".into())
        })?;
        Ok(Some(key.to_owned()))
    }

    /// Reads the body's JSON. Call it once, and before refusing the request: if the server answers before it has read
    /// the body, the client may see a broken stream instead of the answer.
    pub async fn json(&mut self) -> Result<Value> {
        body::require_json(&self.headers)?;
        body::parse(&self.whole_body().await?)
    }

    /// Like [`Call::json`], for a body whose fields are all optional: an empty body counts as an empty object.
    pub async fn json_object_if_any(&mut self) -> Result<Value> {
        let read = self.whole_body().await?;
        if read.as_slice().is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        body::require_json(&self.headers)?;
        let value = body::parse(&read)?;
        if value.is_object() { Ok(value) } else { Err(Error::not_an_object()) }
    }

    /// The unparsed body.
    pub async fn bytes(&mut self, max_bytes: usize) -> Result<Body> {
        let limits = self.state.body_limits(max_bytes);
        self.read(limits).await
    }

    /// Like [`Call::bytes`], with another time within which the body must arrive.
    pub async fn bytes_within(&mut self, max_bytes: usize, timeout: Duration) -> Result<Body> {
        let limits = BodyLimits { timeout, ..self.state.body_limits(max_bytes) };
        self.read(limits).await
    }

    /// The fields of a form that a page without script sends.
    pub async fn form(&mut self) -> Result<HashMap<String, String>> {
        let read = self.whole_body().await?;
        let content_type = self.header(CONTENT_TYPE).split(';').next().unwrap_or_default();
        if !read.as_slice().is_empty() && !content_type.trim().eq_ignore_ascii_case(FORM) {
            return Err(Error::UnsupportedMediaType);
        }
        Ok(url::form_urlencoded::parse(read.as_slice()).into_owned().collect())
    }

    /// Reads a body and ignores it.
    pub async fn discard_body(&mut self) -> Result<()> {
        self.whole_body().await.map(drop)
    }

    pub fn take_body(&mut self) -> BodyStream {
        std::mem::replace(&mut self.body, Box::pin(tokio_stream::empty()))
    }

    /// The body, of at most the usual size.
    async fn whole_body(&mut self) -> Result<Body> {
        let limits = &self.state.app.config.limits;
        let max_bytes = if self.is_organiser { limits.signed_in_body_bytes } else { limits.body_bytes };
        self.bytes(max_bytes).await
    }

    async fn read(&mut self, mut limits: BodyLimits) -> Result<Body> {
        let body = self.take_body();
        let mut client = Some(self.client);
        if self.is_organiser {
            // Organisers have memory of their own, which is not shared out by network.
            limits.memory = Arc::clone(&self.state.organiser_bodies);
            client = None;
        }
        body::read(&self.headers, body, &limits, client).await
    }

    /// Runs a use case on a blocking thread.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        blocking(&self.state.app, work).await
    }

    /// Runs a use case that calls the payment provider. The number that run at the same time is limited.
    pub async fn run_with_provider<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        with_permit(&self.state.payments, &self.state.app, work).await
    }
}

/// The error for a parameter of the query.
pub fn unknown_value(name: &str) -> Error {
    Error::Malformed(format!("{name} is not one of the known values."))
}

pub fn ok(value: &impl Serialize) -> Response {
    warp::reply::json(value).into_response()
}

pub fn created(value: &impl Serialize) -> Response {
    warp::reply::with_status(warp::reply::json(value), StatusCode::CREATED).into_response()
}

/// `202`: what was asked for happens after the answer.
pub fn accepted(value: &impl Serialize) -> Response {
    warp::reply::with_status(warp::reply::json(value), StatusCode::ACCEPTED).into_response()
}

/// `204`.
pub fn no_content() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// `204`, with a cookie.
pub fn no_content_with(cookie: HeaderValue) -> Response {
    let mut response = no_content();
    response.headers_mut().insert(SET_COOKIE, cookie);
    response
}

pub fn of_type(body: impl Into<Bytes>, content_type: &'static str) -> Response {
    let mut response = Response::new(body.into().into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// The response as a file that the browser saves.
pub fn as_download(mut response: Response, file_name: &str) -> Response {
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{file_name}\"")) {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

/// A page with its content security policy.
pub fn html(body: String, policy: HeaderValue) -> Response {
    let mut response = of_type(body, "text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    response
}

/// The HTML of an email, for a frame in the organiser's pages.
pub fn email_html(body: String) -> Response {
    html(body, HeaderValue::from_static(EMAIL_POLICY))
}
