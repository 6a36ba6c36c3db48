//! What judges do with their sheets: save, confirm, recuse, look a second time. Each step is a line of the log, written in the
//! transaction that changes the sheet.

use std::cell::Cell;

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::access::{Judge, require_terms};
use super::assignment::assign_sheets;
use super::panel::require_unsealed;
use super::rubric::{self, InForce};
use super::sheet_values::Values;
use super::{checked_reason, work};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::site::content::Content;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::log::{self, Line, LineKind};
use crate::store::judging::panels::{self, ConflictSource};
use crate::store::judging::sheets::{self, SecondLookState, Sheet, SheetState};
use crate::time;

/// The actor of a line in the log that the judge of the sheet has caused.
const JUDGE: Option<&str> = None;
/// In characters.
const MAX_COMMENT_LENGTH: usize = 2_000;
/// In characters.
const MAX_ID_LENGTH: usize = 100;
/// The most in one request.
const MAX_CHANGES: usize = 500;

/// A change that a device sends, perhaps hours later and more than once.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub id: String,
    pub value: Scored,
    /// The device's clock, for the record; the order of changes does not depend on it.
    pub at: Option<String>,
    pub device: Option<String>,
    /// The rubric that the judge saw. Points under another one are refused.
    pub rubric_version: Option<String>,
}

/// The new value of one field of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub enum Scored {
    Points { criterion: String, points: f64 },
    Penalty { penalty: String, points: f64 },
    Comment { text: String },
}

impl Scored {
    fn line_kind(&self) -> LineKind {
        match self {
            Scored::Points { .. } => LineKind::Points,
            Scored::Penalty { .. } => LineKind::Penalty,
            Scored::Comment { .. } => LineKind::Comment,
        }
    }
}

/// A sheet with its subcategory and rubric, within a transaction.
pub(super) struct LoadedSheet {
    pub(super) sheet: Sheet,
    pub(super) category: Category,
    pub(super) in_force: InForce,
}

fn load(connection: &Connection, content: &Content, judge: &Judge, token: &str) -> Result<LoadedSheet> {
    let sheet = work::own_sheet(connection, judge, token)?;
    let category = categories::ensure(connection, &sheet.category, &sheet.sub_category)?;
    let in_force = rubric::in_force(content, Some(&category), &sheet.category, &sheet.sub_category)?;
    Ok(LoadedSheet { sheet, category, in_force })
}

fn closed(message: &str) -> Error {
    Error::Closed(message.to_owned())
}

impl LoadedSheet {
    pub(super) fn require_open(&self) -> Result<()> {
        require_unsealed(&self.category)?;
        match self.sheet.state {
            SheetState::Open | SheetState::Saved => Ok(()),
            SheetState::Confirmed => Err(closed(
                "This sheet is confirmed. The head judge or the organizer can reopen it with a reason.",
            )),
            SheetState::SecondLook => {
                Err(closed("This sheet waits for your second look: keep or change it."))
            }
            SheetState::Conflict | SheetState::Abstained => Err(closed("You do not score this entry.")),
        }
    }

    /// A line of the log about this sheet. `actor`: who did it, if it was not the judge.
    pub(super) fn line(&self, kind: LineKind, actor: Option<&str>) -> Line {
        let (sheet, at) = ((self.sheet.judge_id, self.sheet.code.as_str()), time::stored(time::now()));
        Line { actor: actor.map(str::to_owned), ..Line::new(kind, sheet, &self.in_force.version, at) }
    }

    /// Adds a change to the log. Returns `false` if the log had it already.
    fn apply(&self, connection: &Connection, change: &Change, actor: Option<&str>) -> Result<bool> {
        let mut line = self.line(change.value.line_kind(), actor);
        match &change.value {
            Scored::Points { criterion, points } => {
                (line.criterion, line.points) = (Some(criterion.clone()), Some(*points));
            }
            Scored::Penalty { penalty, points } => {
                (line.criterion, line.points) = (Some(penalty.clone()), Some(*points));
            }
            Scored::Comment { text } => line.detail = Some(hex::encode(Sha256::digest(text))),
        }
        line.change_id = Some(change.id.clone());
        (line.device, line.device_at) = (change.device.clone(), change.at.clone());
        if let Some(known) = log::with_change(connection, (line.judge_id, &line.code), &change.id)? {
            let same = |line: &Line| (line.kind, line.criterion.clone(), line.points, line.detail.clone());
            if same(&known) == same(&line) {
                return Ok(false);
            }
            return Err(Error::Conflict(format!("The change {} came with another value before.", change.id)));
        }
        log::append(connection, &line)?;
        if let Scored::Comment { text } = &change.value {
            sheets::set_comment(connection, self.sheet.id, text)?;
        }
        Ok(true)
    }

