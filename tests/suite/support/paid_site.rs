//! A desk whose server is paid through the stand-in of Stripe. Stripe's books and ours are compared by
//! [`Desk::books_agree`] after everything that may go wrong.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;

use rusqlite::OptionalExtension;
use serde_json::{Value, json};

use crate::support::stripe::StandIn;
use crate::support::{PASSWORD, Place, Reply, Server, open, text};

/// One nomination, with New York's tax.
pub const PRICE: i64 = 48_492;
/// Two nominations, with New York's tax.
pub const PRICE_OF_TWO: i64 = 59_184;

/// A server, its place, and the stand-in that it is paid through. No webhook arrives until `listens`.
pub struct Desk {
    pub stripe: Arc<StandIn>,
    pub place: Place,
    pub server: Server,
}

impl Desk {
    pub fn open() -> Desk {
        Desk::at(Arc::new(StandIn::start()))
    }

    /// A desk with more lines in its configuration, such as `[limits]`.
    pub fn with(more: &str) -> Desk {
        let stripe = Arc::new(StandIn::start());
        let place = Place::new(&format!("[admin]\npassword = '{PASSWORD}'\n{}{more}", stripe.settings()));
        let server = place.serve();
        Desk { stripe, place, server }
    }

    /// A desk with a database of its own that is paid through an account which may serve others too.
    pub fn at(stripe: Arc<StandIn>) -> Desk {
        let place = Place::new(&format!("[admin]\npassword = '{PASSWORD}'\n{}", stripe.settings()));
        let server = place.serve();
        Desk { stripe, place, server }
    }

    /// The cookie of a signed-in organiser.
    pub fn cookie(&self) -> String {
        self.server.sign_in()
    }

    /// What the organiser asks for to give money back.
    pub fn refund(&self, cookie: &str, entry: i64, key: &str, cents: i64) -> Reply {
        let headers = [("content-type", "application/json"), ("cookie", cookie), ("idempotency-key", key)];
        let path = format!("/api/competition-entries/{entry}/refund");
        self.server.send("POST", &path, &headers, &json!({ "amountCents": cents }).to_string())
    }

    /// As [`Desk::refund`], of all that is left.
    pub fn refund_rest(&self, cookie: &str, entry: i64, key: &str) -> Reply {
        let headers = [("content-type", "application/json"), ("cookie", cookie), ("idempotency-key", key)];
        self.server.send("POST", &format!("/api/competition-entries/{entry}/refund"), &headers, "{}")
    }

    pub fn hook(&self) -> String {
        format!("http://{}/api/stripe/webhook", self.server.address)
    }

    /// From now on Stripe's events arrive by themselves.
    pub fn listens(&self) {
        self.stripe.does("target", &json!({ "url": self.hook() }));
    }

    /// Sends one event by hand; the statuses that the server answered.
    pub fn receives(&self, event: &str, how: Value) -> Vec<u64> {
        let mut body = json!({ "event": event, "url": self.hook() });
        body.as_object_mut().expect("an object").extend(how.as_object().expect("an object").clone());
        let sent = self.stripe.does("deliver", &body);
        sent.as_array().expect("a list").iter().map(|one| one["status"].as_u64().unwrap_or(0)).collect()
    }

    /// What the page asks for when a person goes on to pay.
    pub fn ask(&self, key: &str, entry: &Value) -> Reply {
        let body = json!({ "amount": price(entry), "competitionData": {}, "entry": entry });
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        self.server.send("POST", "/api/create-competition-payment-intent", &headers, &body.to_string())
    }

    /// As [`Desk::ask`], from another address, where the test's own one is trusted as a proxy.
    pub fn ask_from(&self, address: &str, key: &str, entry: &Value) -> Reply {
        let body = json!({ "amount": price(entry), "competitionData": {}, "entry": entry });
        let headers =
            [("content-type", "application/json"), ("idempotency-key", key), ("x-forwarded-for", address)];
        self.server.send("POST", "/api/create-competition-payment-intent", &headers, &body.to_string())
    }

