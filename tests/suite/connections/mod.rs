//! Connections: limits, timeouts and hostile clients.

pub mod hostile_clients;
pub mod limits;
pub mod serving;
