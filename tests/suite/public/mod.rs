//! What visitors see and send.

pub mod applications;
pub mod bad_input;
pub mod entries;
pub mod files;
pub mod openapi;
pub mod pages;
pub mod registrations;
pub mod screening;
