//! The demo's payments: intents in memory that go through the same states as Stripe's. No money moves.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Answer, Cancellation, Failure, Intent, IntentStatus, NewIntent, Refund, RefundOutcome};
use crate::model::{Cents, IntentId};

/// What the visitor chose on the demo's card form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Succeed,
    Decline,
}

#[derive(Default)]
pub struct Demo {
    intents: Mutex<HashMap<IntentId, Intent>>,
}

impl Demo {
    pub fn create(&self, key: &str, new: &NewIntent) -> Intent {
        // The same key gives the same intent, as with Stripe.
        let id = format!("pi_demo_{}", hex::encode(key));
        let intent = Intent {
            client_secret: format!("{id}_secret_demo"),
            id: IntentId(id),
            status: IntentStatus::Unpaid,
            amount_cents: new.amount_cents,
            received_cents: Cents(0),
            currency: "usd".into(),
            live: false,
            entry: new.entry.clone(),
            has_reversal: false,
            fully_refunded: false,
            abandoned: false,
        };
        self.intents().entry(intent.id.clone()).or_insert(intent).clone()
    }

    pub fn update(&self, id: &IntentId, new: &NewIntent) -> Answer<Intent> {
        self.change(id, |intent| {
            intent.amount_cents = new.amount_cents;
            intent.entry.clone_from(&new.entry);
        })
    }

    pub fn cancel(&self, id: &IntentId, why: Cancellation) -> Answer<Intent> {
        self.change(id, |intent| {
            intent.status = IntentStatus::Canceled;
            intent.abandoned = why == Cancellation::Abandoned;
        })
    }

    /// Pays an intent, or declines the card and leaves it unpaid.
    pub fn confirm(&self, id: &IntentId, outcome: Outcome) -> Answer<Intent> {
        self.change(id, |intent| {
            if outcome == Outcome::Succeed {
                intent.status = IntentStatus::Succeeded;
                intent.received_cents = intent.amount_cents;
            }
        })
    }

    pub fn retrieve(&self, id: &IntentId) -> Answer<Intent> {
        self.intents().get(id).cloned().ok_or(Failure::Missing)
    }

    pub fn refund(&self, intent_id: &IntentId, amount: Cents, mark: &str) -> Answer<Refund> {
        self.retrieve(intent_id)?;
        let id = format!("re_demo_{mark}");
        Ok(Refund { id, amount_cents: amount, mark: Some(mark.to_owned()), outcome: RefundOutcome::Made })
    }

    pub fn list(&self) -> Vec<Intent> {
        self.intents().values().cloned().collect()
    }

    fn change(&self, id: &IntentId, change: impl FnOnce(&mut Intent)) -> Answer<Intent> {
        let mut intents = self.intents();
        let intent = intents.get_mut(id).ok_or(Failure::Missing)?;
        if intent.status != IntentStatus::Unpaid {
            return Err(Failure::Refused {
                status: 400,
                message: "this payment is already complete".into(),
                is_reused_key: false,
            });
        }
        change(intent);
        Ok(intent.clone())
    }

    fn intents(&self) -> MutexGuard<'_, HashMap<IntentId, Intent>> {
        self.intents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
