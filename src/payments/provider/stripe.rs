//! A client for the parts of Stripe's HTTP API that we use: payment intents, refunds and the list of events.
//!
//! Requests are form-encoded with bracketed keys, responses are JSON. Requests that create something have an
//! `Idempotency-Key` (Stripe's API reference, 'Idempotent requests', 'Payment Intents', 'Refunds').

use std::time::Duration;

use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

use super::intent::{ABANDONED, Cancellation, ENTRY, ENTRY_TOKEN, MARK};
use super::{Answer, Event, Failure, Intent, NewIntent, Refund};
use crate::config;
use crate::error::{Error, Result};
use crate::model::{Cents, IntentId, Secret};

/// The API version that this client expects; overrides the account's default.
const VERSION: &str = "2024-06-20";
/// Idle connections kept open, to avoid TLS handshakes under load.
const MAX_IDLE_CONNECTIONS: usize = 64;
/// The largest response, in bytes.
const MAX_RESPONSE_BYTES: u64 = 8 << 20;
/// Items on a page of a list.
const PAGE_SIZE: &str = "100";

pub struct Client {
    agent: Agent,
    /// The API's origin with `/v1`.
    base: String,
    authorization: Secret,
    live: Option<bool>,
}

impl Client {
    /// # Errors
    /// [`Error::Failed`] when `stripe.api_base` is not an http(s) address.
    pub fn new(settings: &config::Stripe) -> Result<Client> {
        let origin = settings.api_base.trim_end_matches('/');
        if !url::Url::parse(origin).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
            return Err(Error::Failed(format!(
                "stripe.api_base: '{origin}' is not an address like https://api.stripe.com."
            )));
        }
        let key = settings.secret_key.expose();
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(settings.timeout_seconds)))
            .max_idle_connections(MAX_IDLE_CONNECTIONS)
            .max_idle_connections_per_host(MAX_IDLE_CONNECTIONS)
            .build()
            .into();
        Ok(Client {
            agent,
            base: format!("{origin}/v1"),
            authorization: Secret::new(format!("Bearer {key}")),
            live: is_live(key),
        })
    }

    pub fn is_live(&self) -> Option<bool> {
        self.live
    }

    pub fn create(&self, key: &str, new: &NewIntent) -> Answer<Intent> {
        let mut form = described(new);
        form.push(("currency".into(), "usd".into()));
        form.push(("automatic_payment_methods[enabled]".into(), "true".into()));
        self.post("/payment_intents", Some(key), form).and_then(intent)
    }

    pub fn update(&self, id: &IntentId, new: &NewIntent) -> Answer<Intent> {
        self.post(&format!("/payment_intents/{}", path_part(id)?), None, described(new)).and_then(intent)
    }

    pub fn retrieve(&self, id: &IntentId) -> Answer<Intent> {
        let query = [("expand[]", "latest_charge")];
        self.get(&format!("/payment_intents/{}", path_part(id)?), &query).and_then(intent)
    }

    pub fn cancel(&self, id: &IntentId, reason: Cancellation) -> Answer<Intent> {
        let form = match reason {
            Cancellation::Abandoned => vec![("cancellation_reason".to_owned(), ABANDONED.to_owned())],
            // None of Stripe's reasons fits: the customer did not request it, and it may not be fraud.
            Cancellation::FailedCards => Vec::new(),
        };
        self.post(&format!("/payment_intents/{}/cancel", path_part(id)?), None, form).and_then(intent)
    }

    pub fn refund(&self, key: &str, intent_id: &IntentId, amount: Cents, mark: &str) -> Answer<Refund> {
        let form = vec![
            ("payment_intent".into(), intent_id.to_string()),
            ("amount".into(), amount.0.to_string()),
            (format!("metadata[{MARK}]"), mark.to_owned()),
        ];
        self.post("/refunds", Some(key), form).and_then(|answer| refund(&answer))
    }

    pub fn refunds(&self, intent_id: &IntentId) -> Answer<Vec<Refund>> {
        let answer = self.get("/refunds", &[("payment_intent", intent_id.as_str()), ("limit", PAGE_SIZE)])?;
        items(&answer)?.iter().map(refund).collect()
    }

    pub fn events(&self, types: &[&str], since: i64, after: Option<&str>) -> Answer<(Vec<Event>, bool)> {
        let since = since.to_string();
        let names: Vec<String> = (0..types.len()).map(|number| format!("types[{number}]")).collect();
        let mut query = vec![("created[gte]", since.as_str()), ("limit", PAGE_SIZE)];
        query.extend(names.iter().map(String::as_str).zip(types.iter().copied()));
        query.extend(after.map(|id| ("starting_after", id)));
        let answer = self.get("/events", &query)?;
        let events = items(&answer)?.iter().cloned().map(|event| Event::parse(event).ok_or_else(unreadable));
        Ok((events.collect::<Answer<Vec<_>>>()?, answer["has_more"] == true))
    }

    pub fn list(&self, since: i64, after: Option<&IntentId>) -> Answer<(Vec<Intent>, bool)> {
        let since = since.to_string();
        let mut query =
            vec![("created[gte]", since.as_str()), ("limit", PAGE_SIZE), ("expand[]", "data.latest_charge")];
        query.extend(after.map(|id| ("starting_after", id.as_str())));
        let answer = self.get("/payment_intents", &query)?;
        let intents = items(&answer)?.iter().cloned().map(intent).collect::<Answer<Vec<_>>>()?;
        Ok((intents, answer["has_more"] == true))
    }

    fn get(&self, path: &str, query: &[(&str, &str)]) -> Answer<Value> {
        let request = self.agent.get(format!("{}{path}", self.base)).query_pairs(query.iter().copied());
        let request =
            request.header("Authorization", self.authorization.expose()).header("Stripe-Version", VERSION);
        read(request.call())
    }

    fn post(&self, path: &str, key: Option<&str>, form: Vec<(String, String)>) -> Answer<Value> {
        let request = self.agent.post(format!("{}{path}", self.base));
        let mut request =
            request.header("Authorization", self.authorization.expose()).header("Stripe-Version", VERSION);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        read(request.send_form(form.iter().map(|(name, value)| (name.as_str(), value.as_str()))))
    }
}

