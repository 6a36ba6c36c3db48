//! The JSON API: its paths, its handlers and what they share.

pub mod fields;
pub mod handlers;
pub mod openapi;
pub mod paging;
pub mod routes;
pub mod session;
pub mod sign_ins;
pub mod state;
