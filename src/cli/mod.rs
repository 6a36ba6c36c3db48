//! The command line: one file a command, each calling a use case. Results go to standard output, all
//! else to standard error; exit 0 done, 1 failed with one sentence, 2 wrong usage (docs/reference.md, "Commands").

mod ask;
mod backup;
mod content;
mod doctor;
mod export;
mod files;
mod migrate;
mod outbox;
mod output;
mod password;
mod payments;
mod person;
mod provider;
mod refund;
mod report;
mod review;
mod serve;
mod shell;
mod supervisor;
mod systemd;
mod user;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use chrono::NaiveDate;
use clap::{ArgAction, Parser, Subcommand};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::app::App;
use crate::config::{Config, Flags, LogFormat};
use crate::error::{Error, Result};
use crate::mail::outbox as mails;
use crate::site;
use crate::store::{ServerLock, Store, is_writable};

/// The website, registration desk and back office of a two-day beauty showcase and championship.
#[derive(Parser)]
#[command(name = "showcase", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Example: showcase serve --demo")]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Args)]
struct Global {
    /// The configuration file [default: config.toml in the working directory, if there]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The database file [default: showcase.db]
    #[arg(long, global = true, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Increase verbosity; repeat for more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// Say nothing but errors on standard error
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Migrate(migrate::Migrate),
    Export(export::Export),
    Content(content::ContentCommand),
    Outbox(outbox::Outbox),
    Doctor(doctor::Doctor),
    Systemd(systemd::Systemd),
    Password(password::Password),
    User(user::User),
    Person(person::Person),
    Review(review::Review),
    Report(report::Report),
    Completions(shell::Completions),
    Man(shell::Man),
    Payments(payments::Payments),
    Refund(refund::Refund),
}

