//! Settings from the environment, and secrets from files that it names.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::known::{defaults, keys, nearest};
use crate::error::{Error, Result};

/// In bytes.
const LARGEST_SECRET: u64 = 64 * 1024;

/// Keys whose value may also come from a file, and never appears in a log.
pub const SECRETS: [&str; 6] = [
    "admin.password",
    "admin.password_hash",
    "smtp.password",
    "stripe.secret_key",
    "stripe.webhook_secret",
    "smtp.username",
];

/// Puts what the environment says over what is in the table.
///
/// # Errors
/// [`Error::Failed`] names the variable or the file.
pub fn merge(table: &mut Table, variable: &dyn Fn(&str) -> Option<String>) -> Result<()> {
    for key in keys(&defaults()) {
        let name = variable_of(&key);
        let direct = variable(&name);
        let from_file =
            if SECRETS.contains(&key.as_str()) { secret_file(&key, &name, variable)? } else { None };
        let text = match (direct, from_file) {
            (Some(_), Some(file)) => {
                return Err(Error::Failed(format!(
                    "Both {name} and the file {} are set; keep one of them.",
                    file.display()
                )));
            }
            (Some(text), None) => text,
            (None, Some(file)) => read_secret(&file)?,
            (None, None) => continue,
        };
        let slot = slot(table, &key);
        *slot = typed_as(slot, &text)
            .ok_or_else(|| Error::Failed(format!("{name} has a value that this setting cannot take.")))?;
    }
    Ok(())
}

/// The file that holds a secret: `SHOWCASE_SECTION_KEY_FILE`, or systemd's credential.
fn secret_file(key: &str, name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<PathBuf>> {
    let named = variable(&format!("{name}_FILE")).map(PathBuf::from);
    let credential = variable("CREDENTIALS_DIRECTORY")
        .map(|folder| Path::new(&folder).join(key.replace('.', "_")))
        .filter(|path| path.is_file());
    match (named, credential) {
        (Some(_), Some(credential)) => Err(Error::Failed(format!(
            "Both {name}_FILE and the credential {} are set; keep one of them.",
            credential.display()
        ))),
        (named, credential) => Ok(named.or(credential)),
    }
}

/// A pipe or a device would keep the program waiting, or never end.
fn read_secret(file: &Path) -> Result<String> {
    let unreadable = |cause: &dyn std::fmt::Display| {
        Error::Failed(format!("The secret file {} cannot be read: {cause}.", file.display()))
    };
    let present = file.metadata().map_err(|error| unreadable(&error))?;
    if !present.is_file() {
        return Err(unreadable(&"it is no ordinary file"));
    }
    if present.len() > LARGEST_SECRET {
        return Err(unreadable(&"it is too large for a secret"));
    }
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(&error))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn slot<'a>(table: &'a mut Table, key: &str) -> &'a mut Value {
    match key.split_once('.') {
        Some((section, inner)) => &mut table[section][inner],
        None => &mut table[key],
    }
}

/// The text as a value of the same type as the setting's present one.
fn typed_as(present: &Value, text: &str) -> Option<Value> {
    Some(match present {
        Value::Integer(_) => Value::Integer(text.trim().parse().ok()?),
        Value::Boolean(_) => Value::Boolean(text.trim().parse().ok()?),
        Value::Array(_) => Value::Array(
            text.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(|item| Value::String(item.to_owned()))
                .collect(),
        ),
        _ => Value::String(text.to_owned()),
    })
}

/// A sentence for each variable that looks like a setting of ours and is none.
pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
    let known: Vec<String> = keys(&defaults()).iter().map(|key| variable_of(key)).collect();
    let is_known = |name: &str| {
        let of_file = name
            .strip_suffix("_FILE")
            .is_some_and(|name| SECRETS.iter().any(|secret| variable_of(secret) == name));
        of_file || known.iter().any(|known| known == name)
    };
    names
        .filter(|name| name.starts_with("SHOWCASE_") && !is_known(name))
        .map(|name| {
            let nearest = nearest(&known, &name);
            format!("the environment's {name} is no setting and was not read; did you mean {nearest}?")
        })
        .collect()
}

fn variable_of(key: &str) -> String {
    format!("SHOWCASE_{}", key.replace('.', "_").to_uppercase())
}
