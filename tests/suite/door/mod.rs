//! Tickets and the door: who has a ticket, devices, scans and their merging.

mod attendance;
mod faults;
mod scans;
mod tickets;
