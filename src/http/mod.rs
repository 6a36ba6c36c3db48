//! The edge, and the only place where code is async: connections, limits, cached pages, routes and
//! replies. A handler parses, calls a use case and replies; use cases block and know nothing of HTTP.

pub mod api;
mod blocking;
mod body;
mod client_ip;
mod metrics;
mod pages;
mod problem;
mod rate_limit;
mod server;
mod tls;

pub use server::{Door, Stop, serve};
pub use tls::{Tls, keep_certified};
