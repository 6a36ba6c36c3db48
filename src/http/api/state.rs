//! The state that all handlers share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::sign_in_limits::SignIns;
use crate::app::App;
use crate::config::Limits;
use crate::error::{Error, Result};
use crate::http::body::BodyLimits;
use crate::http::client_ip::Client;
use crate::http::rate_limit::{CLIENTS_IN_A_NETWORK, DAY, Rate, stored_kilobytes};
use crate::http::shares::Shares;
use crate::store::sizes::Part;

pub struct ApiState {
    pub app: Arc<App>,
    /// How often one client may send something new.
    pub writes: Rate,
    /// How often one client may make calls that complete something known, such as paying for and saving an entry.
    pub followup_calls: Rate,
    /// How often one network may ask for the state of payments.
    pub payment_status_queries: Rate,
    /// How often one payment may be queried, changed or saved. The key is its intent's id or its form's key.
    pub payment_calls: Rate<String>,
    /// How often one network may cause a lookup at the provider for a payment that is not ours.
    unknown_lookups: Rate,
    /// The same for all networks together.
    unknown_lookups_in_all: Rate<()>,
    /// How often one client may ask for payments that do not exist, or send events with a wrong signature.
    pub bad_payment_requests: Rate,
    /// The memory for all small bodies that are being received, such as forms.
    small_bodies: Arc<Shares>,
    /// The same for larger ones, such as the payment provider's events and pieces of photos, so that they keep no form out.
    large_bodies: Arc<Shares>,
    /// The same for signed-in organisers.
    pub organiser_bodies: Arc<Shares>,
    /// How many submissions one network may send before further ones are held for review.
    pub submissions_per_network: Rate,
    /// Counts the submissions of each network within a day. The confirmations of busy networks are sent after those of others.
    pub submissions_today: Rate,
    /// How many kilobytes one client may have stored in a day.
    kilobytes_per_client: Rate,
    /// The same for one network.
    kilobytes_per_network: Rate,
    /// Limits how often passwords are tried, and decides whose is checked first.
    pub sign_ins: SignIns,
    /// How often a network may try a wrong link or code of the Artist Portal.
    pub link_failures: Rate,
    /// Links to the Artist Portal that are being made.
    pub queued_links: Arc<Semaphore>,
    /// Photos that are decoded at once.
    photos: Arc<Semaphore>,
    /// Permits for exports: each occupies a reading connection for as long as its client downloads.
    pub exports: Arc<Semaphore>,
    /// Permits for requests to the payment provider. It may hang, and must not occupy every thread.
    pub payments: Arc<Semaphore>,
    /// Permits for the payment provider's events, separate so that they do not wait for visitors.
    pub events: Arc<Semaphore>,
    /// The sizes of the database's parts, and when they were measured.
    pub parts: Mutex<Option<(Instant, Vec<Part>)>>,
}

/// How many requests may call the payment provider at the same time.
const PAYMENTS: usize = 128;

/// The memory for all small bodies, in bytes. While 200 networks hold all they can, another one has 80 KB.
const SMALL_BODIES_MEMORY: usize = 32 << 20;

/// In bytes. Larger bodies share less memory.
const MAX_SMALL_BODY: usize = 64 * 1024;

/// Links to the Artist Portal that are made at once, after their requests were answered.
const ARTIST_LINKS: usize = 64;

/// How many of the provider's events are processed at the same time.
const EVENTS: usize = 32;

/// The submissions of one network are counted up to this number a day. It is no limit.
const MAX_COUNTED_SUBMISSIONS: u32 = 1000;

/// A paid entry takes one write and about four calls to complete, and a few more when a card fails.
pub const COMPLETING_CALLS: u32 = 5;

/// Calls about one payment per minute. The page makes ten in its busiest two minutes.
const CALLS_ABOUT_A_PAYMENT: u32 = 20;

/// Failures of one client per minute. A page only asks for payments that it started.
const PAYMENT_FAILURES: u32 = 20;

