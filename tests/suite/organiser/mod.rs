//! The organiser's work: access, lists, decisions, content, exports and reports.

pub mod accounts_and_persons;
pub mod admin;
pub mod answers;
pub mod attention;
pub mod calls;
pub mod content;
pub mod content_draft;
pub mod content_images;
pub mod corrections;
pub mod edition;
pub mod erasure;
pub mod export;
pub mod lists;
pub mod live_content;
pub mod receipts;
pub mod reports;
pub mod review;
pub mod search;
pub mod sign_in;
pub mod tickets;
pub mod waitlist;
pub mod withdrawal;
pub mod workbook;
