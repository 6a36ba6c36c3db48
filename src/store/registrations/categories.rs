//! The categories of the competition that entries are in.

use rusqlite::Connection;

use crate::error::Result;
use crate::store::query::{from_row, query_all};

/// A category and subcategory with entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InUse {
    /// The slug.
    pub category: String,
    pub subcategory: String,
    pub entries: i64,
    /// The id of one of them.
    pub example: i64,
}

from_row!(InUse: category, subcategory, entries, example);

/// Whether entries that await payment count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unpaid {
    Count,
    Ignore,
}

/// All that entries are in, except abandoned and failed ones and those held for review.
pub fn categories_in_use(connection: &Connection, unpaid: Unpaid) -> Result<Vec<InUse>> {
    let sql = "with entries as (
             select * from competition_entries
             where status <> 'set_aside' and payment_status not in ('abandoned', 'failed')
             and (?1 or payment_status <> 'pending')
         )
         select category, subcategory, count(*), min(id) from (
             select id, primary_category as category, sub_category as subcategory from entries
             union select id, additional_category1, coalesce(additional_category1_sub, '') from entries
             union select id, additional_category2, coalesce(additional_category2_sub, '') from entries
         ) where coalesce(category, '') <> '' group by category, subcategory order by category, subcategory";
    query_all(connection, sql, [unpaid == Unpaid::Count], InUse::from_row)
}
