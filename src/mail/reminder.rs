//! The reminder to a person who started an entry but has not paid.

use minijinja::context;

use super::{Message, compose_text, link};
use crate::error::Result;
use crate::forms::Record;
use crate::model::Cents;
use crate::site::content::Content;

pub fn reminder(content: &Content, public_url: &str, record: &Record, amount: Cents) -> Result<Message> {
    let text = content.mail.text("reminder", &content.mail.reminder);
    let (categories, amount) = (content.nominations(record).join(", "), amount.to_string());
    let values = [("categories", categories.as_str()), ("amount", &amount)];
    let link = link("Go back to your entry", &format!("{public_url}/enter-competition"));
    compose_text(content, public_url, record, &text, &values, context! { link })
}
