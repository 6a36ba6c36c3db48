//! Judging: who judges what, blind sheets, results, score sheets and certificates.
//!
//! Judges see only the types of `work`, which hold nothing of a competitor, and of `names`, which hold no codes. Every value that a judge gives is a line of the
//! log (`store::judging::log`), from which everything else is computed.

pub mod access;
pub mod certificates;
pub mod conflicts;
mod entered;
pub mod export;
pub mod judges;
pub mod names;
pub mod organiser;
pub mod panel;
pub mod paper;
pub mod personal;
pub mod relations;
pub mod results;
pub mod rubric;
pub mod samples;
pub mod score_sheet;
pub mod scoring;
pub mod seal;
pub mod sealed;
pub mod sheet;
pub mod supervision;
pub mod work;

use crate::app::App;
use crate::error::{Error, Result};

/// In characters.
const MAX_REASON_LENGTH: usize = 2_000;

/// Gives out what a change made due: sheets and photos to judges, certificates to speakers. Called after every change by an
/// organiser, and by the clock for changes by the payment provider, since reading gives out nothing.
pub fn assign_due_work(app: &App) -> Result<()> {
    panel::assign_due_work(app)?;
    certificates::issue_to_speakers(app)
}

/// A reason that somebody has to give.
fn reason(text: &str) -> Result<String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err(Error::field("reason", "Please give a reason")),
        length if length > MAX_REASON_LENGTH => {
            Err(Error::field("reason", "Please shorten the reason to 2,000 characters"))
        }
        _ => Ok(text.to_owned()),
    }
}