    /// How an intent stands, as the payer's browser asks.
    pub fn standing(&self, intent: &str) -> Reply {
        let intents = self.stripe.holds("intents");
        let found = intents.iter().find(|one| one["id"] == intent).expect("the intent");
        self.server
            .post("/api/competition-payments/status", &json!({ "clientSecret": found["client_secret"] }))
    }

    /// Sends a request and does not wait for its answer.
    pub fn begins(&self, path: &str, headers: &str, body: &Value) -> TcpStream {
        let body = body.to_string();
        let mut connection = self.server.connect();
        write!(
            connection,
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            self.server.address,
            body.len()
        )
        .expect("sent");
        connection
    }

    pub fn begins_to_ask(&self, key: &str, entry: &Value) -> TcpStream {
        let body = json!({ "amount": price(entry), "competitionData": {}, "entry": entry });
        let headers = format!("idempotency-key: {key}\r\n");
        self.begins("/api/create-competition-payment-intent", &headers, &body)
    }

    pub fn begins_to_save(&self, entry: &Value, intent: &str) -> TcpStream {
        self.begins("/api/competition-entries", "", &with_payment(entry, intent))
    }

    /// As [`Desk::ask`], and the id of the intent that is then paid with.
    pub fn intent(&self, key: &str, entry: &Value) -> String {
        intent_of(&self.ask(key, entry))
    }

    /// What the page sends once the card was confirmed.
    pub fn save(&self, entry: &Value, intent: &str) -> Reply {
        self.server.post("/api/competition-entries", &with_payment(entry, intent))
    }

    /// A form with its payment in it or without, under a key of the caller's.
    pub fn save_under(&self, key: &str, form: &Value) -> Reply {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        self.server.send("POST", "/api/competition-entries", &headers, &form.to_string())
    }

    /// An intent of a caller that sends no entry with it.
    pub fn loose(&self) -> String {
        let data = json!({ "primaryCategory": "lash-extensions", "subCategory": "Volume" });
        let body = json!({ "amount": PRICE, "competitionData": data });
        intent_of(&self.server.post("/api/create-competition-payment-intent", &body))
    }

    /// The account's keys of the live mode take the place of those of the test mode.
    pub fn goes_live(&mut self) {
        let before = self.stripe.settings();
        self.stripe = Arc::new(StandIn::start_with(&json!({ "secretKey": "sk_live_51StandIn" })));
        let config = std::fs::read_to_string(self.place.path("config.toml")).expect("a file");
        let after = self.stripe.settings().replace("sk_test_", "sk_live_");
        std::fs::write(self.place.path("config.toml"), config.replace(&before, &after)).expect("a file");
        self.dies();
    }

    /// Kills the server and starts it again, on another port.
    pub fn dies(&mut self) {
        self.server.kill();
        self.server = self.place.serve();
    }

    /// Makes every entry a day and an hour older, and lets the server look at what is left unpaid.
    pub fn a_day_passes(&mut self) {
        let older = "update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-25 hours')";
        // No look of the server's own comes in between.
        self.server.kill();
        open(&self.place.database()).execute_batch(older).expect("older entries");
        self.server = self.place.serve();
    }

    pub fn reconciles(&self) -> String {
        let done = self.place.run(&["payments", "reconcile"]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stdout)
    }

    /// How the entry of this address stands.
    pub fn status(&self, email: &str) -> String {
        let connection = open(&self.place.database());
        let sql = "select payment_status from competition_entries where email = ?";
        connection.query_row(sql, [email], |row| row.get(0)).optional().expect("a read").unwrap_or_default()
    }

