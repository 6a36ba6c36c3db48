//! The site's health. `probe` checks it every few seconds and updates `status`, which requests read; `attention` lists
//! what the organiser should deal with.

pub mod attention;
pub mod probe;
pub mod status;
