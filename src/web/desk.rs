//! What handlers share.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tokio::sync::{Mutex, Semaphore};

use super::client::Client;
use super::limits::{DailyBytes, Rate, stored_bytes};
use crate::app::App;
use crate::error::Result;
use crate::store::sizes::Part;

pub struct Desk {
    pub app: Arc<App>,
    /// How often one client may write.
    pub writes: Rate,
    /// How much one network may send before its submissions are set aside for a person to look at.
    pub networks: Rate,
    /// How much one client, and one network, may have stored in a day.
    daily: DailyBytes,
    network_daily: DailyBytes,
    /// How often one client may try a password.
    pub sign_ins: Rate,
    pub password_checks: Semaphore,
    /// Exports hold a reading connection for as long as the client takes.
    pub exports: Arc<Semaphore>,
    /// Requests that ask the payment provider, which may hang: they never hold every thread.
    pub payments: Arc<Semaphore>,
    /// What takes the room of the database, and when that was counted.
    pub parts: Mutex<Option<(Instant, Vec<Part>)>>,
}

/// Requests at once that ask the payment provider.
const PAYMENTS: usize = 128;

/// A network is judged at this multiple of a client's rate.
const CLIENTS_IN_A_NETWORK: u32 = 3;

impl Desk {
    pub fn new(app: &Arc<App>) -> Desk {
        let limits = &app.config.limits;
        Desk {
            app: Arc::clone(app),
            writes: Rate::per_minute(limits.writes_per_minute),
            networks: Rate::per_minute(limits.writes_per_minute.saturating_mul(CLIENTS_IN_A_NETWORK)),
            daily: DailyBytes::megabytes(limits.megabytes_per_day),
            network_daily: DailyBytes::megabytes(limits.network_megabytes_per_day),
            sign_ins: Rate::per_minute(limits.sign_ins_per_minute),
            password_checks: Semaphore::new(2),
            exports: Arc::new(Semaphore::new(2)),
            payments: Arc::new(Semaphore::new(PAYMENTS)),
            parts: Mutex::default(),
        }
    }

    /// Counts what a submission will take of the disk against the day of its sender.
    ///
    /// # Errors
    /// [`Error::TooMany`](crate::error::Error::TooMany): the day's room is used up.
    pub fn take_room(&self, client: Client, body: &Value) -> Result<()> {
        let bytes = stored_bytes(body);
        self.daily.take(client, bytes)?;
        self.network_daily.take(client.network(), bytes)
    }
}
