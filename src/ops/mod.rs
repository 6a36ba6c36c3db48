//! Operations: health, `doctor`, backups, certificates, disk space and memory.

pub mod backups;
pub mod certificates;
pub mod doctor;
pub mod health;
pub mod memory;
pub mod photos;
pub mod storage;