    /// All changes, or none: the first wrong one undoes the transaction. Returns `false` if the log had all of them.
    pub(super) fn apply_all(
        &self,
        connection: &Connection,
        changes: &[Change],
        actor: Option<&str>,
        require_open: impl Fn() -> Result<()>,
    ) -> Result<bool> {
        let key = (self.sheet.judge_id, self.sheet.code.as_str());
        let mut errors = FieldErrors::new();
        let mut has_new = false;
        for (index, change) in changes.iter().enumerate() {
            if log::with_change(connection, key, &change.id)?.is_none() {
                has_new = true;
                check(&self.in_force, index, change, &mut errors);
            }
        }
        // A repeated change of a sheet that is confirmed meanwhile undoes nothing, and is no error.
        if has_new {
            require_open()?;
        }
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let mut applied = false;
        for change in changes {
            applied |= self.apply(connection, change, actor)?;
        }
        if applied {
            let at = time::stored(time::now());
            let (json, version) = (self.in_force.json(), &self.in_force.version);
            categories::lock_rubric(connection, self.category.id, &json, version, &at)?;
            sheets::mark_saved(connection, self.sheet.id, &at)?;
        }
        Ok(applied)
    }

    /// Fails with [`Error::Invalid`], which names every criterion without points.
    fn require_complete(&self, connection: &Connection) -> Result<()> {
        let values = Values::read(connection, self.sheet.judge_id, &self.sheet.code)?;
        let missing = self.in_force.missing(&values);
        let errors: FieldErrors =
            missing.map(|key| (key.to_owned(), "This criterion has no points yet".to_owned())).collect();
        if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
    }

    pub(super) fn confirm(&self, connection: &Connection, actor: Option<&str>) -> Result<()> {
        self.require_complete(connection)?;
        let line = self.line(LineKind::Confirmed, actor);
        sheets::confirm(connection, self.sheet.id, &line.at)?;
        log::append(connection, &line)
    }
}

/// Adds an error for each wrong field of a change.
fn check(in_force: &InForce, index: usize, change: &Change, errors: &mut FieldErrors) {
    let mut add = |field: &str, message: String| {
        errors.entry(format!("changes[{index}].{field}")).or_insert(message);
    };
    let length = change.id.chars().count();
    if length == 0 || length > MAX_ID_LENGTH {
        add("id", format!("An id has 1 to {MAX_ID_LENGTH} characters"));
    }
    for (field, text) in [("at", &change.at), ("device", &change.device)] {
        if text.as_ref().is_some_and(|text| text.chars().count() > MAX_ID_LENGTH) {
            add(field, format!("Please shorten this to {MAX_ID_LENGTH} characters"));
        }
    }
    let is_comment = matches!(change.value, Scored::Comment { .. });
    if !is_comment && change.rubric_version.as_ref().is_some_and(|version| *version != in_force.version) {
        return add(
            "rubricVersion",
            "The criteria have changed since you gave these points. Please give them again".into(),
        );
    }
    let rubric = &in_force.rubric;
    let (field, key, points, max) = match &change.value {
        Scored::Points { criterion, points } => {
            let found = rubric.criteria.iter().find(|known| known.key == *criterion);
            ("criterion", criterion, *points, found.map(|known| known.max))
        }
        Scored::Penalty { penalty, points } => {
            let found = rubric.penalties.iter().find(|known| known.key == *penalty);
            ("penalty", penalty, *points, found.map(|known| known.max))
        }
        Scored::Comment { text } => {
            if text.chars().count() > MAX_COMMENT_LENGTH {
                add("comment", "Please shorten the comment to 2,000 characters".into());
            }
            return;
        }
    };
    let Some(max) = max else {
        return add(field, format!("The rubric has no '{key}'. Please load the sheet again"));
    };
    let step = rubric.step.points();
    if !(0.0..=f64::from(max)).contains(&points) {
        add("points", format!("Please give 0 to {max} points"));
    } else if (points / step).fract() != 0.0 {
        add("points", format!("Points go in steps of {step}"));
    }
}

fn require_count(changes: &[Change]) -> Result<()> {
    if changes.len() > MAX_CHANGES {
        return Err(Error::field("changes", "These are too many changes at once"));
    }
    Ok(())
}

/// Saves changes of a sheet: all or none, each only once.
///
/// # Errors
/// [`Error::TermsRequired`], [`Error::NotFound`], [`Error::NotBeingJudged`], [`Error::Invalid`], [`Error::Conflict`] for an id
/// with another value, [`Error::Closed`].
pub fn save(app: &App, judge: &Judge, token: &str, changes: Vec<Change>) -> Result<()> {
    require_terms(judge)?;
    require_count(&changes)?;
    let content = app.content();
    app.store.write(|connection| {
        let loaded = load(connection, &content, judge, token)?;
        let is_applied = loaded.apply_all(connection, &changes, JUDGE, || loaded.require_open())?;
        // A repeated change leaves what was typed in from paper since.
        if is_applied && loaded.sheet.paper_by.is_some() {
            sheets::clear_paper(connection, loaded.sheet.id)?;
        }
        Ok(())
    })
}

