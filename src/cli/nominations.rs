//! `showcase nominations`.

use chrono::{DateTime, Utc};
use clap::Subcommand;

use super::output::print_line;
use super::{Access, Global};
use crate::app::App;
use crate::error::{Error, Result};
use crate::model::{Actor, Expected, NominationState};
use crate::portal::organiser::{self, Decision, Filter};
use crate::time;

/// List, return, extend or forfeit the nominations of the Artist Portal
#[derive(clap::Args)]
#[command(after_help = "Example: showcase nominations list --missing")]
pub struct Nominations {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print nominations with what is missing
    #[command(after_help = "Example: showcase nominations list --state open --missing")]
    List {
        /// Only those in this state: open, handed_in, returned, ready, withdrawn, forfeited or disqualified
        #[arg(long)]
        state: Option<NominationState>,
        /// Only those with something missing
        #[arg(long)]
        missing: bool,
    },
    /// Ask for some photos again
    #[command(
        after_help = "Example: showcase nominations return LL-317 before after_front --reason 'Too dark.'"
    )]
    Return {
        code: String,
        /// The keys of the photos
        #[arg(required = true)]
        slots: Vec<String>,
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// A later deadline, such as 2026-03-05T23:59:00-05:00
        #[arg(long, value_parser = instant, value_name = "TIME")]
        until: Option<DateTime<Utc>>,
    },
    /// Give a nomination a later deadline
    #[command(
        after_help = "Example: showcase nominations extend LL-317 --until 2026-03-05T23:59:00-05:00 --reason Ill"
    )]
    Extend {
        code: String,
        #[arg(long, value_parser = instant, value_name = "TIME")]
        until: DateTime<Utc>,
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Forfeit a nomination that was not handed in
    #[command(after_help = "Example: showcase nominations forfeit LL-317 --reason 'Nothing was handed in.'")]
    Forfeit {
        code: String,
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

fn instant(text: &str) -> std::result::Result<DateTime<Utc>, String> {
    let parsed = DateTime::parse_from_rfc3339(text);
    parsed.map(|at| at.to_utc()).map_err(|_| "write a time like 2026-03-05T23:59:00-05:00".to_owned())
}

impl Nominations {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = global.open(Access::Write)?;
        let done = match &self.action {
            Action::List { state, missing } => return list(&app, *state, *missing),
            Action::Return { code, slots, reason, until } => {
                let (slots, reason) = (slots.clone(), reason.clone());
                decide(&app, code, Decision::Return { slots, reason, until: *until })
            }
            Action::Extend { code, until, reason } => {
                decide(&app, code, Decision::Extend { until: *until, reason: reason.clone() })
            }
            Action::Forfeit { code, reason } => {
                decide(&app, code, Decision::Forfeit { reason: reason.clone() })
            }
        };
        global.say(&done?);
        Ok(())
    }
}

fn list(app: &App, state: Option<NominationState>, missing: bool) -> Result<()> {
    let zone = app.content().event.time_zone.clone();
    let filter = Filter { state, missing: missing.then_some(true), search: None };
    for found in organiser::list(app, &filter)? {
        let own = &found.own;
        let missing = own.missing();
        let missing = if !missing.is_empty() {
            format!("missing: {}", missing.join(", "))
        } else if own.has_unconfirmed_paper() {
            "complete, the release on paper is not confirmed".into()
        } else {
            "complete".into()
        };
        let due = own.deadline.map(|at| time::local(&time::stored(at), &zone)).unwrap_or_default();
        let (code, state, email) = (&own.nomination.code, own.nomination.state, &found.entrant.email);
        print_line!("{code}  {state:<12}  {due:<19}  {}  {email}  {missing}", own.label)?;
    }
    Ok(())
}

/// Carries out a decision about the nomination with this code, and says so.
fn decide(app: &App, code: &str, decision: Decision) -> Result<String> {
    let filter = Filter { search: Some(code.to_owned()), ..Filter::default() };
    let found = organiser::list(app, &filter)?.into_iter();
    let id = found.map(|found| found.own.nomination).find(|one| one.code.eq_ignore_ascii_case(code));
    let id = id.ok_or_else(|| Error::Failed(format!("There is no nomination {code}.")))?.id;
    let decided = organiser::decide(app, &Actor::CommandLine, id, decision, &Expected::Any)?;
    let nomination = &decided.own.nomination;
    Ok(format!("{} is now {}.", nomination.code, nomination.state))
}
