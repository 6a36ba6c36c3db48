//! `showcase review`.

use super::output::print_line;
use super::{Global, id};
use crate::app::App;
use crate::error::{Error, Result};
use crate::forms;
use crate::mail::Message;
use crate::model::{Actor, Kind, Status};
use crate::payments;
use crate::registrations::review::{self, Change};
use crate::store::reviews::Step;
use crate::time;

/// Set an application's status, add a note, or show its history
#[derive(clap::Args)]
#[command(after_help = "Example: showcase review speaker-applications 12 --status accepted --mail")]
pub struct Review {
    /// The kind of registration, such as speaker-applications
    #[arg(value_parser = kind)]
    kind: Kind,
    /// The registration's id
    #[arg(value_parser = id)]
    id: i64,
    /// The new status: new, in_review, accepted, waitlisted, declined, withdrawn, or for an entry no_show
    #[arg(long, value_parser = status)]
    status: Option<Status>,
    /// A note for the organisers; the person never sees it
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Send the person the email for this decision
    #[arg(long, requires = "status")]
    mail: bool,
    /// A line to add to that email
    #[arg(long, value_name = "TEXT", requires = "status")]
    line: Option<String>,
    /// Print that email; change and send nothing
    #[arg(long, requires = "status", conflicts_with_all = ["note", "mail"])]
    preview: bool,
}

pub(super) fn kind(text: &str) -> std::result::Result<Kind, String> {
    text.parse().map_err(|error| {
        let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("{error}; it is one of: {}", known.join(", "))
    })
}

fn status(text: &str) -> std::result::Result<Status, String> {
    review::settable(text).map_err(|error| error.to_string())
}

impl Review {
    pub fn run(&self, global: &Global) -> Result<()> {
        let (app, is_served) = global.open_and_server()?;
        let line = self.line.as_deref().map(review::personal_line).transpose()?.flatten();
        match (self.status, self.preview) {
            (Some(status), true) => {
                if let Some(warning) = review::warning(&app, self.kind, self.id, status)? {
                    global.say(&warning);
                }
                print_mail(&review::preview(&app, self.kind, self.id, status, line.as_deref())?)
            }
            (None, _) if self.note.is_none() => self.print_history(&app),
            _ => self.change(global, &app, is_served, line),
        }
    }

    fn change(
        &self,
        global: &Global,
        app: &App,
        is_served: bool,
        personal_line: Option<String>,
    ) -> Result<()> {
        let note = self.note.as_deref().map(|note| forms::free_text("note", note)).transpose()?.flatten();
        if note.is_none() && self.status.is_none() {
            return Err(Error::Malformed("The note is empty; nothing was changed.".into()));
        }
        let change =
            Change { status: self.status, note, mail: self.mail, personal_line, ..Change::default() };
        let reviewed = payments::decide(app, &Actor::CommandLine, (self.kind, self.id), change)?;
        let about = format!("{} {}", self.kind, self.id);
        if reviewed.from == reviewed.to {
            global.say(&format!("{about} is still {}.", reviewed.to));
        } else {
            global.say(&format!("{about} was {} and is now {}.", reviewed.from, reviewed.to));
        }
        if reviewed.mail_queued {
            global.say_queued(app, "The email is", is_served);
        }
        Ok(())
    }

    fn print_history(&self, app: &App) -> Result<()> {
        let zone = app.content().event.time_zone.clone();
        let details = review::details(app, self.kind, self.id)?;
        print_line!("{}", details.status)?;
        for Step { at, actor, from, to, note } in details.history {
            let at = time::local(&at, &zone);
            let step = if from == to { "note".to_owned() } else { format!("{from} -> {to}") };
            let note = note.map(|note| format!("  {note}")).unwrap_or_default();
            print_line!("{at}  {step}  {}{note}", actor.as_str())?;
        }
        Ok(())
    }
}

pub(super) fn print_mail(message: &Message) -> Result<()> {
    print_line!("To: {}\nSubject: {}\n\n{}", message.to, message.subject, message.body.text()?)
}
