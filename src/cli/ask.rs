//! Prompts: confirmation and passwords.

use std::io::{BufRead, IsTerminal, Read, Write};

use crate::error::{Error, Result};

/// Asks a question on the terminal. Without a terminal `--yes` is needed.
///
/// # Errors
/// [`Error::Failed`] when the answer is not yes, or there is no terminal.
pub fn confirm(question: &str) -> Result<()> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::Failed(format!(
            "Cannot ask for confirmation, because standard input is not a terminal: {question} Add --yes to confirm."
        )));
    }
    let mut out = std::io::stderr();
    write!(out, "{question} [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Error::Failed("Nothing was changed.".into())),
    }
}

/// Reads a new password: twice from a terminal, otherwise the first line of standard input.
///
/// # Errors
/// [`Error::Failed`] if the two differ.
pub fn new_password() -> Result<String> {
    if !std::io::stdin().is_terminal() {
        let mut text = String::new();
        std::io::stdin().take(4096).read_to_string(&mut text)?;
        return Ok(text.lines().next().unwrap_or_default().to_owned());
    }
    let ask = |prompt| rpassword::prompt_password(prompt).map_err(Error::from);
    let password = ask("New password: ")?;
    if ask("Repeat the password: ")? != password {
        return Err(Error::Failed("The two passwords differ. Nothing was changed.".into()));
    }
    Ok(password)
}
