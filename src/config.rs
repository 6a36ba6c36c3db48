//! Settings: flag > environment > `config.toml` > default (contract, section 2).
//!
//! The defaults are `config.example.toml` itself, compiled in: that file is the one list of keys, so
//! it cannot be incomplete. Left out on purpose: settings that change while running.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use crate::error::{Error, Result};
use crate::model::Secret;

const DEFAULTS: &str = include_str!("../config.example.toml");

/// Keys whose value may also come from a file, and never appears in a log.
const SECRETS: [&str; 6] = [
    "admin.password",
    "admin.password_hash",
    "smtp.password",
    "stripe.secret_key",
    "stripe.webhook_secret",
    "smtp.username",
];

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub public_url: String,
    pub listen: SocketAddr,
    pub database: PathBuf,
    pub tls: Tls,
    pub admin: Admin,
    pub smtp: Smtp,
    pub stripe: Stripe,
    pub reports: Reports,
    pub backup: Backup,
    pub limits: Limits,
    pub proxy: Proxy,
    pub metrics: Metrics,
    pub log: Log,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    pub domains: Vec<String>,
    pub contact: String,
    pub listen: SocketAddr,
    pub http_listen: SocketAddr,
    pub challenge: String,
    pub directory_url: String,
    pub ca_file: String,
    pub certificate: String,
    pub private_key: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Admin {
    pub password: Secret,
    pub password_hash: Secret,
    pub session_hours: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smtp {
    pub host: String,
    pub port: u16,
    pub security: SmtpSecurity,
    pub username: Secret,
    pub password: Secret,
    pub from: String,
    pub reply_to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SmtpSecurity {
    Implicit,
    Starttls,
    None,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stripe {
    pub secret_key: Secret,
    pub publishable_key: String,
    pub webhook_secret: Secret,
    pub api_base: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reports {
    pub recipient: String,
    pub daily_at: String,
    pub weekly_on: String,
    pub weekly_at: String,
    pub include_csv: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    pub folder: String,
    pub every_hours: u32,
    pub keep: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub writes_per_minute: u32,
    pub sign_ins_per_minute: u32,
    pub body_bytes: usize,
    pub signed_in_body_bytes: usize,
    pub connections: usize,
    pub handshake_seconds: u64,
    pub first_request_seconds: u64,
    pub header_seconds: u64,
    pub body_seconds: u64,
    pub shutdown_seconds: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxy {
    pub trusted: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    pub listen: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    pub format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

/// What was said on the command line; `None` leaves the setting to the other sources.
#[derive(Debug, Default, Clone)]
pub struct Flags {
    pub config: Option<PathBuf>,
    pub database: Option<PathBuf>,
    pub listen: Option<SocketAddr>,
    pub domains: Vec<String>,
}

impl Config {
    /// Reads all sources.
    ///
    /// # Errors
    /// One sentence that names the file or variable and what to do.
    pub fn load(flags: &Flags) -> Result<Config> {
        let mut table = defaults();
        if let Some(path) = config_file(flags)? {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| Error::Failed(format!("{} cannot be read: {error}.", path.display())))?;
            merge_file(&mut table, &text, &path)?;
        }
        merge_environment(&mut table, &|name| std::env::var(name).ok())?;
        let mut config = Config::from_table(table)?;
        config.apply(flags);
        Ok(config)
    }

    fn from_table(table: Table) -> Result<Config> {
        table.try_into().map_err(|error: toml::de::Error| {
            Error::Failed(format!("A setting has a value that it cannot take: {}.", error.message()))
        })
    }

    fn apply(&mut self, flags: &Flags) {
        if let Some(database) = &flags.database {
            self.database.clone_from(database);
        }
        if let Some(listen) = flags.listen {
            self.listen = listen;
        }
        if !flags.domains.is_empty() {
            self.tls.domains.clone_from(&flags.domains);
        }
        while self.public_url.ends_with('/') {
            self.public_url.pop();
        }
    }
}

impl Default for Config {
    /// The defaults alone, as in `config.example.toml`.
    fn default() -> Self {
        Config::from_table(defaults()).expect("config.example.toml gives every setting")
    }
}

fn defaults() -> Table {
    DEFAULTS.parse().expect("config.example.toml is TOML")
}

/// The file asked for, else `config.toml` in the working directory if it is there.
fn config_file(flags: &Flags) -> Result<Option<PathBuf>> {
    match &flags.config {
        Some(path) if path.is_file() => Ok(Some(path.clone())),
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
                    section.insert(inner, value);
                }
            }
            (Some(Value::Table(_)), _) => {
                return Err(Error::Failed(format!(
                    "{}: '{key}' is a section; write [{key}] and its keys below.",
                    path.display()
                )));
            }
            (Some(known), value) => *known = value,
            (None, _) => return Err(unknown_key(&key, path)),
        }
    }
    Ok(())
}

fn unknown_key(key: &str, path: &Path) -> Error {
    let known = keys(&defaults());
    let nearest = known
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(a, key).total_cmp(&strsim::jaro_winkler(b, key)))
        .map_or("", String::as_str);
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
        let name = format!("SHOWCASE_{}", key.replace('.', "_").to_uppercase());
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
            (None, Some(file)) => std::fs::read_to_string(&file)
                .map_err(|error| {
                    Error::Failed(format!("The secret file {} cannot be read: {error}.", file.display()))
                })?
                .trim_end_matches(['\r', '\n'])
                .to_owned(),
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
        assert_eq!(config.reports.daily_at, "09:00");
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
        let cases: [Case; 7] = [
            ("[smtp]\nhots = 'x'", vec![], "Did you mean 'smtp.host'?"),
            ("lisen = 'x'", vec![], "Did you mean 'listen'?"),
            ("smtp = 3", vec![], "'smtp' is a section"),
            ("listen = 'nowhere'", vec![], "cannot take"),
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
    fn a_secret_is_never_printed() {
        let config = loaded("[admin]\npassword = 'hush'", &[]).expect("valid settings");
        assert!(!format!("{config:?}").contains("hush"));
    }
}
