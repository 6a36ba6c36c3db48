//! What the organiser sees of judging: progress, conflicts, how judges differ, ties, and results once sealed.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::Connection;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::relations::{self, Relation, Request};
use super::results::{self, Competition, decimal};
use super::results_input::{self, OpenTie, pending, shared_places, taking_part};
use super::rubric::{self, InForce};
use super::sealed_results::{ResultState, Sealed, SealedResult};
use super::sheet_values::Values;
use crate::app::App;
use crate::error::Result;
use crate::model::NominationState;
use crate::site::content::Content;
use crate::site::content::model::judging::Rubric;
use crate::store::judging::categories::{self, Category, CategoryState};
use crate::store::judging::panels::{self, Conflict, Member, PanelRole};
use crate::store::judging::sheets::{SecondLookState, Sheet, SheetState};
use crate::store::portal::nominations;

/// A subcategory in the list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "JudgedCategory"))]
pub struct Overview {
    pub category: String,
    pub sub_category: String,
    pub label: String,
    /// Its part of API paths: 'makeup/Editorial%2FCreative'
    pub path: String,
    pub state: CategoryState,
    #[serde(flatten)]
    pub in_force: InForce,
    pub nominations: usize,
    pub not_ready: usize,
    pub judges: usize,
    pub sheets: Counts,
}