/// All networks together may cause this many times the lookups of unknown payments that one may cause.
const UNKNOWN_LOOKUPS_IN_ALL: u32 = 3;

pub fn kilobytes_per_day(limits: &Limits) -> u32 {
    limits.megabytes_per_day.saturating_mul(1000)
}

impl ApiState {
    pub fn new(app: &Arc<App>) -> ApiState {
        let limits = &app.config.limits;
        let unless_off = |count: u32| if limits.writes_per_minute == 0 { 0 } else { count };
        ApiState {
            app: Arc::clone(app),
            writes: Rate::per_minute(limits.writes_per_minute),
            followup_calls: Rate::per_minute(limits.writes_per_minute.saturating_mul(COMPLETING_CALLS)),
            payment_status_queries: Rate::per_minute(
                limits.writes_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK),
            ),
            payment_calls: Rate::per_minute(unless_off(CALLS_ABOUT_A_PAYMENT)),
            unknown_lookups: Rate::per_minute(limits.writes_per_minute),
            unknown_lookups_in_all: Rate::per_minute(
                limits.writes_per_minute.saturating_mul(UNKNOWN_LOOKUPS_IN_ALL),
            ),
            bad_payment_requests: Rate::per_minute(unless_off(PAYMENT_FAILURES)),
            small_bodies: Shares::new(SMALL_BODIES_MEMORY),
            large_bodies: Shares::new(SMALL_BODIES_MEMORY / 2),
            organiser_bodies: Shares::new(SMALL_BODIES_MEMORY),
            submissions_per_network: Rate::per_minute(
                limits.writes_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK),
            ),
            submissions_today: Rate::new(MAX_COUNTED_SUBMISSIONS, DAY),
            kilobytes_per_client: Rate::new(kilobytes_per_day(limits), DAY),
            kilobytes_per_network: Rate::new(
                kilobytes_per_day(limits).saturating_mul(CLIENTS_IN_A_NETWORK),
                DAY,
            ),
            sign_ins: SignIns::new(limits.sign_ins_per_minute),
            link_failures: Rate::per_minute(limits.sign_ins_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK)),
            queued_links: Arc::new(Semaphore::new(ARTIST_LINKS)),
            photos: Arc::new(Semaphore::new(1)),
            exports: Arc::new(Semaphore::new(2)),
            payments: Arc::new(Semaphore::new(PAYMENTS)),
            events: Arc::new(Semaphore::new(EVENTS)),
            parts: Mutex::default(),
        }
    }

    pub fn body_limits(&self, max_bytes: usize) -> BodyLimits {
        let timeout = Duration::from_secs(self.app.config.limits.client_timeout_seconds);
        let memory = if max_bytes > MAX_SMALL_BODY { &self.large_bodies } else { &self.small_bodies };
        BodyLimits { max_bytes, timeout, memory: Arc::clone(memory) }
    }

    /// Waits until no other picture is being decoded: a large one takes 200 MB.
    pub async fn permit_to_decode(&self, give_up_after: Duration) -> Result<OwnedSemaphorePermit> {
        let permit = timeout(give_up_after, Arc::clone(&self.photos).acquire_owned()).await;
        if let Ok(Ok(permit)) = permit { Ok(permit) } else { Err(Error::Crowded) }
    }

    /// Counts a lookup at the provider for a payment that is not ours.
    pub fn count_unknown_lookup(&self, client: Client) -> Result<()> {
        let counted = self.unknown_lookups.take(client.network());
        counted.and_then(|()| self.unknown_lookups_in_all.take(())).map_err(|error| match error {
            Error::TooMany(seconds) => Error::TooManyUnknown(seconds),
            other => other,
        })
    }

    /// Counts the disk space that a submission will take against its sender's daily limits.
    pub fn count_stored_bytes(&self, client: Client, body: &Value) -> Result<()> {
        let kilobytes = stored_kilobytes(body);
        self.kilobytes_per_client.take_many(client, kilobytes)?;
        self.kilobytes_per_network.take_many(client.network(), kilobytes)
    }
}
