//! The command line: one file a command, each calling a use case. Results go to standard output, everything else to
//! standard error. Exit codes are in docs/reference.md, "Commands".

mod ask;
mod backup;
mod content;
mod doctor;
mod edition;
mod export;
mod files;
mod lists;
mod migrate;
mod outbox;
mod output;
mod password;
mod payments;
mod person;
mod progress;
mod provider;
mod refund;
mod report;
mod serve;
mod shell;
mod supervisor;
mod systemd;
mod user;

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use chrono::NaiveDate;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Parser, Subcommand};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::app::App;
use crate::config::{Config, Flags, LogFormat};
use crate::error::{Error, Result};
use crate::mail;
use crate::site;
use crate::store::{ServerLock, Store, is_writable};
use crate::time;

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
    /// The configuration file [default: config.toml in the working directory, if it exists]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The database file [default: showcase.db]
    #[arg(long, global = true, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Increase verbosity; repeat for more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// Print only errors to standard error
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
    Lists(lists::Lists),
    Content(content::ContentCommand),
    Outbox(outbox::Outbox),
    Doctor(doctor::Doctor),
    Systemd(systemd::Systemd),
    Password(password::Password),
    User(user::User),
    Person(person::Person),
    Report(report::Report),
    Completions(shell::Completions),
    Man(shell::Man),
    Payments(payments::Payments),
    Refund(refund::Refund),
    Edition(edition::Edition),
}

/// Runs the command in the process's arguments.
pub fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(&cli),
        Err(usage) if usage.use_stderr() => {
            let _ = usage.print();
            return ExitCode::from(WRONG_USAGE);
        }
        // `--help` and `--version` are results and go to standard output.
        Err(requested) => requested.print().map_err(output::unwritable),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error_line(&format!("showcase: {}", message(&error)));
            match error {
                Error::Malformed(_) => ExitCode::from(WRONG_USAGE),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// An error as the terminal shows it. Each field that broke a rule has a line of its own.
fn message(error: &Error) -> String {
    let Error::Invalid(errors) = error else { return error.for_log() };
    errors.iter().map(|(field, message)| format!("{field}: {message}")).collect::<Vec<_>>().join("\n")
}

/// The exit code for invalid arguments.
const WRONG_USAGE: u8 = 2;

/// Prints a line to standard error. A closed standard error is ignored.
fn print_error_line(sentence: &str) {
    let _ = writeln!(std::io::stderr(), "{sentence}");
}

fn run(cli: &Cli) -> Result<()> {
    match &cli.command {
        Command::Serve(serve) => serve.run(&cli.global),
        Command::Backup(backup) => backup.run(&cli.global),
        Command::Restore(restore) => restore.run(&cli.global),
        Command::Migrate(migrate) => migrate.run(&cli.global),
        Command::Export(export) => export.run(&cli.global),
        Command::Lists(lists) => lists.run(&cli.global),
        Command::Content(content) => content.run(&cli.global),
        Command::Outbox(outbox) => outbox.run(&cli.global),
        Command::Doctor(doctor) => doctor.run(&cli.global),
        Command::Systemd(systemd) => systemd.run(&cli.global),
        Command::Password(password) => password.run(&cli.global),
        Command::Report(report) => report.run(&cli.global),
        Command::User(user) => user.run(&cli.global),
        Command::Person(person) => person.run(&cli.global),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
        Command::Payments(payments) => payments.run(&cli.global),
        Command::Refund(refund) => refund.run(&cli.global),
        Command::Edition(edition) => edition.run(&cli.global),
    }
}

/// What a command does with the database.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Write,
    /// Only reads, so that the database may be on a read-only disk.
    Read,
    /// Reads, and records that in the audit log unless the database is on a read-only disk.
    ReadAudited,
}

impl Global {
    fn flags(&self) -> Flags {
        Flags { config: self.config.clone(), database: self.database.clone(), ..Flags::default() }
    }

    /// Loads the settings and starts the log, for every command but `serve` and `doctor`.
    fn settings(&self) -> Result<Config> {
        let config = Config::load(&self.flags())?;
        self.start_log(config.log.format, LevelFilter::WARN);
        log_warnings(&config);
        Ok(config)
    }

    /// The application of an existing database.
    fn open(&self, access: Access) -> Result<App> {
        open(self.settings()?, access)
    }

    /// The application, and whether a server is running on its database.
    fn open_and_server(&self) -> Result<(App, bool)> {
        let config = self.settings()?;
        let is_served = ServerLock::is_held(&config.database);
        Ok((open(config, Access::Write)?, is_served))
    }

    /// Logs to standard error, so that a command's result can be piped.
    fn start_log(&self, format: LogFormat, default: LevelFilter) {
        let level = match (self.quiet, self.verbose) {
            (true, _) => LevelFilter::ERROR,
            (_, 0) => default,
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

    /// Says that emails were queued, and whether a server will send them. `what` has its verb: 'The email is'.
    fn say_queued(&self, app: &App, what: &str, is_served: bool) {
        let fate = match (mail::outbox::is_active(app), is_served) {
            (false, _) => "and will not be sent: smtp.host is not set in the configuration.",
            (true, true) => "for the running server to send.",
            (true, false) => "until a server runs. None is running: start one with `showcase serve`.",
        };
        self.say(&format!("{what} in the outbox {fate}"));
    }

    /// Prints a sentence for the user to standard error, unless `--quiet` is given.
    fn say(&self, sentence: &str) {
        if !self.quiet {
            print_error_line(sentence);
        }
    }
}

/// Logs the settings' warnings.
fn log_warnings(config: &Config) {
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
}

fn open(config: Config, access: Access) -> Result<App> {
    let is_read_only =
        access == Access::ReadAudited && config.database.exists() && !is_writable(&config.database);
    let store = if access == Access::Read || is_read_only {
        Store::open_read_only(&config.database)?
    } else {
        if let Some(problem) = config.admin.problem() {
            return Err(Error::Failed(problem));
        }
        Store::open(&config.database)?
    };
    let content = site::current(&store)?;
    App::new(config, store, content)
}

/// '1 email' or '2 emails'.
fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Parses one of these texts, which the help lists.
fn one_of<T>(texts: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = String> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(texts).map(|text| text.parse::<T>().expect("a possible value"))
}

/// Parses the id of a record.
fn id(text: &str) -> std::result::Result<i64, String> {
    text.parse().map_err(|_| "it is not an id; write a number like 12".to_owned())
}

/// Parses a numeric argument that is not an id.
fn number<N: FromStr>(text: &str) -> std::result::Result<N, String> {
    text.parse().map_err(|_| "it is not a valid number here; use one like 12".to_owned())
}

/// Parses a date argument.
fn day(text: &str) -> std::result::Result<NaiveDate, String> {
    time::parse_day(text).ok_or_else(|| "it is not a date; write one like 2026-03-28".to_owned())
}

/// Whether the reader of standard output, such as `head`, has closed it. That is not a failure.
fn is_closed_pipe(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn every_command_has_an_example() {
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
