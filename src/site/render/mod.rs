//! Everything that is served from memory: the rendered pages, their data documents, the pictures and the bundled assets,
//! each with its encodings, entity tags and headers prepared in advance.
//!
//! Left out: routing and connections (`http`), and where the content comes from (`site`).

mod assets;
#[cfg(test)]
mod bytecode;
mod document;
mod engine;
pub mod headers;
mod pictures;
mod site;

pub use assets::asset_path;
pub use document::{Document, Variant, entity_tag, gzip};
pub use engine::Policy;
pub use pictures::{Picture, Pictures};
pub use site::{File, Scope, Site};
