//! `showcase password`.

use super::{Access, Global, ask, open};
use crate::admin::password;
use crate::error::Result;
use crate::store::migrate;

/// Set the organiser's shared password, typed or from standard input
#[derive(clap::Args)]
#[command(after_help = "Example: showcase password < password.txt")]
pub struct Password {}

impl Password {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = global.settings()?;
        // People set the password before the first start, when there is no database yet.
        if !config.database.exists() {
            migrate::migrate(&config.database)?;
            let database = config.database.display();
            global.say(&format!("There was no database, so {database} was created."));
        }
        let app = open(config, Access::Write)?;
        password::set(&app, &ask::new_password()?)?;
        global.say("The password is set.");
        Ok(())
    }
}
