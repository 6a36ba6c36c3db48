//! The emails about tickets and their transfer.

use std::sync::LazyLock;

use minijinja::context;

use super::decision::filled_paragraphs;
use super::{Closing, Message, compose, greeting, greeting_to, one_line, plain};
use crate::error::Result;
use crate::forms::Record;
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;
use crate::site::content::placeholders::fill;

const OFFER_FOOTER: &str = "You are receiving this because somebody gave us your address for this ticket.";

const TICKET_FOOTER: &str = "You are receiving this because you have a ticket for the event.";

const VOID_FOOTER: &str = "You are receiving this because you had a ticket for the event.";

/// The email to the person who is offered a ticket.
pub fn ticket_offer(
    content: &Content,
    public_url: &str,
    (name, address): (&str, &str),
    from: &str,
    link: &str,
) -> Result<Message> {
    let event = &content.event;
    let subject = one_line(&format!("Your ticket for {}", event.name));
    let from = match plain::greeting_name(from) {
        plain::NO_NAME => "Somebody",
        name => name,
    };
    let paragraphs = [
        format!("{} would like you to have the ticket for {}, {}, {}.", plain::unlinked(from), event.name, event.dates, event.city),
        "Please confirm that you will come. The ticket is for you alone; the competition entry stays with whoever entered."
            .to_owned(),
    ];
    let values = context! {
        greeting => greeting_to(content, name),
        paragraphs,
        link => context! { label => "Confirm your ticket", url => link },
        mail => Closing { footer: OFFER_FOOTER, ..Closing::new(content) },
    };
    compose(content, public_url, address, subject, "decision", values)
}

/// The name of the email with a ticket among the standard emails.
pub const TICKET: &str = "ticket";

pub static TICKET_TEXT: LazyLock<EmailText> = LazyLock::new(|| EmailText {
    subject: "Your ticket: {event}, {dates}".to_owned(),
    body: "{event}, {dates}, {hours}, {place}.\n\n\
           Open your ticket on your phone at the door, or print it. Its code lets in one person."
        .to_owned(),
    sign_off: String::new(),
});

/// The email with the way to somebody's ticket, and to those of the people whom they bring. `bring` is what their role is asked
/// to bring.
pub fn event_ticket(
    content: &Content,
    public_url: &str,
    (name, address): (&str, &str),
    link: &str,
    others: &[String],
    bring: Option<&str>,
) -> Result<Message> {
    let text = content.mail.text(TICKET, &TICKET_TEXT);
    let event = &content.event;
    let values = [
        ("name", plain::greeting_name(name)),
        ("event", event.name.as_str()),
        ("dates", &event.dates),
        ("hours", &event.hours),
        ("place", &content.venue.name),
    ];
    let subject = one_line(&fill(&text.subject, &values));
    let mut paragraphs = filled_paragraphs(&text.body.replace('\r', ""), &values);
    if !others.is_empty() {
        paragraphs.push(format!("For the people whom you bring, one ticket each:\n{}", others.join("\n")));
    }
    paragraphs.extend(
        bring
            .filter(|bring| !bring.is_empty())
            .map(|bring| format!("Please bring: {}.", bring.trim_end_matches('.'))),
    );
    let values = context! {
        greeting => greeting_to(content, name),
        paragraphs,
        link => context! { label => "Open your ticket", url => link },
        mail => Closing { footer: TICKET_FOOTER, ..Closing::new(content) },
    };
    compose(content, public_url, address, subject, "decision", values)
}

/// The sentences of [`ticket_transferred`].
pub const ENTRANT_GAVE_TICKET: &str =
    "The person whom you named has confirmed and has your ticket now. Your competition entry stays yours.";
pub const HOLDER_LOST_TICKET: &str = "Your ticket has passed to another person, so your code is no longer valid at the door. If this is wrong, reply to this email.";

/// The email to somebody whose ticket another person has taken, an entrant or a former holder.
pub fn ticket_transferred(
    content: &Content,
    public_url: &str,
    record: &Record,
    sentence: &str,
) -> Result<Message> {
    let (_, address) = record.person();
    let subject = one_line(&format!("Your ticket for {} was transferred", content.event.name));
    // The new person is not named: otherwise this email would contain their data too.
    let paragraphs = [sentence];
    let values = context! { greeting => greeting(content, record), paragraphs };
    compose(content, public_url, address, subject, "decision", values)
}

/// The email to somebody whose ticket is void. `reason` is a sentence.
pub fn ticket_void(
    content: &Content,
    public_url: &str,
    (name, address): (&str, &str),
    reason: &str,
) -> Result<Message> {
    let event = &content.event;
    let subject = one_line(&format!("Your ticket for {} is no longer valid", event.name));
    let paragraphs = [
        format!(
            "Your ticket for {}, {}, is no longer valid at the door. {}",
            event.name,
            event.dates,
            plain::unlinked(reason)
        ),
        "If you think this is wrong, or want to come all the same, reply to this email.".to_owned(),
    ];
    let values = context! {
        greeting => greeting_to(content, name),
        paragraphs,
        mail => Closing { footer: VOID_FOOTER, ..Closing::new(content) },
    };
    compose(content, public_url, address, subject, "decision", values)
}
