//! A round of questions to the payment provider: one that fails leaves the others their turn.

use crate::error::{Error, Result};

/// So many waits in a row that came to nothing end a list: nobody is there, and each takes 20 s.
const WAITS: u32 = 3;

/// Counts the waits in a row that came to nothing.
#[derive(Default)]
pub struct Patience(u32);

impl Patience {
    pub fn is_over_after<T>(&mut self, done: &Result<T>) -> bool {
        self.0 = if matches!(done, Err(Error::ProviderSlow)) { self.0 + 1 } else { 0 };
        self.0 == WAITS
    }
}

#[derive(Default)]
pub struct Round {
    /// What failed, or had no turn.
    pub failed: u64,
    first: Option<Error>,
}

impl Round {
    /// Does the work for one after the other; `name` is what the log calls it by.
    pub fn each<T>(
        &mut self,
        all: &[T],
        name: impl Fn(&T) -> String,
        mut work: impl FnMut(&T) -> Result<()>,
    ) {
        let mut patience = Patience::default();
        for (index, one) in all.iter().enumerate() {
            let done = work(one);
            let is_over = patience.is_over_after(&done);
            let Err(error) = done else { continue };
            tracing::warn!("{} was not asked about: {}", name(one), error.for_log());
            self.first.get_or_insert(error);
            self.failed += 1;
            if is_over {
                self.failed += (all.len() - index - 1) as u64;
                return;
            }
        }
    }

    /// # Errors
    /// The first failure.
    pub fn end(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_waits_in_a_row_are_enough() {
        let slow = || Err(Error::ProviderSlow);
        let mut patience = Patience::default();
        let all = [slow(), slow(), Ok(()), slow(), slow(), Err(Error::PaymentsOff), slow(), slow(), slow()];
        let over: Vec<bool> = all.iter().map(|done| patience.is_over_after(done)).collect();
        assert_eq!(over.iter().position(|over| *over), Some(8));
    }
}
