//! Limits how long a batch of provider requests may run: one failure does not stop the others, three timeouts in a row do.

use crate::error::{Error, Result};

/// So many timeouts in a row end a batch: the provider is down, and each request takes `stripe.timeout_seconds`.
const MAX_TIMEOUTS: u32 = 3;

/// Counts consecutive timeouts.
#[derive(Default)]
pub struct TimeoutCounter(u32);

impl TimeoutCounter {
    /// Counts an outcome; `true` if it is the last timeout that is tolerated.
    pub fn gives_up_after<T>(&mut self, outcome: &Result<T>) -> bool {
        self.0 = if matches!(outcome, Err(Error::ProviderSlow)) { self.0 + 1 } else { 0 };
        self.0 == MAX_TIMEOUTS
    }
}

/// The failures of the batches of one sweep.
#[derive(Default)]
pub struct SweepBudget {
    /// Items that failed or were not attempted.
    pub failed: u64,
    first_error: Option<Error>,
}

impl SweepBudget {
    /// Does the work for each item in turn; `name` is the item's name in the log.
    pub fn each<T>(
        &mut self,
        items: &[T],
        name: impl Fn(&T) -> String,
        mut work: impl FnMut(&T) -> Result<()>,
    ) {
        let mut timeouts = TimeoutCounter::default();
        for (index, item) in items.iter().enumerate() {
            let outcome = work(item);
            let gives_up = timeouts.gives_up_after(&outcome);
            let Err(error) = outcome else { continue };
            tracing::warn!("{} could not be checked: {}", name(item), error.for_log());
            self.first_error.get_or_insert(error);
            self.failed += 1;
            if gives_up {
                self.failed += (items.len() - index - 1) as u64;
                return;
            }
        }
    }

    /// Returns the first failure, after all others were tried.
    pub fn end(self) -> Result<()> {
        match self.first_error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_timeouts_in_a_row_end_a_batch() {
        let slow = || Err(Error::ProviderSlow);
        let mut timeouts = TimeoutCounter::default();
        let outcomes =
            [slow(), slow(), Ok(()), slow(), slow(), Err(Error::PaymentsOff), slow(), slow(), slow()];
        let gave_up: Vec<bool> = outcomes.iter().map(|outcome| timeouts.gives_up_after(outcome)).collect();
        assert_eq!(gave_up.iter().position(|gave_up| *gave_up), Some(8));
    }
}
