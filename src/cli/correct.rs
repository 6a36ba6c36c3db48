//! `showcase correct`.

use serde_json::{Map, Value};

use super::output::print_line;
use super::{Global, id, review};
use crate::error::{Error, Result};
use crate::forms::{FieldType, form};
use crate::model::{Actor, Kind};
use crate::payments;
use crate::registrations::correct_answers::{self, AnswerChange, AnswerCorrection};
use crate::registrations::version::Expected;

/// Correct answers of a registration, by the rules of its form
#[derive(clap::Args)]
#[command(
    after_help = "Example: showcase correct competition-entries 12 'businessName=Sample Lash Studio' --reason 'Misspelled' --mail"
)]
pub struct Correct {
    /// The kind of registration, such as speaker-applications
    #[arg(value_parser = review::kind)]
    kind: Kind,
    /// The registration's id
    #[arg(value_parser = id)]
    id: i64,
    /// An answer, as the field's name in the export and the new value; nothing after the sign empties it
    #[arg(required = true, value_name = "FIELD=VALUE", value_parser = answer)]
    answers: Vec<(String, String)>,
    /// The reason, for the registration's history; the person never sees it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Send the person an email that says what was changed
    #[arg(long)]
    mail: bool,
    /// Print what would be changed, and that email; change and send nothing
    #[arg(long, conflicts_with = "mail")]
    preview: bool,
}

fn answer(text: &str) -> std::result::Result<(String, String), String> {
    let (field, value) = text.split_once('=').ok_or("write it as FIELD=VALUE, such as phone=201-555-0101")?;
    Ok((field.trim().to_owned(), value.to_owned()))
}

impl Correct {
    pub fn run(&self, global: &Global) -> Result<()> {
        let (app, is_served) = global.open_and_server()?;
        let reason = correct_answers::reason(&self.reason)?;
        let (about, values) = ((self.kind, self.id), self.values()?);
        if self.preview {
            let preview = payments::preview_correction(&app, about, &values)?;
            print_changes(&preview.changes)?;
            return match &preview.message {
                Some(message) => review::print_mail(message),
                None => Ok(()),
            };
        }
        let correction = AnswerCorrection { values, reason, mail: self.mail, expected: Expected::Any };
        let corrected = payments::correct_answers(&app, &Actor::CommandLine, about, correction)?;
        if corrected.changes.is_empty() {
            global.say("These are the answers already; nothing was changed.");
        }
        print_changes(&corrected.changes)?;
        if corrected.mail_queued {
            global.say_queued(&app, "The email is", is_served);
        }
        Ok(())
    }

    /// The answers as the JSON that the form would send.
    fn values(&self) -> Result<Map<String, Value>> {
        let form = form(self.kind);
        let value = |name: &str, text: &str| {
            let field_type = form.fields().find(|field| field.name == name).map(|field| field.field_type);
            Ok(match field_type {
                _ if text.is_empty() => Value::Null,
                Some(FieldType::Flag | FieldType::Consent) => match text {
                    "true" | "yes" => true.into(),
                    "false" | "no" => false.into(),
                    _ => return Err(Error::Malformed(format!("{name} is true or false."))),
                },
                Some(FieldType::Count) => {
                    let count = text.parse::<i64>();
                    count.map_err(|_| Error::Malformed(format!("{name} is a whole number.")))?.into()
                }
                Some(FieldType::Choices) => text.split(',').map(str::trim).collect(),
                _ => text.into(),
            })
        };
        self.answers.iter().map(|(name, text)| Ok((name.clone(), value(name, text)?))).collect()
    }
}

fn print_changes(changes: &[AnswerChange]) -> Result<()> {
    for AnswerChange { field, from, to, .. } in changes {
        print_line!("{field}: {from} -> {to}")?;
    }
    Ok(())
}
