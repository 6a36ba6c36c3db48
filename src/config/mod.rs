//! Settings: flag > environment > `config.toml` > default (docs/reference.md, "Settings").
//!
//! The defaults are `config.example.toml` itself, which is compiled in. So that file is the only list of keys and cannot
//! be incomplete. Left out on purpose: settings that change while the server runs.

mod check;
mod environment;
mod known;
mod proxies;
mod sources;

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::{NaiveTime, TimeDelta, Weekday};
use serde::{Deserialize, Deserializer};
use toml::Table;
use url::Url;

pub use environment::SECRETS;
pub use proxies::{TrustedProxies, UntrustedProxy, untrusted_sentence};

use crate::error::{Error, Result};
use crate::model::Secret;
use crate::time;

/// Each setting is explained in `config.example.toml`.
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
    /// Sentences about harmless mistakes in the settings.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    pub domains: Vec<String>,
    pub contact: String,
    pub listen: SocketAddr,
    #[serde(deserialize_with = "optional_address")]
    pub http_listen: Option<SocketAddr>,
    pub challenge: Challenge,
    pub directory_url: String,
    pub ca_file: String,
    pub certificate: String,
    pub private_key: String,
}

impl Tls {
    /// Whether this server serves HTTPS itself.
    pub fn is_on(&self) -> bool {
        !self.domains.is_empty() || !self.certificate.is_empty()
    }
}

/// How the certificate authority verifies that a name is ours (RFC 8555, section 8; RFC 8737).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Challenge {
    #[serde(rename = "tls-alpn-01")]
    TlsAlpn01,
    #[serde(rename = "http-01")]
    Http01,
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
    pub connections: usize,
    pub timeout_seconds: u64,
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
    pub timeout_seconds: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reports {
    pub recipient: String,
    #[serde(deserialize_with = "time_of_day")]
    pub daily_at: NaiveTime,
    pub weekly_on: Weekday,
    #[serde(deserialize_with = "time_of_day")]
    pub weekly_at: NaiveTime,
    pub include_csv: bool,
    pub wait_seconds: u64,
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
    pub unpaid_payments_per_network: usize,
    pub unpaid_payments: usize,
    pub megabytes_per_day: u32,
    pub confirmations_per_day: u32,
    pub mails_per_hour: u32,
    pub group_mails_per_minute: u32,
    pub body_bytes: usize,
    pub signed_in_body_bytes: usize,
    pub connections: usize,
    pub client_timeout_seconds: u64,
    pub shutdown_seconds: u64,
    pub free_megabytes: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxy {
    pub trusted: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    #[serde(deserialize_with = "optional_address")]
    pub listen: Option<SocketAddr>,
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

/// Settings from the command line. `None` leaves a setting to the other sources.
#[derive(Debug, Default, Clone)]
pub struct Flags {
    pub config: Option<PathBuf>,
    pub database: Option<PathBuf>,
    pub listen: Option<SocketAddr>,
    pub domains: Vec<String>,
}

fn time_of_day<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<NaiveTime, D::Error> {
    let text = String::deserialize(deserializer)?;
    NaiveTime::parse_from_str(&text, "%H:%M")
        .map_err(|_| serde::de::Error::custom(format!("'{text}' is not a time like 09:00")))
}

/// An empty string switches a listener off.
fn optional_address<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |_| serde::de::Error::custom(format!("'{text}' is not an address like 127.0.0.1:9090"));
    text.parse().map(Some).map_err(wrong)
}

impl Config {
    /// Reads all sources.
    pub fn load(flags: &Flags) -> Result<Config> {
        let (table, warnings) = sources::merged(flags.config.as_deref())?;
        let mut config = Config { warnings, ..Config::from_table(table)? };
        config.apply(flags);
        config.public_url = config.public_url.trim_end_matches('/').to_owned();
        config.set_test_clock(std::env::var(time::OFFSET_VARIABLE).ok())?;
        Ok(config)
    }

    /// Sets the clock of the process from a test's environment variable. Refused unless every listener is on a loopback
    /// address.
    fn set_test_clock(&mut self, seconds: Option<String>) -> Result<()> {
        let Some(seconds) = seconds else { return Ok(()) };
        let name = time::OFFSET_VARIABLE;
        if let Some((setting, address)) = self.listeners().iter().find(|(_, at)| !at.ip().is_loopback()) {
            return Err(Error::Failed(format!(
                "{name} is only for tests on this machine, but {setting} is {address}. Unset {name}."
            )));
        }
        let offset = seconds.parse().ok().and_then(TimeDelta::try_seconds);
        let offset = offset.filter(|offset| time::now().checked_add_signed(*offset).is_some());
        let offset = offset.ok_or_else(|| {
            Error::Failed(format!("{name} must be a number of seconds like -3600, not '{seconds}'."))
        })?;
        time::set_offset(offset);
        self.warnings.push(format!("a test has set the clock to {} ({name})", time::stored(time::now())));
        Ok(())
    }

    /// The addresses that a server listens on, with their settings. The site's own address is the first.
    pub fn listeners(&self) -> Vec<(&'static str, SocketAddr)> {
        let tls = &self.tls;
        let mut listeners = if tls.is_on() {
            vec![Some(("tls.listen", tls.listen)), tls.http_listen.map(|at| ("tls.http_listen", at))]
        } else {
            vec![Some(("listen", self.listen))]
        };
        listeners.push(self.metrics.listen.map(|at| ("metrics.listen", at)));
        listeners.into_iter().flatten().collect()
    }

    /// The names that visitors type: the host of `public_url`, and `tls.domains`.
    pub fn hosts(&self) -> Vec<String> {
        let url = Url::parse(&self.public_url).ok();
        let typed = url.as_ref().and_then(Url::host_str).map(|host| host.trim_matches(['[', ']']).to_owned());
        let others = self.tls.domains.iter().filter(|domain| typed.as_ref() != Some(*domain)).cloned();
        typed.iter().cloned().chain(others).collect()
    }

    fn from_table(table: Table) -> Result<Config> {
        // From JSON values, as the content is: deserializing from TOML would make the binary larger.
        let values = serde_json::to_value(table).map_err(|error| Error::Internal(error.to_string()))?;
        serde_path_to_error::deserialize(values).map_err(|error| {
            let (key, message) = (error.path().to_string(), without_rust_types(&error.inner().to_string()));
            Error::Failed(format!("The setting '{key}' is invalid: {}.", message.trim_end_matches('.')))
        })
    }

    fn apply(&mut self, flags: &Flags) {
        if let Some(database) = &flags.database {
            self.database.clone_from(database);
        }
        if !flags.domains.is_empty() {
            self.tls.domains.clone_from(&flags.domains);
        }
        if let Some(listen) = flags.listen {
            self.listen = listen;
            if self.tls.is_on() {
                self.warnings.push(format!(
                    "--listen {listen} is not used: with tls.domains or tls.certificate the server listens on tls.listen, {}",
                    self.tls.listen
                ));
            }
        }
    }
}

/// Replaces the names of Rust's types in serde's messages.
fn without_rust_types(message: &str) -> String {
    message
        .replace("expected u16", "expected a number from 0 to 65535")
        .replace("expected u32", "expected a number from 0 to 4294967295")
        .replace("expected u64", "expected a non-negative integer")
        .replace("expected usize", "expected a non-negative integer")
        .replace("invalid socket address syntax", "it must be an address with its port, like 127.0.0.1:8080")
}

impl Default for Config {
    /// The defaults alone, as in `config.example.toml`.
    fn default() -> Self {
        Config::from_table(known::defaults()).expect("config.example.toml gives every setting")
    }
}
