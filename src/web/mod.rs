//! The edge, and the only place where code is async: connections, limits, cached pages, routes and
//! replies. A handler parses, calls a use case and replies; use cases block and know nothing of HTTP.

mod body;
mod client;
mod desk;
mod fields;
mod front;
mod handlers;
mod limits;
mod paging;
mod problem;
mod routes;
mod server;
mod session;

pub use server::{Stop, serve};
