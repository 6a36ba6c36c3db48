//! Tickets, and the door: who may come, the volunteers' devices, and what they scanned.

pub mod codes;
pub mod devices;
pub mod figures;
pub mod mails;
pub mod readiness;
pub mod scans;
pub mod tickets;

use crate::app::App;
use crate::error::Result;

/// Brings the tickets in line with the registrations, and tells those whose ticket has become void by that.
pub fn follow_registrations(app: &App) -> Result<()> {
    tickets::sync_registrations(app)?;
    mails::tell_void(app)
}
