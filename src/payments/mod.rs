//! The life of a competition entry: stored as pending before any money moves, paid by one payment intent,
//! settled exactly once by whichever comes first, refunded, or abandoned after a day.
//!
//! What the provider says is asked of the provider: a browser or an event only tells when to ask.

mod abandon;
mod ceiling;
mod check;
mod entry_state;
mod findings;
mod intent_request;
mod intent_without_entry;
mod intents;
mod new_intent;
pub mod pricing;
pub mod provider;
mod provider_refunds;
mod refunds;
mod reminders;
mod save;
mod settlement;
mod sweep;
mod sweep_budget;
#[cfg(test)]
mod tests;
mod webhooks;

pub use abandon::withdraw;
pub use entry_state::{OwnEntry, Standing, State, demo_payment, standing};
pub use findings::{findings, settle_by_hand};
pub use intent_request::Ask;
pub use intents::{knows_form, knows_intent, made_intent, payment_intent};
pub use refunds::{Possible, Refunded, Wanted, refund, refund_all, refund_mail, would_refund};
pub use save::{Saved, save};
pub use sweep::{Reconciled, look_for_strays, reconcile, sweep};
pub use webhooks::take_event;
