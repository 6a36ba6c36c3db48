//! Whether the site works: requests read `status`, `probe` updates it every few seconds, and `attention` lists what
//! the organiser should deal with.

pub mod attention;
pub mod probe;
pub mod status;
