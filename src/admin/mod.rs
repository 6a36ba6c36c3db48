//! The organiser's access: accounts, the shared password, and sessions.

pub mod accounts;
pub mod password;
pub mod sessions;
