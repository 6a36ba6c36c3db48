//! Emails: sending, limits and reminders.

pub mod limits;
pub mod outbox;
pub mod reminders;
