//! Tickets, and the door: who may come, the volunteers' devices, and what they scanned.

pub mod devices;
pub mod figures;
pub mod mails;
pub mod readiness;
pub mod scans;
pub mod tickets;

use crate::app::App;
use crate::error::Result;

/// Updates the tickets to match the registrations, and emails the people whose ticket has become void.
pub fn follow_registrations(app: &App) -> Result<()> {
    tickets::sync_registrations(app)?;
    mails::tell_void(app)
}
