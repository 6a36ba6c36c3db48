//! The public site: pages, files, forms and the API's description.

pub mod applications;
pub mod bad_input;
pub mod entries;
pub mod files;
pub mod openapi;
pub mod pages;
pub mod paths;
pub mod registrations;
pub mod screening;
