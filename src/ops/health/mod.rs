//! Whether the site works: `status` is what requests ask, `probe` finds it out each minute, and `attention` lists
//! what the organiser should look into.

pub mod attention;
pub mod probe;
pub mod status;
