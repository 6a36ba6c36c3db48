//! The organiser's daily and weekly reports: when they are due, their content, and how they are sent.

mod compose;
mod scheduler;
mod send;
mod timetable;

pub use compose::{Report, compose, preview};
pub use scheduler::{SchedulerStatus, run_due, start, status, stop, timetable};
pub use send::{Delivery, ReportRequest, await_delivery, queue};
pub use timetable::{Cadence, Due, Period, Timetable};
