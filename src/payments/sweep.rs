//! Settles what no browser and no event has settled, and ends what was never paid.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::abandon::end;
use super::reminders::remind;
use super::settlement::settle;
use super::sweep_budget::Round;
use super::{refunds, webhooks};
use crate::app::App;
use crate::error::Result;
use crate::model::PaymentStatus;
use crate::payments::provider::{Failure, IntentStatus, Provider};
use crate::store::payment_findings;
use crate::store::payments::{self, AskTimes, Payment};
use crate::time;

/// An unpaid entry is abandoned after this long (docs/reference.md, "HTTP").
const PATIENCE: TimeDelta = TimeDelta::days(1);
/// A browser or an event has this long to come first.
const HEAD_START: TimeDelta = TimeDelta::minutes(2);
/// For a day an entry is asked about each five minutes, then, while it cannot be ended, each hour.
const YOUNG: TimeDelta = TimeDelta::days(1);
const YOUNG_EVERY: TimeDelta = TimeDelta::minutes(5);
const OLD_EVERY: TimeDelta = TimeDelta::hours(1);
/// For so long the provider lists its events.
const LOOK_BACK: TimeDelta = TimeDelta::days(30);
/// Entries asked about one by one in one round.
const ROUND: usize = 50;
/// More entries than this are looked up in the provider's list, a hundred in one request.
const FEW: usize = 10;
/// Entries looked up in one round, and the most pages of the list that are read for it.
const MOST_LOOKED_UP: u32 = 10_000;
const MOST_PAGES: usize = 150;
/// So far the provider's clock and ours may differ.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(15);
/// Entries ended in one round, and how long that may take at most: more than one network may make in a minute, and
/// the clock has other work.
const MOST_ENDED: u32 = 300;
const ENDING: Duration = Duration::from_secs(40);

/// What a reconciliation found.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Reconciled {
    pub asked: u64,
    /// Entries that turned out to be paid.
    pub paid: u64,
    /// Entries, refunds and events that could not be asked about.
    pub failed: u64,
    /// Payments that need a person's look, in all.
    pub findings: i64,
}

/// One round: abandons the entries of yesterday, asks about those that have waited, and reminds of those that were left.
///
/// # Errors
/// The first failure, once everybody else had a turn.
pub fn sweep(app: &App, now: DateTime<Utc>) -> Result<()> {
    let mut round = Round::default();
    let (made, asked) = (time::stored(now - PATIENCE), time::stored(now - OLD_EVERY));
    let overdue = app.store.read(|connection| payments::overdue(connection, &made, &asked, MOST_ENDED))?;
    let begun = Instant::now();
    round.each(&overdue, name, |payment| {
        if begun.elapsed() > ENDING {
            return Ok(());
        }
        noted(app, payment, now, || abandon(app, payment, now))
    });
    if matches!(app.payments, Provider::Off) {
        return round.end();
    }
    let times = AskTimes {
        made_before: time::stored(now - HEAD_START),
        young_from: time::stored(now - YOUNG),
        old_before: time::stored(now - OLD_EVERY),
        young_before: time::stored(now - YOUNG_EVERY),
    };
    refunds::repeat_unanswered(app, &times.made_before, &mut round)?;
    let waiting = app.store.read(|connection| payments::to_ask(connection, &times, MOST_LOOKED_UP))?;
    let waiting = if waiting.len() > FEW { look_up(app, waiting, now)? } else { waiting };
    round.each(&waiting, name, |payment| ask(app, payment, now).map(drop));
    remind(app, now, &mut round)?;
    round.end()
}

/// Looks entries up in the provider's list of payment intents, so that any number of unpaid ones keeps no paid one
/// waiting. Returns those that are to be asked about one by one: first what is neither unpaid nor on its way any
/// more, then what the list does not have, such as an intent of another account.
fn look_up(app: &App, waiting: Vec<Payment>, now: DateTime<Utc>) -> Result<Vec<Payment>> {
    let oldest = waiting.iter().filter_map(|payment| payment.created_at.parse::<DateTime<Utc>>().ok()).min();
    let since = oldest.unwrap_or(now) - CLOCKS_DIFFER;
    let mut missing: BTreeSet<&str> =
        waiting.iter().filter_map(|payment| payment.intent_id.as_deref()).collect();
    let (mut unpaid, mut changed) = (BTreeSet::new(), BTreeSet::new());
    let mut after = None;
    for _ in 0..MOST_PAGES {
        let (intents, more) = match app.payments.list(since.timestamp(), after.as_deref()) {
            Ok(page) => page,
            Err(failure) => {
                tracing::warn!("the list of payments was not had to its end: {failure:?}");
                break;
            }
        };
        after = intents.last().map(|intent| intent.id.clone());
        for intent in intents.into_iter().filter(|intent| missing.remove(intent.id.as_str())) {
            match intent.status {
                IntentStatus::Unpaid | IntentStatus::Processing => unpaid.insert(intent.id),
                IntentStatus::Succeeded | IntentStatus::Canceled => changed.insert(intent.id),
            };
        }
        if missing.is_empty() || !more {
            break;
        }
    }
    let is_among = |all: &BTreeSet<String>, payment: &Payment| {
        payment.intent_id.as_ref().is_some_and(|id| all.contains(id))
    };
    let (unpaid, mut left): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|payment| is_among(&unpaid, payment));
    app.store.write(move |connection| {
        let at = time::stored(now);
        unpaid.iter().try_for_each(|payment| payments::mark_checked(connection, payment.entry_id, &at))
    })?;
    left.sort_by_key(|payment| !is_among(&changed, payment));
    left.truncate(ROUND);
    Ok(left)
}

