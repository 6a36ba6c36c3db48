//! Emails: their texts, in plain text and HTML; the outbox that sends and retries them; and the SMTP transport. Composing
//! an email fails only if its values cannot be serialised, with [`crate::error::Error::Internal`].

mod alarm;
mod answers;
mod artist_link;
mod confirmation;
mod correction;
mod decision;
pub mod group;
mod invitation;
mod judging;
mod nomination;
mod notice;
pub mod outbox;
mod plain;
mod portal_reminder;
mod receipt;
mod refund;
mod reminder;
mod templates;
mod ticket;
mod transport;

use minijinja::context;
use serde::Serialize;

pub use alarm::alarm;
pub use artist_link::{CODE_MINUTES, artist_link};
pub use confirmation::{confirmation, confirmation_text};
pub use correction::{Changed, correction};
pub use decision::{Decision, decision, decision_text, has_decision};
pub use invitation::invitation;
pub use judging::{JudgeLinkReason, judge_link, results_published};
pub use nomination::{
    NOMINATION_READY, NOMINATION_RETURNED, READY_TEXT, RETURNED_TEXT, Returned, nomination_ready,
    nomination_returned,
};
pub use notice::{more_notices, notice};
pub use portal_reminder::{PortalReminder, portal_reminder};
pub use receipt::{
    RECEIPT_SUBJECT, RECEIPT_TEXT, Receipt, ReceiptLines, complimentary_confirmation, entry_confirmation,
    receipt_lines,
};
pub use refund::refund;
pub use reminder::reminder;
pub use templates::Body;
pub use ticket::{
    ENTRANT_GAVE_TICKET, HOLDER_LOST_TICKET, TICKET, TICKET_TEXT, event_ticket, ticket_offer,
    ticket_transferred, ticket_void,
};
pub use transport::{Cause, Failure, Mailer};

use crate::error::Result;
use crate::forms::{Record, form};
use crate::model::Kind;
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;
use crate::site::content::placeholders::fill;
use crate::time;
use decision::paragraphs;

/// An email that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// With its angle brackets. The same for every attempt, so that a receiver can recognise a duplicate.
    pub message_id: String,
    /// `Name <address>`, or only the address.
    pub to: String,
    pub subject: String,
    pub body: Body,
    pub attachments: Vec<Attachment>,
    /// The address at which a `POST` unsubscribes the recipient (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// A file attached to an email.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub file_name: String,
    pub content_type: String,
    pub content: Vec<u8>,
}

/// An email with a new `Message-ID` and nothing else.
pub fn blank(public_url: &str) -> Message {
    Message {
        message_id: message_id(public_url),
        to: String::new(),
        subject: String::new(),
        body: Body::default(),
        attachments: Vec::new(),
        unsubscribe: None,
    }
}

/// Composes an email. `values` are those of its template, besides the subject, the event and, unless it is given, the closing.
fn compose(
    content: &Content,
    public_url: &str,
    to: &str,
    subject: String,
    template: &str,
    values: minijinja::Value,
) -> Result<Message> {
    let facts = context! { subject, event => Event::new(content, public_url) };
    let closing = context! { mail => Closing::new(content) };
    let body = Body::new(template, &context! { ..facts, ..values, ..closing })?;
    Ok(Message { to: to.to_owned(), subject, body, ..blank(public_url) })
}

/// Composes an email to the sender of a registration from a text that organisers may edit. `values` are its placeholders
/// besides the name and the event's name and dates; `more` are further values of the template `decision`.
fn compose_text(
    content: &Content,
    public_url: &str,
    record: &Record,
    text: &EmailText,
    values: &[(&str, &str)],
    more: minijinja::Value,
) -> Result<Message> {
    let (person, address) = record.person();
    let event = &content.event;
    let general = [("name", plain::greeting_name(person)), ("event", &event.name), ("dates", &event.dates)];
    let values = [values, &general].concat();
    let subject = one_line(&fill(&text.subject, &values));
    let body = fill(&text.body.replace('\r', ""), &values);
    let closing = Closing::new(content);
    let sign_off = if text.sign_off.is_empty() { closing.sign_off } else { &text.sign_off };
    let values = context! {
        greeting => greeting(content, record),
        paragraphs => paragraphs(&body),
        mail => Closing { sign_off, ..closing },
        ..more
    };
    compose(content, public_url, address, subject, "decision", values)
}

/// A link below the paragraphs of an email.
fn link(label: &str, url: &str) -> minijinja::Value {
    context! { label, url }
}

/// A new `Message-ID` under the site's host name.
pub fn message_id(public_url: &str) -> String {
    let host = url::Url::parse(public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    // The instant comes first, so that the outbox's index grows at its end.
    let instant = time::now().timestamp_micros();
    let random = rand::random::<u64>();
    format!("<{instant:x}.{random:016x}@{}>", host.as_deref().unwrap_or("localhost"))
}

/// Replaces every run of white space and control characters by one space, for a subject.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The greeting. A company that gave no person's name is greeted without one.
fn greeting(content: &Content, record: &Record) -> String {
    greeting_to(content, record.person_name())
}

fn greeting_to(content: &Content, name: &str) -> String {
    let greeting = &content.mail.greeting;
    if name.is_empty() {
        let unnamed = fill(greeting, &[("name", "")]);
        let words: Vec<&str> = unnamed.split_whitespace().collect();
        return words.join(" ").replace(" ,", ",").replace(" !", "!");
    }
    fill(greeting, &[("name", plain::greeting_name(name))])
}

/// The name of a kind for the middle of a sentence: 'speaker application'.
fn kind_in_a_sentence(kind: Kind) -> String {
    let name = &form(kind).name;
    let mut characters = name.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

/// The event's facts for the templates' layout and footer.
#[derive(Serialize)]
pub struct Event<'a> {
    name: &'a str,
    dates: &'a str,
    place: &'a str,
    url: &'a str,
}

impl<'a> Event<'a> {
    pub fn new(content: &'a Content, public_url: &'a str) -> Event<'a> {
        let event = &content.event;
        Event { name: &event.name, dates: &event.dates, place: &event.city, url: public_url }
    }
}

/// When and where the event is, with links and contacts.
#[derive(Serialize)]
struct Visit<'a> {
    when: String,
    /// The venue's name and the lines of its address.
    place: Vec<&'a str>,
    map: &'a str,
    calendar: String,
    schedule: String,
    email: &'a str,
    phone: &'a str,
}

impl<'a> Visit<'a> {
    fn new(content: &'a Content, public_url: &str, kind: Kind) -> Visit<'a> {
        let (event, venue, contact) = (&content.event, &content.venue, &content.contact);
        let is_sponsor = matches!(kind, Kind::SponsorApplications | Kind::SponsorInquiries);
        Visit {
            when: format!("{}, {}", event.dates, event.hours),
            place: venue.lines(),
            map: &venue.map.search_url,
            calendar: format!("{public_url}/event.ics"),
            schedule: format!("{public_url}/schedule"),
            email: if is_sponsor { &contact.partnership_email } else { &contact.email },
            phone: &contact.phone,
        }
    }
}

/// The end of an email to a person.
#[derive(Serialize)]
struct Closing<'a> {
    sign_off: &'a str,
    signature: &'a str,
    footer: &'a str,
}

impl<'a> Closing<'a> {
    fn new(content: &'a Content) -> Closing<'a> {
        let mail = &content.mail;
        Closing { sign_off: &mail.sign_off, signature: &mail.signature, footer: &mail.footer }
    }
}
