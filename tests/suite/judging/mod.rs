//! Judging.

pub mod blind;
pub mod corrections;
pub mod judging_site;
pub mod relations;
pub mod results;
pub mod scoring;
pub mod while_scoring;
