//! Errors of the payment provider, for the command line.

use crate::error::Error;

/// Replaces a message meant for visitors with one for the organiser, including the cause.
pub fn for_terminal(error: Error) -> Error {
    match error {
        Error::PaymentsOff => {
            Error::Failed("No payment provider is configured. Set stripe.secret_key in the configuration.".into())
        }
        Error::ProviderFailed(cause) => Error::Failed(format!(
            "The payment provider refused the request or sent an incomplete response ({cause}). Run the command again in a moment; nothing will be charged or refunded twice. `showcase doctor` helps find the cause."
        )),
        Error::ProviderSlow => Error::Failed(
            "The payment provider took too long to respond. Run the command again in a moment; nothing will be charged or refunded twice."
                .into(),
        ),
        other => other,
    }
}
