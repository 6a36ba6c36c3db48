//! Payments under load, with the stand-in for Stripe (`tests/stripe`): payment intents from 64 clients while Stripe takes
//! 50 ms, compared with bare requests to it; and Stripe's events at 500 per second.
//!
//! Run: `cargo bench --bench payments`. Aims: our own share of an intent (its 99th percentile minus that of the bare
//! request in the same run) under 5 ms; every event accepted at 500/s, and no entry lost or confirmed twice.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use showcase::app::App;
use showcase::config::Config;
use showcase::model::Secret;
use showcase::payments::IntentRequest;
use showcase::payments::payment_intent;
use showcase::site::content::Content;
use showcase::store::Store;
use showcase::store::migrate;
use ureq::Agent;

const CLIENTS: u64 = 64;
/// Intents per client. The first tenth is for warming up.
const EACH: u64 = 60;
const LATENCY_MS: u64 = 50;
const EVENTS: u64 = 2_000;
const EVENTS_A_SECOND: u64 = 500;
const PRICE: i64 = 48_492;
const KEY: &str = "sk_test_51StandIn";

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    let stripe = Process::start(
        Command::new("node").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stripe/stand-in.mjs")),
        "http://",
    );
    let origin = format!("http://{}", stripe.address);
    intents(&origin, folder.path());
    events(&origin, folder.path());
}

fn intents(origin: &str, folder: &Path) {
    let agent = agent();
    control(&agent, origin, "latency", &json!({ "milliseconds": LATENCY_MS }));
    let app = app(origin, &folder.join("intents.db"));
    let bare = by_all_clients(|number| {
        let (key, cents) = (format!("bare-{number}"), PRICE.to_string());
        let form = [
            ("amount", cents.as_str()),
            ("currency", "usd"),
            ("description", "Competition entry, 1 nomination"),
            ("automatic_payment_methods[enabled]", "true"),
        ];
        let request = agent.post(format!("{origin}/v1/payment_intents"));
        let request =
            request.header("authorization", format!("Bearer {KEY}")).header("idempotency-key", &key);
        let made: Value = request.send_form(form).expect("made").body_mut().read_json().expect("JSON");
        assert!(made["client_secret"].is_string());
    });
    let whole = by_all_clients(|number| {
        let (body, key) = (asked(&format!("intent.{number}@example.com")), format!("fill-{number}"));
        let network = std::net::Ipv4Addr::LOCALHOST.into();
        let ask = IntentRequest { body: &body, key: Some(&key), network };
        payment_intent(&app, &ask).expect("an intent");
    });
    let line = |name: &str, times: &[Duration]| {
        println!("{name:<28} p50 {:>6.1} ms   p99 {:>6.1} ms", at(times, 0.5), at(times, 0.99));
    };
    line("bare request, 64 clients", &bare);
    line("whole intent, 64 clients", &whole);
    println!(
        "{:<28} p50 {:>6.1} ms   p99 {:>6.1} ms",
        "our own share",
        at(&whole, 0.5) - at(&bare, 0.5),
        at(&whole, 0.99) - at(&bare, 0.99)
    );
    control(&agent, origin, "latency", &json!({ "milliseconds": 0 }));
}

