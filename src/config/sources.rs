//! Where settings come from: the compiled-in defaults, a file, the environment, and secret files.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::error::{Error, Result};

const DEFAULTS: &str = include_str!("../../config.example.toml");

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

/// The settings of all sources but the flags, in one table, and what in the environment is no setting.
pub fn merged(asked_for: Option<&Path>) -> Result<(Table, Vec<String>)> {
    let mut table = defaults();
    if let Some(path) = config_file(asked_for)? {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Error::Failed(format!("{} cannot be read: {error}.", path.display())))?;
        merge_file(&mut table, &text, &path)?;
    }
    merge_environment(&mut table, &|name| std::env::var(name).ok())?;
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    Ok((table, unknown_variables(names)))
}

/// A sentence for each variable that looks like a setting of ours and is none.
fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<String> {
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

fn nearest<'a>(known: &'a [String], word: &str) -> &'a str {
    known
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(a, word).total_cmp(&strsim::jaro_winkler(b, word)))
        .map_or("", String::as_str)
}

pub fn defaults() -> Table {
    DEFAULTS.parse().expect("config.example.toml is TOML")
}

/// The file asked for, else `config.toml` in the working directory if it is there.
fn config_file(asked_for: Option<&Path>) -> Result<Option<PathBuf>> {
    match asked_for {
        Some(path) if path.is_file() => Ok(Some(path.to_owned())),
        Some(path) => Err(Error::Failed(format!(
            "There is no configuration file {}; config.example.toml shows what one holds.",
            path.display()
        ))),
        None => Ok(Some(PathBuf::from("config.toml")).filter(|path| path.is_file())),
    }
}

fn merge_file(table: &mut Table, text: &str, path: &Path) -> Result<()> {
    let file: Table = text
        .parse()
        .map_err(|error| Error::Failed(format!("{} is not valid TOML: {error}", path.display())))?;
    for (key, value) in file {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(section)), Value::Table(given)) => {
                for (inner, value) in given {
                    if !section.contains_key(&inner) {
                        return Err(unknown_key(&format!("{key}.{inner}"), path));
                    }
                    require_type(&format!("{key}.{inner}"), &section[&inner], &value, path)?;
                    section.insert(inner, value);
                }
            }
            (Some(Value::Table(_)), _) => {
                return Err(Error::Failed(format!(
                    "{}: '{key}' is a section; write [{key}] and its keys below.",
                    path.display()
                )));
            }
            (Some(known), value) => {
                require_type(&key, known, &value, path)?;
                *known = value;
            }
            (None, _) => return Err(unknown_key(&key, path)),
        }
    }
    Ok(())
}

fn require_type(key: &str, default: &Value, given: &Value, path: &Path) -> Result<()> {
    if std::mem::discriminant(default) == std::mem::discriminant(given) {
        return Ok(());
    }
    let wanted = match default {
        Value::Integer(_) => "a whole number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list like [\"a\", \"b\"]",
        _ => "a text in quotation marks",
    };
    Err(Error::Failed(format!("{}: '{key}' must be {wanted}.", path.display())))
}

fn unknown_key(key: &str, path: &Path) -> Error {
    let known = keys(&defaults());
    let nearest = nearest(&known, key);
    Error::Failed(format!("{}: there is no setting '{key}'. Did you mean '{nearest}'?", path.display()))
}

/// Every key, dotted, in the order of the file.
fn keys(table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(section) => found.extend(section.keys().map(|inner| format!("{key}.{inner}"))),
            _ => found.push(key.clone()),
        }
    }
    found
}

