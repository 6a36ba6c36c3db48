//! Who judges a subcategory, and the sheets that follow from it: each ready nomination goes to each judge of the panel. In
//! place of a judge with a conflict a reserve gets a sheet, if there is one.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde_json::json;

use super::{judges, reason, rubric};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, NominationState, token};
use crate::store::audit;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::judges as stored_judges;
use crate::store::judging::log::{self, Line, LineKind};
use crate::store::judging::panels::{self, ConflictSource, Member, Role};
use crate::store::judging::relations::{self as stored_relations, Relation, RelationKind, RelationState};
use crate::store::judging::sheets::{self, Sheet, SheetState};
use crate::store::portal::nominations::{self, Nomination};
use crate::time;

/// The judges of a subcategory as the organiser chose them.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    pub judges: Vec<i64>,
    pub head: Option<i64>,
    pub reserves: Vec<i64>,
}

/// Sets the panel of a subcategory and gives out its sheets.
///
/// # Errors
/// [`Error::NotFound`]: it is not judged. [`Error::Invalid`]: a judge is unknown, twice there or an entrant, or nobody is the
/// head.
/// [`Error::Conflict`]: somebody who has begun to score is left out, or becomes a reserve. [`Error::Closed`]: it is sealed.
pub fn set(app: &App, actor: &Actor, category: &str, sub_category: &str, panel: &Panel) -> Result<()> {
    let content = app.content();
    let (category, sub_category) = (category.to_owned(), sub_category.to_owned());
    let (actor, panel) = (actor.clone(), panel.clone());
    app.store.write(move |connection| {
        let stored = categories::find(connection, &category, &sub_category)?;
        rubric::in_force(&content, stored.as_ref(), &category, &sub_category)?;
        let stored = categories::ensure(connection, &category, &sub_category)?;
        require_unsealed(&stored)?;
        let members = checked(connection, &panel)?;
        let all = sheets::of_category(connection, &category, &sub_category)?;
        let before = panels::members(connection, stored.id)?;
        require_no_entrant(connection, &members, &before)?;
        for before in before {
            let role = members.iter().find(|(id, _)| *id == before.judge_id).map(|(_, role)| *role);
            let becomes_reserve = role == Some(Role::Reserve) && before.role != Role::Reserve;
            if role.is_some() && !becomes_reserve {
                continue;
            }
            let has_begun = |sheet: &&Sheet| {
                sheet.judge_id == before.judge_id
                    && sheet.state != SheetState::Open
                    && !sheet.state.is_out()
                    // A reserve keeps the sheets of those for whom they stepped in.
                    && !(becomes_reserve && sheet.replaces.is_some())
            };
            if let Some(sheet) = all.iter().find(has_begun) {
                let consequence =
                    if becomes_reserve { "cannot become a reserve" } else { "stay in the panel" };
                let message =
                    format!("{} has begun to score ({}), so they {consequence}.", before.name, sheet.code);
                return Err(Error::Conflict(message));
            }
            sheets::delete_open(connection, before.judge_id, Some((&category, &sub_category)))?;
        }
        panels::replace(connection, stored.id, &members)?;
        sheets::update_replacements(connection, stored.id, (&category, &sub_category))?;
        let at = time::stored(time::now());
        let line = audit::Line { actor: &actor, action: "panel set", subject: None };
        let ids: Vec<i64> = members.iter().map(|(id, _)| *id).collect();
        let detail =
            json!({ "category": category, "subCategory": sub_category, "judges": ids, "head": panel.head });
        audit::insert_with(connection, &at, &line, &detail)?;
        assign_sheets(connection, &stored)
    })
}

