//! Tickets and the door: who has a ticket, devices, scans and their merging.

mod faults;
mod scans;
mod tickets;