/// Asks about every pending entry now, and looks for money without an entry. `each` hears of every entry asked
/// about: how many were, of how many.
///
/// # Errors
/// [`crate::error::Error::PaymentsOff`]; and when the list of payments cannot be had.
pub fn reconcile(app: &App, now: DateTime<Utc>, mut each: impl FnMut(u64, usize)) -> Result<Reconciled> {
    if matches!(app.payments, Provider::Off) {
        return Err(Failure::Off.into());
    }
    let mut done = Reconciled::default();
    let pending = app.store.read(payments::pending)?;
    let mut round = Round::default();
    round.each(&pending, name, |payment| {
        done.asked += 1;
        let asked = ask(app, payment, now);
        each(done.asked, pending.len());
        done.paid += u64::from(asked?);
        Ok(())
    });
    refunds::repeat_unanswered(app, &time::stored(now), &mut round)?;
    done.paid += strays(app, now, &mut round)?;
    done.failed = round.failed;
    done.findings = app.store.read(payment_findings::count_open)?;
    Ok(done)
}

/// Goes through the provider's payments of a month for money that no entry knows of, and through its events for
/// refunds and disputes that nobody told; returns how many entries it has settled.
///
/// # Errors
/// When the list cannot be had; and the first failure with a single one, once all others had a turn.
pub fn look_for_strays(app: &App, now: DateTime<Utc>) -> Result<u64> {
    let mut round = Round::default();
    let settled = strays(app, now, &mut round)?;
    round.end().map(|()| settled)
}

fn strays(app: &App, now: DateTime<Utc>, round: &mut Round) -> Result<u64> {
    let since = now - LOOK_BACK;
    let (mut after, mut settled) = (None::<String>, 0);
    let mut seen = BTreeSet::new();
    loop {
        let (intents, more) = app.payments.list(since.timestamp(), after.as_deref())?;
        after = intents.last().map(|intent| intent.id.clone());
        for intent in intents {
            if intent.status != IntentStatus::Succeeded || !seen.insert(intent.id.clone()) {
                continue;
            }
            let before = app.store.read(|connection| payments::by_intent(connection, &intent.id))?;
            let was_unpaid = before.is_none_or(|payment| payment.status.is_unpaid());
            let after = settle(app, intent)?;
            settled +=
                u64::from(was_unpaid && after.is_some_and(|payment| payment.status == PaymentStatus::Paid));
        }
        if !more || after.is_none() {
            webhooks::take_missed(app, since, round)?;
            return Ok(settled);
        }
    }
}

fn name(payment: &Payment) -> String {
    format!("entry {}", payment.entry_id)
}

/// Asks the provider about one entry; `true` when it turned out to be paid.
fn ask(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<bool> {
    let Some(intent_id) = &payment.intent_id else { return Ok(false) };
    let settled = noted(app, payment, now, || match app.payments.retrieve(intent_id) {
        Ok(intent) => settle(app, intent),
        // Of another account or another mode: it cannot be asked about; a day ends it.
        Err(Failure::Missing) => Ok(None),
        Err(failure) => Err(failure.into()),
    })?;
    Ok(settled.is_some_and(|settled| settled.status == PaymentStatus::Paid))
}

/// Notes that an entry was asked about, also when it came to nothing: the others are asked about first then.
fn noted<T>(app: &App, payment: &Payment, now: DateTime<Utc>, ask: impl FnOnce() -> Result<T>) -> Result<T> {
    let (asked, entry_id) = (ask(), payment.entry_id);
    app.store.write(move |connection| payments::mark_checked(connection, entry_id, &time::stored(now)))?;
    asked
}

/// Ends an entry that was not paid within a day, unless it was changed or settled in the meantime.
fn abandon(app: &App, payment: &Payment, now: DateTime<Utc>) -> Result<()> {
    if payment.intent_id.is_some() && matches!(app.payments, Provider::Off) {
        return Ok(());
    }
    let _turn = app.payment_turns.take(payment.entry_id);
    match app.store.read(|connection| payments::get(connection, payment.entry_id))? {
        Some(present) if present == *payment => end(app, payment, now),
        _ => Ok(()),
    }
}
