//! The mail that confirms a registration: thanks, what happens next, and what was sent.

use minijinja::{Value as Template, context};
use serde::Serialize;

use super::{Message, templates};
use crate::content::Content;
use crate::error::Result;
use crate::model::Kind;
use crate::rules::{Record, Value, form};

/// The confirmation of a registration, ready for the outbox.
///
/// # Errors
/// [`crate::error::Error::Internal`] when the template cannot be rendered.
pub fn confirmation(content: &Content, public_url: &str, record: &Record) -> Result<Message> {
    let words = Words::of(content, record.kind());
    let (person, address) = record.person();
    let subject = format!("{}: {}", content.event.name, words.heading);
    let (text, html) = templates::render(
        "confirmation",
        &context! {
            subject,
            heading => words.heading,
            greeting => content.mail.greeting.replace("{name}", person),
            thanks => words.thanks,
            next => words.next,
            sections => sections(record),
            event => event(content, public_url),
            mail => content.mail,
        },
    )?;
    Ok(Message { to: address.to_owned(), subject, text, html, ..super::blank(public_url) })
}

/// What the event says to a person who has just sent a form of this kind.
struct Words<'a> {
    heading: &'a str,
    thanks: &'a str,
    next: &'a str,
}

impl<'a> Words<'a> {
    fn of(content: &'a Content, kind: Kind) -> Words<'a> {
        let (apply, waitlist, sponsors) = (&content.apply, &content.home.waitlist, &content.sponsors);
        let words = |heading, thanks, next| Words { heading, thanks, next };
        match kind {
            Kind::SpeakerApplications => {
                words(&apply.speaker.success_title, &apply.speaker.success_text, &apply.speaker.note)
            }
            Kind::JudgeApplications => {
                words(&apply.judge.success_title, &apply.judge.success_text, &apply.judge.note)
            }
            Kind::SponsorApplications => {
                words(&apply.sponsor.success_title, &apply.sponsor.success_text, &apply.sponsor.note)
            }
            Kind::ProfessionalDemoRegistrations => {
                words(&apply.demo.success_title, &apply.demo.success_text, &apply.demo.note)
            }
            Kind::CompetitionEntries => {
                words(&apply.entry.success_title, &apply.entry.success_text, &apply.entry.note)
            }
            Kind::WaitlistSignups => words(&waitlist.success_title, &waitlist.success_text, ""),
            Kind::SponsorInquiries => {
                words(&sponsors.inquiry_success_title, &sponsors.inquiry_success_text, "")
            }
        }
    }
}

#[derive(Serialize)]
struct Section {
    title: &'static str,
    fields: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    label: &'static str,
    value: String,
}

/// What was sent, as its form names it; what was left empty is left out.
fn sections(record: &Record) -> Vec<Section> {
    let mut values = record.fields();
    form(record.kind())
        .sections
        .iter()
        .map(|section| Section {
            title: &section.title,
            fields: values
                .by_ref()
                .take(section.fields.len())
                .filter_map(|(field, value)| {
                    let value = match value {
                        Value::Missing => return None,
                        Value::Text(text) => field.shown(text),
                        Value::List(items) => {
                            items.iter().map(|item| field.shown(item)).collect::<Vec<_>>().join(", ")
                        }
                        Value::Flag(yes) => if *yes { "Yes" } else { "No" }.to_owned(),
                        Value::Count(count) => count.to_string(),
                    };
                    Some(Shown { label: &field.label, value })
                })
                .collect(),
        })
        .filter(|section: &Section| !section.fields.is_empty())
        .collect()
}

fn event(content: &Content, public_url: &str) -> Template {
    context! {
        name => content.event.name,
        dates => content.event.dates,
        place => content.event.city,
        url => public_url,
    }
}
