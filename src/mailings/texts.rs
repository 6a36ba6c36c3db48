//! The texts of the standard emails, which organisers edit: paragraphs and placeholders, no logic. Without an edited text
//! the content's own is sent.

use rusqlite::Connection;
use serde_json::json;

use super::{checked_subject, checked_text, noted};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms::form;
use crate::mail::{self, Decision, Message, Receipt};
use crate::model::{Actor, Cents, EntryId, Expected, IntentId, Kind, Role, Status};
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;
use crate::site::content::placeholders::{
    CONFIRMATION, DECISION, INVITATION, NOMINATION_READY, NOMINATION_RETURNED, RECEIPT, REFUND, REMINDER,
    TICKET,
};
use crate::store::mail_texts::{self as store, MailText};
use crate::store::registrations::{self, Filter};
use crate::store::{audit, payments};
use crate::time;

/// A standard email.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Email {
    Confirmation(Kind),
    Decision(Kind, Status),
    Receipt,
    Refund,
    Reminder,
    Invitation,
    NominationReturned,
    NominationReady,
    Ticket,
}

/// The decisions that have an email.
const DECISIONS: [Status; 3] = [Status::Accepted, Status::Waitlisted, Status::Declined];

impl Email {
    /// All standard emails of this content.
    fn all(content: &Content) -> Vec<Email> {
        let confirmed = Kind::ALL.into_iter().filter(|kind| *kind != Kind::CompetitionEntries);
        let mut emails: Vec<Email> = confirmed.map(Email::Confirmation).collect();
        for kind in Kind::ALL {
            let decisions = DECISIONS.into_iter().filter(|status| mail::has_decision(content, kind, *status));
            emails.extend(decisions.map(|status| Email::Decision(kind, status)));
        }
        emails.extend([Email::Receipt, Email::Refund, Email::Reminder, Email::Invitation, Email::Ticket]);
        // With a closed Artist Portal nothing names it.
        if content.portal.open {
            emails.extend([Email::NominationReturned, Email::NominationReady]);
        }
        emails
    }

    fn named(content: &Content, name: &str) -> Result<Email> {
        let found = Email::all(content).into_iter().find(|email| email.name() == name);
        found.ok_or_else(|| Error::NotFound(format!("There is no standard email '{name}'.")))
    }

    fn name(self) -> String {
        match self {
            Email::Confirmation(kind) => format!("confirmation.{kind}"),
            Email::Decision(kind, status) => format!("decision.{kind}.{status}"),
            Email::Receipt => "receipt".into(),
            Email::Refund => "refund".into(),
            Email::Reminder => "reminder".into(),
            Email::Invitation => "invitation".into(),
            Email::NominationReturned => mail::NOMINATION_RETURNED.into(),
            Email::NominationReady => mail::NOMINATION_READY.into(),
            Email::Ticket => mail::TICKET.into(),
        }
    }

    /// What it is, for organisers.
    fn title(self) -> String {
        match self {
            Email::Confirmation(kind) => format!("{}: confirmation", form(kind).name),
            Email::Decision(kind, status) => format!("{}: {status}", form(kind).name),
            Email::Receipt => "Competition entry: receipt".into(),
            Email::Refund => "Competition entry: refund".into(),
            Email::Reminder => "Competition entry: reminder to pay".into(),
            Email::Invitation => "Waitlist: invitation to enter".into(),
            Email::NominationReturned => "Artist Portal: photos asked for again".into(),
            Email::NominationReady => "Artist Portal: ready for the judges".into(),
            Email::Ticket => "All registrations: ticket".into(),
        }
    }

    /// The kind of the registrations that it is about.
    fn kind(self) -> Kind {
        match self {
            Email::Confirmation(kind) | Email::Decision(kind, _) => kind,
            Email::Receipt
            | Email::Refund
            | Email::Reminder
            | Email::NominationReturned
            | Email::NominationReady
            | Email::Ticket => Kind::CompetitionEntries,
            Email::Invitation => Kind::WaitlistSignups,
        }
    }

    fn placeholders(self) -> &'static [&'static str] {
        match self {
            Email::Confirmation(_) => &CONFIRMATION,
            Email::Decision(..) => &DECISION,
            Email::Receipt => &RECEIPT,
            Email::Refund => &REFUND,
            Email::Reminder => &REMINDER,
            Email::Invitation => &INVITATION,
            Email::NominationReturned => &NOMINATION_RETURNED,
            Email::NominationReady => &NOMINATION_READY,
            Email::Ticket => &TICKET,
        }
    }

    /// The subject and the text of the content.
    fn default(self, content: &Content) -> (String, String) {
        let of = |text: &EmailText| (text.subject.clone(), text.body.trim().to_owned());
        match self {
            Email::Confirmation(kind) => mail::confirmation_text(content, kind),
            Email::Decision(kind, status) => {
                let (subject, text) = mail::decision_text(content, kind, status).unwrap_or_default();
                (subject.to_owned(), text.trim().to_owned())
            }
            Email::Receipt => (mail::RECEIPT_SUBJECT.into(), mail::RECEIPT_TEXT.into()),
            Email::Refund => of(&content.mail.refund),
            Email::Reminder => of(&content.mail.reminder),
            Email::Invitation => of(&content.mail.invitation),
            Email::NominationReturned => of(&mail::RETURNED_TEXT),
            Email::NominationReady => of(&mail::READY_TEXT),
            Email::Ticket => of(&mail::TICKET_TEXT),
        }
    }
}

