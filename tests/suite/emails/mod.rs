//! Emails: sending, limits and reminders.

pub mod limits;
pub mod mail_texts;
pub mod mailings;
pub mod outbox;
pub mod reminders;
pub mod scanners;
pub mod unsubscribe;
