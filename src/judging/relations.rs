//! What competitors declare about judges whom the site names: who trained them, whom they work for, to whom they are related. If
//! it is declared in time, such a judge does not score them; otherwise the organiser decides. Judges never see it.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::json;

use super::assignment::{assign_sheets, relation_reasons, timely_requests};
use super::supervision::{self, SheetKey};
use super::{checked_reason, conflicts, judges, panel, rubric};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::model::{Actor, NominationState};
use crate::portal::access::Artist;
use crate::portal::own::deadline;
use crate::site::content::Content;
use crate::site::content::model::program::ProfileKind;
use crate::store::audit;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::judges::{self as stored_judges, Judge};
use crate::store::judging::panels::{self, ConflictSource};
use crate::store::judging::relations::{self, RelationKind};
use crate::store::judging::sheets;
use crate::store::portal::nominations::{self, Nomination};
use crate::time;

pub use crate::store::judging::relations::{Relation, RelationState};

/// In characters.
const MAX_NOTE_LENGTH: usize = 500;
const MAX_RELATIONS: usize = 20;

/// What a competitor has declared, and whom they can name.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "KnownJudges"))]
pub struct Declared {
    /// The judges whom the site names.
    pub judges: Vec<String>,
    /// What the competitor has declared.
    #[serde(rename = "items")]
    pub relations: Vec<Relation>,
}

fn published_judges(content: &Content) -> Vec<String> {
    let groups = content.people.groups.iter().filter(|group| group.kind == ProfileKind::Judge);
    let profiles = groups.flat_map(|group| &group.profiles).filter(|profile| !profile.coming_soon);
    let mut names: Vec<String> = profiles.map(|profile| profile.name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

pub fn get(app: &App, artist: &Artist) -> Result<Declared> {
    Ok(Declared { judges: published_judges(&app.content()), relations: of_person(app, &artist.email)? })
}

/// A relation as a competitor sends it.
#[derive(Debug, Clone, Default)]
pub struct SentRelation {
    pub judge: String,
    pub kind: String,
    pub note: Option<String>,
}

/// Replaces what a competitor has declared, and takes the nominations from judges who may not score them any more.
///
/// # Errors
/// [`Error::Invalid`] names each wrong value, as `items[0].judge`. [`Error::Conflict`]: a relation is missing because of which a
/// judge was replaced.
pub fn declare(app: &App, artist: &Artist, sent: &[SentRelation]) -> Result<()> {
    let (content, now) = (app.content(), time::now());
    app.store.write(|connection| {
        let relations = relations::of_person(connection, &artist.email)?;
        let before = Declared { judges: published_judges(&content), relations };
        let mut new = checked(&before, sent)?;
        require_kept(connection, artist, &new)?;
        // What the organiser rejected stays with the decision: sent again, it would count as a new declaration.
        for decided in before.relations.iter().filter(|relation| !relation.rejected_for.is_empty()) {
            if find_same(&new, decided).is_none() {
                new.push(Relation { state: RelationState::Requested, ..decided.clone() });
            }
        }
        let at = time::stored(now);
        let own = nominations::of_person(connection, &artist.email)?;
        let is_out = |state| matches!(state, NominationState::Withdrawn | NominationState::Forfeited);
        let is_open =
            |nomination: &&Nomination| deadline(&content, nomination).is_none_or(|deadline| now < deadline);
        let taking_part: Vec<_> = own.iter().filter(|nomination| !is_out(nomination.state)).collect();
        // A relation concerns all nominations, so that an extension for one does not open the others again.
        if taking_part.is_empty() || !taking_part.iter().all(is_open) {
            for relation in new.iter_mut().filter(|relation| find_same(&before.relations, relation).is_none())
            {
                relation.state = RelationState::Requested;
            }
        }
        relations::replace(connection, &artist.email, &new, &at)?;
        if let Some(entry) = own.iter().map(|nomination| nomination.entry_id).max() {
            // The audit log has no names and no texts.
            let subject = Some(entry.registration());
            let line =
                audit::Line { actor: &Actor::Visitor, action: "relations to judges declared", subject };
            audit::insert_with(connection, &at, &line, &json!({ "count": new.len() }))?;
        }
        for nomination in own.iter().filter(|nomination| nomination.state == NominationState::Ready) {
            let (category, sub_category) = (&nomination.category, &nomination.sub_category);
            if let Some(stored) = categories::find(connection, category, sub_category)? {
                assign_sheets(connection, &stored)?;
            }
        }
        Ok(())
    })
}

/// The names of judges that competitors declared and that no invited judge has: they are no judge's conflict. Empty while nobody
/// was invited.
pub fn unmatched_names(connection: &Connection) -> Result<BTreeSet<String>> {
    let invited = stored_judges::all(connection)?;
    let declared = relations::by_email(connection)?.into_values().flatten().map(|relation| relation.judge);
    let is_unmatched = |name: &String| !invited.iter().any(|judge| judges::is_called(judge, name));
    Ok(declared.filter(|name| !invited.is_empty() && is_unmatched(name)).collect())
}

/// The relation of the same kind to the same judge.
fn find_same<'a>(relations: &'a [Relation], wanted: &Relation) -> Option<&'a Relation> {
    relations.iter().find(|relation| (&relation.judge, relation.kind) == (&wanted.judge, wanted.kind))
}

