//! Keeping the site running: its health, `doctor`, backups, certificates, and the room that data takes.

pub mod backups;
pub mod certificates;
pub mod doctor;
pub mod health;
pub mod memory;
pub mod storage;