/// `sk_live_…` and `rk_live_…` move real money (Stripe's API reference, 'Authentication').
fn is_live(key: &str) -> Option<bool> {
    let (_, mode) = key.split_once('_')?;
    match mode {
        mode if mode.starts_with("live_") => Some(true),
        mode if mode.starts_with("test_") => Some(false),
        _ => None,
    }
}

fn described(new: &NewIntent) -> Vec<(String, String)> {
    let mut form = vec![
        ("amount".to_owned(), new.amount_cents.0.to_string()),
        ("description".to_owned(), new.description.clone()),
    ];
    if let Some(entry) = &new.entry {
        form.push((format!("metadata[{ENTRY}]"), entry.id.to_string()));
        form.push((format!("metadata[{ENTRY_TOKEN}]"), entry.token.clone()));
    }
    form
}

/// The maximum length of Stripe's ids (Stripe's guide to API versions, 'Backwards-compatible changes').
pub const MAX_ID_LENGTH: usize = 255;

/// Validates an id from outside as a path segment.
fn path_part(id: &IntentId) -> Answer<&str> {
    let id = id.as_str();
    let is_id = (1..=MAX_ID_LENGTH).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_id { Ok(id) } else { Err(Failure::Missing) }
}

fn intent(object: Value) -> Answer<Intent> {
    Intent::parse(object).ok_or_else(unreadable)
}

fn refund(object: &Value) -> Answer<Refund> {
    Refund::parse(object).ok_or_else(unreadable)
}

/// The items on a page of a list.
fn items(page: &Value) -> Answer<&Vec<Value>> {
    page["data"].as_array().ok_or_else(unreadable)
}

fn unreadable() -> Failure {
    Failure::Unreachable("the payment provider's response cannot be parsed".into())
}

fn read(answer: std::result::Result<Response<Body>, ureq::Error>) -> Answer<Value> {
    let mut answer = answer.map_err(failure)?;
    let status = answer.status().as_u16();
    let json: Value =
        answer.body_mut().with_config().limit(MAX_RESPONSE_BYTES).read_json().map_err(|error| {
            if (200..300).contains(&status) { failure(error) } else { without_message(status) }
        })?;
    let error = &json["error"];
    let is_reused_key = error["type"] == "idempotency_error";
    match status {
        200..=299 => Ok(json),
        404 => Err(Failure::Missing),
        429 => Err(Failure::Busy),
        409 if is_reused_key || error["code"] == "idempotency_key_in_use" => Err(Failure::Busy),
        _ => Err(Failure::Refused {
            status,
            message: error["message"].as_str().unwrap_or("no reason given").to_owned(),
            is_reused_key,
        }),
    }
}

fn without_message(status: u16) -> Failure {
    match status {
        404 => Failure::Missing,
        429 => Failure::Busy,
        _ => Failure::Refused { status, message: "no reason given".into(), is_reused_key: false },
    }
}

fn failure(error: ureq::Error) -> Failure {
    match error {
        ureq::Error::Timeout(_) => Failure::Slow,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => Failure::Slow,
        other => Failure::Unreachable(other.to_string()),
    }
}
