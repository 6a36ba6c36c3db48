//! What the organiser sees of judging: progress, conflicts, how judges differ, ties, and results once sealed.

use rusqlite::Connection;

use super::relations::{self, Request};
use super::results::{self, Competition, decimal};
use super::results_input::{self, OpenTie, pending, shared_places, taking_part};
use super::rubric::{self, InForce};
use super::sealed_results::Sealed;
use super::sheet_values::Values;
use crate::app::App;
use crate::error::Result;
use crate::model::NominationState;
use crate::site::content::Content;
use crate::store::judging::categories::{self, Category, CategoryState};
use crate::store::judging::panels::{self, Conflict, Member, PanelRole};
use crate::store::judging::sheets::{SecondLookState, Sheet, SheetState};
use crate::store::portal::nominations::{self, Entrant, Nomination};

/// A subcategory in the list.
#[derive(Debug, Clone)]
pub struct Overview {
    pub category: String,
    pub sub_category: String,
    pub label: String,
    pub state: CategoryState,
    pub in_force: InForce,
    pub nominations: usize,
    pub not_ready: usize,
    pub judges: usize,
    pub counts: Counts,
}

/// How many sheets are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "SheetCounts"))]
pub struct Counts {
    pub open: usize,
    pub saved: usize,
    pub confirmed: usize,
    pub conflict: usize,
    pub abstained: usize,
    pub second_look: usize,
}

impl Counts {
    fn new<'a>(sheets: impl IntoIterator<Item = &'a Sheet>) -> Counts {
        let mut counts = Counts::default();
        for sheet in sheets {
            let count = match sheet.state {
                SheetState::Open => &mut counts.open,
                SheetState::Saved => &mut counts.saved,
                SheetState::Confirmed => &mut counts.confirmed,
                SheetState::Conflict => &mut counts.conflict,
                SheetState::Abstained => &mut counts.abstained,
                SheetState::SecondLook => &mut counts.second_look,
            };
            *count += 1;
        }
        counts
    }
}

/// A subcategory with its entries, panel, progress and results.
#[derive(Debug, Clone)]
pub struct Detail {
    pub overview: Overview,
    pub members: Vec<Member>,
    pub entries: Vec<(Nomination, Entrant)>,
    pub conflicts: Vec<Conflict>,
    pub requests: Vec<Request>,
    pub progress: Vec<Progress>,
    pub severity: Option<Vec<results::Severity>>,
    pub second_looks: Vec<SecondLook>,
    /// The codes that share a place, and the place.
    pub ties: Vec<OpenTie>,
    /// Why it cannot be sealed; once sealed, what has changed since, which prevents publishing.
    pub blockers: Vec<String>,
    pub stored: Option<Category>,
    pub sealed: Option<Sealed>,
}

impl Detail {
    pub fn entry(&self, code: &str) -> Option<&(Nomination, Entrant)> {
        self.entries.iter().find(|(nomination, _)| nomination.code == code)
    }

    /// A member's name.
    pub fn name(&self, judge: i64) -> String {
        let member = self.members.iter().find(|member| member.judge_id == judge);
        member.map_or_else(|| format!("Judge {judge}"), |member| member.name.clone())
    }
}

#[derive(Debug, Clone)]
pub struct Progress {
    pub member: Member,
    pub counts: Counts,
    pub last_saved_at: Option<String>,
    /// Each sheet with the keys of its criteria without points.
    pub sheets: Vec<(Sheet, Vec<String>)>,
}

#[derive(Debug, Clone)]
pub struct SecondLook {
    pub judge: i64,
    pub code: String,
    pub distance: String,
    pub state: SecondLookState,
    /// Why the judge kept or changed the points.
    pub reason: Option<String>,
}

/// All subcategories with a rubric, in the order of the content.
///
/// # Errors
/// [`crate::error::Error::NotFound`]: nothing is judged.
pub fn list(app: &App) -> Result<Vec<Overview>> {
    let content = app.content();
    require_judging(&content)?;
    app.store.read(|connection| {
        let rubrics = content.judging.rubrics.iter();
        rubrics.map(|rubric| overview(connection, &content, &rubric.category, &rubric.sub_category)).collect()
    })
}

fn require_judging(content: &Content) -> Result<()> {
    if content.judging.rubrics.is_empty() { Err(rubric::unknown()) } else { Ok(()) }
}

fn overview(
    connection: &Connection,
    content: &Content,
    category: &str,
    sub_category: &str,
) -> Result<Overview> {
    let stored = categories::find(connection, category, sub_category)?;
    let in_force = rubric::in_force(content, stored.as_ref(), category, sub_category)?;
    let members = match &stored {
        Some(stored) => panels::members(connection, stored.id)?,
        None => Vec::new(),
    };
    let state = match stored.as_ref().map_or(CategoryState::Scoring, Category::state) {
        CategoryState::Scoring if members.is_empty() => CategoryState::NoPanel,
        state => state,
    };
    let nominations = nominations::of_category(connection, category, sub_category)?;
    let count = |states: &[NominationState]| {
        nominations.iter().filter(|nomination| states.contains(&nomination.state)).count()
    };
    let all = taking_part(connection, category, sub_category)?;
    Ok(Overview {
        label: content.nomination(category, sub_category),
        category: category.to_owned(),
        sub_category: sub_category.to_owned(),
        state,
        in_force,
        nominations: count(&[NominationState::Ready]),
        not_ready: count(&[NominationState::Open, NominationState::HandedIn, NominationState::Returned]),
        judges: members.iter().filter(|member| member.role != PanelRole::Reserve).count(),
        counts: Counts::new(&all),
    })
}

