//! `showcase password`.

use super::{Global, ask};
use crate::error::Result;
use crate::password;

/// Set the organiser's shared password: asked for, or read from standard input
#[derive(clap::Args)]
#[command(after_help = "Example: showcase password < password.txt")]
pub struct Password {}

impl Password {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = global.app()?;
        password::set(&app, &ask::new_password()?)?;
        global.say("The password is set.");
        Ok(())
    }
}
