//! Checks the log of scores: that no line was changed, and that the sealed results follow from it.

use sha2::{Digest, Sha256};

use super::rubric;
use super::sealed::Sealed;
use crate::app::App;
use crate::error::Result;
use crate::store::judging::categories;
use crate::store::judging::log::{self, LineKind, START, Stored};
use crate::store::judging::sheets::{self, Sheet};

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
        let (log, unreadable) = log::all(connection)?;
        let mut problems = chain_problems(&log, &unreadable, log::highest_id(connection)?);
        let mut sealed_categories = 0;
        for category in categories::all(connection)? {
            for sheet in sheets::of_category(connection, &category.category, &category.sub_category)? {
                problems.extend(sheet_problems(&log, &sheet));
            }
            let in_force = rubric::of(&content, Some(&category), &category.category, &category.sub_category);
            let (Some(results), Ok(in_force)) = (&category.results, in_force) else { continue };
            sealed_categories += 1;
            let sealed = Sealed::parse(results)?;
            if sealed.again(&in_force.rubric, &log).as_ref() != Ok(&sealed.results) {
                let label = content.nomination(&category.category, &category.sub_category);
                problems
                    .push(format!("The sealed results of {label} are not those that follow from the log."));
            }
        }
        Ok(Verified { lines: log.len() + unreadable.len(), sealed: sealed_categories, problems })
    })
}

/// What is wrong with the rows and their order. `unreadable` are the ids of rows that cannot be read, `highest` is the highest
/// id that there ever was.
fn chain_problems(log: &[Stored], unreadable: &[i64], highest: i64) -> Vec<String> {
    let changed = |id: &i64| format!("Row {id} of score_log was changed.");
    let mut problems: Vec<String> = unreadable.iter().map(changed).collect();
    let mut previous = START;
    for (position, stored) in log.iter().enumerate() {
        let id = stored.id;
        if id != position as i64 + 1 && problems.is_empty() {
            problems.push(format!("A row before row {id} of score_log is missing."));
        }
        if !stored.is_sound() {
            problems.push(changed(&id));
        } else if stored.previous_hash != previous {
            problems.push(format!("Row {id} of score_log does not follow the row before it."));
        }
        previous = &stored.hash;
    }
    let last = log.iter().map(|stored| stored.id).chain(unreadable.iter().copied()).max().unwrap_or(0);
    if highest > last {
        problems.push(format!("The rows after row {last} of score_log are missing."));
    }
    problems
}

/// How a sheet differs from what the log says of it.
fn sheet_problems(log: &[Stored], sheet: &Sheet) -> Vec<String> {
    let own: Vec<&Stored> =
        log.iter().filter(|one| one.line.judge_id == sheet.judge_id && one.line.code == sheet.code).collect();
    let newest = |kinds: &[LineKind]| own.iter().rev().find(|one| kinds.contains(&one.line.kind));
    let (judge, code) = (sheet.judge_id, &sheet.code);
    let mut problems = Vec::new();
    if own.last().map(|one| &one.hash) != sheet.log_hash.as_ref() {
        problems.push(format!("The newest row of score_log for judge {judge} and {code} is missing."));
    }
    let is_logged = match newest(&[LineKind::Comment]).and_then(|one| one.line.detail.as_ref()) {
        None => sheet.comment.is_empty(),
        Some(logged) => *logged == hex::encode(Sha256::digest(&sheet.comment)),
    };
    if !is_logged {
        problems.push(format!("The comment of judge {judge} on {code} does not match the log."));
    }
    // After a second look was asked the last confirmation stands until it is answered.
    let is_confirmed = newest(&[LineKind::Confirmed, LineKind::Reopened])
        .is_some_and(|one| one.line.kind == LineKind::Confirmed);
    if is_confirmed != sheet.state.was_confirmed() {
        problems.push(format!(
            "The sheet of judge {judge} for {code} does not have the state recorded in the log."
        ));
    }
    problems
}