fn events(origin: &str, folder: &Path) {
    let agent = agent();
    let database = folder.join("showcase.db");
    let made = AtomicU64::new(0);
    {
        let app = app(origin, &database);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    while let number @ 0..EVENTS = made.fetch_add(1, Ordering::Relaxed) {
                        let (body, key) =
                            (asked(&format!("event.{number}@example.com")), format!("fill-{number}"));
                        let network = std::net::Ipv4Addr::LOCALHOST.into();
                        let ask = IntentRequest { body: &body, key: Some(&key), network };
                        let secret = payment_intent(&app, &ask).expect("an intent");
                        control(&agent, origin, "pay", &json!({ "client_secret": secret }));
                    }
                });
            }
        });
    }
    let listed: Value = agent
        .get(format!("{origin}/control/events"))
        .call()
        .expect("events")
        .body_mut()
        .with_config()
        .limit(1 << 30)
        .read_json()
        .expect("JSON");
    let succeeded =
        listed.as_array().expect("a list").iter().filter(|event| event["type"] == "payment_intent.succeeded");
    let ids: Vec<&Value> = succeeded.map(|event| &event["id"]).collect();
    std::fs::write(
        folder.join("config.toml"),
        format!("[stripe]\nsecret_key = '{KEY}'\npublishable_key = 'pk_test_51StandIn'\nwebhook_secret = 'whsec_stand_in'\napi_base = '{origin}'\n"),
    )
    .expect("a configuration");
    let mut command = Command::new(env!("CARGO_BIN_EXE_showcase"));
    command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder).stderr(Stdio::null());
    let server = Process::start(&mut command, "Showcase is at http://");
    let url = format!("http://{}/api/stripe/webhook", server.address);
    control(&agent, origin, "target", &json!({ "url": url }));
    let storm = control(&agent, origin, "storm", &json!({ "events": ids, "per_second": EVENTS_A_SECOND }));
    let count = |sql: &str| {
        let connection = rusqlite::Connection::open(&database).expect("the database");
        connection.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a count").unsigned_abs()
    };
    let paid = count("select count(*) from competition_entries where payment_status = 'paid'");
    let confirmed = count(
        "select count(distinct cause) from outbox where cause like 'confirmation/competition-entries/%'",
    );
    let mails = count("select count(*) from outbox where cause like 'confirmation/competition-entries/%'");
    let number = |name: &str| storm[name].as_f64().unwrap_or(f64::NAN);
    println!(
        "events                       {:>6} accepted of {} in {:.1} s ({:.0}/s), p50 {:.1} ms, p99 {:.1} ms",
        storm["accepted"],
        storm["sent"],
        number("seconds"),
        number("sent") / number("seconds"),
        number("p50"),
        number("p99")
    );
    println!("entries paid                 {paid:>6} of {EVENTS}; confirmed {confirmed}, mails {mails}");
    assert_eq!((storm["accepted"].as_u64(), paid, confirmed, mails), (Some(EVENTS), EVENTS, EVENTS, EVENTS));
}

fn app(origin: &str, database: &Path) -> App {
    migrate::migrate(database).expect("a database");
    let mut config = Config::default();
    config.stripe.secret_key = Secret::new(KEY);
    config.stripe.api_base = origin.to_owned();
    config.limits.unpaid_payments_per_network = 0;
    config.limits.unpaid_payments = 0;
    let content = Content::parse(Content::default_toml()).expect("the default content");
    App::new(config, Store::open(database).expect("a store"), content).expect("an application")
}

fn asked(email: &str) -> Value {
    json!({
        "amount": PRICE, "competitionData": {}, "entry": {
            "name": "Ada Sample", "email": email, "phone": "+1 201-555-0101", "businessName": "Sample Studio",
            "location": "Jersey City, NJ", "taxLocation": "new-york", "primaryCategory": "lash-extensions",
            "subCategory": "Volume", "additionalCategories": 0, "agreementTerms": true, "agreementMedia": true
        }
    })
}

/// The sorted durations of all calls after warming up.
fn by_all_clients(each: impl Fn(u64) + Sync) -> Vec<Duration> {
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let each = &each;
                scope.spawn(move || {
                    let timed = (0..EACH).map(|number| {
                        let begun = Instant::now();
                        each(client * EACH + number);
                        begun.elapsed()
                    });
                    timed.skip(EACH as usize / 10).collect::<Vec<_>>()
                })
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().expect("no panic")).collect()
    });
    times.sort();
    times
}

/// A percentile in milliseconds.
fn at(times: &[Duration], share: f64) -> f64 {
    times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3
}

fn agent() -> Agent {
    let config = Agent::config_builder().max_idle_connections(128).max_idle_connections_per_host(128);
    config.timeout_global(Some(Duration::from_secs(120))).build().into()
}

fn control(agent: &Agent, origin: &str, deed: &str, body: &Value) -> Value {
    let answer = agent.post(format!("{origin}/control/{deed}")).send_json(body);
    answer.expect("done").body_mut().read_json().expect("JSON")
}

/// A process that prints its address. It is killed when dropped.
struct Process {
    child: Child,
    address: String,
}

impl Process {
    fn start(command: &mut Command, greeting: &str) -> Process {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut process = Process { child, address: String::new() };
        for line in lines {
            if let Some(address) = line.expect("text").strip_prefix(greeting) {
                address.trim_end_matches('/').clone_into(&mut process.address);
                break;
            }
        }
        process
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
