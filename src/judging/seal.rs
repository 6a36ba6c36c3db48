//! Sealing computes the results once and stores them with what they were computed from; publishing makes them public and tells
//! each competitor. Each is one transaction.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::access::Judge;
use super::sealed_results::Sealed;
use super::{certificates, checked_reason, organiser, panel, results_input, rubric, supervision, work};
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail;
use crate::mail::outbox;
use crate::model::{Actor, NominationState};
use crate::site::content::Content;
use crate::store::judging::categories::{self, Category, TieDecision};
use crate::store::judging::log;
use crate::store::outbox::{self as stored_emails, Priority};
use crate::store::portal::nominations;
use crate::store::{audit, registrations};
use crate::time;

/// Seals a subcategory: stores its results, and lets nothing change any more.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`] names the codes or judges that are missing.
pub fn seal(app: &App, actor: &Actor, category: &str, sub_category: &str) -> Result<()> {
    let before = organiser::get(app, category, sub_category)?;
    if before.results.is_some() {
        return Ok(());
    }
    if !before.blockers.is_empty() {
        return Err(Error::Conflict(before.blockers.join(" ")));
    }
    let content = app.content();
    app.store.write(|connection| {
        let stored = categories::ensure(connection, category, sub_category)?;
        if stored.sealed_at.is_some() {
            return Ok(());
        }
        // A sheet may have been reopened since the check.
        let pending = results_input::pending(connection, &stored)?;
        if !pending.is_empty() {
            return Err(Error::Conflict(format!("These sheets are not confirmed: {}.", pending.join(", "))));
        }
        let in_force = rubric::in_force(&content, Some(&stored), category, sub_category)?;
        let competition = results_input::read(connection, &in_force, &stored)?;
        let sealed = Sealed::compute(&competition).map_err(|refusal| Error::Conflict(refusal.to_string()))?;
        let at = time::stored(time::now());
        categories::seal(connection, stored.id, &json!(sealed).to_string(), actor.as_str(), &at)?;
        audit::record(connection, actor, "results sealed", &subcategory(&stored))
    })
}

/// Takes the seal back, and published results out of public view.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Invalid`]: no reason. [`Error::Conflict`]: it is not sealed.
pub fn reopen(app: &App, actor: &Actor, category: &str, sub_category: &str, reason: &str) -> Result<()> {
    let reason = checked_reason(reason)?;
    organiser::get(app, category, sub_category)?;
    app.store.write(|connection| {
        let stored = categories::ensure(connection, category, sub_category)?;
        if stored.sealed_at.is_none() {
            return Err(Error::Conflict("This competition is not sealed.".into()));
        }
        categories::unseal(connection, stored.id)?;
        let mut detail = subcategory(&stored);
        detail["reason"] = reason.into();
        audit::record(connection, actor, "results reopened", &detail)
    })
}

/// Makes sealed results public, and queues one email to each competitor; after a reopening only to those whose points or place
/// are others now. Publishing again changes nothing.
///
/// # Errors
/// [`Error::NotFound`]. [`Error::Conflict`]: they are not sealed, or a nomination has changed since.
pub fn publish(app: &App, actor: &Actor, category: &str, sub_category: &str) -> Result<()> {
    organiser::get(app, category, sub_category)?;
    let (content, public_url) = (app.content(), app.public_url());
    app.store.write(|connection| {
        let stored = categories::ensure(connection, category, sub_category)?;
        let Some(results) = &stored.results else {
            return Err(Error::Conflict("Seal the results first.".into()));
        };
        if stored.published_at.is_some() {
            return Ok(());
        }
        let sealed = Sealed::parse(results)?;
        let changed = sealed.changed_since(connection, &stored)?;
        if !changed.is_empty() {
            return Err(Error::Conflict(changed.join(" ")));
        }
        let at = time::stored(time::now());
        categories::publish(connection, stored.id, &at)?;
        certificates::issue(connection, &stored, &sealed, &at)?;
        queue_emails(connection, &content, &public_url, &stored, &sealed, &at)?;
        audit::record(connection, actor, "results published", &subcategory(&stored))
    })
}

