//! Errors of the payment provider, for the command line.

use crate::error::Error;

/// Replaces an error's message for visitors by one for the host, with its cause.
pub fn for_terminal(error: Error) -> Error {
    match error {
        Error::PaymentsOff => {
            Error::Failed("No payment provider is configured. Set stripe.secret_key in the configuration.".into())
        }
        Error::ProviderFailed(cause) => Error::Failed(format!(
            "The payment provider did not answer properly ({cause}). Run the command again in a moment: nothing is paid twice. `showcase doctor` helps to find the reason."
        )),
        Error::ProviderSlow => Error::Failed(
            "The payment provider took too long to answer. Run the command again in a moment: nothing is paid twice."
                .into(),
        ),
        other => other,
    }
}