    /// Checks that every payment which Stripe holds is shown as what it is, that nothing else is shown as paid, and
    /// that each paid entry has been confirmed by one mail; returns how many are paid.
    pub fn books_agree(&self) -> usize {
        let connection = open(&self.place.database());
        let charges = self.stripe.holds("charges");
        let disputes = self.stripe.holds("disputes");
        let mut paid = 0;
        for intent in self.stripe.holds("intents") {
            let id = intent["id"].as_str().expect("an id");
            let sql = "select e.id, e.payment_status, e.payment_amount_cents, e.refunded_cents, e.paid_at is not null,
                 (select count(*) from outbox o where o.cause = 'confirmation/competition-entries/' || e.id)
                 from competition_entries e where e.stripe_payment_intent_id = ?";
            type Row = (i64, String, i64, i64, bool, i64);
            let row: Option<Row> =
                connection.query_row(sql, [id], |row| row.try_into()).optional().expect("a read");
            if intent["status"] != "succeeded" {
                let (_, status, .., is_paid, mails) = match row {
                    Some(row) => row,
                    None => continue,
                };
                assert!(["pending", "failed", "abandoned"].contains(&status.as_str()), "{id} is {status}");
                assert_eq!((is_paid, mails), (false, 0), "{id} is not paid");
                continue;
            }
            let Some((entry, status, amount, refunded, _, mails)) = row.filter(|row| row.4) else {
                let found: i64 = connection
                    .query_row("select count(*) from payment_findings where intent_id = ?", [id], |row| {
                        row.get(0)
                    })
                    .expect("a count");
                assert_eq!(found, 1, "{id} was paid, pays for no entry and is shown to nobody");
                continue;
            };
            paid += 1;
            let charge =
                charges.iter().find(|charge| charge["id"] == intent["latest_charge"]).expect("a charge");
            let dispute = disputes.iter().find(|dispute| dispute["payment_intent"] == id);
            let is_over = |status: &str| status == "won" || status.starts_with("warning_");
            let is_disputed = dispute.is_some_and(|one| !is_over(one["status"].as_str().expect("a status")));
            let wanted = match charge["amount_refunded"].as_i64().expect("cents") {
                _ if is_disputed => "disputed",
                0 => "paid",
                all if all == amount => "refunded",
                _ => "partially_refunded",
            };
            assert_eq!(status, wanted, "entry {entry}, {id}");
            assert_eq!(
                (amount, refunded),
                (cents(&intent["amount_received"]), cents(&charge["amount_refunded"])),
                "entry {entry}"
            );
            assert_eq!(mails, 1, "confirmations of entry {entry}");
        }
        let shown: i64 = self.place.sql("select count(*) from competition_entries where paid_at is not null");
        let mails: i64 = self
            .place
            .sql("select count(*) from outbox where cause like 'confirmation/competition-entries/%'");
        assert_eq!((shown as usize, mails as usize), (paid, paid), "shown as paid, and confirmed");
        paid
    }
}

pub fn intent_of(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{}", reply.text());
    let secret = reply.json()["clientSecret"].as_str().expect("a secret").to_owned();
    secret.split_once("_secret_").expect("a client secret").0.to_owned()
}

fn cents(value: &Value) -> i64 {
    value.as_i64().expect("cents")
}

/// A filled form.
pub fn entry(email: &str) -> Value {
    json!({
        "name": "Ada Sample", "email": email, "phone": "+1 201-555-0101", "businessName": "Sample Studio",
        "location": "Jersey City, NJ", "taxLocation": "new-york", "primaryCategory": "lash-extensions", "subCategory": "Volume",
        "additionalCategories": 0, "agreementTerms": true, "agreementMedia": true
    })
}

/// The same with a second nomination.
pub fn entry_of_two(email: &str) -> Value {
    let mut entry = entry(email);
    entry["additionalCategories"] = 1.into();
    entry["additionalCategory1"] = "brows".into();
    entry["additionalCategory1Sub"] = "Lamination".into();
    entry
}

fn with_payment(entry: &Value, intent: &str) -> Value {
    let mut body = entry.clone();
    body["paymentAmount"] = price(entry).into();
    body["stripePaymentIntentId"] = intent.into();
    body
}

fn price(entry: &Value) -> i64 {
    if entry["additionalCategories"] == 1 { PRICE_OF_TWO } else { PRICE }
}