fn checked(connection: &Connection, panel: &Panel) -> Result<Vec<(i64, Role)>> {
    let known: BTreeSet<i64> = stored_judges::all(connection)?.into_iter().map(|judge| judge.id).collect();
    let mut taken = BTreeSet::new();
    let mut members = Vec::new();
    for (field, ids) in [("judges", &panel.judges), ("reserves", &panel.reserves)] {
        for id in ids {
            if !known.contains(id) {
                return Err(Error::field(field, &format!("There is no judge {id}")));
            }
            if !taken.insert(*id) {
                return Err(Error::field(field, &format!("Judge {id} is there twice")));
            }
            let role = match field {
                "reserves" => Role::Reserve,
                _ if panel.head == Some(*id) => Role::Head,
                _ => Role::Judge,
            };
            members.push((*id, role));
        }
    }
    if panel.judges.is_empty() {
        return Err(Error::field("judges", "Please choose at least one judge"));
    }
    if !members.iter().any(|(_, role)| *role == Role::Head) {
        return Err(Error::field("head", "Please choose one of the judges as the head judge"));
    }
    Ok(members)
}

/// Nobody who competes can join. A judge who is on the panel already may stay: their scores may count.
fn require_no_entrant(connection: &Connection, members: &[(i64, Role)], before: &[Member]) -> Result<()> {
    let entrants = stored_judges::entrants(connection)?;
    for (id, role) in members.iter().filter(|(id, _)| before.iter().all(|one| one.judge_id != *id)) {
        let judge = stored_judges::get(connection, *id)?;
        if let Some(judge) = judge.filter(|judge| judges::is_entrant(judge, &entrants)) {
            let field = if *role == Role::Reserve { "reserves" } else { "judges" };
            let message = format!("{} has an entry: {}", judge.name, judges::JUDGE_CANNOT_COMPETE);
            return Err(Error::field(field, &message));
        }
    }
    Ok(())
}

/// # Errors
/// [`Error::Closed`].
pub(super) fn require_unsealed(stored: &Category) -> Result<()> {
    if stored.sealed_at.is_none() {
        return Ok(());
    }
    Err(Error::Closed("This competition is sealed. The organizer can reopen it with a reason.".into()))
}

/// The nominations that are judged: the ready ones, and disqualified ones that somebody has a sheet of.
pub(super) fn judged(connection: &Connection, category: &str, sub_category: &str) -> Result<Vec<Nomination>> {
    let with_sheet: BTreeSet<i64> = sheets::of_category(connection, category, sub_category)?
        .into_iter()
        .filter(|sheet| sheet.state != SheetState::Open)
        .map(|sheet| sheet.nomination_id)
        .collect();
    let all = nominations::of_category(connection, category, sub_category)?.into_iter();
    let is_judged = |one: &Nomination| match one.state {
        NominationState::Ready => true,
        NominationState::Disqualified => with_sheet.contains(&one.id),
        _ => false,
    };
    Ok(all.filter(is_judged).collect())
}

/// Sheets and photos' tokens in all subcategories.
pub(super) fn assign_due_work(app: &App) -> Result<()> {
    let incomplete = app.store.read(|connection| {
        let mut incomplete = categories::all(connection)?;
        for index in (0..incomplete.len()).rev() {
            if is_given_out(connection, &incomplete[index])? {
                incomplete.remove(index);
            }
        }
        Ok(incomplete)
    })?;
    if incomplete.is_empty() {
        return Ok(());
    }
    app.store.write(move |connection| {
        incomplete.iter().try_for_each(|category| assign_sheets(connection, category))
    })
}

fn is_given_out(connection: &Connection, category: &Category) -> Result<bool> {
    if category.sealed_at.is_some() {
        return Ok(true);
    }
    let plan = plan(connection, category)?;
    let (of, sub) = (category.category.as_str(), category.sub_category.as_str());
    Ok(plan.conflicts.is_empty()
        && plan.sheets.is_empty()
        && sheets::photos_without_token(connection, of, sub)?.is_empty()
        && sheets::entrants_without_token(connection, category.id)?.is_empty())
}

/// What follows from what is known of judges and entrants, and is not stored.
#[derive(Debug, Default)]
struct Plan {
    /// Judge, nomination, who says so and why.
    conflicts: Vec<(i64, i64, ConflictSource, String)>,
    /// Judge and nomination where what a competitor said in time does not count at once.
    requests: BTreeSet<(i64, i64)>,
    /// Judge, nomination, and for whom a reserve steps in.
    sheets: Vec<(i64, i64, Option<i64>)>,
}

