//! The tables of judging.

pub mod categories;
pub mod certificates;
pub mod judges;
pub mod log;
pub mod panels;
pub mod relations;
pub mod sheets;
