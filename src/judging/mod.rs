//! Judging: who judges what, blind sheets, results, score sheets and certificates.
//!
//! Judges see only the types of `work`, which hold nothing of a competitor, and of `names`, which hold no codes. Every value
//! that a judge gives is a line of the log (`store::judging::log`), from which everything else is computed.

pub mod access;
mod assignment;
pub mod certificates;
pub mod conflicts;
pub mod export;
pub mod judges;
pub mod names;
pub mod organiser;
pub mod panel;
pub mod paper;
pub mod personal;
pub mod relations;
pub mod results;
mod results_input;
pub mod rubric;
pub mod samples;
pub mod score_sheet;
pub mod scoring;
pub mod seal;
pub mod sealed_results;
pub mod sheet_values;
pub mod supervision;
pub mod work;

use crate::app::App;
use crate::error::Result;
use crate::forms;

/// In characters.
const MAX_REASON_LENGTH: usize = 2_000;

/// Assigns sheets and photos to judges, and issues certificates to speakers, where a change made them due. Called after every
/// change by an organiser, and by the clock for changes by the payment provider, since requests that only read assign nothing.
pub fn assign_due_work(app: &App) -> Result<()> {
    let assigned = assignment::assign_due_sheets(app);
    certificates::issue_to_speakers(app)?;
    assigned
}

fn checked_reason(text: &str) -> Result<String> {
    forms::reason(text, MAX_REASON_LENGTH)
}