fn plan(connection: &Connection, category: &Category) -> Result<Plan> {
    let mut plan = Plan::default();
    let members = panels::members(connection, category.id)?;
    if members.is_empty() {
        return Ok(plan);
    }
    let (of, sub) = (category.category.as_str(), category.sub_category.as_str());
    let entrants: BTreeMap<i64, stored_judges::Entrant> = stored_judges::entrants(connection)?
        .into_iter()
        .filter(|entrant| entrant.category == of && entrant.sub_category == sub)
        .map(|entrant| (entrant.nomination_id, entrant))
        .collect();
    let mut conflicts: BTreeSet<(i64, i64)> = panels::conflicts(connection, of, sub)?
        .into_iter()
        .map(|conflict| (conflict.judge_id, conflict.nomination_id))
        .collect();
    let nominations: Vec<Nomination> = nominations::of_category(connection, of, sub)?
        .into_iter()
        .filter(|one| one.state == NominationState::Ready)
        .collect();
    let given: Vec<Sheet> = sheets::of_category(connection, of, sub)?;
    let declared = stored_relations::by_email(connection)?;
    for member in &members {
        let Some(judge) = stored_judges::get(connection, member.judge_id)? else { continue };
        for nomination in &nominations {
            let Some(entrant) = entrants.get(&nomination.id) else { continue };
            if let Some(shared) = judges::in_common(&judge, entrant)
                && conflicts.insert((judge.id, nomination.id))
            {
                let shared = format!("The same {shared}");
                plan.conflicts.push((judge.id, nomination.id, ConflictSource::Computed, shared));
            }
        }
    }
    for nomination in &nominations {
        let Some(entrant) = entrants.get(&nomination.id) else { continue };
        let sheet_of = |judge: i64| {
            given.iter().find(|sheet| (sheet.judge_id, sheet.nomination_id) == (judge, nomination.id))
        };
        let mut named: BTreeMap<i64, Vec<&Relation>> = BTreeMap::new();
        let mut others = 0;
        for member in &members {
            let sheet = sheet_of(member.judge_id);
            let is_out = sheet.is_some_and(|sheet| sheet.state.is_out());
            if is_out || conflicts.contains(&(member.judge_id, nomination.id)) {
                continue;
            }
            let Some(judge) = stored_judges::get(connection, member.judge_id)? else { continue };
            let relations: Vec<&Relation> = declared
                .get(&entrant.email.to_lowercase())
                .into_iter()
                .flatten()
                .filter(|relation| {
                    relation.state == RelationState::Counts
                        && !relation.rejected_for.contains(&nomination.code)
                        && judges::is_called(&judge, &relation.judge)
                })
                .collect();
            if relations.is_empty() {
                others += 1;
            } else {
                named.insert(judge.id, relations);
            }
        }
        // A relation to a judge who has begun her sheet, or to everybody who could judge her, is the organiser's to decide.
        for (judge, relations) in named {
            if others == 0 || sheet_of(judge).is_some_and(|sheet| sheet.saved_at.is_some()) {
                plan.requests.insert((judge, nomination.id));
            } else if conflicts.insert((judge, nomination.id)) {
                let reasons: Vec<String> = relations.into_iter().map(relation_reason).collect();
                plan.conflicts.push((judge, nomination.id, ConflictSource::Competitor, reasons.join("; ")));
            }
        }
        let own: Vec<&Sheet> = given.iter().filter(|sheet| sheet.nomination_id == nomination.id).collect();
        plan_nomination(&mut plan, &members, &conflicts, nomination.id, &own);
    }
    Ok(plan)
}

fn plan_nomination(
    plan: &mut Plan,
    members: &[Member],
    conflicts: &BTreeSet<(i64, i64)>,
    nomination: i64,
    own: &[&Sheet],
) {
    let mut holders: BTreeSet<i64> = own.iter().map(|sheet| sheet.judge_id).collect();
    let is_out = |judge: i64| {
        conflicts.contains(&(judge, nomination))
            || own.iter().any(|sheet| sheet.judge_id == judge && sheet.state.is_out())
    };
    for member in members.iter().filter(|member| member.role != Role::Reserve) {
        if !is_out(member.judge_id) {
            if holders.insert(member.judge_id) {
                plan.sheets.push((member.judge_id, nomination, None));
            }
            continue;
        }
        let replaced = |sheet: &&&Sheet| sheet.replaces == Some(member.judge_id) && !is_out(sheet.judge_id);
        if own.iter().any(|sheet| replaced(&sheet)) {
            continue;
        }
        let is_free = |one: &&Member| {
            one.role == Role::Reserve && !holders.contains(&one.judge_id) && !is_out(one.judge_id)
        };
        if let Some(reserve) = members.iter().find(is_free) {
            holders.insert(reserve.judge_id);
            plan.sheets.push((reserve.judge_id, nomination, Some(member.judge_id)));
        }
    }
}

