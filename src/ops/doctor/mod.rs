//! Looks at everything that would keep a site from working, before its visitors do. Each finding says
//! what was seen and, unless all is well, what to do.
//!
//! A machine without Internet gets its findings soon: every question to the network has a short deadline,
//! and they are asked side by side.

mod certificate;
mod content;
mod files;
mod mail;
mod network;
mod payment;
mod proxy;
mod web;

use std::thread;

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
    /// 'disk', 'mail', …
    pub about: &'static str,
    pub words: String,
}

impl Finding {
    fn new(grade: Grade, about: &'static str, words: impl Into<String>) -> Finding {
        Finding { grade, about, words: words.into() }
    }

    fn good(about: &'static str, words: impl Into<String>) -> Finding {
        Finding::new(Grade::Good, about, words)
    }

    fn note(about: &'static str, words: impl Into<String>) -> Finding {
        Finding::new(Grade::Note, about, words)
    }

    fn problem(about: &'static str, words: impl Into<String>) -> Finding {
        Finding::new(Grade::Problem, about, words)
    }
}

/// What is looked at beside the settings.
pub struct Request<'a> {
    /// The configuration file, to look at who may read it.
    pub config_file: Option<&'a std::path::Path>,
    /// Sends a mail there.
    pub test_mail_to: Option<&'a str>,
}

/// All findings, in the order in which a host would put things right.
pub fn examine(config: &Config, request: &Request<'_>) -> Vec<Finding> {
    // Before the looks open the database: asking takes SQLite's locks away from whoever of this process has them.
    let is_served = ServerLock::is_held(&config.database);
    type Look<'a> = Box<dyn Fn() -> Vec<Finding> + Send + Sync + 'a>;
    let looks: [Look<'_>; 12] = [
        Box::new(|| settings(config)),
        Box::new(|| files::permissions(config, request.config_file)),
        Box::new(|| files::disk(config)),
        Box::new(|| files::database(config)),
        Box::new(|| files::backups(config)),
        Box::new(|| network::clock(config)),
        Box::new(|| network::names_and_ports(config, is_served)),
        Box::new(|| certificate::certificate(config)),
        Box::new(|| proxy::client_address(config)),
        Box::new(|| mail::server(config, request.test_mail_to)),
        Box::new(|| payment::keys(config)),
        Box::new(|| content::check(config)),
    ];
    thread::scope(|scope| {
        let looking: Vec<_> = looks.iter().map(|look| scope.spawn(look)).collect();
        let broken = || vec![Finding::problem("doctor", "A look failed; please report this.")];
        looking.into_iter().flat_map(|look| look.join().unwrap_or_else(|_| broken())).collect()
    })
}

fn settings(config: &Config) -> Vec<Finding> {
    let mut found: Vec<Finding> =
        config.problems().into_iter().map(|problem| Finding::problem("settings", problem)).collect();
    found.extend(config.warnings.iter().map(|warning| Finding::note("settings", warning)));
    if config.public_url.is_empty() && config.tls.domains.is_empty() {
        found.push(Finding::note(
            "settings",
            format!(
                "public_url is not set: mails, share tags and the calendar will say http://{}. Set it to the address that people type.",
                config.listen
            ),
        ));
    }
    if found.is_empty() {
        found.push(Finding::good("settings", "can be read and fit together"));
    }
    found
}