fn merge_environment(table: &mut Table, variable: &dyn Fn(&str) -> Option<String>) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn loaded(file: &str, variables: &[(&str, &str)]) -> Result<Config> {
        let mut table = defaults();
        merge_file(&mut table, file, Path::new("config.toml"))?;
        merge_environment(&mut table, &|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })?;
        Config::from_table(table)
    }

    #[test]
    fn the_example_gives_every_setting_its_default() {
        let config = Config::default();
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.limits.body_bytes, 65_536);
        assert_eq!(config.reports.daily_at.to_string(), "09:00:00");
    }

    #[test]
    fn environment_wins_over_file_and_file_over_default() {
        let file = "[smtp]\nhost = 'mail.example.com'\nport = 2525";
        let config =
            loaded(file, &[("SHOWCASE_SMTP_PORT", "465"), ("SHOWCASE_PROXY_TRUSTED", "10.0.0.1, ::1")])
                .expect("valid settings");
        assert_eq!((config.smtp.host.as_str(), config.smtp.port), ("mail.example.com", 465));
        assert_eq!(config.proxy.trusted, ["10.0.0.1", "::1"]);
    }

    #[test]
    fn wrong_settings_are_told_in_one_sentence() {
        let folder = tempfile::tempdir().expect("a folder");
        let secret = folder.path().join("smtp_password");
        std::fs::write(&secret, "hush\n").expect("a file");
        let (secret, folder) = (secret.display().to_string(), folder.path().display().to_string());
        type Case<'a> = (&'a str, Vec<(&'a str, &'a str)>, &'a str);
        let cases: [Case; 16] = [
            ("[smtp]\nhots = 'x'", vec![], "Did you mean 'smtp.host'?"),
            ("lisen = 'x'", vec![], "Did you mean 'listen'?"),
            ("smtp = 3", vec![], "'smtp' is a section"),
            ("[smtp]\nport = '25'", vec![], "'smtp.port' must be a whole number"),
            ("[reports]\ninclude_csv = 1", vec![], "'reports.include_csv' must be true or false"),
            ("[tls]\ndomains = 'a.example.com'", vec![], "'tls.domains' must be a list"),
            ("listen = 'nowhere'", vec![], "`listen`"),
            ("[tls]\nchallenge = 'dns-01'", vec![], "`tls.challenge`"),
            ("[metrics]\nlisten = 'nine'", vec![], "`metrics.listen`"),
            ("[smtp]\nport = 70000", vec![], "`smtp.port`"),
            ("", vec![("SHOWCASE_SMTP_PASSWORD_FILE", "/dev/zero")], "no ordinary file"),
            ("[reports]\ndaily_at = 'nine'", vec![], "'nine' is not a time like 09:00"),
            ("[reports]\nweekly_on = 'someday'", vec![], "`reports.weekly_on`"),
            ("", vec![("SHOWCASE_SMTP_PORT", "many")], "SHOWCASE_SMTP_PORT"),
            (
                "",
                vec![("SHOWCASE_SMTP_PASSWORD", "a"), ("SHOWCASE_SMTP_PASSWORD_FILE", &secret)],
                "keep one of them",
            ),
            (
                "",
                vec![("SHOWCASE_SMTP_PASSWORD_FILE", "/b"), ("CREDENTIALS_DIRECTORY", &folder)],
                "keep one of them",
            ),
        ];
        for (file, variables, part) in cases {
            let error = loaded(file, &variables).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
        let config = loaded("", &[("CREDENTIALS_DIRECTORY", &folder)]).expect("a secret from a file");
        assert_eq!(config.smtp.password.expose(), "hush");
    }

    #[test]
    fn a_variable_that_is_no_setting_is_told() {
        let names = ["SHOWCASE_SMTP_HOTS", "SHOWCASE_SMTP_PASSWORD_FILE", "SHOWCASE_LISTEN", "HOME"];
        let told = unknown_variables(names.into_iter().map(str::to_owned));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("did you mean SHOWCASE_SMTP_HOST?"), "{told:?}");
    }

    #[test]
    fn a_secret_is_never_printed() {
        let config = loaded("[admin]\npassword = 'hush'", &[]).expect("valid settings");
        assert!(!format!("{config:?}").contains("hush"));
    }
}