/// The judges and nominations for which the organiser decides about what a competitor said in time: the judge has begun the
/// sheet, or nobody else could score it.
pub(super) fn timely_requests(connection: &Connection, category: &Category) -> Result<BTreeSet<(i64, i64)>> {
    Ok(plan(connection, category)?.requests)
}

/// Adds conflicts, sheets and photo tokens that are missing, and reopens sheets of photos that were replaced.
pub(super) fn assign_sheets(connection: &Connection, category: &Category) -> Result<()> {
    if category.sealed_at.is_some() {
        return Ok(());
    }
    let at = time::stored(time::now());
    let plan = plan(connection, category)?;
    for (judge, nomination, source, why) in &plan.conflicts {
        panels::insert_conflict(connection, (*judge, *nomination), *source, why, &at)?;
        close(connection, (*judge, *nomination), why)?;
    }
    // A conflict that was found just now may want a reserve.
    let plan = if plan.conflicts.is_empty() { plan } else { self::plan(connection, category)? };
    for (judge, nomination, replaces) in plan.sheets {
        let position = i64::from(rand::random::<u32>());
        sheets::insert(connection, (judge, nomination), (&token::short(), position), replaces, &at)?;
    }
    let (of, sub) = (category.category.as_str(), category.sub_category.as_str());
    let photos = sheets::photos_without_token(connection, of, sub)?;
    // A confirmed sheet of a judge with a conflict does not count, and is nobody's to confirm again.
    let conflicts: BTreeSet<(i64, i64)> =
        panels::conflicts(connection, of, sub)?.iter().map(|one| (one.judge_id, one.nomination_id)).collect();
    for sheet in sheets::of_category(connection, of, sub)? {
        let has_new_photo = photos
            .iter()
            .any(|photo| (photo.judge, photo.nomination) == (sheet.judge_id, sheet.nomination_id));
        let has_conflict = conflicts.contains(&(sheet.judge_id, sheet.nomination_id));
        if has_new_photo && sheet.state.was_confirmed() && !has_conflict {
            reopen_unseen(connection, category, &sheet, &at)?;
        }
    }
    for photo in photos {
        sheets::insert_photo_token(connection, &token::short(), photo.judge, photo.medium)?;
    }
    for of in sheets::entrants_without_token(connection, category.id)? {
        sheets::insert_entrant_token(connection, &token::short(), of)?;
    }
    Ok(())
}

/// Reopens a sheet that was confirmed without one of its photos: the judge was not given it yet. The points stay.
fn reopen_unseen(connection: &Connection, category: &Category, sheet: &Sheet, at: &str) -> Result<()> {
    sheets::set_state(connection, sheet.id, SheetState::Saved, Some("A photo was replaced."))?;
    // The judge confirms all points once more, so that a second look is asked for no longer.
    if sheet.state == SheetState::SecondLook {
        sheets::set_second_look(connection, sheet.id, None, None)?;
    }
    let version = category.rubric_version.as_deref().unwrap_or_default();
    let of = (sheet.judge_id, sheet.code.as_str());
    let line = Line::new(LineKind::Reopened, of, version, at.to_owned());
    log::append(connection, &Line { actor: Some(Actor::Program.as_str().to_owned()), ..line })
}

/// Closes a judge's sheet that was not confirmed.
fn close(connection: &Connection, (judge, nomination): (i64, i64), why: &str) -> Result<()> {
    let own =
        sheets::of_judge(connection, judge)?.into_iter().find(|sheet| sheet.nomination_id == nomination);
    match own.filter(|sheet| !sheet.state.was_confirmed()) {
        Some(sheet) => sheets::set_state(connection, sheet.id, SheetState::Conflict, Some(why)),
        None => Ok(()),
    }
}

