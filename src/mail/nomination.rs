//! The emails about what the organiser decides on a nomination: its photos are asked for again, or are ready for the judges.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use minijinja::context;

use super::{Message, compose_text, link};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;

/// The names of these emails among the standard emails.
pub const NOMINATION_RETURNED: &str = "nomination.returned";
pub const NOMINATION_READY: &str = "nomination.ready";

pub static RETURNED_TEXT: LazyLock<EmailText> = LazyLock::new(|| {
    EmailText {
    subject: "Please replace photos of your nomination {nomination}".to_owned(),
    body: "We have looked at your nomination {nomination} and need this again:\n\n{photos}\n\n{reason}\n\n\
           Please replace it by {deadline}, and hand the nomination in again. Your other photos stay as they are."
        .to_owned(),
    sign_off: String::new(),
}
});

pub static READY_TEXT: LazyLock<EmailText> = LazyLock::new(|| {
    EmailText {
    subject: "Your nomination {nomination} is ready for the judges".to_owned(),
    body: "Thank you. We have looked at your nomination {nomination}: it is complete, and there is nothing more to do."
        .to_owned(),
    sign_off: String::new(),
}
});

/// The photos that are asked for again.
pub struct Returned<'a> {
    /// 'Lash Extensions - Volume'
    pub nomination: &'a str,
    /// The labels of the photos.
    pub photos: &'a [String],
    pub reason: &'a str,
    pub deadline: Option<DateTime<Utc>>,
}

pub fn nomination_returned(
    content: &Content,
    public_url: &str,
    record: &Record,
    returned: &Returned<'_>,
) -> Result<Message> {
    let text = content.mail.text(NOMINATION_RETURNED, &RETURNED_TEXT);
    let photos: Vec<String> = returned.photos.iter().map(|photo| format!("- {photo}")).collect();
    let event = &content.event;
    let deadline = returned.deadline.map_or("the deadline in the Artist Portal".to_owned(), |deadline| {
        let local = event.time_zone.at(deadline).format("%B %-d, %Y at %-I:%M %p");
        format!("{local} ({})", event.time_zone_label)
    });
    let (photos, reason) = (photos.join("\n"), returned.reason.replace('\r', ""));
    let values = [
        ("nomination", returned.nomination),
        ("photos", photos.as_str()),
        ("reason", reason.as_str()),
        ("deadline", deadline.as_str()),
    ];
    compose_text(content, public_url, record, &text, &values, portal_link(public_url))
}

pub fn nomination_ready(
    content: &Content,
    public_url: &str,
    record: &Record,
    nomination: &str,
) -> Result<Message> {
    let text = content.mail.text(NOMINATION_READY, &READY_TEXT);
    let values = [("nomination", nomination)];
    compose_text(content, public_url, record, &text, &values, portal_link(public_url))
}

pub(super) fn portal_link(public_url: &str) -> minijinja::Value {
    context! { link => link("Open the Artist Portal", &format!("{public_url}/artist-portal")) }
}
