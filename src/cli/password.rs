//! `showcase password`.

use std::io::{IsTerminal, Read};

use super::Global;
use crate::error::{Error, Result};
use crate::password;

/// Set the organiser's shared password: asked for, or read from standard input
#[derive(clap::Args)]
#[command(after_help = "Example: showcase password < password.txt")]
pub struct Password {}

impl Password {
    pub fn run(&self, global: &Global) -> Result<()> {
        let app = global.app()?;
        password::set(&app, &new_password()?)?;
        global.say("The password is set.");
        Ok(())
    }
}

/// Asked for twice on a terminal; elsewhere the first line of standard input.
fn new_password() -> Result<String> {
    if !std::io::stdin().is_terminal() {
        let mut text = String::new();
        std::io::stdin().take(4096).read_to_string(&mut text)?;
        return Ok(text.lines().next().unwrap_or_default().to_owned());
    }
    let ask = |prompt| rpassword::prompt_password(prompt).map_err(Error::from);
    let password = ask("New password: ")?;
    if ask("The same again: ")? != password {
        return Err(Error::Failed("The two passwords differ; nothing was changed.".into()));
    }
    Ok(password)
}
