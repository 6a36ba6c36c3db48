//! `showcase doctor`.

use std::path::Path;

use tracing_subscriber::filter::LevelFilter;

use super::output::print_line;
use super::{Global, plural};
use crate::config::{Config, LogFormat};
use crate::error::{Error, Result};
use crate::ops::doctor::{self, Finding, Grade, Request};

/// Check settings, files, network, email and payments before going live
#[derive(clap::Args)]
#[command(after_help = "Example: showcase doctor --send-test-mail me@example.com")]
pub struct Doctor {
    /// Send a test email to this address
    #[arg(long, value_name = "ADDRESS")]
    send_test_mail: Option<String>,
}

impl Doctor {
    pub fn run(&self, global: &Global) -> Result<()> {
        let config = match Config::load(&global.flags()) {
            Ok(config) => config,
            // Nothing else can be checked without settings.
            Err(error) => {
                print(&Finding { grade: Grade::Problem, about: "settings", message: error.to_string() })?;
                return Err(problems(1));
            }
        };
        global.start_log(LogFormat::Text, LevelFilter::ERROR);
        let default = Path::new("config.toml");
        let config_file = global.config.as_deref().or(default.is_file().then_some(default));
        let request = Request { config_file, test_mail_to: self.send_test_mail.as_deref() };
        let findings = doctor::examine(&config, &request);
        findings.iter().try_for_each(print)?;
        match findings.iter().filter(|finding| finding.grade == Grade::Problem).count() {
            0 => Ok(()),
            count => Err(problems(count)),
        }
    }
}

fn print(finding: &Finding) -> Result<()> {
    let grade = match finding.grade {
        Grade::Good => "ok",
        Grade::Note => "note",
        Grade::Problem => "PROBLEM",
    };
    print_line!("{grade:<8} {:<12} {}", finding.about, finding.message)
}

fn problems(count: usize) -> Error {
    let problems = plural(count, "problem", "problems");
    Error::Failed(format!(
        "{problems} found. Each line with PROBLEM says what to do. Fix it and run this again."
    ))
}
