//! The tables of the Artist Portal.

pub mod access;
pub mod media;
pub mod nominations;
pub mod releases;
pub mod uploads;
