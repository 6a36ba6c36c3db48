//! `showcase outbox`.

use chrono::{DateTime, Utc};
use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global, ask, id, number, one_of};
use crate::app::App;
use crate::error::Result;
use crate::mail::outbox;
use crate::model::{Actor, Kind};
use crate::store::outbox::{self as stored_emails, Filter, State, StoredMail};
use crate::time;

/// List, show, retry and discard emails
#[derive(clap::Args)]
#[command(after_help = "Example: showcase outbox list --state failed")]
pub struct Outbox {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List emails, the newest first
    #[command(after_help = "Example: showcase outbox list --state waiting --limit 20")]
    List {
        /// Only emails in this state
        #[arg(long, value_parser = one_of::<State>(State::ALL.map(State::as_str)))]
        state: Option<State>,
        /// The maximum number
        #[arg(long, default_value_t = 100, value_parser = number::<u32>)]
        limit: u32,
    },
    /// Show one email as it was or will be sent
    #[command(after_help = "Example: showcase outbox show 12")]
    Show {
        #[arg(value_parser = id)]
        id: i64,
        /// Show the HTML part instead of the text
        #[arg(long)]
        html: bool,
    },
    /// Make waiting or failed emails due now; without ids, all of them
    #[command(after_help = "Example: showcase outbox retry 12 13")]
    Retry {
        #[arg(value_parser = id)]
        ids: Vec<i64>,
    },
    /// Discard waiting or failed emails, by id or by filter
    #[command(
        after_help = "Examples: showcase outbox discard 12\n          showcase outbox discard --template confirmation --since 2026-03-28T13:30:00Z --dry-run"
    )]
    Discard {
        #[arg(value_parser = id, required_unless_present_any = ["to", "kind", "template", "since"], conflicts_with_all = ["to", "kind", "template", "since", "dry_run"])]
        ids: Vec<i64>,
        /// Only emails to this address
        #[arg(long, value_name = "ADDRESS")]
        to: Option<String>,
        /// Only emails about registrations of this kind
        #[arg(long, value_parser = one_of::<Kind>(Kind::ALL.map(Kind::as_str)))]
        kind: Option<Kind>,
        /// Only emails made from this template, such as confirmation, notice or decision
        #[arg(long)]
        template: Option<String>,
        /// Only emails queued at this time or later, such as 2026-03-28T13:30:00Z
        #[arg(long, value_name = "TIME", value_parser = instant)]
        since: Option<DateTime<Utc>>,
        /// List what would be discarded; change nothing
        #[arg(long)]
        dry_run: bool,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

fn instant(text: &str) -> std::result::Result<DateTime<Utc>, String> {
    let parsed = DateTime::parse_from_rfc3339(text);
    parsed
        .map(|at| at.with_timezone(&Utc))
        .map_err(|_| "it is not a time; write one like 2026-03-28T13:30:00Z".into())
}

impl Outbox {
    pub fn run(&self, global: &Global) -> Result<()> {
        let (app, is_served) = match &self.action {
            Action::List { .. } | Action::Show { .. } | Action::Discard { dry_run: true, .. } => {
                (global.open(Access::Read)?, false)
            }
            Action::Retry { .. } | Action::Discard { .. } => global.open_and_server()?,
        };
        match &self.action {
            Action::List { state, limit } => list(&app, *state, *limit),
            Action::Show { id, html } => show(&app, *id, *html),
            Action::Retry { ids } => retry(global, &app, ids, is_served),
            Action::Discard { ids, .. } if !ids.is_empty() => discard(global, &app, ids),
            Action::Discard { to, kind, template, since, dry_run, yes, .. } => {
                let (to, template) = (to.clone(), template.clone());
                let filter = Filter { to, kind: *kind, template, since: since.map(time::stored) };
                if *dry_run { list_discardable(&app, &filter) } else { discard_all(&app, filter, *yes) }
            }
        }
    }
}

fn list(app: &App, state: Option<State>, limit: u32) -> Result<()> {
    print_mails(
        app,
        app.store.read(|connection| {
            stored_emails::list(
                connection,
                state.map_or(stored_emails::Listed::All, stored_emails::Listed::In),
                limit,
                0,
            )
        })?,
    )
}

fn print_mails(app: &App, mails: Vec<StoredMail>) -> Result<()> {
    let zone = app.content().event.time_zone.clone();
    print_line!("{:>6}  {:<9}  {:<19}  {:>5}  {:<32}  subject", "id", "state", "created", "tries", "to")?;
    for mail in mails {
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
    if html {
        return print_line!("{}", outbox::html(app, id)?);
    }
    let details = outbox::details(app, id)?;
    let (mail, id) = (details.mail, details.message_id);
    print_line!("To: {}\nSubject: {}\nMessage-ID: {id}\n\n{}", mail.recipient, mail.subject, details.text)
}

fn retry(global: &Global, app: &App, ids: &[i64], is_served: bool) -> Result<()> {
    let retry = |id: Option<i64>| outbox::retry(app, &Actor::CommandLine, id);
    let count = match ids {
        [] => retry(None)?,
        ids => ids.iter().map(|id| retry(Some(*id))).sum::<Result<usize>>()?,
    };
    print_line!("{count}")?;
    global.say(match (outbox::is_active(app), is_served) {
        (false, _) => "emails are due, but cannot be sent: smtp.host is not set in the configuration.",
        (true, true) => "emails are due now; the running server sends them.",
        (true, false) => "emails are due, but no server is running. Start it with `showcase serve`.",
    });
    Ok(())
}

fn discard(global: &Global, app: &App, ids: &[i64]) -> Result<()> {
    for id in ids.iter().copied() {
        outbox::discard(app, &Actor::CommandLine, id)?;
        global.say(&format!("Email {id} will not be sent."));
    }
    Ok(())
}

/// Prints the emails that [`discard_all`] would discard, and their number.
fn list_discardable(app: &App, filter: &Filter) -> Result<()> {
    let mails = app.store.read(|connection| stored_emails::list_unsent(connection, filter))?;
    let count = mails.len();
    print_mails(app, mails)?;
    print_line!("{count}")?;
    Ok(())
}

fn discard_all(app: &App, filter: Filter, yes: bool) -> Result<()> {
    let count = app.store.read(|connection| stored_emails::count_unsent(connection, &filter))?;
    if !yes && count > 0 {
        let emails = if count == 1 { "1 email".to_owned() } else { format!("{count} emails") };
        ask::confirm(&format!("Discard {emails} without sending?"))?;
    }
    print_line!("{}", outbox::discard_all(app, &Actor::CommandLine, filter)?)?;
    Ok(())
}
