//! Settles payments that no browser call and no event has settled, and abandons unpaid entries.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::abandon::abandon;
use super::reminders::remind;
use super::settle::settle;
use super::sweep_budget::SweepBudget;
use super::{refunds, webhooks};
use crate::app::App;
use crate::error::Result;
use crate::model::{IntentId, PaymentStatus};
use crate::payments::provider::{Failure, Intent, IntentStatus, Provider};
use crate::store::payment_findings;
use crate::store::payments::{self, CheckTimes, Payment};
use crate::time;

/// An unpaid entry is abandoned after this long (docs/reference.md, "HTTP").
const ABANDON_AFTER: TimeDelta = TimeDelta::days(1);
/// A browser or an event has this long to settle an entry first.
const HEAD_START: TimeDelta = TimeDelta::minutes(2);
/// An entry is checked every five minutes for a day and then, while it cannot be abandoned, every hour.
const YOUNG: TimeDelta = TimeDelta::days(1);
const YOUNG_EVERY: TimeDelta = TimeDelta::minutes(5);
const OLD_EVERY: TimeDelta = TimeDelta::hours(1);
/// The provider lists its events for this long.
const LOOK_BACK: TimeDelta = TimeDelta::days(30);
/// The maximum of entries fetched one by one in one sweep.
const BATCH: usize = 50;
/// More entries than this are looked up in the provider's list, a hundred per request.
const FEW: usize = 10;
/// Limits of the list look-up in one sweep: entries, and pages read for them.
const MAX_LOOKED_UP: u32 = 10_000;
const MAX_PAGES: usize = 150;
/// The largest assumed difference between the provider's clock and ours.
const CLOCK_SKEW: TimeDelta = TimeDelta::minutes(15);
/// Limits of abandoning in one sweep. The number is above what one network can create in a minute; the time leaves
/// room for the scheduler's other jobs.
const MAX_ABANDONED: u32 = 300;
const ABANDON_BUDGET: Duration = Duration::from_secs(40);

/// The result of a reconciliation.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Reconciled {
    pub checked: u64,
    /// Entries that turned out to be paid.
    pub paid: u64,
    /// Entries, refunds and events that could not be checked.
    pub failed: u64,
    /// All open findings.
    pub findings: i64,
}

/// One sweep: abandons entries that are a day old, checks those that wait for a payment, and queues reminders.
///
/// # Errors
/// The first failure, after all others were tried.
pub fn sweep(app: &App, now: DateTime<Utc>) -> Result<()> {
    let mut budget = SweepBudget::default();
    let (created_before, checked_before) = (time::stored(now - ABANDON_AFTER), time::stored(now - OLD_EVERY));
    let overdue = app
        .store
        .read(|connection| payments::overdue(connection, &created_before, &checked_before, MAX_ABANDONED))?;
    let started = Instant::now();
    budget.each(&overdue, name, |payment| {
        if started.elapsed() > ABANDON_BUDGET {
            return Ok(());
        }
        mark_checked_after(app, payment, now, || abandon_if_unchanged(app, payment, now))
    });
    if matches!(app.payments, Provider::Off) {
        return budget.end();
    }
    let times = CheckTimes {
        created_before: time::stored(now - HEAD_START),
        young_from: time::stored(now - YOUNG),
        old_before: time::stored(now - OLD_EVERY),
        young_before: time::stored(now - YOUNG_EVERY),
    };
    refunds::retry_open(app, &times.created_before, &mut budget)?;
    let waiting = app.store.read(|connection| payments::due_for_check(connection, &times, MAX_LOOKED_UP))?;
    let waiting = if waiting.len() > FEW { look_up(app, waiting, now)? } else { waiting };
    budget.each(&waiting, name, |payment| check(app, payment, now).map(drop));
    remind(app, now, &mut budget)?;
    budget.end()
}

/// Looks entries up in the provider's list of payment intents, so that many unpaid entries don't delay a paid one.
/// Returns the entries to fetch one by one: first those that are neither unpaid nor processing any more, then those
/// that the list does not have, such as intents of another account.
fn look_up(app: &App, waiting: Vec<Payment>, now: DateTime<Utc>) -> Result<Vec<Payment>> {
    let oldest = waiting.iter().filter_map(|payment| payment.created_at.parse::<DateTime<Utc>>().ok()).min();
    let since = oldest.unwrap_or(now) - CLOCK_SKEW;
    let mut missing: BTreeSet<&IntentId> =
        waiting.iter().filter_map(|payment| payment.intent_id.as_ref()).collect();
    let (mut unpaid, mut changed) = (BTreeSet::new(), BTreeSet::new());
    let mut after = None;
    for _ in 0..MAX_PAGES {
        let (intents, more) = match app.payments.list(since.timestamp(), after.as_ref()) {
            Ok(page) => page,
            Err(failure) => {
                tracing::warn!("the list of payments could not be read to its end: {failure:?}");
                break;
            }
        };
        after = intents.last().map(|intent| intent.id.clone());
        for intent in intents.into_iter().filter(|intent| missing.remove(&intent.id)) {
            match intent.status {
                IntentStatus::Unpaid | IntentStatus::Processing => unpaid.insert(intent.id),
                IntentStatus::Succeeded | IntentStatus::Canceled => changed.insert(intent.id),
            };
        }
        if missing.is_empty() || !more {
            break;
        }
    }
    let is_in = |ids: &BTreeSet<IntentId>, payment: &Payment| {
        payment.intent_id.as_ref().is_some_and(|id| ids.contains(id))
    };
    let (unpaid, mut left): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|payment| is_in(&unpaid, payment));
    app.store.write(|connection| {
        let at = time::stored(now);
        unpaid.iter().try_for_each(|payment| payments::mark_checked(connection, payment.entry_id, &at))
    })?;
    left.sort_by_key(|payment| !is_in(&changed, payment));
    left.truncate(BATCH);
    Ok(left)
}

