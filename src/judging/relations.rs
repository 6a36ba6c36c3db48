//! What competitors say about judges whom the site names: who trained them, whom they work for, to whom they are related. Said
//! in time, such a judge does not score them; otherwise it is a request that the organiser decides. Judges never see it.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde_json::json;

use super::supervision::{self, Named};
use super::{judges, panel, rubric};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::model::{Actor, EntryId, NominationState};
use crate::portal::access::Artist;
use crate::portal::own::deadline;
use crate::site::content::Content;
use crate::site::content::model::program::ProfileKind;
use crate::store::audit;
use crate::store::judging::categories::{self, Category};
use crate::store::judging::judges::{self as stored_judges, Judge};
use crate::store::judging::panels::{self, ConflictSource};
use crate::store::judging::relations::{self, RelationKind};
use crate::store::portal::nominations::{self, Nomination};
use crate::time;

pub use crate::store::judging::relations::{Relation, RelationState};

/// In characters.
const MAX_NOTE_LENGTH: usize = 500;
const MAX_RELATIONS: usize = 20;

/// What a competitor said, and whom they can name.
#[derive(Debug)]
pub struct Declared {
    /// The judges whom the site names.
    pub judges: Vec<String>,
    pub relations: Vec<Relation>,
}

/// The judges whom the site names.
fn published(content: &Content) -> Vec<String> {
    let groups = content.people.groups.iter().filter(|group| group.kind == ProfileKind::Judge);
    let profiles = groups.flat_map(|group| &group.profiles).filter(|profile| !profile.coming_soon);
    let mut names: Vec<String> = profiles.map(|profile| profile.name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// What a competitor has said.
pub fn get(app: &App, artist: &Artist) -> Result<Declared> {
    Ok(Declared { judges: published(&app.content()), relations: of_person(app, &artist.email)? })
}

/// A relation as a competitor sends it.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    pub judge: String,
    pub kind: String,
    pub note: Option<String>,
}

/// Replaces what a competitor has said, and takes the nominations from judges who may not score them any more.
///
/// # Errors
/// [`Error::Invalid`] names each wrong value, as `items[0].judge`. [`Error::Conflict`]: a judge was taken out for what is to be
/// taken back.
pub fn declare(app: &App, artist: &Artist, sent: &[Sent]) -> Result<()> {
    let (artist, content, now) = (artist.clone(), app.content(), time::now());
    let sent = sent.to_vec();
    app.store.write(move |connection| {
        // Read here: the organiser may have decided about one just now.
        let relations = relations::of_person(connection, &artist.email)?;
        let before = Declared { judges: published(&content), relations };
        let mut new = checked(&before, &sent)?;
        require_kept(connection, &artist, &new)?;
        let at = time::stored(now);
        let own = nominations::of_person(connection, &artist.email)?;
        // It concerns all of them: one that was extended does not open the others again.
        let is_out = |state| matches!(state, NominationState::Withdrawn | NominationState::Forfeited);
        let is_open = |one: &Nomination| deadline(&content, one).is_none_or(|deadline| now < deadline);
        let mut taking_part = own.iter().filter(|one| !is_out(one.state)).peekable();
        if taking_part.peek().is_none() || !taking_part.all(is_open) {
            let is_known = |one: &Relation| {
                before.relations.iter().any(|other| other.judge == one.judge && other.kind == one.kind)
            };
            new.iter_mut().filter(|one| !is_known(one)).for_each(|one| one.state = RelationState::Requested);
        }
        relations::replace(connection, &artist.email, &new, &at)?;
        if let Some(entry) = own.iter().map(|nomination| nomination.entry_id).max() {
            // The audit log has no names and no texts.
            let subject = Some(entry.registration());
            let line =
                audit::Line { actor: &Actor::Visitor, action: "relations to judges declared", subject };
            audit::insert_with(connection, &at, &line, &json!({ "count": new.len() }))?;
        }
        for nomination in own.iter().filter(|one| one.state == NominationState::Ready) {
            let (category, sub_category) = (&nomination.category, &nomination.sub_category);
            if let Some(stored) = categories::find(connection, category, sub_category)? {
                panel::assign_sheets(connection, &stored)?;
            }
        }
        Ok(())
    })
}

fn checked(before: &Declared, sent: &[Sent]) -> Result<Vec<Relation>> {
    if sent.len() > MAX_RELATIONS {
        return Err(Error::field("items", &format!("Please name at most {MAX_RELATIONS}")));
    }
    let mut errors = FieldErrors::new();
    let mut new: Vec<Relation> = Vec::new();
    for (index, one) in sent.iter().enumerate() {
        let mut add = |field: &str, message: &str| {
            errors.insert(format!("items[{index}].{field}"), message.to_owned());
        };
        // A judge whom the site names no more may stay.
        let is_known = before.judges.contains(&one.judge)
            || before.relations.iter().any(|relation| relation.judge == one.judge);
        if !is_known {
            add("judge", "Please choose a judge from the list");
        }
        let note = one.note.as_deref().map(str::trim).filter(|note| !note.is_empty()).map(str::to_owned);
        if note.as_ref().is_some_and(|note| note.chars().count() > MAX_NOTE_LENGTH) {
            add("note", &format!("Please shorten this to {MAX_NOTE_LENGTH} characters"));
        }
        let Ok(kind) = one.kind.parse::<RelationKind>() else {
            add("kind", "Please choose how you know this judge");
            continue;
        };
        if new.iter().any(|other| other.judge == one.judge && other.kind == kind) {
            add("judge", "You have named this judge in this way already");
        }
        // What the organiser decided stays decided. `declare` says whether a new one counts.
        let same = before.relations.iter().find(|other| other.judge == one.judge && other.kind == kind);
        let (state, rejected_for, answer) = match same {
            Some(same) => (same.state, same.rejected_for.clone(), same.answer.clone()),
            None => (RelationState::Counts, Vec::new(), None),
        };
        new.push(Relation { judge: one.judge.clone(), kind, note, state, rejected_for, answer });
    }
    if errors.is_empty() { Ok(new) } else { Err(Error::Invalid(errors)) }
}

/// Requires that nothing is taken back for which a judge was taken out.
fn require_kept(connection: &Connection, artist: &Artist, new: &[Relation]) -> Result<()> {
    for nomination in nominations::of_person(connection, &artist.email)? {
        for conflict in panels::conflicts(connection, &nomination.category, &nomination.sub_category)? {
            let is_own =
                conflict.nomination_id == nomination.id && conflict.source == ConflictSource::Competitor;
            if !is_own {
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

/// What a competitor said about a judge of a panel, and the organiser has to decide.
#[derive(Debug, Clone)]
pub struct Request {
    pub judge: Judge,
    pub nomination: Nomination,
    /// The competitor's address.
    pub email: String,
    pub relations: Vec<Relation>,
}

/// The requests of a subcategory that is not sealed. Accepted ones became conflicts.
pub(super) fn requests(connection: &Connection, category: &Category) -> Result<Vec<Request>> {
    let mut found = Vec::new();
    let (of, sub) = (category.category.as_str(), category.sub_category.as_str());
    let declared = relations::by_email(connection)?;
    if category.sealed_at.is_some() || declared.is_empty() {
        return Ok(found);
    }
    let timely = panel::timely_requests(connection, category)?;
    let conflicts = panels::conflicts(connection, of, sub)?;
    let ready = nominations::of_category(connection, of, sub)?
        .into_iter()
        .filter(|one| one.state == NominationState::Ready);
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
            let is_decided =
                conflicts.iter().any(|one| (one.judge_id, one.nomination_id) == (judge.id, nomination.id));
            if !relations.is_empty() && !is_decided {
                let (nomination, email) = (nomination.clone(), entrant.email.clone());
                found.push(Request { judge, nomination, email, relations });
            }
        }
    }
    Ok(found)
}

/// How many requests wait for the organiser.
pub fn count_requests(connection: &Connection) -> Result<usize> {
    let all = categories::all(connection)?.into_iter();
    all.map(|category| Ok(requests(connection, &category)?.len())).sum()
}

/// Accepts a request, so that the judge does not score the nomination, or rejects it. The competitor reads the reason.
///
/// # Errors
/// [`Error::NotFound`]: there is no such request. [`Error::Invalid`]: no reason. [`Error::Conflict`]: nobody would be left to
/// judge the nomination, or the sheet is confirmed. [`Error::Closed`].
pub fn decide(app: &App, actor: &Actor, named: Named, is_accepted: bool, why: &str) -> Result<()> {
    let (why, actor) = (super::reason(why)?, actor.clone());
    app.store.write(move |connection| {
        let (of, sub) = (named.category.as_str(), named.sub_category.as_str());
        let stored = categories::find(connection, of, sub)?.ok_or_else(rubric::unknown)?;
        panel::require_unsealed(&stored)?;
        let all = requests(connection, &stored)?;
        let should_send = |one: &&Request| one.judge.id == named.judge && one.nomination.code == named.code;
        let Some(request) = all.iter().find(should_send) else {
            return Err(Error::NotFound("This request was decided already, or was taken back.".into()));
        };
        let rejected_for = (!is_accepted).then_some(named.code.as_str());
        for relation in &request.relations {
            relations::set_answer(connection, (&request.email, relation), rejected_for, &why)?;
        }
        if is_accepted {
            panel::require_another(connection, &stored, (named.judge, request.nomination.id))?;
            let reasons: Vec<String> = request.relations.iter().map(panel::relation_reason).collect();
            let of = (named.judge, request.nomination.id);
            panel::add_conflict(connection, &stored, of, ConflictSource::Competitor, &reasons.join("; "))?;
        }
        let action =
            if is_accepted { "relation to a judge accepted" } else { "relation to a judge rejected" };
        supervision::record_action(connection, &actor, action, &named)
    })
}

/// What all competitors said, by their address in lowercase, for the organiser.
pub fn by_email(app: &App) -> Result<BTreeMap<String, Vec<Relation>>> {
    app.store.read(relations::by_email)
}

/// What a person said, each with what came of it.
pub fn of_person(app: &App, email: &str) -> Result<Vec<Relation>> {
    app.store.read(|connection| {
        let mut said = relations::of_person(connection, email)?;
        let (mut open, mut out) = (Vec::new(), Vec::new());
        for nomination in nominations::of_person(connection, email)? {
            let (of, sub) = (nomination.category.as_str(), nomination.sub_category.as_str());
            let Some(category) = categories::find(connection, of, sub)?.filter(|_| !said.is_empty()) else {
                continue;
            };
            let all = requests(connection, &category)?.into_iter();
            let own = all.filter(|request| request.nomination.id == nomination.id);
            open.extend(own.flat_map(|request| request.relations));
            for conflict in panels::conflicts(connection, of, sub)? {
                if conflict.nomination_id == nomination.id && conflict.source == ConflictSource::Competitor {
                    out.extend(stored_judges::get(connection, conflict.judge_id)?);
                }
            }
        }
        for relation in &mut said {
            if open.iter().any(|other| (&other.judge, other.kind) == (&relation.judge, relation.kind)) {
                relation.state = RelationState::Requested;
            } else if out.iter().any(|judge| judges::is_called(judge, &relation.judge)) {
                relation.state = RelationState::Counts;
            } else if !relation.rejected_for.is_empty() {
                relation.state = RelationState::Rejected;
            }
        }
        Ok(said)
    })
}

/// Deletes what was said with an entry whose person is erased.
pub fn erase(connection: &Connection, entry_id: EntryId) -> Result<()> {
    relations::delete_of(connection, entry_id)
}