/// Adds a conflict: the judge does not score this nomination. A sheet that was begun is closed.
///
/// # Errors
/// [`Error::Conflict`]: the sheet is confirmed.
pub(super) fn add_conflict(
    connection: &Connection,
    category: &Category,
    (judge, nomination): (i64, i64),
    source: ConflictSource,
    why: &str,
) -> Result<()> {
    let at = time::stored(time::now());
    let is_confirmed = |sheet: &&Sheet| sheet.nomination_id == nomination && sheet.state.was_confirmed();
    if let Some(sheet) = sheets::of_judge(connection, judge)?.iter().find(is_confirmed) {
        let first = match sheet.state {
            SheetState::SecondLook => "Take the second look back first, then reopen the sheet.",
            _ => "Reopen the sheet first.",
        };
        return Err(Error::Conflict(format!("This judge has confirmed {}. {first}", sheet.code)));
    }
    close(connection, (judge, nomination), why)?;
    panels::insert_conflict(connection, (judge, nomination), source, why, &at)?;
    assign_sheets(connection, category)
}

/// Requires that a member of the panel other than this judge can score a nomination.
///
/// # Errors
/// [`Error::Conflict`]
pub(super) fn require_another(
    connection: &Connection,
    category: &Category,
    (judge, nomination): (i64, i64),
) -> Result<()> {
    let (of, sub) = (category.category.as_str(), category.sub_category.as_str());
    let conflicts = panels::conflicts(connection, of, sub)?;
    let given = sheets::of_category(connection, of, sub)?;
    let can_score = |other: i64| {
        let is_out = |sheet: &Sheet| {
            (sheet.judge_id, sheet.nomination_id) == (other, nomination) && sheet.state.is_out()
        };
        other != judge
            && !conflicts.iter().any(|one| (one.judge_id, one.nomination_id) == (other, nomination))
            && !given.iter().any(is_out)
    };
    if panels::members(connection, category.id)?.iter().any(|member| can_score(member.judge_id)) {
        return Ok(());
    }
    Err(Error::Conflict(
        "Nobody would be left to judge this nomination. Add a judge or a reserve to the panel first.".into(),
    ))
}

/// An organiser says that a judge does not score a nomination.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]: no reason. [`Error::Conflict`], [`Error::Closed`].
pub fn declare(
    app: &App,
    actor: &Actor,
    (category, sub_category): (&str, &str),
    (judge, code): (i64, &str),
    why: &str,
) -> Result<()> {
    let why = reason(why)?;
    let (category, sub_category) = (category.to_owned(), sub_category.to_owned());
    let (actor, code) = (actor.clone(), code.to_owned());
    app.store.write(move |connection| {
        let stored = categories::find(connection, &category, &sub_category)?.ok_or_else(rubric::unknown)?;
        require_unsealed(&stored)?;
        if !panels::members(connection, stored.id)?.iter().any(|member| member.judge_id == judge) {
            return Err(Error::field("judge", "This judge is not in the panel"));
        }
        let nominations = nominations::of_category(connection, &category, &sub_category)?;
        let nomination = nominations.iter().find(|one| one.code == code);
        let nomination =
            nomination.ok_or_else(|| Error::field("code", "No nomination here has this code"))?.id;
        add_conflict(connection, &stored, (judge, nomination), ConflictSource::Organiser, &why)?;
        let line = audit::Line { actor: &actor, action: "judging conflict added", subject: None };
        audit::insert_with(
            connection,
            &time::stored(time::now()),
            &line,
            &json!({ "judge": judge, "code": code }),
        )
    })
}

/// Why a judge may not score a nomination, for the organiser.
pub(super) fn relation_reason(relation: &Relation) -> String {
    let kind = match relation.kind {
        RelationKind::TrainedBy => "Trained by this judge",
        RelationKind::WorksFor => "Works for this judge",
        RelationKind::RelatedTo => "Related to this judge",
    };
    match &relation.note {
        Some(note) => format!("{kind}: {note}"),
        None => kind.to_owned(),
    }
}
