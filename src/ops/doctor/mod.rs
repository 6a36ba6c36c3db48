//! Checks everything that would keep a site from working, before visitors find out. Each finding says what was found
//! and, unless all is well, what to do.
//!
//! The checks run in parallel and each network request has a short timeout, so they end soon even without Internet.

mod certificate;
mod content;
mod files;
mod mail;
mod network;
mod payment;
mod proxy;
mod web;

use std::thread;

use crate::admin::password::MIN_LENGTH;
use crate::config::Config;
use crate::store::ServerLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    Good,
    /// Worth knowing; nothing breaks.
    Note,
    /// Something would break.
    Problem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub grade: Grade,
    /// The topic: `disk`, `mail`, …
    pub about: &'static str,
    pub message: String,
}

impl Finding {
    fn good(message: impl Into<String>) -> Finding {
        Finding { grade: Grade::Good, about: "", message: message.into() }
    }

    fn note(message: impl Into<String>) -> Finding {
        Finding { grade: Grade::Note, about: "", message: message.into() }
    }

    fn problem(message: impl Into<String>) -> Finding {
        Finding { grade: Grade::Problem, about: "", message: message.into() }
    }

    /// Sets another topic than that of the check.
    fn about(self, about: &'static str) -> Finding {
        Finding { about, ..self }
    }
}

/// What to check besides the settings.
pub struct Request<'a> {
    /// The configuration file, whose permissions are checked.
    pub config_file: Option<&'a std::path::Path>,
    /// The address for a test email.
    pub test_mail_to: Option<&'a str>,
}

/// All findings, in the order in which a host would fix them.
pub fn examine(config: &Config, request: &Request<'_>) -> Vec<Finding> {
    // Comes before the checks open the database: closing a descriptor of that file releases SQLite's locks on it.
    let is_served = ServerLock::is_held(&config.database);
    type Check<'a> = (&'static str, Box<dyn Fn() -> Vec<Finding> + Send + Sync + 'a>);
    let checks: [Check<'_>; 13] = [
        ("settings", Box::new(|| settings(config))),
        ("permissions", Box::new(|| files::permissions(config, request.config_file))),
        ("disk", Box::new(|| files::disk(config))),
        ("database", Box::new(|| files::database(config))),
        ("backups", Box::new(|| files::backups(config))),
        ("photos", Box::new(|| files::photos(config))),
        ("clock", Box::new(|| network::clock(config))),
        ("ports", Box::new(|| network::names_and_ports(config, is_served))),
        ("certificate", Box::new(|| certificate::certificate(config))),
        ("proxy", Box::new(|| proxy::client_address(config))),
        ("mail", Box::new(|| mail::server(config, request.test_mail_to))),
        ("payment", Box::new(|| payment::keys(config))),
        ("content", Box::new(|| content::check(config))),
    ];
    thread::scope(|scope| {
        let running: Vec<_> = checks.iter().map(|(about, check)| (*about, scope.spawn(check))).collect();
        let panicked =
            || vec![Finding::problem("A check failed unexpectedly. Please report this.").about("doctor")];
        let mut findings = Vec::new();
        for (about, check) in running {
            let found = check.join().unwrap_or_else(|_| panicked()).into_iter();
            findings.extend(
                found.map(|finding| if finding.about.is_empty() { finding.about(about) } else { finding }),
            );
        }
        findings
    })
}

fn settings(config: &Config) -> Vec<Finding> {
    let mut found: Vec<Finding> = config.problems().into_iter().map(Finding::problem).collect();
    found.extend(config.warnings.iter().map(Finding::note));
    if config.public_url.is_empty() && config.tls.domains.is_empty() {
        found.push(Finding::note(format!(
                "public_url is not set, so emails, link previews and the calendar use http://{}. Set it to the address that people type.",
                config.listen
            )));
    }
    let password = config.admin.password.expose();
    if !password.is_empty() && password.chars().count() < MIN_LENGTH {
        found.push(Finding::note(format!("admin.password has fewer than {MIN_LENGTH} characters, so it can be guessed. Choose a longer one.")));
    }
    if found.is_empty() {
        found.push(Finding::good("readable and consistent"));
    }
    found
}