/// Checks every pending entry now and looks for payments without an entry. `each` is called after every entry with the
/// number checked and the total.
///
/// # Errors
/// [`crate::error::Error::PaymentsOff`]; the provider's failure if its list cannot be read.
pub fn reconcile(app: &App, now: DateTime<Utc>, mut each: impl FnMut(u64, usize)) -> Result<Reconciled> {
    if matches!(app.payments, Provider::Off) {
        return Err(Failure::Off.into());
    }
    let mut done = Reconciled::default();
    let pending = app.store.read(payments::pending)?;
    let mut budget = SweepBudget::default();
    budget.each(&pending, name, |payment| {
        done.checked += 1;
        let is_paid = check(app, payment, now);
        each(done.checked, pending.len());
        done.paid += u64::from(is_paid?);
        Ok(())
    });
    refunds::retry_open(app, &time::stored(now), &mut budget)?;
    done.paid += settle_unmatched(app, now, &mut budget)?;
    done.failed = budget.failed;
    done.findings = app.store.read(payment_findings::count_open)?;
    Ok(done)
}

/// Reads the provider's payments of a month for those that no entry knows, and its events for refunds and disputes
/// that never arrived. Returns the number of entries settled.
///
/// # Errors
/// The provider's failure if its list cannot be read; otherwise the first failure of an event, after all others were
/// tried.
pub fn find_unmatched(app: &App, now: DateTime<Utc>) -> Result<u64> {
    let mut budget = SweepBudget::default();
    let settled = settle_unmatched(app, now, &mut budget)?;
    budget.end().map(|()| settled)
}

fn settle_unmatched(app: &App, now: DateTime<Utc>, budget: &mut SweepBudget) -> Result<u64> {
    let since = now - LOOK_BACK;
    let (mut succeeded, mut after) = (BTreeMap::new(), None::<IntentId>);
    // What was read before the list failed is settled all the same.
    let listed = loop {
        let (intents, more) = match app.payments.list(since.timestamp(), after.as_ref()) {
            Ok(page) => page,
            Err(failure) => break Err(failure),
        };
        after = intents.last().map(|intent| intent.id.clone());
        let paid = intents.into_iter().filter(|intent| intent.status == IntentStatus::Succeeded);
        succeeded.extend(paid.map(|intent| (intent.id.clone(), intent)));
        if !more || after.is_none() {
            break Ok(());
        }
    };
    let succeeded: Vec<Intent> = succeeded.into_values().collect();
    let name = |intent: &Intent| format!("payment {}", intent.id);
    let mut settled = 0;
    budget.each(&succeeded, name, |intent| {
        let before = app.store.read(|connection| payments::by_intent(connection, &intent.id))?;
        let was_unpaid = before.is_none_or(|payment| payment.status.is_unpaid());
        let payment = settle(app, intent)?;
        let is_paid = payment.is_some_and(|payment| payment.status == PaymentStatus::Paid);
        settled += u64::from(was_unpaid && is_paid);
        Ok(())
    });
    listed?;
    webhooks::process_missed_events(app, since, budget)?;
    Ok(settled)
}

fn name(payment: &Payment) -> String {
    format!("entry {}", payment.entry_id)
}

/// Fetches an entry's intent and settles it; `true` if the entry is now paid.
fn check(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<bool> {
    let Some(intent_id) = &payment.intent_id else { return Ok(false) };
    let settled = mark_checked_after(app, payment, now, || match app.payments.retrieve(intent_id) {
        Ok(intent) => settle(app, &intent),
        // An intent of another account or mode cannot be fetched. The entry is abandoned after a day.
        Err(Failure::Missing) => Ok(None),
        Err(failure) => Err(failure.into()),
    })?;
    Ok(settled.is_some_and(|settled| settled.status == PaymentStatus::Paid))
}

/// Stores that an entry was checked, even if the check failed, so that the others are checked first next time.
fn mark_checked_after<T>(
    app: &App,
    payment: &Payment,
    now: DateTime<Utc>,
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let (outcome, at) = (work(), time::stored(now));
    app.store.write(|connection| payments::mark_checked(connection, payment.entry_id, &at))?;
    outcome
}

/// Abandons an entry that was not paid within a day, unless it has changed meanwhile.
fn abandon_if_unchanged(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<()> {
    if payment.intent_id.is_some() && matches!(app.payments, Provider::Off) {
        return Ok(());
    }
    let _lock = app.entry_locks.lock(payment.entry_id);
    match app.store.read(|connection| payments::get(connection, payment.entry_id))? {
        Some(current) if current == *payment => abandon(app, payment, now).map(drop),
        _ => Ok(()),
    }
}