fn checked(before: &Declared, sent: &[SentRelation]) -> Result<Vec<Relation>> {
    if sent.len() > MAX_RELATIONS {
        return Err(Error::field("items", &format!("Please name at most {MAX_RELATIONS}")));
    }
    let mut errors = FieldErrors::new();
    let mut new: Vec<Relation> = Vec::new();
    for (index, SentRelation { judge, kind, note }) in sent.iter().enumerate() {
        let mut add = |field: &str, message: &str| {
            errors.insert(format!("items[{index}].{field}"), message.to_owned());
        };
        // A judge whom the site does not name any more may stay.
        let is_known =
            before.judges.contains(judge) || before.relations.iter().any(|relation| relation.judge == *judge);
        if !is_known {
            add("judge", "Please choose a judge from the list");
        }
        let note = note.as_deref().map(str::trim).filter(|note| !note.is_empty()).map(str::to_owned);
        if note.as_ref().is_some_and(|note| note.chars().count() > MAX_NOTE_LENGTH) {
            add("note", &format!("Please shorten this to {MAX_NOTE_LENGTH} characters"));
        }
        let Ok(kind) = kind.parse::<RelationKind>() else {
            add("kind", "Please choose how you know this judge");
            continue;
        };
        let mut relation = Relation {
            judge: judge.clone(),
            kind,
            note,
            state: RelationState::Counts,
            rejected_for: Vec::new(),
            answer: None,
        };
        if find_same(&new, &relation).is_some() {
            add("judge", "You have named this judge in this way already");
        }
        // What the organiser decided stays decided. `declare` says whether a new relation counts.
        if let Some(decided) = find_same(&before.relations, &relation) {
            relation.state = decided.state;
            relation.rejected_for.clone_from(&decided.rejected_for);
            relation.answer.clone_from(&decided.answer);
        }
        new.push(relation);
    }
    if errors.is_empty() { Ok(new) } else { Err(Error::Invalid(errors)) }
}

/// Requires the relations because of which a judge does not score the competitor.
fn require_kept(connection: &Connection, artist: &Artist, new: &[Relation]) -> Result<()> {
    for nomination in nominations::of_person(connection, &artist.email)? {
        for conflict in panels::conflicts(connection, &nomination.category, &nomination.sub_category)? {
            if conflict.nomination_id != nomination.id || conflict.source != ConflictSource::Competitor {
                continue;
            }
            let judge = stored_judges::get(connection, conflict.judge_id)?;
            let Some(judge) = judge.filter(|judge| judge.removed_at.is_none()) else { continue };
            if !new.iter().any(|relation| judges::is_called(&judge, &relation.judge)) {
                return Err(Error::Conflict(format!(
                    "{} does not score you because of what you told us. Please write to us if it was a mistake.",
                    judge.shown_name()
                )));
            }
        }
    }
    Ok(())
}

/// What a competitor declared too late about a judge of a panel, so that the organiser has to decide.
#[derive(Debug, Clone)]
pub struct Request {
    pub judge: Judge,
    pub nomination: Nomination,
    /// The competitor's address.
    pub email: String,
    pub relations: Vec<Relation>,
}

impl Request {
    /// The nomination and the judge, which stay the same when the competitor changes what they declared: '12-3'.
    pub fn id(&self) -> String {
        format!("{}-{}", self.nomination.id, self.judge.id)
    }
}

/// What the organiser decides about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Accepted,
    Rejected,
}

/// The requests of a subcategory that is not sealed. Accepted ones became conflicts.
pub(super) fn requests(connection: &Connection, category: &Category) -> Result<Vec<Request>> {
    let mut found = Vec::new();
    let declared = relations::by_email(connection)?;
    if category.sealed_at.is_some() || declared.is_empty() {
        return Ok(found);
    }
    let timely = timely_requests(connection, category)?;
    let conflicts = panels::conflicts(connection, &category.category, &category.sub_category)?;
    let mut ready = nominations::of_category(connection, &category.category, &category.sub_category)?;
    ready.retain(|nomination| nomination.state == NominationState::Ready);
    for nomination in ready {
        let Some(entrant) = nominations::entrant(connection, nomination.entry_id)? else { continue };
        let Some(declared) = declared.get(&entrant.email.to_lowercase()) else { continue };
        for member in panels::members(connection, category.id)? {
            let Some(judge) = stored_judges::get(connection, member.judge_id)? else { continue };
            let mut relations = declared.clone();
            relations.retain(|relation| {
                let is_requested =
                    relation.state == RelationState::Requested || timely.contains(&(judge.id, nomination.id));
                is_requested
                    && !relation.rejected_for.contains(&nomination.code)
                    && judges::is_called(&judge, &relation.judge)
            });
            relations.iter_mut().for_each(|relation| relation.state = RelationState::Requested);
            let is_decided = conflicts.iter().any(|conflict| conflict.is_between(judge.id, nomination.id));
            if !relations.is_empty() && !is_decided {
                let (nomination, email) = (nomination.clone(), entrant.email.clone());
                found.push(Request { judge, nomination, email, relations });
            }
        }
    }
    Ok(found)
}

