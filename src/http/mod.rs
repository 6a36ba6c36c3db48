//! HTTP, the only async code: connections, limits, cached pages, routes and replies. A handler parses, calls a use case
//! and replies; use cases block and know nothing of HTTP.

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

pub use server::{Listener, Stop, serve};
pub use tls::{Tls, keep_certified};
