//! How organisers sign in: accounts, the shared password, and sessions.

pub mod accounts;
pub mod password;
pub mod sessions;
