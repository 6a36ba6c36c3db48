//! The limits on unpaid payment intents, and the alarm when one is reached.

use std::net::IpAddr;

use crate::app::App;
use crate::error::Result;
use crate::ops::health::probe;
use crate::payments::provider::Reservation;

const ALARM: &str = "Many card payments were started today and not completed, so the website now refuses new ones from \
    some visitors. Somebody may be testing stolen cards. Check the declined payments at your payment provider. \
    docs/payments.md names the rules to switch on there; limits.unpaid_payments_per_network sets the limit here.";

/// Reserves a place for one more intent of a network. A refusal is mailed to the organiser, once a day.
///
/// # Errors
/// [`crate::error::Error::TooManyUnpaid`], [`crate::error::Error::PaymentsBusy`].
pub fn reserve(app: &App, network: IpAddr) -> Result<Reservation<'_>> {
    let reservation = app.unpaid_intents.reserve(network);
    if reservation.is_err()
        && let Err(error) = probe::alarm(app, "unpaid-payments", ALARM)
    {
        tracing::error!("the alarm about unpaid payments could not be sent: {}", error.for_log());
    }
    reservation
}
