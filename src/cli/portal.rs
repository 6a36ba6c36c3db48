//! `showcase portal`.

use clap::Subcommand;

use super::Global;
use crate::error::{Error, Result};
use crate::portal::access;

/// Invite competitors to the Artist Portal
#[derive(clap::Args)]
#[command(after_help = "Example: showcase portal invite --all")]
pub struct Portal {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Email a link to one competitor, or to everybody with a nomination
    #[command(
        after_help = "Examples:\n  showcase portal invite ada@example.com\n  showcase portal invite --all"
    )]
    Invite {
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        email: Option<String>,
        #[arg(long)]
        all: bool,
    },
}

impl Portal {
    pub fn run(&self, global: &Global) -> Result<()> {
        let Action::Invite { email, .. } = &self.action;
        let (app, is_served) = global.open_and_server()?;
        if !app.content().portal.open {
            return Err(Error::Failed(
                "The Artist Portal is closed. Set `open = true` under [portal] in the content first.".into(),
            ));
        }
        let addresses = match email {
            Some(email) => vec![email.clone()],
            None => access::addresses(&app)?,
        };
        let mut queued = 0;
        for address in &addresses {
            queued += usize::from(access::send_link(&app, address)?);
        }
        if let (Some(email), 0) = (email, queued) {
            return Err(Error::Failed(format!(
                "No link was sent: {email} has no paid entry, or had ten links in the last 24 hours."
            )));
        }
        match queued {
            0 => global.say(
                "No link was sent: nobody has a nomination, or each had ten links in the last 24 hours.",
            ),
            1 => global.say_queued(&app, "1 link is", is_served),
            _ => global.say_queued(&app, &format!("{queued} links are"), is_served),
        }
        Ok(())
    }
}
