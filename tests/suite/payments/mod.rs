//! Card payments with the Stripe stand-in: the fault table of docs/payments.md.

pub mod browsers;
pub mod card_testing;
pub mod events;
pub mod faults;
pub mod kills;
pub mod refunds;
pub mod surroundings;
pub mod webhook;
pub mod without_entry;
