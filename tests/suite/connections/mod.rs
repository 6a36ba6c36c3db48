//! Who gets a connection, and for how long.

pub mod hostile_clients;
pub mod places;
pub mod serving;
