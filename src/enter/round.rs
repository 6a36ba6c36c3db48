//! A round of questions to the payment provider: one that fails leaves the others their turn.

use crate::error::{Error, Result};

/// So many waits in a row that came to nothing end a list: nobody is there, and each takes 20 s.
const WAITS: u32 = 3;

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
        let mut waits = 0;
        for (index, one) in all.iter().enumerate() {
            let Err(error) = work(one) else {
                waits = 0;
                continue;
            };
            tracing::warn!(
                "{} was not asked about: {}",
                name(one),
                error.cause().unwrap_or(&error.to_string())
            );
            waits = if matches!(error, Error::ProviderSlow) { waits + 1 } else { 0 };
            self.first.get_or_insert(error);
            self.failed += 1;
            if waits == WAITS {
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
