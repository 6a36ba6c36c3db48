//! Tests what users may rely on, with the real binary: ports, commands, and mail servers.

mod architecture;
mod connections;
mod emails;
mod judging;
mod operations;
mod organiser;
mod payments;
mod portal;
mod public;
mod support;
