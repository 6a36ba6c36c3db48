//! Settings from environment variables, and secrets from files.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::known::{defaults, is_unset, keys, nearest};
use crate::error::{Error, Result};

/// The maximum size of a secret file, in bytes.
const MAX_SECRET: u64 = 64 * 1024;

/// Keys whose value may also come from a file and never appears in a log.
pub const SECRETS: [&str; 6] = [
    "admin.password",
    "admin.password_hash",
    "smtp.password",
    "stripe.secret_key",
    "stripe.webhook_secret",
    "smtp.username",
];

/// Overrides the settings in `table` with those from the environment and from secret files.
pub fn merge(table: &mut Table, variable: &dyn Fn(&str) -> Option<String>) -> Result<()> {
    for key in keys(&defaults()) {
        let name = variable_of(&key);
        let direct = variable(&name).filter(|text| !is_unset(&key, &Value::from(text.as_str())));
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
        let value = value_mut(table, &key);
        *value = parse_like(value, &text).ok_or_else(|| {
            Error::Failed(format!("The value of {name} has the wrong type for this setting."))
        })?;
    }
    Ok(())
}

/// The file that holds a secret: `SHOWCASE_SECTION_KEY_FILE` or systemd's credential.
fn secret_file(key: &str, name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<PathBuf>> {
    let path = |name: &str| variable(name).filter(|path| !path.is_empty());
    let named = path(&format!("{name}_FILE")).map(PathBuf::from);
    let credential = path("CREDENTIALS_DIRECTORY")
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

/// Reads a secret from a regular file: reading from a pipe or a device might never end.
fn read_secret(file: &Path) -> Result<String> {
    let unreadable = |cause: &dyn std::fmt::Display| {
        Error::Failed(format!("The secret file {} cannot be read: {cause}.", file.display()))
    };
    let metadata = file.metadata().map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        return Err(unreadable(&"it is not a regular file"));
    }
    if metadata.len() > MAX_SECRET {
        return Err(unreadable(&"it is too large for a secret"));
    }
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(&error))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn value_mut<'a>(table: &'a mut Table, key: &str) -> &'a mut Value {
    match key.split_once('.') {
        Some((section, inner)) => &mut table[section][inner],
        None => &mut table[key],
    }
}

/// Parses the text as a value of the same type as `current`.
fn parse_like(current: &Value, text: &str) -> Option<Value> {
    Some(match current {
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

/// A warning for each `SHOWCASE_` variable that is not a setting.
pub fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
    let known: Vec<String> = keys(&defaults()).iter().map(|key| variable_of(key)).collect();
    let is_known = |name: &str| {
        if name.starts_with("SHOWCASE_TEST_") {
            return true;
        }
        let names_file = name
            .strip_suffix("_FILE")
            .is_some_and(|name| SECRETS.iter().any(|secret| variable_of(secret) == name));
        names_file || known.iter().any(|known| known == name)
    };
    names
        .filter(|name| name.starts_with("SHOWCASE_") && !is_known(name))
        .map(|name| {
            let nearest = nearest(&known, &name);
            format!(
                "the environment variable {name} is not a setting and was ignored; did you mean {nearest}?"
            )
        })
        .collect()
}

pub fn variable_of(key: &str) -> String {
    format!("SHOWCASE_{}", key.replace('.', "_").to_uppercase())
}
