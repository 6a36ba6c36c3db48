//! The texts of the standard emails, which organisers edit: paragraphs and placeholders, no logic. Without an edited text
//! the content's own is sent.

use chrono::TimeDelta;
use rusqlite::Connection;
use serde_json::json;

use super::{checked_subject, checked_text, collected};
use crate::app::App;
use crate::error::{Error, FieldErrors, Result};
use crate::forms::{self, form};
use crate::mail::{self, Decision, Message, Receipt};
use crate::model::{Actor, Cents, EntryId, Expected, IntentId, Kind, PaymentStatus, Role, Status};
use crate::site::content::Content;
use crate::site::content::model::event::EmailText;
use crate::site::content::placeholders::{
    CONFIRMATION, DECISION, INVITATION, NOMINATION_READY, NOMINATION_RETURNED, RECEIPT, REFUND, REMINDER,
    TICKET,
};
use crate::store::audit;
use crate::store::mail_texts::{self as store, MailText};
use crate::store::payments::{self, Payment};
use crate::store::registrations::{self, Filter, Stored};
use crate::time;

/// A standard email that organisers may edit.
struct Email {
    name: String,
    /// What it is, for organisers.
    title: String,
    /// The kind of the registrations that it is about.
    kind: Kind,
    placeholders: &'static [&'static str],
    /// The subject and the text of the content.
    default: (String, String),
    /// Composes it for a person.
    compose: Compose,
}

type Compose = Box<dyn Fn(&Sample<'_>) -> Result<Message> + Send + Sync>;

/// A person who could get an email, for a preview.
struct Sample<'a> {
    connection: &'a Connection,
    content: &'a Content,
    public_url: &'a str,
    stored: Stored,
    /// Nobody is stored yet.
    is_made_up: bool,
}

impl Sample<'_> {
    fn payment(&self) -> Result<Payment> {
        if self.is_made_up {
            return Ok(made_up_payment(self.content));
        }
        payments::get(self.connection, EntryId(self.stored.id))?
            .ok_or_else(|| Error::Internal(format!("entry {} is gone", self.stored.id)))
    }
}

/// The decisions that have an email.
const DECISIONS: [Status; 3] = [Status::Accepted, Status::Waitlisted, Status::Declined];

