//! Checks the log of scores: that no line was changed, and that the sealed results follow from it.

use super::rubric;
use super::sealed::Sealed;
use crate::app::App;
use crate::error::Result;
use crate::store::judging::categories;
use crate::store::judging::log::{self, LineKind, START};
use crate::store::judging::sheets::{self, SheetState};

/// What a check of the log found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub lines: usize,
    /// Sealed subcategories whose results were computed again.
    pub sealed: usize,
    /// Sentences; each names a row, a sheet or a subcategory.
    pub problems: Vec<String>,
}

/// # Errors
/// Those of the database.
pub fn verify(app: &App) -> Result<Verified> {
    let content = app.content();
    app.store.read(|connection| {
        let log = log::all(connection)?;
        let mut verified = Verified { lines: log.len(), ..Verified::default() };
        let mut previous = START.to_owned();
        for (position, stored) in log.iter().enumerate() {
            let id = stored.id;
            if id != position as i64 + 1 && verified.problems.is_empty() {
                verified.problems.push(format!("A row before row {id} of score_log is missing."));
            }
            if !stored.is_sound() {
                verified.problems.push(format!("Row {id} of score_log was changed."));
            } else if stored.previous_hash != previous {
                verified.problems.push(format!("Row {id} of score_log does not follow the row before it."));
            }
            previous.clone_from(&stored.hash);
        }
        let last = log.last().map_or(0, |stored| stored.id);
        if log::highest_id(connection)? > last {
            verified.problems.push(format!("The rows after row {last} of score_log are missing."));
        }
        for category in categories::all(connection)? {
            let in_force = rubric::of(&content, Some(&category), &category.category, &category.sub_category);
            let label = content.nomination(&category.category, &category.sub_category);
            for sheet in sheets::of_category(connection, &category.category, &category.sub_category)? {
                let own = log
                    .iter()
                    .filter(|one| one.line.judge_id == sheet.judge_id && one.line.code == sheet.code);
                let mut steps =
                    own.filter(|one| matches!(one.line.kind, LineKind::Confirmed | LineKind::Reopened));
                let is_confirmed = steps.next_back().is_some_and(|one| one.line.kind == LineKind::Confirmed);
                // After a second look was asked the last confirmation stands until it is answered.
                let newest = log
                    .iter()
                    .rev()
                    .find(|one| one.line.judge_id == sheet.judge_id && one.line.code == sheet.code);
                if newest.map(|one| &one.hash) != sheet.log_hash.as_ref() {
                    let message = format!(
                        "The newest row of score_log for judge {} and {} is missing.",
                        sheet.judge_id, sheet.code
                    );
                    verified.problems.push(message);
                }
                if is_confirmed != matches!(sheet.state, SheetState::Confirmed | SheetState::SecondLook) {
                    let message = format!(
                        "The sheet of judge {} for {} is not in the state that the log says.",
                        sheet.judge_id, sheet.code
                    );
                    verified.problems.push(message);
                }
            }
            let (Some(results), Ok(in_force)) = (&category.results, in_force) else { continue };
            verified.sealed += 1;
            let sealed = Sealed::parse(results)?;
            if sealed.again(&in_force.rubric, &log).as_ref() != Ok(&sealed.results) {
                verified
                    .problems
                    .push(format!("The sealed results of {label} are not those that follow from the log."));
            }
        }
        Ok(verified)
    })
}