/// How many sheets are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "JudgedCategoryDetail"))]
pub struct Detail {
    #[serde(flatten)]
    pub overview: Overview,
    #[serde(serialize_with = "without_category")]
    #[cfg_attr(test, ts(type = "Omit<Rubric, \"category\" | \"subCategory\">"))]
    pub rubric: Rubric,
    pub panel: PanelMembers,
    pub entries: Vec<JudgedEntry>,
    pub conflicts: Vec<JudgeConflict>,
    /// What competitors said about judges too late for it to count at once.
    pub requests: Vec<RelationRequest>,
    pub progress: Vec<Progress>,
    pub severity: Option<Vec<Severity>>,
    pub second_looks: Vec<SecondLook>,
    pub ties: Vec<OpenTie>,
    /// Why it cannot be sealed; once sealed, what has changed since, which prevents publishing.
    pub blockers: Vec<String>,
    pub sealed_at: Option<String>,
    pub sealed_by: Option<String>,
    pub published_at: Option<String>,
    pub results: Option<Vec<CategoryResult>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PanelMembers {
    pub judges: Vec<NamedJudge>,
    pub head: Option<i64>,
    pub reserves: Vec<NamedJudge>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedJudge {
    pub id: i64,
    pub name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JudgedEntry {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub business_name: String,
    pub state: NominationState,
    pub reason: Option<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JudgeConflict {
    #[serde(flatten)]
    pub conflict: Conflict,
    /// The competitor's.
    pub name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RelationRequest {
    pub id: String,
    pub judge: i64,
    pub judge_name: String,
    pub code: String,
    pub name: String,
    pub relations: Vec<Relation>,
}

/// How far a judge is with the sheets.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "JudgeProgress"))]
pub struct Progress {
    pub judge: i64,
    pub name: String,
    pub role: PanelRole,
    pub counts: Counts,
    pub last_saved_at: Option<String>,
    pub sheets: Vec<SheetProgress>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SheetProgress {
    #[serde(skip)]
    pub nomination_id: i64,
    pub code: String,
    pub state: SheetState,
    /// The keys of its criteria without points.
    pub missing: Vec<String>,
    pub paper_by: Option<String>,
    /// Why the judge does not score the nomination.
    pub reason: Option<String>,
}

/// [`results::Severity`] with the judge's name; numbers have two decimals.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Severity {
    pub judge: i64,
    pub name: String,
    pub distance: String,
    pub spread: String,
    pub agreement: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SecondLook {
    pub judge: i64,
    pub judge_name: String,
    pub code: String,
    pub distance: String,
    pub state: SecondLookState,
    /// Why the judge kept or changed the points.
    pub reason: Option<String>,
}

/// A sealed result. `id` and the names are `None` when the entrant's data was erased.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CategoryResult {
    pub code: String,
    pub id: Option<i64>,
    pub name: Option<String>,
    pub business_name: Option<String>,
    pub points: String,
    pub place: Option<u32>,
    pub total: String,
    pub penalties: String,
    pub adjustment: Option<String>,
    pub sentence: Option<String>,
    pub state: ResultState,
}

/// A rubric as JSON without its category, which stands beside it.
fn without_category<S: Serializer>(rubric: &Rubric, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let mut rubric = json!(rubric);
    if let Some(rubric) = rubric.as_object_mut() {
        rubric.shift_remove("category");
        rubric.shift_remove("subCategory");
    }
    rubric.serialize(serializer)
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
        path: format!("{category}/{}", utf8_percent_encode(sub_category, NON_ALPHANUMERIC)),
        category: category.to_owned(),
        sub_category: sub_category.to_owned(),
        state,
        in_force,
        nominations: count(&[NominationState::Ready]),
        not_ready: count(&[NominationState::Open, NominationState::HandedIn, NominationState::Returned]),
        judges: members.iter().filter(|member| member.role != PanelRole::Reserve).count(),
        sheets: Counts::new(&all),
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
    let entries = entries(connection, category, sub_category, sealed.as_ref())?;
    let all = taking_part(connection, category, sub_category)?;
    let progress = members.iter().map(|member| progress(connection, &overview.in_force, member, &all));
    let conflicts = panels::conflicts(connection, category, sub_category)?.into_iter();
    let conflicts =
        conflicts.map(|conflict| JudgeConflict { name: competitor(&conflict.code, &entries), conflict });
    let requests = stored.as_ref().map(|stored| relations::requests(connection, stored));
    let mut detail = Detail {
        rubric: overview.in_force.rubric.clone(),
        panel: PanelMembers::new(&members),
        conflicts: conflicts.collect(),
        requests: requests
            .transpose()?
            .unwrap_or_default()
            .into_iter()
            .map(|request| RelationRequest::new(request, &entries))
            .collect(),
        progress: progress.collect::<Result<_>>()?,
        severity: None,
        second_looks: Vec::new(),
        ties: Vec::new(),
        blockers: vec!["No panel is set.".into()],
        sealed_at: stored.as_ref().and_then(|stored| stored.sealed_at.clone()),
        sealed_by: stored.as_ref().and_then(|stored| stored.sealed_by.clone()),
        published_at: stored.as_ref().and_then(|stored| stored.published_at.clone()),
        results: sealed.as_ref().map(|sealed| {
            sealed.results.iter().map(|result| CategoryResult::new(result, &entries)).collect()
        }),
        overview,
        entries,
    };
    if let Some(stored) = stored {
        let competition = results_input::read(connection, &detail.overview.in_force, &stored)?;
        let severity = results::severity(&competition);
        detail.severity =
            severity.map(|judges| judges.iter().map(|judge| Severity::new(judge, &members)).collect());
        detail.second_looks = second_looks(&competition, &all, &members);
        // As on the head judge's page, ties are shown only when all sheets are confirmed: others may still change the places.
        if pending(connection, &stored)?.is_empty() {
            detail.ties = shared_places(&competition);
        }
        detail.blockers = match sealed {
            None => blockers(&detail, &competition),
            Some(_) if stored.published_at.is_some() => Vec::new(),
            Some(sealed) => sealed.changed_since(connection, &stored)?,
        };
    }
    Ok(detail)
}

/// The nominations that are not withdrawn, and those with a result.
fn entries(
    connection: &Connection,
    category: &str,
    sub_category: &str,
    sealed: Option<&Sealed>,
) -> Result<Vec<JudgedEntry>> {
    let has_result = |code: &str| sealed.is_some_and(|sealed| sealed.result(code).is_some());
    let mut entries = Vec::new();
    for nomination in nominations::of_category(connection, category, sub_category)? {
        if nomination.state != NominationState::Withdrawn || has_result(&nomination.code) {
            let entrant = nominations::entrant(connection, nomination.entry_id)?;
            entries.extend(entrant.map(|entrant| JudgedEntry {
                id: nomination.id,
                code: nomination.code,
                name: entrant.name,
                business_name: entrant.business_name,
                state: nomination.state,
                reason: nomination.reason,
            }));
        }
    }
    Ok(entries)
}

fn progress(connection: &Connection, in_force: &InForce, member: &Member, all: &[Sheet]) -> Result<Progress> {
    let own: Vec<&Sheet> = all.iter().filter(|sheet| sheet.judge_id == member.judge_id).collect();
    let mut sheets = Vec::new();
    for &sheet in &own {
        let values = Values::read(connection, sheet.judge_id, &sheet.code)?;
        let mut missing = Vec::new();
        if !sheet.state.is_out() {
            missing.extend(in_force.missing(&values).map(str::to_owned));
        }
        sheets.push(SheetProgress {
            nomination_id: sheet.nomination_id,
            code: sheet.code.clone(),
            state: sheet.state,
            missing,
            paper_by: sheet.paper_by.clone(),
            reason: sheet.reason.clone().filter(|_| sheet.state.is_out()),
        });
    }
    Ok(Progress {
        judge: member.judge_id,
        name: member.name.clone(),
        role: member.role,
        last_saved_at: own.iter().filter_map(|sheet| sheet.saved_at.clone()).max(),
        counts: Counts::new(own),
        sheets,
    })
}

impl PanelMembers {
    fn new(members: &[Member]) -> PanelMembers {
        let named = |is_reserve: bool| {
            let members = members.iter().filter(|member| (member.role == PanelRole::Reserve) == is_reserve);
            members.map(|member| NamedJudge { id: member.judge_id, name: member.name.clone() }).collect()
        };
        let head = members.iter().find(|member| member.role == PanelRole::Head);
        PanelMembers { judges: named(false), head: head.map(|head| head.judge_id), reserves: named(true) }
    }
}

/// The competitor's name; empty for a nomination that is not listed.
fn competitor(code: &str, entries: &[JudgedEntry]) -> String {
    let entry = entries.iter().find(|entry| entry.code == code);
    entry.map(|entry| entry.name.clone()).unwrap_or_default()
}

fn judge_name(judge: i64, members: &[Member]) -> String {
    let member = members.iter().find(|member| member.judge_id == judge);
    member.map_or_else(|| format!("Judge {judge}"), |member| member.name.clone())
}

impl RelationRequest {
    fn new(request: Request, entries: &[JudgedEntry]) -> RelationRequest {
        RelationRequest {
            id: request.id(),
            judge: request.judge.id,
            judge_name: request.judge.name,
            name: competitor(&request.nomination.code, entries),
            code: request.nomination.code,
            relations: request.relations,
        }
    }
}

impl Severity {
    fn new(severity: &results::Severity, members: &[Member]) -> Severity {
        Severity {
            judge: severity.judge,
            name: judge_name(severity.judge, members),
            distance: format!("{:.2}", severity.distance),
            spread: format!("{:.2}", severity.spread),
            agreement: severity.agreement.map(|agreement| format!("{agreement:.2}")),
        }
    }
}

impl CategoryResult {
    fn new(result: &SealedResult, entries: &[JudgedEntry]) -> CategoryResult {
        let entry = entries.iter().find(|entry| entry.code == result.code);
        let SealedResult { code, points, place, total, penalties, adjustment, sentence, state, .. } =
            result.clone();
        let id = entry.map(|entry| entry.id);
        let name = entry.map(|entry| entry.name.clone());
        let business_name = entry.map(|entry| entry.business_name.clone());
        CategoryResult {
            code,
            id,
            name,
            business_name,
            points,
            place,
            total,
            penalties,
            adjustment,
            sentence,
            state,
        }
    }
}

fn second_looks(competition: &Competition, all: &[Sheet], members: &[Member]) -> Vec<SecondLook> {
    let mut found = Vec::new();
    for outlier in results::suggested_second_looks(competition) {
        let is_new = |sheet: &Sheet| {
            (sheet.judge_id, &sheet.code) == (outlier.judge, &outlier.code) && sheet.second_look.is_none()
        };
        if all.iter().any(is_new) {
            found.push(SecondLook {
                distance: decimal(&outlier.distance),
                judge: outlier.judge,
                judge_name: judge_name(outlier.judge, members),
                code: outlier.code,
                state: SecondLookState::Suggested,
                reason: None,
            });
        }
    }
    for sheet in all {
        if let Some(state) = sheet.second_look {
            found.push(SecondLook {
                judge: sheet.judge_id,
                judge_name: judge_name(sheet.judge_id, members),
                code: sheet.code.clone(),
                distance: String::new(),
                state,
                reason: sheet.second_look_reason.clone(),
            });
        }
    }
    found
}

/// Why a subcategory cannot be sealed now; each is a sentence that names codes or judges.
fn blockers(detail: &Detail, competition: &Competition) -> Vec<String> {
    if detail.progress.is_empty() {
        return vec!["No panel is set.".into()];
    }
    if detail.overview.nominations == 0 {
        return vec!["No nomination is ready for the judges.".into()];
    }
    let mut blockers = Vec::new();
    for progress in &detail.progress {
        let codes = |states: &[SheetState]| {
            let is_pending = |sheet: &&SheetProgress| {
                let is_own =
                    |one: &JudgeConflict| one.conflict.is_between(progress.judge, sheet.nomination_id);
                states.contains(&sheet.state) && !detail.conflicts.iter().any(is_own)
            };
            let sheets = progress.sheets.iter().filter(is_pending);
            sheets.map(|sheet| sheet.code.as_str()).collect::<Vec<_>>().join(", ")
        };
        let open = codes(&[SheetState::Open, SheetState::Saved]);
        let waiting = codes(&[SheetState::SecondLook]);
        if !open.is_empty() {
            blockers.push(format!("{} has not confirmed {open}.", progress.name));
        }
        if !waiting.is_empty() {
            blockers.push(format!("{} has a second look at {waiting} open.", progress.name));
        }
    }
    if blockers.is_empty()
        && let Err(refusal) = results::compute(competition)
    {
        blockers.push(refusal.to_string());
    }
    blockers
}
