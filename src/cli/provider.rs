//! What the commands say when the payment provider does not do what it is asked for.

use crate::error::Error;

/// The error in the words of somebody at a terminal, who hears the cause too.
pub fn told(error: Error) -> Error {
    match error {
        Error::PaymentsOff => {
            Error::Failed("No payment provider is set: set stripe.secret_key in the configuration.".into())
        }
        Error::ProviderFailed(cause) => Error::Failed(format!(
            "The payment provider did not answer as it should ({cause}). Run the command again in a moment: nothing is paid twice. `showcase doctor` looks for the reason."
        )),
        Error::ProviderSlow => Error::Failed(
            "The payment provider takes too long to answer. Run the command again in a moment: nothing is paid twice."
                .into(),
        ),
        other => other,
    }
}
