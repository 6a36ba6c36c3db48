//! The values of a score sheet: the newest one of each criterion, from the log.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::results;
use crate::error::Result;
use crate::site::content::model::judging::Rubric;
use crate::store::judging::log::{self, Line, LineKind};

/// The points of a sheet by criterion and by penalty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    pub points: BTreeMap<String, f64>,
    pub penalties: BTreeMap<String, f64>,
}

impl Values {
    /// The values that result from the lines of one sheet, which come in the log's order.
    pub fn new<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Values {
        let mut values = Values::default();
        for line in lines {
            let (Some(criterion), Some(points)) = (&line.criterion, line.points) else { continue };
            match line.kind {
                LineKind::Points => values.points.insert(criterion.clone(), points),
                LineKind::Penalty => values.penalties.insert(criterion.clone(), points),
                _ => None,
            };
        }
        values
    }

    pub fn read(connection: &Connection, judge_id: i64, code: &str) -> Result<Values> {
        Ok(Values::new(&log::of_sheet(connection, judge_id, code)?))
    }

    /// The sheet for the computation of results. A criterion without points counts as 0: only confirmed sheets get here.
    pub fn scored(&self, rubric: &Rubric, judge: i64) -> results::ConfirmedSheet {
        let halves = |values: &BTreeMap<String, f64>, key: &str| {
            values.get(key).map_or(0, |points| (points * 2.0).round() as results::Halves)
        };
        results::ConfirmedSheet {
            judge,
            points: rubric.criteria.iter().map(|criterion| halves(&self.points, &criterion.key)).collect(),
            penalties: rubric.penalties.iter().map(|penalty| halves(&self.penalties, &penalty.key)).collect(),
        }
    }
}
