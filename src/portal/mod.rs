//! The Artist Portal: each category of a paid entry is a nomination, and its competitor hands in photos for it, and a
//! video if the content allows one.

pub mod access;
pub mod export;
pub mod image_hash;
mod media_file;
pub mod nominations;
pub mod organiser;
pub mod own;
pub mod photo;
pub mod progress;
pub mod releases;
pub mod reminders;
pub mod samples;
mod transitions;
pub mod uploads;
mod video;

pub use crate::store::portal::media::Size;
pub use media_file::MediaFile;
