//! Payments of competition entries. An entry is stored as pending before any money moves, paid by one payment intent
//! and settled exactly once. It may be refunded, or abandoned after a day.
//!
//! The provider is the source of truth: a browser's call or an event only triggers a request for the current state.

mod abandon;
mod category_refund;
mod check;
mod correct;
mod entry_state;
mod findings;
mod intent_request;
mod intent_without_entry;
mod intents;
mod new_intent;
mod participation;
pub mod pricing;
pub mod provider;
mod provider_refunds;
mod quote;
mod receipts;
mod refunds;
mod reminders;
mod save;
mod settle;
mod settlement;
mod sweep;
mod sweep_budget;
mod webhooks;

pub use abandon::cancel_unpaid;
pub use category_refund::{is_refunded_elsewhere, one_category_cents};
pub use correct::{correct_answers, preview_correction};
pub use entry_state::{EntryState, OwnEntry, PaymentState, demo_payment, entry_state};
pub use findings::resolve_finding;
pub use intent_request::IntentRequest;
pub use intents::{entry_has_intent, form_key_exists, is_our_intent, payment_intent};
pub use participation::{decide, make_complimentary, withdraw_entry};
pub use receipts::{ReceiptPage, receipt_details, receipt_link, receipt_page, set_receipt_details};
pub use refunds::{
    RefundPreview, RefundRequest, Refunded, RefundedCategory, preview_refund, refund, refund_all, refund_mail,
};
pub use save::save;
pub use sweep::{Reconciled, find_unmatched, reconcile, sweep};
pub use webhooks::process_event;
