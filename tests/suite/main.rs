//! Tests the real binary from outside: its HTTP interface, its commands, and the emails that it sends.

mod architecture;
mod chaos;
mod connections;
mod door;
mod emails;
mod judging;
mod operations;
mod organiser;
mod payments;
mod portal;
mod public;
mod support;
