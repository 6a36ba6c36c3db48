//! The reminder of the Artist Portal's deadline.

use chrono::{DateTime, Utc};
use minijinja::context;

use super::nomination::portal_link;
use super::{Message, compose, greeting};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;

pub struct PortalReminder<'a> {
    /// 'Lash Extensions - Volume'
    pub nomination: &'a str,
    pub deadline: DateTime<Utc>,
    /// The labels of what is missing.
    pub missing: &'a [String],
}

pub fn portal_reminder(
    content: &Content,
    public_url: &str,
    record: &Record,
    reminder: &PortalReminder<'_>,
) -> Result<Message> {
    let event = &content.event;
    let deadline = event.time_zone.at(reminder.deadline).format("%B %-d, %Y at %-I:%M %p");
    let subject = format!("Your photos are due by {deadline}");
    let list: Vec<String> = reminder.missing.iter().map(|missing| format!("- {missing}")).collect();
    let paragraphs = [
        format!(
            "Your nomination {} is not complete yet. Please hand it in by {deadline} ({}).",
            reminder.nomination, event.time_zone_label
        ),
        format!("Still missing:\n{}", list.join("\n")),
    ];
    let greeting = greeting(content, record);
    let values = context! { greeting, paragraphs, ..portal_link(public_url) };
    let (_, address) = record.person();
    compose(content, public_url, address, subject, "decision", values)
}
