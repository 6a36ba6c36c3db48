//! Through a real port, a real command line and a real mail server: what users may rely on.

mod architecture;
mod connections;
mod emails;
mod operations;
mod organiser;
mod payments;
mod portal;
mod public;
mod support;