/// An explanation of a placeholder's value, for organisers.
pub fn meaning(placeholder: &str) -> &'static str {
    match placeholder {
        "name" => "The person's name",
        "event" => "The name of the event",
        "dates" => "The dates of the event",
        "hours" => "The hours of the event",
        "place" => "The name of the venue",
        "kind" => "What the person has sent, such as 'speaker application'",
        "number" => "The number of the entry",
        "categories" => "The categories of the entry",
        "amount" => "The amount in dollars",
        "until" => "Until when the invitation holds",
        "nomination" => "The category of the nomination",
        "photos" => "The photos that are asked for again",
        "reason" => "The reason that you gave",
        "deadline" => "Until when to replace them",
        _ => "",
    }
}

/// A standard email with its texts.
#[derive(Debug, Clone)]
pub struct Text {
    pub name: String,
    pub title: String,
    pub kind: Kind,
    pub subject: String,
    pub text: String,
    pub default_subject: String,
    pub default_text: String,
    pub placeholders: &'static [&'static str],
    /// When and by whom it was edited; `None`: it is the default.
    pub edited: Option<(String, Actor)>,
}

impl Text {
    /// The version that its `ETag` carries.
    pub fn version(&self) -> &str {
        self.edited.as_ref().map_or("default", |(at, _)| at)
    }
}

/// What an organiser has typed.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// `None`: unchanged.
    pub subject: Option<String>,
    pub text: Option<String>,
}

/// All standard emails.
pub fn list(app: &App) -> Result<Vec<Text>> {
    let content = without_edits(app);
    app.store.read(|connection| {
        Email::all(&content).into_iter().map(|email| text(connection, &content, email)).collect()
    })
}

/// # Errors
/// [`Error::NotFound`].
pub fn get(app: &App, name: &str) -> Result<Text> {
    let content = without_edits(app);
    let email = Email::named(&content, name)?;
    app.store.read(|connection| text(connection, &content, email))
}

/// Stores an edited text. Emails use it within a second. A text that is already stored is not stored again, and saving
/// the default text resets it to the default.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] on `subject` and `text`, with the line of each mistake; [`Error::Changed`].
pub fn edit(app: &App, actor: &Actor, name: &str, edit: Edit, expected: Expected) -> Result<()> {
    let content = without_edits(app);
    let email = Email::named(&content, name)?;
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        let current = text(connection, &content, email)?;
        expected.require(current.version())?;
        let (subject, text) = checked(
            email,
            edit.subject.as_ref().unwrap_or(&current.subject),
            edit.text.as_ref().unwrap_or(&current.text),
        )?;
        if (&subject, &text) == (&current.subject, &current.text) {
            return Ok(());
        }
        let (name, now) = (email.name(), time::stored(time::now()));
        let action = if (&subject, &text) == (&current.default_subject, &current.default_text) {
            store::delete(connection, &name)?;
            "email text reset"
        } else {
            let text =
                MailText { name: name.clone(), changed_at: now.clone(), actor: actor.clone(), subject, text };
            store::set(connection, &text)?;
            "email text edited"
        };
        record_action(connection, &actor, action, &name, &now)
    })
}

/// Takes an edited text back. A second time changes nothing.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Changed`].
pub fn reset(app: &App, actor: &Actor, name: &str, expected: Expected) -> Result<()> {
    let content = without_edits(app);
    let email = Email::named(&content, name)?;
    let actor = actor.to_owned();
    app.store.write(move |connection| {
        expected.require(text(connection, &content, email)?.version())?;
        let name = email.name();
        if !store::delete(connection, &name)? {
            return Ok(());
        }
        record_action(connection, &actor, "email text reset", &name, &time::stored(time::now()))
    })
}

/// The email with these texts, for the newest person who could get it. Nothing is stored.
///
/// # Errors
/// Those of [`edit`]; [`Error::Conflict`]: there is no such person yet.
pub fn preview(app: &App, name: &str, edit: &Edit) -> Result<Message> {
    let mut content = without_edits(app);
    let email = Email::named(&content, name)?;
    let public_url = app.public_url();
    app.store.read(|connection| {
        let current = text(connection, &content, email)?;
        let (subject, body) = checked(
            email,
            edit.subject.as_ref().unwrap_or(&current.subject),
            edit.text.as_ref().unwrap_or(&current.text),
        )?;
        content.mail.texts.insert(email.name(), EmailText { subject, body, sign_off: String::new() });
        message(connection, &content, &public_url, email)
    })
}

