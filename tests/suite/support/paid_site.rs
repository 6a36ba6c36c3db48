//! A site that takes payments through the Stripe stand-in. After each fault [`PaidSite::assert_books_agree`] compares
//! Stripe's records with ours.

use std::io::Write;
use std::net::TcpStream;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rusqlite::OptionalExtension;
use serde_json::{Value, json};

use crate::support::samples::store_content;
use crate::support::stripe::StandIn;
use crate::support::{PASSWORD, Place, Reply, Server, open};

/// The price of one nomination with New York's tax, in cents.
pub const PRICE: i64 = 48_492;
/// The price of two nominations with New York's tax, in cents.
pub const PRICE_OF_TWO: i64 = 59_184;

/// A running server with its installation and its Stripe stand-in. No webhook arrives before `enable_webhooks`.
pub struct PaidSite {
    pub stripe: Arc<StandIn>,
    pub place: Place,
    pub server: Server,
}

impl PaidSite {
    pub fn start() -> PaidSite {
        PaidSite::with_stripe(Arc::new(StandIn::start()))
    }

    /// A site with further lines in its configuration, such as `[limits]`.
    pub fn with_config(more: &str) -> PaidSite {
        let (stripe, place) = PaidSite::place(Arc::new(StandIn::start()), more);
        PaidSite::start_in(stripe, place)
    }

    /// As [`PaidSite::with_config`], with this content.
    pub fn with_content(more: &str, toml: &str) -> PaidSite {
        let (stripe, place) = PaidSite::place(Arc::new(StandIn::start()), more);
        store_content(&place, toml);
        PaidSite::start_in(stripe, place)
    }

    fn start_in(stripe: Arc<StandIn>, place: Place) -> PaidSite {
        let server = place.serve();
        PaidSite { stripe, place, server }
    }

    /// A site with a database of its own and this Stripe account, which other sites may share.
    pub fn with_stripe(stripe: Arc<StandIn>) -> PaidSite {
        let (stripe, place) = PaidSite::place(stripe, "");
        PaidSite::start_in(stripe, place)
    }

    fn place(stripe: Arc<StandIn>, more: &str) -> (Arc<StandIn>, Place) {
        let place = Place::new(&format!("[admin]\npassword = '{PASSWORD}'\n{}{more}", stripe.settings()));
        (stripe, place)
    }

    /// The cookie of a signed-in organiser.
    pub fn cookie(&self) -> String {
        self.server.sign_in()
    }

    /// Refunds this amount as the organiser.
    pub fn refund(&self, cookie: &str, entry: i64, key: &str, cents: i64) -> Reply {
        self.send_refund(cookie, entry, key, &json!({ "amountCents": cents }))
    }

    /// Refunds everything that is left.
    pub fn refund_rest(&self, cookie: &str, entry: i64, key: &str) -> Reply {
        self.send_refund(cookie, entry, key, &json!({}))
    }

    /// A refund request as the organiser's page sends it.
    pub fn send_refund(&self, cookie: &str, entry: i64, key: &str, body: &Value) -> Reply {
        let headers = [("content-type", "application/json"), ("cookie", cookie), ("idempotency-key", key)];
        let path = format!("/api/competition-entries/{entry}/refund");
        self.server.send("POST", &path, &headers, &body.to_string())
    }

    pub fn webhook_url(&self) -> String {
        format!("http://{}/api/stripe/webhook", self.server.address)
    }

    /// From now on Stripe's events are delivered automatically.
    pub fn enable_webhooks(&self) {
        self.stripe.control("target", &json!({ "url": self.webhook_url() }));
    }

    /// Delivers one event and returns the server's status for each delivery. `how` is described in
    /// `tests/stripe/control.mjs`.
    pub fn deliver_event(&self, event: &str, how: Value) -> Vec<u64> {
        let mut body = json!({ "event": event, "url": self.webhook_url() });
        body.as_object_mut().expect("an object").extend(how.as_object().expect("an object").clone());
        let sent = self.stripe.control("deliver", &body);
        sent.as_array().expect("a list").iter().map(|one| one["status"].as_u64().unwrap_or(0)).collect()
    }

    /// Requests a payment intent, as the page does when a person continues to the payment.
    pub fn request_intent(&self, key: &str, entry: &Value) -> Reply {
        self.request_intent_with(&[("idempotency-key", key)], entry, price(entry))
    }

