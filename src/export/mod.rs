//! Registrations on their way out to spreadsheets and scripts: the same rows over HTTP and by command.

mod cell;
mod csv;
mod json;

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;

pub use self::csv::write_csv;
pub use self::json::{record, write_json};
use crate::error::{Error, Result};
use crate::model::Kind;
use crate::store::registrations::Filter;
use crate::time;

/// What to export.
#[derive(Debug, Clone)]
pub struct Selection {
    /// `None`: every kind in one file, whose first column is `registrationType`.
    pub kind: Option<Kind>,
    pub filter: Filter,
    /// The event's time zone, for the instants that people read.
    pub zone: Tz,
}

impl Selection {
    /// A selection by event-local days, both inclusive.
    ///
    /// # Errors
    /// [`Error::Malformed`] when the days are in the wrong order.
    pub fn new(
        kind: Option<Kind>,
        from: Option<NaiveDate>,
        to: Option<NaiveDate>,
        status: Option<String>,
        zone: Tz,
    ) -> Result<Selection> {
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            return Err(Error::Malformed(format!("{from} is after {to}; give the earlier day first.")));
        }
        let after = to.and_then(|day| day.checked_add_days(Days::new(1)));
        let filter = Filter {
            from: from.map(|day| time::day_start(day, zone)),
            until: after.map(|day| time::day_start(day, zone)),
            status,
            search: None,
        };
        Ok(Selection { kind, filter, zone })
    }

    fn kinds(&self) -> Vec<Kind> {
        self.kind.map_or_else(|| Kind::ALL.to_vec(), |kind| vec![kind])
    }
}