fn message(connection: &Connection, content: &Content, public_url: &str, email: Email) -> Result<Message> {
    let kind = email.kind();
    let newest =
        registrations::newest_names(connection, kind, &Filter { taking_part: true, ..Filter::default() }, 1)?;
    let stored = match newest.first() {
        Some((id, _)) => registrations::get(connection, kind, *id)?,
        None => None,
    };
    let Some(stored) = stored else {
        return Err(Error::Conflict(format!(
            "There is no {} yet to show this email with.",
            form(kind).name.to_lowercase()
        )));
    };
    let record = &stored.record;
    match email {
        Email::Confirmation(_) => mail::confirmation(content, public_url, record, stored.id, None),
        Email::Decision(_, status) => {
            let decision = Decision { status, personal_line: None };
            mail::decision(content, public_url, record, decision)?
                .ok_or_else(|| Error::Internal(format!("no email for {kind} {status}")))
        }
        Email::Receipt => {
            let entry_id = EntryId(stored.id);
            let payment = payments::get(connection, entry_id)?
                .ok_or_else(|| Error::Internal(format!("entry {} is gone", stored.id)))?;
            let reference = IntentId("(payment reference)".to_owned());
            let receipt = Receipt {
                entry_id,
                intent_id: payment.intent_id.as_ref().unwrap_or(&reference),
                paid_at: &stored.created_at,
                amount_cents: payment.amount_cents,
                quote: payment.quote.as_deref().and_then(|quote| serde_json::from_str(quote).ok()),
                agreed_to: registrations::agreed_to(connection, kind, stored.id)?,
                url: Some(format!("{public_url}/receipt/preview")),
            };
            mail::entry_confirmation(content, public_url, record, &receipt)
        }
        Email::Refund => {
            let entry_id = EntryId(stored.id);
            let amount =
                payments::get(connection, entry_id)?.map_or(Cents(0), |payment| payment.amount_cents);
            mail::refund(content, public_url, record, entry_id, amount, None)
        }
        Email::Reminder => {
            let payment = payments::get(connection, EntryId(stored.id))?;
            let amount = payment.map_or(Cents(0), |payment| payment.amount_cents);
            mail::reminder(content, public_url, record, amount)
        }
        Email::Invitation => {
            let until = time::stored(time::now() + chrono::TimeDelta::days(3));
            mail::invitation(content, public_url, record, "preview", &until)
        }
        Email::NominationReturned => {
            let (nomination, photos) = (content.nominations(record).join(", "), ["Before".to_owned()]);
            let deadline = content.portal_deadline();
            let returned = mail::Returned {
                nomination: &nomination,
                photos: &photos,
                reason: "It is too dark.",
                deadline,
            };
            mail::nomination_returned(content, public_url, record, &returned)
        }
        Email::NominationReady => {
            mail::nomination_ready(content, public_url, record, &content.nominations(record).join(", "))
        }
        Email::Ticket => {
            let bring = content.door.bring.get(&Role::Competitor).map(String::as_str);
            mail::event_ticket(
                content,
                public_url,
                record.person(),
                &format!("{public_url}/t/preview"),
                bring,
            )
        }
    }
}

/// The content without edited texts.
fn without_edits(app: &App) -> Content {
    let mut content = Content::clone(&app.content());
    content.mail.texts.clear();
    content
}

fn text(connection: &Connection, content: &Content, email: Email) -> Result<Text> {
    let (default_subject, default_text) = email.default(content);
    let stored = store::get(connection, &email.name())?;
    let (subject, text, edited) = match stored {
        Some(stored) => (stored.subject, stored.text, Some((stored.changed_at, stored.actor))),
        None => (default_subject.clone(), default_text.clone(), None),
    };
    Ok(Text {
        name: email.name(),
        title: email.title(),
        kind: email.kind(),
        subject,
        text,
        default_subject,
        default_text,
        placeholders: email.placeholders(),
        edited,
    })
}

fn checked(email: Email, subject: &str, text: &str) -> Result<(String, String)> {
    let mut errors = FieldErrors::new();
    let subject = noted(&mut errors, checked_subject(subject, email.placeholders()))?;
    let text = noted(&mut errors, checked_text(text, email.placeholders()))?;
    subject.zip(text).ok_or(Error::Invalid(errors))
}

fn record_action(connection: &Connection, actor: &Actor, action: &str, name: &str, now: &str) -> Result<()> {
    let line = audit::Line { actor, action, subject: None };
    audit::insert_with(connection, now, &line, &json!({ "email": name }))
}
