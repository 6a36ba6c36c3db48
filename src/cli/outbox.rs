//! `showcase outbox`.

use clap::Subcommand;

use super::Global;
use super::output::print_line;
use crate::app::App;
use crate::error::{Error, Result};
use crate::mail::outbox as mails;
use crate::store::outbox::{self, State};
use crate::time;

/// Who acts, in the audit log.
const ACTOR: &str = "command line";

/// The mails waiting, sent and failed
#[derive(clap::Args)]
#[command(after_help = "Example: showcase outbox list --state failed")]
pub struct Outbox {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List mails, the newest first
    #[command(after_help = "Example: showcase outbox list --state waiting --limit 20")]
    List {
        /// Only mails in this state: waiting, sent, failed or discarded
        #[arg(long)]
        state: Option<State>,
        /// At most so many
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// Show one mail as it was or will be sent
    #[command(after_help = "Example: showcase outbox show 12")]
    Show {
        id: i64,
        /// The HTML part instead of the text
        #[arg(long)]
        html: bool,
    },
    /// Have a running server send mails now that wait or failed; without ids all of them
    #[command(after_help = "Example: showcase outbox retry 12 13")]
    Retry { ids: Vec<i64> },
    /// Give up mails that wait or failed
    #[command(after_help = "Example: showcase outbox discard 12")]
    Discard {
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

impl Outbox {
    pub fn run(&self, global: &Global) -> Result<()> {
        let (app, is_served) = match &self.action {
            Action::List { .. } | Action::Show { .. } => (global.app_to_read()?, false),
            Action::Retry { .. } | Action::Discard { .. } => global.app_and_server()?,
        };
        match &self.action {
            Action::List { state, limit } => list(&app, *state, *limit),
            Action::Show { id, html } => show(&app, *id, *html),
            Action::Retry { ids } => retry(global, &app, ids, is_served),
            Action::Discard { ids } => discard(global, &app, ids),
        }
    }
}

fn list(app: &App, state: Option<State>, limit: u32) -> Result<()> {
    let zone = app.content().event.time_zone.clone();
    print_line!("{:>6}  {:<9}  {:<19}  {:>5}  {:<32}  subject", "id", "state", "created", "tries", "to")?;
    for mail in app.store.read(|connection| outbox::list(connection, state, limit, 0))? {
        print_line!(
            "{:>6}  {:<9}  {:<19}  {:>5}  {:<32}  {}",
            mail.id,
            mail.state.as_str(),
            time::local(&mail.created_at, &zone),
            mail.attempts,
            mail.recipient,
            mail.subject
        )?;
        if let Some(error) = mail.last_error {
            print_line!("{:>8}{error}", "")?;
        }
    }
    Ok(())
}

fn show(app: &App, id: i64, html: bool) -> Result<()> {
    let mail = app.store.read(|connection| outbox::get(connection, id))?.ok_or_else(|| no_mail(id))?;
    if html {
        print_line!("{}", mails::body(&mail).html()?)?;
        return Ok(());
    }
    print_line!("To: {}\nSubject: {}\nMessage-ID: {}\n", mail.recipient, mail.subject, mail.message_id)?;
    print_line!("{}", mails::body(&mail).text()?)?;
    Ok(())
}

fn retry(global: &Global, app: &App, ids: &[i64], is_served: bool) -> Result<()> {
    let wanted: Vec<Option<i64>> =
        if ids.is_empty() { vec![None] } else { ids.iter().copied().map(Some).collect() };
    let mut count = 0;
    for id in wanted {
        count += mails::retry(app, ACTOR, id)?;
    }
    print_line!("{count}")?;
    global.say(match (mails::is_active(app), is_served) {
        (false, _) => "mails are due, and stay: smtp.host is not set in the configuration.",
        (true, true) => "mails are due now; the running server sends them.",
        (true, false) => "mails are due, and are sent when a server runs (`showcase serve`); none does.",
    });
    Ok(())
}

fn discard(global: &Global, app: &App, ids: &[i64]) -> Result<()> {
    for id in ids.iter().copied() {
        mails::discard(app, ACTOR, id)?;
        global.say(&format!("Mail {id} will not be sent."));
    }
    Ok(())
}

fn no_mail(id: i64) -> Error {
    Error::Failed(format!("There is no mail {id}; `showcase outbox list` shows them all."))
}
