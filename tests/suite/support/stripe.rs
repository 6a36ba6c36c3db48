//! The Stripe stand-in (`tests/stripe`) as a child process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{TIMEOUT, clock, wait_for};

pub struct StandIn {
    process: Child,
    origin: String,
}

impl StandIn {
    pub fn start() -> StandIn {
        StandIn::start_with(&json!({}))
    }

    /// `options` are described in `tests/stripe/stand-in.mjs`.
    pub fn start_with(options: &Value) -> StandIn {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stripe/stand-in.mjs");
        let mut process = Command::new("node")
            .arg(script)
            .arg(options.to_string())
            .env("STAND_IN_OFFSET", clock::offset().num_seconds().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node runs");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        StandIn { process, origin: line.trim().to_owned() }
    }

    /// The section `[stripe]` for a server that uses it.
    pub fn settings(&self) -> String {
        format!(
            "[stripe]\nsecret_key = 'sk_test_51StandIn'\npublishable_key = 'pk_test_51StandIn'\nwebhook_secret = 'whsec_stand_in'\napi_base = '{}'\n",
            self.origin
        )
    }

    /// Its address, with the scheme.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Calls an action of `tests/stripe/control.mjs`.
    pub fn control(&self, action: &str, body: &Value) -> Value {
        self.try_control(action, body).unwrap_or_else(|body| panic!("{action}: {body}"))
    }

    /// As [`StandIn::control`]; an error if the action is refused.
    pub fn try_control(&self, action: &str, body: &Value) -> Result<Value, Value> {
        let answer = agent().post(format!("{}/control/{action}", self.origin)).send_json(body);
        let (status, body) = read(answer.expect("an answer"));
        if status == 200 { Ok(body) } else { Err(body) }
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        let answer = agent().delete(format!("{}/control/faults", self.origin)).call();
        assert_eq!(read(answer.expect("an answer")).0, 200);
    }

    /// A list of `tests/stripe/control.mjs`, such as `requests` or `events`.
    pub fn list(&self, what: &str) -> Vec<Value> {
        let answer = agent().get(format!("{}/control/{what}", self.origin)).call();
        read(answer.expect("an answer")).1.as_array().expect("a list").clone()
    }

    /// All objects of a type: `intents`, `charges`, `refunds` or `disputes`.
    pub fn objects(&self, name: &str) -> Vec<Value> {
        let answer = agent().get(format!("{}/control/state", self.origin)).call();
        read(answer.expect("an answer")).1[name].as_array().expect("a list").clone()
    }

    pub fn pay(&self, intent: &str) {
        self.control("pay", &json!({ "payment_intent": intent }));
    }

    /// Creates an intent that is not Showcase's own, with the metadata of the intent `like` if given. Returns its id.
    pub fn create_foreign_intent(&self, like: Option<&str>, amount_cents: i64) -> String {
        let amount = amount_cents.to_string();
        let mut form = vec![("amount".to_owned(), amount), ("currency".into(), "usd".into())];
        for (key, value) in like.map(|id| self.metadata(id)).into_iter().flatten() {
            form.push((format!("metadata[{key}]"), value.as_str().expect("a text").to_owned()));
        }
        let request = agent().post(format!("{}/v1/payment_intents", self.origin));
        let request = request.header("authorization", "Bearer sk_test_51StandIn");
        let answer = request.send_form(form.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        read(answer.expect("an answer")).1["id"].as_str().expect("an id").to_owned()
    }

    pub fn metadata(&self, intent: &str) -> serde_json::Map<String, Value> {
        let found = self.objects("intents").into_iter().find(|one| one["id"] == intent).expect("it");
        found["metadata"].as_object().expect("an object").clone()
    }

    /// Waits until a request has met this fault, such as `hang before`.
    pub fn wait_for_fault(&self, fault: &str) {
        wait_for(fault, || {
            self.list("requests").iter().any(|request| request["fault"] == fault).then_some(())
        });
    }

    /// The last event of a type about an intent.
    pub fn event(&self, name: &str, intent: &str) -> String {
        let events = self.list("events");
        let is_it = |event: &&Value| {
            let object = &event["data"]["object"];
            event["type"] == name && (object["id"] == intent || object["payment_intent"] == intent)
        };
        let found = events.iter().rev().find(is_it).unwrap_or_else(|| panic!("no {name} of {intent}"));
        found["id"].as_str().expect("an id").to_owned()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(TIMEOUT)).build().into()
}

fn read(mut answer: http::Response<ureq::Body>) -> (u16, Value) {
    (answer.status().as_u16(), answer.body_mut().read_json().expect("JSON"))
}
