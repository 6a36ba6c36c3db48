//! A new payment intent, asked for under an idempotency key of our own until the provider gives a usable one.

use chrono::Utc;

use crate::app::App;
use crate::error::{Error, Result};
use crate::payments::provider::{Failure, Intent, IntentStatus, NewIntent};
use crate::store::payments;
use crate::time;

/// Asks for a new intent under the present try of `name`. Under one key the provider repeats its first answer,
/// so that an intent which cannot be paid any more (`dead`) may come again as if it could.
pub fn create(app: &App, name: &str, new: &NewIntent, dead: Option<&str>) -> Result<Intent> {
    for _ in 0..2 {
        let attempt = app.store.read(|connection| payments::attempt(connection, name))?;
        let made = app.payments.create(&format!("{name}-{attempt}"), new);
        let failure = match made {
            // Under this key an intent was made before, and it is of no use any more.
            Ok(intent) if intent.status == IntentStatus::Canceled || dead == Some(&intent.id) => None,
            Ok(intent) if intent.amount_cents != new.amount_cents => None,
            Ok(intent) => return Ok(intent),
            Err(failure) if failure.sticks() => Some(failure),
            Err(failure) => return Err(failure.into()),
        };
        let (name, at) = (name.to_owned(), time::stored(Utc::now()));
        app.store.write(move |connection| payments::next_attempt(connection, &name, attempt, &at))?;
        // The same form that is asked for with other words is asked for anew; any other refusal is told.
        match failure {
            Some(Failure::Refused { is_reused_key: true, .. }) => {}
            Some(failure) => return Err(failure.into()),
            None => {}
        }
    }
    Err(Error::ProviderFailed("no new intent could be had".into()))
}
