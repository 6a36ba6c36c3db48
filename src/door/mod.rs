//! Tickets, and the door: who may come, the volunteers' devices, and what they scanned.

pub mod codes;
pub mod devices;
pub mod figures;
pub mod mails;
pub mod readiness;
pub mod scans;
pub mod tickets;