/// One email for each nomination that has not had one, or whose points or place are others than those it was told of.
fn queue_emails(
    connection: &Connection,
    content: &Content,
    public_url: &str,
    stored: &Category,
    sealed: &Sealed,
    at: &str,
) -> Result<()> {
    let label = content.nomination(&stored.category, &stored.sub_category);
    let before = stored.last_published.as_deref().map(Sealed::parse).transpose()?;
    for nomination in nominations::of_category(connection, &stored.category, &stored.sub_category)? {
        let takes_part = matches!(nomination.state, NominationState::Ready | NominationState::Disqualified);
        let (Some(now), true) = (sealed.result(&nomination.code), takes_part) else { continue };
        let mut cause = format!("results/{}", nomination.id);
        let was_told = stored_emails::find_cause(connection, &cause)?.is_some();
        if was_told {
            let before = before.as_ref().and_then(|before| before.result(&nomination.code));
            if before.is_some_and(|before| (&before.points, before.place) == (&now.points, now.place)) {
                continue;
            }
            cause = format!("{cause}/{at}");
        }
        let about = nomination.entry_id.registration();
        let queued = registrations::get(connection, about.0, about.1).and_then(|entry| {
            let Some(entry) = entry else { return Ok(()) };
            let sheet = (label.as_str(), nomination.id);
            let message = mail::results_published(content, public_url, &entry.record, sheet, was_told)?;
            outbox::queue(connection, Priority::Organiser, cause.clone(), about, &message, at)
        });
        if let Err(error) = queued {
            let recipient = nominations::entrant(connection, nomination.entry_id)?;
            let recipient = recipient.map(|entrant| entrant.email).unwrap_or_default();
            outbox::record_uncomposed(connection, cause, Some(about), &recipient, error, public_url)?;
        }
    }
    Ok(())
}

/// Who decides about a tie.
pub enum Decider<'a> {
    Head(&'a Judge),
    /// An organiser who records the head judge's written decision.
    Organiser(&'a Actor),
}

/// Stores the head judge's decision about a tie. The same decision again changes nothing. With `since`, from the tie that was
/// shown, a decision that comes late is not one about a newer tie of the same nominations.
///
/// # Errors
/// [`Error::Forbidden`]: a judge who is not the head, or does not score every one of these codes. [`Error::Invalid`]: no reason,
/// or a code twice. [`Error::Conflict`]: these codes are no tie that is open. [`Error::Closed`]: sealed.
pub fn decide_tie(
    app: &App,
    decider: &Decider<'_>,
    category: &str,
    sub_category: &str,
    (decision, since): (TieDecision, Option<String>),
) -> Result<()> {
    let decision = TieDecision { reason: checked_reason(&decision.reason)?, ..decision };
    let (head, actor) = match decider {
        Decider::Head(judge) => (Some(*judge), format!("judge {}", judge.id)),
        Decider::Organiser(actor) => (None, actor.as_str().to_owned()),
    };
    let content = app.content();
    app.store.write(|connection| {
        let stored = categories::find(connection, category, sub_category)?.ok_or_else(rubric::unknown)?;
        if let Some(judge) = head {
            supervision::require_head(connection, &stored, judge)?;
        }
        panel::require_unsealed(&stored)?;
        let wanted: BTreeSet<&String> = decision.codes.iter().collect();
        if wanted.len() < decision.codes.len() {
            return Err(Error::field("order", "Name each code once"));
        }
        if let Some(judge) = head {
            work::require_scored(connection, judge, &stored, &decision.codes)?;
        }
        let ties = results_input::open_ties(connection, &content, &stored)?;
        let is_wanted = |codes: &[String]| codes.iter().collect::<BTreeSet<_>>() == wanted;
        let tie = ties.into_iter().find(|tie| is_wanted(&tie.codes));
        let decided = categories::ties(connection, stored.id)?;
        let newest = decided.iter().rev().find(|earlier| is_wanted(&earlier.codes));
        let is_repeated = newest
            .is_some_and(|newest| (&newest.codes, &newest.reason) == (&decision.codes, &decision.reason));
        if tie.is_none() && is_repeated {
            return Ok(());
        }
        if tie.is_some() && since.is_some() && since != log::newest_at(connection, &decision.codes)? {
            return Err(Error::Conflict(
                "The points have changed since. Please look at the tie again before you decide.".into(),
            ));
        }
        let no_tie = || Error::Conflict("These codes are not a tie that is left to the head judge.".into());
        let decision = TieDecision { points: tie.ok_or_else(no_tie)?.points, ..decision.clone() };
        let (head, at) = (head.map(|judge| judge.id), time::stored(time::now()));
        categories::insert_tie(connection, stored.id, head, &actor, &decision, &at)
    })
}

/// The detail of a line in the audit log.
fn subcategory(stored: &Category) -> Value {
    json!({ "category": stored.category, "subCategory": stored.sub_category })
}