/// How many requests the organiser has not decided.
pub fn count_requests(connection: &Connection) -> Result<usize> {
    let all = categories::all(connection)?.into_iter();
    all.map(|category| Ok(requests(connection, &category)?.len())).sum()
}

/// Accepts a request, so that the judge does not score the nomination, or rejects it. The competitor reads the reason.
///
/// # Errors
/// [`Error::NotFound`]: there is no such request. [`Error::Invalid`]: no reason. [`Error::Conflict`]: nobody would be left to
/// judge the nomination, or the sheet is confirmed. [`Error::Closed`].
pub fn decide(
    app: &App,
    actor: &Actor,
    (category, sub_category): (&str, &str),
    id: &str,
    decision: Decision,
    reason: &str,
) -> Result<()> {
    let reason = checked_reason(reason)?;
    app.store.write(|connection| {
        let stored = categories::find(connection, category, sub_category)?;
        let stored = stored.ok_or_else(rubric::unknown)?;
        panel::require_unsealed(&stored)?;
        let Some(request) = requests(connection, &stored)?.into_iter().find(|request| request.id() == id)
        else {
            return Err(Error::NotFound("This request was decided already, or was taken back.".into()));
        };
        let key = SheetKey {
            category: category.to_owned(),
            sub_category: sub_category.to_owned(),
            judge: request.judge.id,
            code: request.nomination.code.clone(),
        };
        let rejected_for = (decision == Decision::Rejected).then_some(key.code.as_str());
        for relation in &request.relations {
            relations::set_answer(connection, (&request.email, relation), rejected_for, &reason)?;
        }
        if decision == Decision::Rejected {
            return supervision::record_action(connection, actor, "relation to a judge rejected", &key);
        }
        let judge_and_nomination = (key.judge, request.nomination.id);
        conflicts::require_another(connection, &stored, judge_and_nomination)?;
        let reasons = relation_reasons(&request.relations);
        let source = ConflictSource::Competitor;
        conflicts::insert(connection, &stored, judge_and_nomination, source, &reasons)?;
        supervision::record_action(connection, actor, "relation to a judge accepted", &key)
    })
}

/// What a person declared, each with what came of it.
pub fn of_person(app: &App, email: &str) -> Result<Vec<Relation>> {
    app.store.read(|connection| {
        let mut declared = relations::of_person(connection, email)?;
        let (mut open, mut out, mut scored) = (Vec::new(), Vec::new(), Vec::new());
        for nomination in nominations::of_person(connection, email)? {
            let (slug, sub) = (nomination.category.as_str(), nomination.sub_category.as_str());
            let Some(category) = categories::find(connection, slug, sub)?.filter(|_| !declared.is_empty())
            else {
                continue;
            };
            let all = requests(connection, &category)?.into_iter();
            let own = all.filter(|request| request.nomination.id == nomination.id);
            open.extend(own.flat_map(|request| request.relations));
            let conflicts = panels::conflicts(connection, slug, sub)?;
            for conflict in &conflicts {
                if conflict.nomination_id == nomination.id && conflict.source == ConflictSource::Competitor {
                    out.extend(stored_judges::get(connection, conflict.judge_id)?);
                }
            }
            if category.sealed_at.is_none() {
                continue;
            }
            for sheet in sheets::of_category(connection, slug, sub)? {
                let has_conflict =
                    conflicts.iter().any(|conflict| conflict.is_between(sheet.judge_id, nomination.id));
                if sheet.nomination_id == nomination.id && sheet.state.was_confirmed() && !has_conflict {
                    scored.extend(stored_judges::get(connection, sheet.judge_id)?);
                }
            }
        }
        for relation in &mut declared {
            let is_of = |judge: &Judge| judges::is_called(judge, &relation.judge);
            if open.iter().any(|other| (&other.judge, other.kind) == (&relation.judge, relation.kind)) {
                relation.state = RelationState::Requested;
            } else if out.iter().any(is_of) {
                relation.state = RelationState::Counts;
            // A request that nobody decided ends with the seal.
            } else if !relation.rejected_for.is_empty() || scored.iter().any(is_of) {
                relation.state = RelationState::Rejected;
            }
        }
        Ok(declared)
    })
}
