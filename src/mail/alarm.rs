//! The email to the organiser about something that needs attention now.

use minijinja::context;

use super::{Message, compose, one_line};
use crate::error::Result;
use crate::site::content::Content;

pub fn alarm(content: &Content, public_url: &str, sentence: &str, to: &str) -> Result<Message> {
    let subject = one_line(&format!("The website needs your help: {}", content.event.name));
    let footer = "You are receiving this email because the event's reports go to this address.";
    let values = context! { sentence, mail => context! { footer } };
    compose(content, public_url, to, subject, "alarm", values)
}
