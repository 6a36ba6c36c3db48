//! The email to a group, which an organiser has composed.

use minijinja::context;

use super::decision::filled_paragraphs;
use super::{Message, compose, greeting, one_line, plain};
use crate::error::{Error, Result};
use crate::forms::Record;
use crate::model::Kind;
use crate::site::content::Content;
use crate::site::content::placeholders::fill;

/// The name of the template.
pub const TEMPLATE: &str = "group";
/// The value of the template that is the link to unsubscribe.
const UNSUBSCRIBE: &str = "unsubscribe";

/// A placeholder of an email to a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placeholder {
    pub name: &'static str,
    /// What replaces it.
    pub meaning: &'static str,
    /// Whether only a competition entry has it.
    pub of_entries: bool,
}

/// All placeholders of an email to a group.
pub const PLACEHOLDERS: [Placeholder; 7] = [
    placeholder("name", "The person's name, or 'there' if we know only a company"),
    placeholder("event", "The name of the event"),
    placeholder("dates", "The dates of the event"),
    placeholder("hours", "The hours of the event"),
    placeholder("venue", "The name of the venue and its address, on one line"),
    Placeholder { of_entries: true, ..placeholder("number", "The number of the entry") },
    Placeholder { of_entries: true, ..placeholder("categories", "The categories of the entry") },
];

const fn placeholder(name: &'static str, meaning: &'static str) -> Placeholder {
    Placeholder { name, meaning, of_entries: false }
}

/// What an organiser has composed, checked by [`crate::site::content::placeholders::normalised`].
#[derive(Debug, Clone, Copy)]
pub struct Composed<'a> {
    pub subject: &'a str,
    pub text: &'a str,
}

/// How the email ends.
#[derive(Debug, Clone, Copy)]
pub enum Ending<'a> {
    /// The link to unsubscribe.
    Unsubscribe(&'a str),
    /// Why the email goes to everybody and has no such link.
    Necessary(&'a str),
}

/// The email to one person, who has sent registration `id`.
pub fn group(
    content: &Content,
    public_url: &str,
    (id, record): (i64, &Record),
    composed: Composed<'_>,
    ending: Ending<'_>,
) -> Result<Message> {
    let (person, address) = record.person();
    let person = if record.person_name().is_empty() { plain::NO_NAME } else { plain::greeting_name(person) };
    let (number, venue) = (id.to_string(), venue(content));
    let categories = match record.kind() {
        Kind::CompetitionEntries => content.categories_of(record).join(", "),
        _ => String::new(),
    };
    let event = &content.event;
    let values = [
        ("name", person),
        ("event", &event.name),
        ("dates", &event.dates),
        ("hours", &event.hours),
        ("venue", &venue),
        ("number", &number),
        ("categories", &categories),
    ];
    let subject = one_line(&fill(composed.subject, &values));
    let paragraphs = filled_paragraphs(composed.text, &values);
    let (unsubscribe, necessary) = match ending {
        Ending::Unsubscribe(link) => (Some(link), None),
        Ending::Necessary(reason) => (None, Some(reason)),
    };
    let greeting = (!greets(composed.text)).then(|| greeting(content, record));
    let values = context! { greeting, paragraphs, unsubscribe, necessary };
    compose(content, public_url, address, subject, TEMPLATE, values)
}

/// The first words of a greeting.
const SALUTATIONS: [&str; 8] =
    ["hello", "hi", "hey", "dear", "good morning", "good afternoon", "good evening", "welcome"];
/// A longer first line with punctuation is a sentence, in characters.
const MAX_SALUTATION_LENGTH: usize = 80;
/// A longer first line without punctuation is one, in words, unless it names somebody.
const MAX_UNPUNCTUATED_LENGTH: usize = 3;

/// Whether a text begins with a greeting of its own: 'Hello {name}' or 'Dear artists,' on its first line.
pub fn greets(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default().trim();
    // '{name},' or 'Ciao {name},'.
    let names_somebody = line.contains('{') && line.split_whitespace().count() <= MAX_UNPUNCTUATED_LENGTH;
    if line.starts_with("{name}") || names_somebody && line.ends_with([',', '!', ':']) {
        return true;
    }
    let lower = line.to_lowercase();
    let Some(rest) = SALUTATIONS.iter().find_map(|word| {
        lower.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with([' ', ',', '!', ':']))
    }) else {
        return false;
    };
    rest.trim_start_matches([' ', ',']).starts_with('{')
        || line.ends_with([',', '!', ':']) && line.chars().count() <= MAX_SALUTATION_LENGTH
        || line.split(' ').count() <= MAX_UNPUNCTUATED_LENGTH && !lower.starts_with("welcome")
}

/// Whether a name is not used in a greeting, because it has digits or an address.
pub fn is_left_out(name: &str) -> bool {
    !name.is_empty() && plain::greeting_name(name) == plain::NO_NAME && name != plain::NO_NAME
}

fn venue(content: &Content) -> String {
    content.venue.lines().join(", ")
}

/// The values of a group's email (JSON) with another link to unsubscribe. A necessary notice has none.
///
/// # Errors
/// [`Error::Internal`] if the values are no JSON.
pub fn with_unsubscribe_link(values: &str, link: &str) -> Result<String> {
    let mut values: serde_json::Value = serde_json::from_str(values)
        .map_err(|error| Error::Internal(format!("the values of an email to a group: {error}")))?;
    if !values[UNSUBSCRIBE].is_null() {
        values[UNSUBSCRIBE] = link.into();
    }
    Ok(values.to_string())
}

/// The link to unsubscribe of an email with this template and these values (JSON).
pub fn unsubscribe_link(template: &str, values: &str) -> Option<String> {
    if template != TEMPLATE {
        return None;
    }
    let values: serde_json::Value = serde_json::from_str(values).ok()?;
    values[UNSUBSCRIBE].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_greets_is_not_greeted_again() {
        for (text, expected) in [
            ("Hello {name},\n\nDoors open at nine.", true),
            ("{name},\n\nDoors open at nine.", true),
            ("Ciao {name},\n\nDoors open at nine.", true),
            ("Dearest {name}!\n\nDoors open at nine.", true),
            ("{categories}: the first model is called at ten, and all others follow", false),
            ("  Dear {{ name }},\nDoors open.", true),
            ("Hi {name}!\n\nSee you.", true),
            ("Good morning, {name}:\n\nSee you.", true),
            ("Hello {name}\n\nDoors open at nine.", true),
            ("hi {{ name }}\nDoors open at nine.", true),
            ("Hi {name} 👋\n\nSee you.", true),
            ("Dear {name} – thank you.", true),
            (
                "Hello {name}, doors open at nine, and the first models are called a quarter of an hour later.",
                true,
            ),
            ("Hello everyone\n\nDoors open at nine.", true),
            ("Good evening\n\nDoors open at nine.", true),
            ("Dear lash artists\n\nDoors open at nine.", true),
            ("Welcome to Ljubljana\n\nDoors open at nine.", false),
            ("Hello again from the lake\n\nDoors open at nine.", false),
            ("Hi-res photos\n\nSee you.", false),
            ("Doors open at nine.", false),
            ("Hello again from the lake. Doors open at nine.", false),
            ("Hidden treasures,\n\nSee you.", false),
            ("", false),
        ] {
            assert_eq!(greets(text), expected, "{text}");
        }
        for (name, expected) in [("Ada", false), ("Lashes 4 U", true), ("ada@example.com", true), ("", false)]
        {
            assert_eq!(is_left_out(name), expected, "{name}");
        }
    }
}
