//! Showcase: the website, registration desk and back office of a two-day beauty showcase and championship.
//!
//! ARCHITECTURE.md has the map; `tests/suite/architecture.rs` says which module may use which.

pub mod admin;
pub mod app;
pub mod cli;
pub mod config;
pub mod demo;
pub mod door;
pub mod edition;
pub mod error;
pub mod forms;
pub mod http;
pub mod jobs;
pub mod judging;
pub mod mail;
pub mod mailings;
pub mod model;
pub mod ops;
pub mod payments;
pub mod pictures;
pub mod portal;
pub mod privacy;
pub mod registrations;
pub mod reports;
pub mod site;
pub mod store;
pub mod time;
#[cfg(test)]
mod typescript_tests;
