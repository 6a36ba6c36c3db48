//! Which page of a list is asked for.

use std::collections::HashMap;

use crate::error::{Error, Result};

/// Rows on a page, unless asked for otherwise, and at most.
const USUAL: u32 = 50;
const MOST: u32 = 500;

#[derive(Debug, Clone, Copy)]
pub struct Paging {
    /// From 1.
    pub number: u32,
    pub size: u32,
}

impl Paging {
    /// Reads `page` and `pageSize`.
    ///
    /// # Errors
    /// [`Error::Malformed`] when one is no whole number from 1 on.
    pub fn of(query: &HashMap<String, String>) -> Result<Paging> {
        let number = |name: &str, usual| match query.get(name).filter(|text| !text.is_empty()) {
            None => Ok(usual),
            Some(text) => text
                .parse()
                .ok()
                .filter(|number| *number > 0)
                .ok_or_else(|| Error::Malformed("page and pageSize are whole numbers from 1 on.".into())),
        };
        Ok(Paging { number: number("page", 1)?, size: number("pageSize", USUAL)?.min(MOST) })
    }

    pub fn offset(self) -> u32 {
        (self.number - 1).saturating_mul(self.size)
    }
}
