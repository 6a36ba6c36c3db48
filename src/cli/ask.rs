//! Asking a person: for a yes, for a password.

use std::io::{BufRead, IsTerminal, Read, Write};

use crate::error::{Error, Result};

/// Asks on a terminal; elsewhere `--yes` is needed.
///
/// # Errors
/// [`Error::Failed`] when the answer is not yes, or nobody is there to give one.
pub fn confirm(question: &str) -> Result<()> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::Failed(format!("{question} Say --yes to do so without being asked.")));
    }
    let mut out = std::io::stderr();
    write!(out, "{question} [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Error::Failed("Nothing was changed.".into())),
    }
}

/// A new password: asked for twice on a terminal; elsewhere the first line of standard input.
pub fn new_password() -> Result<String> {
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