/// One subcategory, or [`crate::error::Error::NotFound`].
pub fn get(app: &App, category: &str, sub_category: &str) -> Result<Detail> {
    let content = app.content();
    require_judging(&content)?;
    app.store.read(|connection| detail(connection, &content, category, sub_category))
}

fn detail(connection: &Connection, content: &Content, category: &str, sub_category: &str) -> Result<Detail> {
    let overview = overview(connection, content, category, sub_category)?;
    let stored = categories::find(connection, category, sub_category)?;
    let members = match &stored {
        Some(stored) => panels::members(connection, stored.id)?,
        None => Vec::new(),
    };
    let results = stored.as_ref().and_then(|stored| stored.results.as_deref());
    let sealed = results.map(Sealed::parse).transpose()?;
    let has_result = |code: &str| sealed.as_ref().is_some_and(|sealed| sealed.result(code).is_some());
    let mut entries = Vec::new();
    for nomination in nominations::of_category(connection, category, sub_category)? {
        if nomination.state != NominationState::Withdrawn || has_result(&nomination.code) {
            let entrant = nominations::entrant(connection, nomination.entry_id)?;
            entries.extend(entrant.map(|entrant| (nomination, entrant)));
        }
    }
    let all = taking_part(connection, category, sub_category)?;
    let mut progress = Vec::new();
    for member in &members {
        let own: Vec<Sheet> = all.iter().filter(|sheet| sheet.judge_id == member.judge_id).cloned().collect();
        let mut with_missing = Vec::new();
        for sheet in &own {
            let values = Values::read(connection, sheet.judge_id, &sheet.code)?;
            let mut missing = Vec::new();
            if !sheet.state.is_out() {
                missing.extend(overview.in_force.missing(&values).map(str::to_owned));
            }
            with_missing.push((sheet.clone(), missing));
        }
        progress.push(Progress {
            member: member.clone(),
            counts: Counts::new(&own),
            last_saved_at: own.iter().filter_map(|sheet| sheet.saved_at.clone()).max(),
            sheets: with_missing,
        });
    }
    let requests = stored.as_ref().map(|stored| relations::requests(connection, stored));
    let mut detail = Detail {
        requests: requests.transpose()?.unwrap_or_default(),
        conflicts: panels::conflicts(connection, category, sub_category)?,
        overview,
        members,
        entries,
        progress,
        severity: None,
        second_looks: Vec::new(),
        ties: Vec::new(),
        blockers: Vec::new(),
        sealed,
        stored,
    };
    if let Some(stored) = detail.stored.clone() {
        let competition = results_input::read(connection, &detail.overview.in_force, &stored)?;
        detail.severity = results::severity(&competition);
        detail.second_looks = second_looks(&competition, &all);
        // As on the head judge's page, ties are shown only when all sheets are confirmed: others may still change the places.
        if pending(connection, &stored)?.is_empty() {
            detail.ties = shared_places(&competition);
        }
        detail.blockers = match &detail.sealed {
            None => blockers(&detail, &competition),
            Some(_) if stored.published_at.is_some() => Vec::new(),
            Some(sealed) => sealed.changed_since(connection, &stored)?,
        };
    } else {
        detail.blockers = vec!["No panel is set.".into()];
    }
    Ok(detail)
}

fn second_looks(competition: &Competition, all: &[Sheet]) -> Vec<SecondLook> {
    let mut found = Vec::new();
    for outlier in results::suggested_second_looks(competition) {
        let is_new = |sheet: &Sheet| {
            (sheet.judge_id, &sheet.code) == (outlier.judge, &outlier.code) && sheet.second_look.is_none()
        };
        if all.iter().any(is_new) {
            found.push(SecondLook {
                distance: decimal(&outlier.distance),
                judge: outlier.judge,
                code: outlier.code,
                state: SecondLookState::Suggested,
                reason: None,
            });
        }
    }
    for sheet in all {
        if let Some(state) = sheet.second_look {
            let (judge, code) = (sheet.judge_id, sheet.code.clone());
            let reason = sheet.second_look_reason.clone();
            found.push(SecondLook { judge, code, distance: String::new(), state, reason });
        }
    }
    found
}

/// Why a subcategory cannot be sealed now; each is a sentence that names codes or judges.
fn blockers(detail: &Detail, competition: &Competition) -> Vec<String> {
    if detail.members.is_empty() {
        return vec!["No panel is set.".into()];
    }
    if detail.overview.nominations == 0 {
        return vec!["No nomination is ready for the judges.".into()];
    }
    let mut blockers = Vec::new();
    for progress in &detail.progress {
        let codes = |states: &[SheetState]| {
            let is_pending = |sheet: &&Sheet| {
                let is_own = |conflict: &Conflict| conflict.is_between(sheet.judge_id, sheet.nomination_id);
                states.contains(&sheet.state) && !detail.conflicts.iter().any(is_own)
            };
            let sheets = progress.sheets.iter().map(|(sheet, _)| sheet).filter(is_pending);
            sheets.map(|sheet| sheet.code.as_str()).collect::<Vec<_>>().join(", ")
        };
        let open = codes(&[SheetState::Open, SheetState::Saved]);
        let waiting = codes(&[SheetState::SecondLook]);
        if !open.is_empty() {
            blockers.push(format!("{} has not confirmed {open}.", progress.member.name));
        }
        if !waiting.is_empty() {
            blockers.push(format!("{} has a second look at {waiting} open.", progress.member.name));
        }
    }
    if blockers.is_empty()
        && let Err(refusal) = results::compute(competition)
    {
        blockers.push(refusal.to_string());
    }
    blockers
}
