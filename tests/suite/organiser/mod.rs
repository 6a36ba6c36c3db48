//! The organiser's side: access, lists, decisions, content, exports.

pub mod accounts_and_persons;
pub mod admin;
pub mod attention;
pub mod calls;
pub mod content;
pub mod corrections;
pub mod erasure;
pub mod export;
pub mod live_content;
pub mod reports;
pub mod review;
pub mod search;
pub mod sign_in;
pub mod waitlist;
pub mod workbook;
