//! The email about a refund.

use minijinja::context;

use super::decision::paragraphs;
use super::{Body, Closing, Event, Message, blank, greeting, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::model::{Cents, EntryId};
use crate::site::content::Content;
use crate::site::content::placeholders::fill;

/// `category` is the label of the category that was refunded and withdrawn.
///
/// # Errors
/// [`crate::error::Error::Internal`] if its values cannot be serialised.
pub fn refund(
    content: &Content,
    public_url: &str,
    record: &Record,
    entry_id: EntryId,
    amount: Cents,
    category: Option<&str>,
) -> Result<Message> {
    let text = content.mail.text("refund", &content.mail.refund);
    let (person, address) = record.person();
    let (amount, number) = (amount.to_string(), entry_id.to_string());
    let values = [
        ("name", plain::greeting_name(person)),
        ("event", &content.event.name),
        ("amount", &amount),
        ("number", &number),
    ];
    let subject = one_line(&fill(&text.subject, &values));
    let text_of = fill(&text.body.replace('\r', ""), &values);
    let withdrawn = category.map(|category| {
        format!("With this refund, your category {category} is withdrawn. The rest of your entry stays.")
    });
    let mut paragraphs = paragraphs(&text_of);
    if let Some(sentence) = &withdrawn {
        paragraphs.insert(paragraphs.len().min(1), sentence);
    }
    let closing = Closing::new(content);
    let sign_off = if text.sign_off.is_empty() { closing.sign_off } else { &text.sign_off };
    let body = Body::new(
        "decision",
        &context! {
            subject,
            greeting => greeting(content, record),
            paragraphs,
            event => Event::new(content, public_url),
            mail => Closing { sign_off, ..closing },
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, body, ..blank(public_url) })
}