/// All standard emails of this content: an email is one entry here.
fn emails(content: &Content) -> Vec<Email> {
    let mut emails = Vec::new();
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::CompetitionEntries) {
        emails.push(Email {
            name: format!("confirmation.{kind}"),
            title: format!("{}: confirmation", form(kind).name),
            kind,
            placeholders: &CONFIRMATION,
            default: mail::confirmation_text(content, kind),
            compose: Box::new(|to| {
                mail::confirmation(to.content, to.public_url, &to.stored.record, to.stored.id, None)
            }),
        });
    }
    for (kind, status) in Kind::ALL.into_iter().flat_map(|kind| DECISIONS.map(|status| (kind, status))) {
        let Some((subject, text)) = mail::decision_text(content, kind, status) else { continue };
        emails.push(Email {
            name: format!("decision.{kind}.{status}"),
            title: format!("{}: {status}", form(kind).name),
            kind,
            placeholders: &DECISION,
            default: (subject, text.trim().to_owned()),
            compose: Box::new(move |to| {
                let decision = Decision { status, personal_line: None };
                mail::decision(to.content, to.public_url, &to.stored.record, decision)?
                    .ok_or_else(|| Error::Internal(format!("no email for {kind} {status}")))
            }),
        });
    }
    let text_of = |text: &EmailText| (text.subject.clone(), text.body.trim().to_owned());
    emails.push(Email {
        name: "receipt".into(),
        title: "Competition entry: receipt".into(),
        kind: Kind::CompetitionEntries,
        placeholders: &RECEIPT,
        default: (mail::RECEIPT_SUBJECT.into(), mail::RECEIPT_TEXT.into()),
        compose: Box::new(|to| {
            let (payment, id) = (to.payment()?, to.stored.id);
            let reference = IntentId("(payment reference)".to_owned());
            let receipt = Receipt {
                entry_id: EntryId(id),
                intent_id: payment.intent_id.as_ref().unwrap_or(&reference),
                paid_at: &to.stored.created_at,
                amount_cents: payment.amount_cents,
                quote: payment.quote.as_deref().and_then(|quote| serde_json::from_str(quote).ok()),
                agreed_to: registrations::agreed_to(to.connection, Kind::CompetitionEntries, id)?,
                url: Some(format!("{}/receipt/preview", to.public_url)),
                paid_before: Vec::new(),
            };
            mail::entry_confirmation(to.content, to.public_url, &to.stored.record, &receipt)
        }),
    });
    emails.push(Email {
        name: "refund".into(),
        title: "Competition entry: refund".into(),
        kind: Kind::CompetitionEntries,
        placeholders: &REFUND,
        default: text_of(&content.mail.refund),
        compose: Box::new(|to| {
            let amount = to.payment()?.amount_cents;
            let id = EntryId(to.stored.id);
            mail::refund(to.content, to.public_url, &to.stored.record, id, amount, None)
        }),
    });
    emails.push(Email {
        name: "reminder".into(),
        title: "Competition entry: reminder to pay".into(),
        kind: Kind::CompetitionEntries,
        placeholders: &REMINDER,
        default: text_of(&content.mail.reminder),
        compose: Box::new(|to| {
            mail::reminder(to.content, to.public_url, &to.stored.record, to.payment()?.amount_cents)
        }),
    });
    emails.push(Email {
        name: "invitation".into(),
        title: "Waitlist: invitation to enter".into(),
        kind: Kind::WaitlistSignups,
        placeholders: &INVITATION,
        default: text_of(&content.mail.invitation),
        compose: Box::new(|to| {
            let until = time::stored(time::now() + TimeDelta::days(3));
            mail::invitation(to.content, to.public_url, &to.stored.record, "preview", &until)
        }),
    });
    emails.push(Email {
        name: mail::TICKET.into(),
        title: "All registrations: ticket".into(),
        kind: Kind::CompetitionEntries,
        placeholders: &TICKET,
        default: text_of(&mail::TICKET_TEXT),
        compose: Box::new(|to| {
            let bring = to.content.door.bring.get(&Role::Competitor).map(String::as_str);
            let link = format!("{}/t/preview", to.public_url);
            mail::event_ticket(to.content, to.public_url, to.stored.record.person(), &link, &[], bring)
        }),
    });
    // While the Artist Portal is closed, nothing mentions it.
    if content.portal.open {
        emails.push(Email {
            name: mail::NOMINATION_RETURNED.into(),
            title: "Artist Portal: photos asked for again".into(),
            kind: Kind::CompetitionEntries,
            placeholders: &NOMINATION_RETURNED,
            default: text_of(&mail::RETURNED_TEXT),
            compose: Box::new(|to| {
                let returned = mail::Returned {
                    nomination: &to.content.nominations(&to.stored.record).join(", "),
                    photos: &["Before".to_owned()],
                    reason: "It is too dark.",
                    deadline: to.content.portal_deadline(),
                };
                mail::nomination_returned(to.content, to.public_url, &to.stored.record, &returned)
            }),
        });
        emails.push(Email {
            name: mail::NOMINATION_READY.into(),
            title: "Artist Portal: ready for the judges".into(),
            kind: Kind::CompetitionEntries,
            placeholders: &NOMINATION_READY,
            default: text_of(&mail::READY_TEXT),
            compose: Box::new(|to| {
                let nomination = to.content.nominations(&to.stored.record).join(", ");
                mail::nomination_ready(to.content, to.public_url, &to.stored.record, &nomination)
            }),
        });
    }
    emails
}

fn find(content: &Content, name: &str) -> Result<Email> {
    let found = emails(content).into_iter().find(|email| email.name == name);
    found.ok_or_else(|| Error::NotFound(format!("There is no standard email '{name}'.")))
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
    app.store
        .read(|connection| emails(&content).iter().map(|email| current_text(connection, email)).collect())
}

/// The text of one standard email, or [`Error::NotFound`].
pub fn get(app: &App, name: &str) -> Result<Text> {
    let content = without_edits(app);
    let email = find(&content, name)?;
    app.store.read(|connection| current_text(connection, &email))
}

/// Stores an edited text. Emails use it within a second. A text that is already stored is not stored again, and saving
/// the default text resets it to the default.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] on `subject` and `text`, with the line of each mistake; [`Error::Changed`].
pub fn edit(app: &App, actor: &Actor, name: &str, edit: Edit, expected: Expected) -> Result<()> {
    let content = without_edits(app);
    let email = find(&content, name)?;
    app.store.write(|connection| {
        let current = current_text(connection, &email)?;
        expected.require(current.version())?;
        let (subject, text) = checked(&email, &edit, &current)?;
        if (&subject, &text) == (&current.subject, &current.text) {
            return Ok(());
        }
        if (&subject, &text) == (&current.default_subject, &current.default_text) {
            store::delete(connection, name)?;
            return audit::record(connection, actor, "email text reset", &json!({ "email": name }));
        }
        let (name, changed_at, actor) = (name.to_owned(), time::stored(time::now()), actor.clone());
        let stored = MailText { name, changed_at, actor, subject, text };
        store::set(connection, &stored)?;
        audit::record(connection, &stored.actor, "email text edited", &json!({ "email": stored.name }))
    })
}

