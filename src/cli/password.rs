//! `showcase password`.

use super::{Global, ask};
use crate::admin::password;
use crate::error::Result;
use crate::store::migrate;

/// Set the organiser's shared password: asked for, or read from standard input
#[derive(clap::Args)]
#[command(after_help = "Example: showcase password < password.txt")]
pub struct Password {}

impl Password {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = global.settings()?;
        // Setting the password before the first start is the natural order.
        if !config.database.exists() {
            migrate::migrate(&config.database)?;
        }
        let app = global.app_of(config)?;
        password::set(&app, &ask::new_password()?)?;
        global.say("The password is set.");
        Ok(())
    }
}
