//! Everything that is served without asking anyone: the rendered pages, their data documents, and the
//! bundled assets, each with its encodings, entity tags and headers made beforehand.
//!
//! Left out on purpose: routing and connections (`web`), and where the content comes from.

mod assets;
mod document;
mod engine;
pub mod headers;
mod pictures;
mod site;

pub use document::{Document, Variant};
pub use engine::Policy;
pub use pictures::{Picture, Pictures, Size};
pub use site::{File, Inputs, Site};