/// Resets a text to the default. A second time changes nothing.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Changed`].
pub fn reset(app: &App, actor: &Actor, name: &str, expected: Expected) -> Result<()> {
    let content = without_edits(app);
    let email = find(&content, name)?;
    app.store.write(|connection| {
        expected.require(current_text(connection, &email)?.version())?;
        if !store::delete(connection, name)? {
            return Ok(());
        }
        audit::record(connection, actor, "email text reset", &json!({ "email": name }))
    })
}

/// The email with these texts, for the newest person who could get it, or somebody made up while there is nobody. Nothing
/// is stored.
///
/// # Errors
/// Those of [`edit`].
pub fn preview(app: &App, name: &str, edit: &Edit) -> Result<Message> {
    let mut content = without_edits(app);
    let email = find(&content, name)?;
    let public_url = app.public_url();
    app.store.read(|connection| {
        let current = current_text(connection, &email)?;
        let (subject, body) = checked(&email, edit, &current)?;
        content.mail.texts.insert(email.name.clone(), EmailText { subject, body, sign_off: String::new() });
        let to = newest(connection, &content, &public_url, email.kind)?;
        (email.compose)(&to)
    })
}

/// The newest person who could get an email about this kind.
fn newest<'a>(
    connection: &'a Connection,
    content: &'a Content,
    public_url: &'a str,
    kind: Kind,
) -> Result<Sample<'a>> {
    let filter = Filter { without_abandoned: true, ..Filter::default() };
    let stored = match registrations::newest_names(connection, kind, &filter, 1)?.first() {
        Some((id, _)) => registrations::get(connection, kind, *id)?,
        None => None,
    };
    let is_made_up = stored.is_none();
    let stored = stored.map_or_else(|| made_up(content, kind), Ok)?;
    Ok(Sample { connection, content, public_url, stored, is_made_up })
}

/// A registration of nobody, for the first look at an email.
fn made_up(content: &Content, kind: Kind) -> Result<Stored> {
    let mut record = forms::parse_part(kind, &json!({}), &content.offered(), &[])?;
    let category = content.categories.iter().next();
    let subcategory = category.and_then(|category| category.subcategories.iter().next());
    for (name, text) in [
        ("name", "Ada Example"),
        ("contactName", "Ada Example"),
        ("company", "Example Studio"),
        ("email", "ada@example.com"),
        ("primaryCategory", category.map_or("", |category| &category.slug)),
        ("subCategory", subcategory.map_or("", |name| name)),
    ] {
        record.set_text(name, text);
    }
    Ok(Stored { id: 0, created_at: time::stored(time::now()), status: Status::New, record })
}

fn made_up_payment(content: &Content) -> Payment {
    let now = time::stored(time::now());
    Payment {
        entry_id: EntryId(0),
        created_at: now.clone(),
        status: PaymentStatus::Paid,
        intent_id: None,
        amount_cents: content.pricing.participant_fee_cents,
        refunded_cents: Cents(0),
        quote: None,
        paid_at: Some(now),
        additional_categories: 0,
        token: String::new(),
        live: None,
        is_erased: false,
    }
}

/// The content without edited texts.
fn without_edits(app: &App) -> Content {
    let mut content = Content::clone(&app.content());
    content.mail.texts.clear();
    content
}

fn current_text(connection: &Connection, email: &Email) -> Result<Text> {
    let (default_subject, default_text) = email.default.clone();
    let (subject, text, edited) = match store::get(connection, &email.name)? {
        Some(stored) => (stored.subject, stored.text, Some((stored.changed_at, stored.actor))),
        None => (default_subject.clone(), default_text.clone(), None),
    };
    Ok(Text {
        name: email.name.clone(),
        title: email.title.clone(),
        kind: email.kind,
        subject,
        text,
        default_subject,
        default_text,
        placeholders: email.placeholders,
        edited,
    })
}

/// The subject and the text after an edit.
fn checked(email: &Email, edit: &Edit, current: &Text) -> Result<(String, String)> {
    let subject = edit.subject.as_ref().unwrap_or(&current.subject);
    let text = edit.text.as_ref().unwrap_or(&current.text);
    let mut errors = FieldErrors::new();
    let subject = collected(&mut errors, checked_subject(subject, email.placeholders))?;
    let text = collected(&mut errors, checked_text(text, email.placeholders))?;
    subject.zip(text).ok_or(Error::Invalid(errors))
}
