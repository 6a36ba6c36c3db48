//! Judging: rubrics, judges, blind sheets, results.

pub mod results;
