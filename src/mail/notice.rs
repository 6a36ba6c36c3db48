//! The notice to the organiser about each registration.

use minijinja::context;

use super::answers::{self, Reader};
use super::{Message, compose, one_line};
use crate::error::Result;
use crate::forms::{Record, form};
use crate::site::content::Content;

const FOOTER: &str = "You are receiving this because your site is set to notify you of each registration.";

/// The notice of one registration.
pub fn notice(content: &Content, public_url: &str, record: &Record, to: &str) -> Result<Message> {
    let (person, _) = record.person();
    let kind = &form(record.kind()).name;
    let subject = one_line(&format!("{kind}: {person}"));
    let sections = answers::sections(content, record, Reader::Organiser);
    let values = context! { kind, person, sections, mail => context! { footer => FOOTER } };
    compose(content, public_url, to, subject, "notice", values)
}

/// The last notice of an hour: it says that no more will be sent until the hour has passed.
pub fn more_notices(content: &Content, public_url: &str, per_hour: u32, to: &str) -> Result<Message> {
    let subject = "More registrations are coming in".to_owned();
    let sentence = format!(
        "You have received {per_hour} notices within an hour, so we will send no more until the hour has passed. Every \
         registration is listed on the organiser's pages."
    );
    let values = context! { sentence, mail => context! { footer => FOOTER } };
    compose(content, public_url, to, subject, "more-notices", values)
}
