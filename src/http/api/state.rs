//! What handlers share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::{Mutex, Semaphore};

use super::sign_in_limits::SignIns;
use crate::app::App;
use crate::error::{Error, Result};
use crate::http::body::{BodyBudget, BodyLimits};
use crate::http::client_ip::Client;
use crate::http::rate_limit::{DailyBytes, DailyForms, Failures, Rate, stored_bytes};
use crate::store::sizes::Part;

pub struct ApiState {
    pub app: Arc<App>,
    /// How often one client may send something new.
    pub writes: Rate,
    /// How often one client may call what completes something that we know, as paying and saving an entry does.
    pub completions: Rate,
    /// How often a network may ask how payments stand.
    pub payment_questions: Rate,
    /// How often one payment may be asked about, changed or saved; by its intent's id, or its form's key.
    pub payment_calls: Rate<String>,
    /// How often one client may ask about payments that do not exist.
    pub unknown_payments: Failures,
    /// How often one network, and all together, may have a payment looked up that no entry and no intent of ours has.
    unknown_lookups: Rate,
    unknown_lookups_in_all: Rate<()>,
    /// How often one client may send an event with a wrong signature.
    pub failed_events: Failures,
    /// The memory for all bodies that are arriving.
    pub bodies: Arc<BodyBudget>,
    /// How much one network may send before its submissions are set aside for a person to look at.
    pub networks: Rate,
    /// How many forms each network has sent: the confirmations of those that send many wait for the others.
    pub forms: DailyForms,
    /// How much one client, and one network, may have stored in a day.
    daily: DailyBytes,
    network_daily: DailyBytes,
    /// How often a password may be tried, and whose is checked first.
    pub sign_ins: SignIns,
    /// How often a network may try a wrong link or code of the Artist Portal.
    pub artist_failures: Failures,
    /// Links to the Artist Portal that are being made.
    pub artist_links: Arc<Semaphore>,
    /// Photos that are decoded at once.
    pub photos: Arc<Semaphore>,
    /// Exports hold a reading connection for as long as the client takes.
    pub exports: Arc<Semaphore>,
    /// Requests that ask the payment provider, which may hang: they never hold every thread.
    pub payments: Arc<Semaphore>,
    /// Events of the payment provider that are taken in: visitors never keep one waiting.
    pub events: Arc<Semaphore>,
    /// What takes the room of the database, and when that was counted.
    pub parts: Mutex<Option<(Instant, Vec<Part>)>>,
}

/// Requests at once that ask the payment provider.
const PAYMENTS: usize = 128;

/// Links to the Artist Portal that are made at once, after their requests were answered.
const ARTIST_LINKS: usize = 64;

/// Events at once that are taken in.
const EVENTS: usize = 32;

/// A network is judged at this multiple of a client's rate.
pub const CLIENTS_IN_A_NETWORK: u32 = 3;

/// An entry that is paid takes one write and some four calls to complete it, and a few more when a card fails.
pub const COMPLETING_CALLS: u32 = 5;

/// Calls about one payment a minute; the page makes ten in its busiest two minutes.
const CALLS_ABOUT_A_PAYMENT: u32 = 20;

/// Questions a minute of one client about payments that do not exist; a page asks about those that it began.
const UNKNOWN_PAYMENTS: u32 = 20;

/// All networks together may have this many times what one may have looked up of payments that we never began.
const UNKNOWN_LOOKUPS_IN_ALL: u32 = 3;

impl ApiState {
    pub fn new(app: &Arc<App>) -> ApiState {
        let limits = &app.config.limits;
        let unless_off = |count: u32| if limits.writes_per_minute == 0 { 0 } else { count };
        ApiState {
            app: Arc::clone(app),
            writes: Rate::per_minute(limits.writes_per_minute),
            completions: Rate::per_minute(limits.writes_per_minute.saturating_mul(COMPLETING_CALLS)),
            payment_questions: Rate::per_minute(
                limits.writes_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK),
            ),
            payment_calls: Rate::per_minute(unless_off(CALLS_ABOUT_A_PAYMENT)),
            unknown_payments: Failures::per_minute(unless_off(UNKNOWN_PAYMENTS)),
            unknown_lookups: Rate::per_minute(limits.writes_per_minute),
            unknown_lookups_in_all: Rate::per_minute(
                limits.writes_per_minute.saturating_mul(UNKNOWN_LOOKUPS_IN_ALL),
            ),
            failed_events: Failures::per_minute(limits.failed_events_per_minute),
            bodies: Arc::new(BodyBudget::new(limits.bodies_megabytes << 20)),
            networks: Rate::per_minute(limits.writes_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK)),
            forms: DailyForms::default(),
            daily: DailyBytes::megabytes(limits.megabytes_per_day),
            network_daily: DailyBytes::megabytes(limits.network_megabytes_per_day),
            sign_ins: SignIns::new(limits.sign_ins_per_minute),
            artist_failures: Failures::per_minute(
                limits.sign_ins_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK),
            ),
            artist_links: Arc::new(Semaphore::new(ARTIST_LINKS)),
            photos: Arc::new(Semaphore::new(1)),
            exports: Arc::new(Semaphore::new(2)),
            payments: Arc::new(Semaphore::new(PAYMENTS)),
            events: Arc::new(Semaphore::new(EVENTS)),
            parts: Mutex::default(),
        }
    }

    /// The limits of a body that may have so many bytes.
    pub fn body_limits(&self, bytes: usize) -> BodyLimits {
        let time = Duration::from_secs(self.app.config.limits.body_seconds);
        BodyLimits { bytes, time, budget: Arc::clone(&self.bodies) }
    }

    /// Counts a question to the provider about a payment that we never began.
    ///
    /// # Errors
    /// [`Error::TooManyUnknown`].
    pub fn count_unknown_lookup(&self, client: Client) -> Result<()> {
        let counted = self.unknown_lookups.check(client.network());
        counted.and_then(|()| self.unknown_lookups_in_all.check(())).map_err(|error| match error {
            Error::TooMany(seconds) => Error::TooManyUnknown(seconds),
            other => other,
        })
    }

    /// Counts what a submission will take of the disk against the day of its sender.
    ///
    /// # Errors
    /// [`Error::TooMany`]: the day's room is used up.
    pub fn take_room(&self, client: Client, body: &Value) -> Result<()> {
        let bytes = stored_bytes(body);
        self.daily.take(client, bytes)?;
        self.network_daily.take(client.network(), bytes)
    }
}
