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
    /// Reads `page`, which is at most 4,294,967,295, and `pageSize`, of which more than 500 is 500.
    ///
    /// # Errors
    /// [`Error::Malformed`] when one is no whole number from 1 on, or the page is beyond that.
    pub fn of(query: &HashMap<String, String>) -> Result<Paging> {
        let wrong = || Error::Malformed("page and pageSize are whole numbers from 1 on.".into());
        let number = |name: &str, usual: u32| match query.get(name).filter(|text| !text.is_empty()) {
            None => Ok(u64::from(usual)),
            Some(text) => match whole_number(text) {
                Some(number) if number > 0 => Ok(number),
                _ => Err(wrong()),
            },
        };
        let size = number("pageSize", USUAL)?.min(MOST.into());
        Ok(Paging {
            number: number("page", 1)?.try_into().map_err(|_| wrong())?,
            size: size.try_into().map_err(|_| wrong())?,
        })
    }

    pub fn offset(self) -> u32 {
        (self.number - 1).saturating_mul(self.size)
    }
}

/// Digits alone; the largest number when there are too many of them.
fn whole_number(text: &str) -> Option<u64> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().unwrap_or(u64::MAX))
}
