//! The reminder to a person who started an entry but has not paid.

use minijinja::context;

use super::decision::paragraphs;
use super::{Body, Closing, Event, Message, blank, greeting, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::model::Cents;
use crate::site::content::Content;
use crate::site::content::placeholders::fill;

/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn reminder(content: &Content, public_url: &str, record: &Record, amount: Cents) -> Result<Message> {
    let text = content.mail.text("reminder", &content.mail.reminder);
    let (person, address) = record.person();
    let (categories, amount) = (content.nominations(record).join(", "), amount.to_string());
    let event = &content.event;
    let values = [
        ("name", plain::greeting_name(person)),
        ("event", &event.name),
        ("dates", &event.dates),
        ("categories", &categories),
        ("amount", &amount),
    ];
    let subject = one_line(&fill(&text.subject, &values));
    let closing = Closing::new(content);
    let sign_off = if text.sign_off.is_empty() { closing.sign_off } else { &text.sign_off };
    let body = Body::new(
        "decision",
        &context! {
            subject,
            greeting => greeting(content, record),
            paragraphs => paragraphs(&fill(&text.body.replace('\r', ""), &values)),
            link => context! { label => "Go back to your entry", url => format!("{public_url}/enter-competition") },
            event => Event::new(content, public_url),
            mail => Closing { sign_off, ..closing },
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}
