//! Judging.

pub mod blind;
pub mod judging_site;
pub mod results;
pub mod scoring;
