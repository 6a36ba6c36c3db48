//! The `page` and `pageSize` of a list.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::json;
use warp::reply::Response;

use super::call::ok;
use crate::error::{Error, Result};

/// Rows per page if the request names no number.
const DEFAULT_SIZE: u32 = 50;
/// The most rows per page; a larger `pageSize` is reduced to this.
const MAX_SIZE: u32 = 500;

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
    /// [`Error::Malformed`] when one of them is not a positive integer, or `page` is larger than [`u32::MAX`].
    pub fn parse(query: &HashMap<String, String>) -> Result<Paging> {
        let wrong = || Error::Malformed("page and pageSize must be positive integers.".into());
        let number = |name: &str, default: u32| match query.get(name).filter(|text| !text.is_empty()) {
            None => Ok(u64::from(default)),
            Some(text) => match digits(text) {
                Some(number) if number > 0 => Ok(number),
                _ => Err(wrong()),
            },
        };
        let size = number("pageSize", DEFAULT_SIZE)?.min(MAX_SIZE.into());
        Ok(Paging {
            number: number("page", 1)?.try_into().map_err(|_| wrong())?,
            size: size.try_into().map_err(|_| wrong())?,
        })
    }

    pub fn offset(self) -> u32 {
        (self.number - 1).saturating_mul(self.size)
    }

    /// The items of this page.
    pub fn of<T>(self, items: &[T]) -> impl Iterator<Item = &T> {
        items.iter().skip(self.offset() as usize).take(self.size as usize)
    }

    /// The answer with this page of a list of `total` items.
    pub fn answer(self, items: &[impl Serialize], total: impl Serialize) -> Response {
        ok(&json!({ "items": items, "total": total, "page": self.number, "pageSize": self.size }))
    }
}

/// Parses a text of digits only. One that is too long for a `u64` counts as [`u64::MAX`].
fn digits(text: &str) -> Option<u64> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().unwrap_or(u64::MAX))
}
