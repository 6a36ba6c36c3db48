//! HTTP: connections, limits, cached pages, routes and replies. This is the only async code. A handler parses, calls a
//! use case and replies; use cases block and know nothing about HTTP.

pub mod api;
mod blocking;
mod body;
mod client_ip;
mod metrics;
mod pages;
mod problem;
mod rate_limit;
mod server;
mod shares;
mod tls;

pub use server::{Listener, Stop, serve};
pub use tls::{Tls, keep_certified};
