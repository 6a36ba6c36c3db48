//! Creates payment intents with an idempotency key of our own, unless too many are unpaid.

use std::net::IpAddr;

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::IntentId;
use crate::ops::health::probe;
use crate::payments::provider::{Failure, Intent, IntentStatus, NewIntent, Reservation};
use crate::store::payments;
use crate::time;

const ALARM: &str = "Many card payments were started today and not completed, so the website now refuses new ones from \
    some visitors. Somebody may be testing stolen cards. Check the declined payments at your payment provider. \
    docs/payments.md names the rules to switch on there; limits.unpaid_payments_per_network sets the limit here.";

/// Reserves a place for one more intent of a network. A refusal is mailed to the organiser, once a day.
///
/// # Errors
/// [`Error::TooManyUnpaid`], [`Error::PaymentsBusy`].
pub fn reserve(app: &App, network: IpAddr) -> Result<Reservation<'_>> {
    let reservation = app.unpaid_intents.reserve(network);
    if reservation.is_err()
        && let Err(error) = probe::alarm(app, "unpaid-payments", ALARM)
    {
        tracing::error!("the alarm about unpaid payments could not be sent: {}", error.for_log());
    }
    reservation
}

/// Creates an intent; the idempotency key is `name` and its current attempt. For one key the provider repeats its first
/// response, which may be an intent that can no longer be paid (`dead`); then the next attempt is used.
pub fn create(app: &App, name: &str, new: &NewIntent, dead: Option<&IntentId>) -> Result<Intent> {
    for _ in 0..2 {
        let attempt = app.store.read(|connection| payments::attempt(connection, name))?;
        let created = app.payments.create(&format!("{name}-{attempt}"), new);
        let failure = match created {
            // This key already gave an intent that can no longer be used.
            Ok(intent) if intent.status == IntentStatus::Canceled || dead == Some(&intent.id) => None,
            Ok(intent) if intent.amount_cents != new.amount_cents => None,
            Ok(intent) => return Ok(intent),
            Err(failure) if failure.repeats_for_key() => Some(failure),
            Err(failure) => return Err(failure.into()),
        };
        let at = time::stored(time::now());
        app.store.write(|connection| payments::next_attempt(connection, name, attempt, &at))?;
        // A key that was used with other parameters is retried with the next attempt. Any other refusal is returned.
        match failure {
            Some(Failure::Refused { is_reused_key: true, .. }) => {}
            Some(failure) => return Err(failure.into()),
            None => {}
        }
    }
    Err(Error::ProviderFailed("no usable intent could be created".into()))
}
