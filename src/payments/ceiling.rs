//! The ceiling of unpaid payment intents, and the alarm when it is reached.

use std::net::IpAddr;

use crate::app::App;
use crate::error::Result;
use crate::ops::health::probe;
use crate::payments::provider::Begun;

const SENTENCE: &str = "Many card payments were begun today and not finished, so that the website refuses further ones from \
    some visitors. Somebody may be trying out stolen cards. Look at the declined payments at your payment provider; \
    docs/payments.md names the rules to switch on there, and limits.unpaid_payments_per_network the ceiling here.";

/// Takes room for one more intent of a network. A refusal is mailed to the organiser, once a day.
///
/// # Errors
/// [`crate::error::Error::TooManyUnpaid`].
pub fn begin(app: &App, network: IpAddr) -> Result<Begun<'_>> {
    let begun = app.unpaid_intents.begin(network);
    if begun.is_err()
        && let Err(error) = probe::alarm(app, "unpaid-payments", SENTENCE)
    {
        tracing::error!("the organiser was not told of unpaid payments: {}", error.for_log());
    }
    begun
}
