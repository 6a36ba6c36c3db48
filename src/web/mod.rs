//! The edge, and the only place where code is async: connections, limits, cached pages, routes and
//! replies. A handler parses, calls a use case and replies; use cases block and know nothing of HTTP.

mod activity;
mod body;
mod client;
mod connection;
mod connections;
mod desk;
mod document;
mod fields;
mod front;
mod handlers;
mod head_timer;
mod limits;
mod metrics;
mod metrics_door;
mod openapi;
mod paging;
mod patience;
mod plain_door;
mod problem;
mod refusals;
mod routes;
mod server;
mod session;
mod shape;
mod sign_ins;
mod tls;

pub use server::{Door, Stop, serve};
pub use tls::{Tls, keep_certified};