/// Confirms a sheet; confirming again changes nothing. With `version`, of the sheet that the judge saw, a change that another
/// device has made since is not confirmed unseen.
///
/// # Errors
/// Those of [`save`]; [`Error::Invalid`] names the criteria without points. [`Error::Conflict`]: another version.
pub fn confirm(app: &App, judge: &Judge, token: &str, version: Option<i64>) -> Result<()> {
    require_terms(judge)?;
    let content = app.content();
    app.store.write(|connection| {
        let loaded = load(connection, &content, judge, token)?;
        if loaded.sheet.state == SheetState::Confirmed {
            return Ok(());
        }
        loaded.require_open()?;
        if version.is_some() && version != Some(log::version(connection, judge.id, &loaded.sheet.code)?) {
            return Err(Error::Conflict(
                "This nomination was changed on another device. Look at it here, then confirm.".into(),
            ));
        }
        loaded.confirm(connection, JUDGE)
    })
}

/// The judge does not score this entry: for a conflict, or as an abstention. Doing it again changes nothing.
///
/// # Errors
/// Those of [`save`]; [`Error::Invalid`]: no reason.
pub fn recuse(app: &App, judge: &Judge, token: &str, reason: &str, is_conflict: bool) -> Result<()> {
    require_terms(judge)?;
    let reason = checked_reason(reason)?;
    let content = app.content();
    app.store.write(|connection| {
        let loaded = load(connection, &content, judge, token)?;
        let (state, kind) = if is_conflict {
            (SheetState::Conflict, LineKind::Conflict)
        } else {
            (SheetState::Abstained, LineKind::Abstained)
        };
        if loaded.sheet.state == state {
            return Ok(());
        }
        loaded.require_open()?;
        let line = loaded.line(kind, JUDGE);
        sheets::set_state_because(connection, loaded.sheet.id, state, &reason)?;
        if is_conflict {
            let key = (judge.id, loaded.sheet.nomination_id);
            panels::insert_conflict(connection, key, ConflictSource::Recused, &reason, &line.at)?;
        }
        log::append(connection, &line)?;
        assign_sheets(connection, &loaded.category)
    })
}

/// A judge's answer to a second look.
#[derive(Debug, Clone, PartialEq)]
pub enum SecondLookAnswer {
    Keep,
    Change(Vec<Change>),
}

/// Answers a second look: both values stay in the log. A reason is optional. The same answer again changes nothing. With
/// `asked_at`, from the sheet that the judge saw, an answer that comes late is not one to a newer second look.
///
/// # Errors
/// Those of [`save`]; [`Error::Conflict`]: none is asked, or another one.
pub fn second_look(
    app: &App,
    judge: &Judge,
    token: &str,
    answer: SecondLookAnswer,
    reason: Option<&str>,
    asked_at: Option<String>,
) -> Result<()> {
    require_terms(judge)?;
    let reason = reason.filter(|reason| !reason.trim().is_empty()).map(checked_reason).transpose()?;
    let content = app.content();
    app.store.write(|connection| {
        let loaded = load(connection, &content, judge, token)?;
        let (outcome, changes) = match &answer {
            SecondLookAnswer::Keep => (SecondLookState::Kept, [].as_slice()),
            SecondLookAnswer::Change(changes) => (SecondLookState::Changed, changes.as_slice()),
        };
        if changes.is_empty() && answer != SecondLookAnswer::Keep {
            return Err(Error::field("changes", "Please change something, or keep the points"));
        }
        let sheet = &loaded.sheet;
        if sheet.state != SheetState::SecondLook {
            let not_asked = || Error::Conflict("No second look is asked for this sheet.".into());
            let is_repeated = sheet.state == SheetState::Confirmed
                && sheet.second_look == Some(outcome)
                && sheet.second_look_reason == reason;
            // Of a repeated answer, the log has every change.
            return if is_repeated {
                loaded.apply_all(connection, changes, JUDGE, || Err(not_asked())).map(drop)
            } else {
                Err(not_asked())
            };
        }
        require_unsealed(&loaded.category)?;
        if asked_at.is_some() && asked_at != log::second_look_asked_at(connection, judge.id, &sheet.code)? {
            return Err(Error::Conflict(
                "The organizer has asked for another second look since. Please look at this sheet again."
                    .into(),
            ));
        }
        require_count(changes)?;
        let has_new = Cell::new(false);
        loaded.apply_all(connection, changes, JUDGE, || {
            has_new.set(true);
            Ok(())
        })?;
        // Changes that answered a second look before do not answer this one.
        if answer != SecondLookAnswer::Keep && !has_new.get() {
            return Ok(());
        }
        sheets::set_second_look(connection, loaded.sheet.id, outcome, reason.as_deref())?;
        // As with comments the log has the hash of the text, which may name somebody.
        let hash = reason.map(|reason| hex::encode(Sha256::digest(reason)));
        let detail = hash.map_or(outcome.to_string(), |hash| format!("{outcome} {hash}"));
        let line = loaded.line(LineKind::SecondLook, JUDGE);
        log::append(connection, &Line { detail: Some(detail), ..line })?;
        loaded.confirm(connection, JUDGE)
    })
}