/// Runs the command of the process's arguments.
pub fn main() -> ExitCode {
    let ended = match Cli::try_parse() {
        Ok(cli) => run(&cli),
        Err(usage) if usage.use_stderr() => {
            let _ = usage.print();
            return ExitCode::from(WRONG_USAGE);
        }
        // Help and the version are results like any other.
        Err(asked) => asked.print().map_err(output::unwritable),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("showcase: {}", error.cause().unwrap_or(&error.to_string())));
            match error {
                Error::Malformed(_) => ExitCode::from(WRONG_USAGE),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// The exit code for what cannot be asked for.
const WRONG_USAGE: u8 = 2;

/// Tells a person something; a standard error that nobody reads is no failure.
fn tell(sentence: &str) {
    let _ = writeln!(std::io::stderr(), "{sentence}");
}

fn run(cli: &Cli) -> Result<()> {
    match &cli.command {
        Command::Serve(serve) => serve.run(&cli.global),
        Command::Backup(backup) => backup.run(&cli.global),
        Command::Restore(restore) => restore.run(&cli.global),
        Command::Migrate(migrate) => migrate.run(&cli.global),
        Command::Export(export) => export.run(&cli.global),
        Command::Content(content) => content.run(&cli.global),
        Command::Outbox(outbox) => outbox.run(&cli.global),
        Command::Doctor(doctor) => doctor.run(&cli.global),
        Command::Systemd(systemd) => systemd.run(&cli.global),
        Command::Password(password) => password.run(&cli.global),
        Command::Review(review) => review.run(&cli.global),
        Command::Report(report) => report.run(&cli.global),
        Command::User(user) => user.run(&cli.global),
        Command::Person(person) => person.run(&cli.global),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Payments(payments) => payments.run(&cli.global),
        Command::Refund(refund) => refund.run(&cli.global),
    }
}

impl Global {
    fn flags(&self) -> Flags {
        Flags { config: self.config.clone(), database: self.database.clone(), ..Flags::default() }
    }

    /// The settings, for a command that works beside a running server.
    fn settings(&self) -> Result<Config> {
        let config = Config::load(&self.flags())?;
        self.start_log(config.log.format, LevelFilter::WARN);
        self.warn(&config);
        Ok(config)
    }

    /// The application of an existing database.
    fn app(&self) -> Result<App> {
        self.app_of(self.settings()?)
    }

    /// The application, and whether a server runs on its database.
    fn app_and_server(&self) -> Result<(App, bool)> {
        let config = self.settings()?;
        let is_served = ServerLock::is_held(&config.database);
        Ok((self.app_of(config)?, is_served))
    }

    /// The application of settings that are read already.
    fn app_of(&self, config: Config) -> Result<App> {
        config.admin.problem().map_or(Ok(()), |problem| Err(Error::Failed(problem)))?;
        let store = Store::open(&config.database)?;
        let content = site::current(&store)?;
        App::new(config, store, content, false)
    }

    /// The application of an existing database that is only read, and may lie where nothing can be written.
    fn app_to_read(&self) -> Result<App> {
        self.app_of_to_read(self.settings()?)
    }

    fn app_of_to_read(&self, config: Config) -> Result<App> {
        let store = Store::open_to_read(&config.database)?;
        let content = site::current(&store)?;
        App::new(config, store, content, false)
    }

    /// As [`Global::app`], so that the audit log hears of it; where nothing can be written, for reading alone.
    fn app_to_take_along(&self) -> Result<App> {
        self.app_of_to_take_along(self.settings()?)
    }

    fn app_of_to_take_along(&self, config: Config) -> Result<App> {
        let is_fixed = config.database.exists() && !is_writable(&config.database);
        if is_fixed { self.app_of_to_read(config) } else { self.app_of(config) }
    }

    /// Logs go to standard error, so that a command's result can be piped.
    fn start_log(&self, format: LogFormat, usual: LevelFilter) {
        let level = match (self.quiet, self.verbose) {
            (true, _) => LevelFilter::ERROR,
            (_, 0) => usual,
            (_, 1) => LevelFilter::DEBUG,
            _ => LevelFilter::TRACE,
        };
        let libraries = level.min(LevelFilter::INFO);
        let targets =
            Targets::new().with_default(libraries).with_targets([("showcase", level), ("request", level)]);
        let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
        let registry = tracing_subscriber::registry().with(targets);
        match format {
            LogFormat::Json => registry.with(log.json()).init(),
            LogFormat::Text => registry.with(log.with_target(false)).init(),
        }
    }

    /// Tells what in the settings is not what somebody meant.
    fn warn(&self, config: &Config) {
        for warning in &config.warnings {
            tracing::warn!("{warning}");
        }
    }

    /// Tells that a mail was queued, and whether anything will send it.
    fn say_queued(&self, app: &App, what: &str, is_served: bool) {
        let fate = match (mails::is_active(app), is_served) {
            (false, _) => "and stays there: smtp.host is not set in the configuration.",
            (true, true) => "and the running server sends it.",
            (true, false) => "and is sent when a server runs (`showcase serve`); none does.",
        };
        self.say(&format!("{what} is in the outbox {fate}"));
    }

    /// Tells how it went, on standard error, unless asked to be quiet.
    fn say(&self, sentence: &str) {
        if !self.quiet {
            tell(sentence);
        }
    }
}

/// A day of the event's calendar, as an argument.
fn day(text: &str) -> std::result::Result<NaiveDate, String> {
    text.parse().map_err(|_| "it is no day; write a day like 2026-03-28".to_owned())
}

/// A reader such as `head` that has seen enough is no failure.
fn is_closed_pipe(error: &Error) -> bool {
    matches!(error, Error::Failed(words) if words.contains("Broken pipe"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn every_command_shows_an_example() {
        let command = super::Cli::command();
        command.clone().debug_assert();
        let mut left: Vec<_> = command.get_subcommands().cloned().collect();
        assert!(left.len() >= 5);
        while let Some(command) = left.pop() {
            let example = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(example.contains("Example"), "{} has no example", command.get_name());
            left.extend(command.get_subcommands().cloned());
        }
    }
}