    /// As [`PaidSite::request_intent`], from another address. The test's own address must be a trusted proxy.
    pub fn request_intent_from(&self, address: &str, key: &str, entry: &Value) -> Reply {
        let headers = [("idempotency-key", key), ("x-forwarded-for", address)];
        self.request_intent_with(&headers, entry, price(entry))
    }

    fn request_intent_with(&self, headers: &[(&str, &str)], entry: &Value, cents: i64) -> Reply {
        let body = json!({ "amount": cents, "competitionData": {}, "entry": entry });
        let headers = [&[("content-type", "application/json")], headers].concat();
        self.server.send("POST", "/api/create-competition-payment-intent", &headers, &body.to_string())
    }

    /// Stores an entry and pays it. Returns the id of the entry, and of its intent.
    pub fn enter_and_pay(&self, key: &str, entry: &Value) -> (i64, String) {
        let intent = self.create_intent(key, entry);
        self.stripe.pay(&intent);
        let saved = self.save(entry, &intent);
        assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("paid")), "{}", saved.text());
        (saved.json()["id"].as_i64().expect("an id"), intent)
    }

    /// As [`PaidSite::enter_and_pay`], for a form of this address.
    pub fn buy(&self, email: &str) -> (i64, String) {
        self.enter_and_pay(email, &entry(email))
    }

    /// Requests the state of an intent, as the payer's browser does.
    pub fn payment_status(&self, intent: &str) -> Reply {
        let intents = self.stripe.objects("intents");
        let found = intents.iter().find(|one| one["id"] == intent).expect("the intent");
        self.server
            .post("/api/competition-payments/status", &json!({ "clientSecret": found["client_secret"] }))
    }

    /// Sends a request without waiting for its answer.
    pub fn begin_post(&self, path: &str, headers: &str, body: &Value) -> TcpStream {
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

    pub fn begin_request_intent(&self, key: &str, entry: &Value) -> TcpStream {
        let body = json!({ "amount": price(entry), "competitionData": {}, "entry": entry });
        let headers = format!("idempotency-key: {key}\r\n");
        self.begin_post("/api/create-competition-payment-intent", &headers, &body)
    }

    pub fn begin_save(&self, entry: &Value, intent: &str) -> TcpStream {
        self.begin_post("/api/competition-entries", "", &with_payment(entry, intent))
    }

    /// As [`PaidSite::request_intent`], and returns the id of the intent.
    pub fn create_intent(&self, key: &str, entry: &Value) -> String {
        intent_of(&self.request_intent(key, entry))
    }

    /// As [`PaidSite::create_intent`], for a form of another price.
    pub fn create_intent_of(&self, key: &str, entry: &Value, cents: i64) -> String {
        intent_of(&self.request_intent_with(&[("idempotency-key", key)], entry, cents))
    }

    /// Saves an entry, as the page does after the card was confirmed.
    pub fn save(&self, entry: &Value, intent: &str) -> Reply {
        self.server.post("/api/competition-entries", &with_payment(entry, intent))
    }

    /// Sends a form, with or without its payment, under this idempotency key.
    pub fn save_with_key(&self, key: &str, form: &Value) -> Reply {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        self.server.send("POST", "/api/competition-entries", &headers, &form.to_string())
    }

    /// Creates an intent as a caller that sends no entry with it, and returns its id.
    pub fn create_intent_without_entry(&self) -> String {
        let data = json!({ "primaryCategory": "lash-extensions", "subCategory": "Volume" });
        let body = json!({ "amount": PRICE, "competitionData": data });
        intent_of(&self.server.post("/api/create-competition-payment-intent", &body))
    }

    /// Replaces the account's test keys with live keys.
    pub fn switch_to_live_keys(&mut self) {
        let before = self.stripe.settings();
        self.stripe = Arc::new(StandIn::start_with(&json!({ "secretKey": "sk_live_51StandIn" })));
        let config = std::fs::read_to_string(self.place.path("config.toml")).expect("a file");
        let after = self.stripe.settings().replace("sk_test_", "sk_live_");
        std::fs::write(self.place.path("config.toml"), config.replace(&before, &after)).expect("a file");
        self.restart();
    }

    /// Kills the server and starts it again, on another port.
    pub fn restart(&mut self) {
        self.server.kill();
        self.server = self.place.serve();
    }

    /// Makes every entry 25 hours older and restarts the server, which then checks unpaid entries.
    pub fn age_entries_by_a_day(&mut self) {
        let older = "update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-25 hours')";
        // The server must not check them in between.
        self.server.kill();
        self.place.execute(older);
        self.server = self.place.serve();
    }

    pub fn reconcile(&self) -> String {
        self.place.done(&["payments", "reconcile"])
    }

    /// The payment status of the entry with this email address; empty if there is none.
    pub fn status(&self, email: &str) -> String {
        let connection = open(&self.place.database());
        let sql = "select payment_status from competition_entries where email = ?";
        connection.query_row(sql, [email], |row| row.get(0)).optional().expect("a read").unwrap_or_default()
    }

    /// Asserts that our records of all payments match Stripe's, that nothing else is recorded as paid, and that each
    /// paid entry has exactly one confirmation. Returns the number of paid entries.
    pub fn assert_books_agree(&self) -> usize {
        let connection = open(&self.place.database());
        let charges = self.stripe.objects("charges");
        let disputes = self.stripe.objects("disputes");
        let mut paid = 0;
        for intent in self.stripe.objects("intents") {
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
                assert_eq!(found, 1, "{id} was paid, but has neither an entry nor a finding");
                continue;
            };
            paid += 1;
            let charge =
                charges.iter().find(|charge| charge["id"] == intent["latest_charge"]).expect("a charge");
            let dispute = disputes.iter().find(|dispute| dispute["payment_intent"] == id);
            let is_over = |status: &str| status == "won" || status.starts_with("warning_");
            let is_disputed = dispute.is_some_and(|one| !is_over(one["status"].as_str().expect("a status")));
            let expected = match charge["amount_refunded"].as_i64().expect("cents") {
                _ if is_disputed => "disputed",
                0 => "paid",
                all if all == amount => "refunded",
                _ => "partially_refunded",
            };
            assert_eq!(status, expected, "entry {entry}, {id}");
            assert_eq!(
                (amount, refunded),
                (cents(&intent["amount_received"]), cents(&charge["amount_refunded"])),
                "entry {entry}"
            );
            // What was found already refunded as a whole is told as a refund, and as nothing else.
            let refunds: i64 = connection
                .query_row(
                    "select count(*) from outbox where cause = ?",
                    [format!("refund/competition-entries/{entry}/{id}")],
                    |row| row.get(0),
                )
                .expect("a count");
            assert!(refunds == 0 || status == "refunded", "entry {entry}");
            assert_eq!(mails + refunds, 1, "confirmations of entry {entry}");
        }
        let entries: i64 =
            self.place.sql("select count(*) from competition_entries where paid_at is not null");
        let mails: i64 = self
            .place
            .sql("select count(*) from outbox where cause like 'confirmation/competition-entries/%' or cause like 'refund/%/pi_%'");
        assert_eq!(
            (entries as usize, mails as usize),
            (paid, paid),
            "entries recorded as paid, and confirmations"
        );
        paid
    }
}

/// A site that takes payments through the stand-in, and the cookie of a signed-in organiser.
pub struct SignedInSite {
    site: PaidSite,
    pub cookie: String,
}

impl SignedInSite {
    pub fn open() -> SignedInSite {
        let site = PaidSite::start();
        let cookie = site.cookie();
        SignedInSite { site, cookie }
    }
}

impl Deref for SignedInSite {
    type Target = PaidSite;

    fn deref(&self) -> &PaidSite {
        &self.site
    }
}

impl DerefMut for SignedInSite {
    fn deref_mut(&mut self) -> &mut PaidSite {
        &mut self.site
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

/// A complete entry form.
pub fn entry(email: &str) -> Value {
    json!({
        "name": "Ada Sample", "email": email, "phone": "+1 201-555-0101", "businessName": "Sample Studio",
        "location": "Jersey City, NJ", "taxLocation": "new-york", "primaryCategory": "lash-extensions", "subCategory": "Volume",
        "additionalCategories": 0, "agreementTerms": true, "agreementMedia": true
    })
}

/// A complete entry form with two nominations.
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
