//! The life of a competition entry: stored as pending before any money moves, paid by one payment intent,
//! settled exactly once by whichever comes first, refunded, or abandoned after a day.
//!
//! What the provider says is asked of the provider: a browser or an event only tells when to ask.

mod ask;
mod attempt;
mod ceiling;
mod check;
mod end;
mod findings;
mod intent;
mod loose;
mod pay_back;
mod refund;
mod remind;
mod round;
mod save;
mod settle;
mod standing;
mod sweep;
mod webhook;

pub use ask::Ask;
pub use end::withdraw;
pub use findings::{findings, settle_by_hand};
pub use intent::{knows_form, knows_intent, payment_intent};
pub use refund::{Possible, Refunded, Wanted, refund, refund_all, refund_mail, would_refund};
pub use save::{Saved, save};
pub use standing::{OwnEntry, Standing, State, demo_payment, standing};
pub use sweep::{Reconciled, look_for_strays, reconcile, sweep};
pub use webhook::take_event;
