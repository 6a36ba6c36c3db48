//! The Artist Portal.

pub mod access;
pub mod backups;
pub mod handing_in;
pub mod links;
pub mod nominations;
pub mod organiser;
pub mod paper_releases;
pub mod photos;
pub mod portal_site;
pub mod reminders;
pub mod sample_video;
pub mod uploads;
pub mod videos;
