//! `showcase systemd`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::{Global, output};
use crate::config::{self, Config, Flags};
use crate::error::Result;

const CONFIG: &str = "/etc/showcase/config.toml";
const SECRETS: &str = "/etc/showcase/secrets";
/// The folder that systemd gives the service.
const STATE: &str = "/var/lib/showcase";
const UNIT: &str = include_str!("systemd/showcase.service");

/// Print a hardened systemd unit for this machine
#[derive(clap::Args)]
#[command(after_help = "Example: showcase systemd > /etc/systemd/system/showcase.service")]
pub struct Systemd {
    /// Run as this existing user instead of a dynamic one
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// The folder with one file for each secret, such as smtp_password
    #[arg(long, value_name = "FOLDER", default_value = SECRETS)]
    secrets: PathBuf,
}

impl Systemd {
    pub fn run(&self, global: &Global) -> Result<()> {
        let program = std::env::current_exe()?;
        let config = match &global.config {
            Some(path) => path.canonicalize().unwrap_or_else(|_| path.clone()),
            None => PathBuf::from(CONFIG),
        };
        let settings = if config.is_file() {
            Config::load(&Flags { config: Some(config.clone()), ..Flags::default() })?
        } else {
            Config::default()
        };
        let database = database(global, &settings)?;
        let folders = other_folders(&settings, &database);
        if global.config.is_some() && !config.is_file() {
            let config = config.display();
            global.say(&format!("There is no {config} yet: the service does not start without it."));
        }
        self.warn(global, &program, &database, &folders);
        let user = match &self.user {
            Some(name) => format!("User={name}"),
            None => "DynamicUser=yes".to_owned(),
        };
        let unit = UNIT
            .replace("{program}", &quoted(&program))
            .replace("{config}", &escaped(&config))
            .replace("{user}", &user)
            .replace("{files}", &(settings.limits.connections + 1000).to_string())
            .replace("{database}", &database_flag(global, &database))
            .replace("{writable}", &writable(&folders))
            .replace("{credentials}\n", &credentials(&self.secrets));
        output::print(unit.as_bytes())
    }

    /// Tells the user about paths and users that the unit cannot work with.
    fn warn(&self, global: &Global, program: &Path, database: &Path, folders: &[PathBuf]) {
        if let Some(home) = home(program) {
            let program = program.display();
            global.say(&format!(
                "Services cannot access {home}: copy {program} to /usr/local/bin and run this command from there."
            ));
        }
        let others = folders.iter().map(PathBuf::as_path).filter(|folder| Some(*folder) != database.parent());
        for path in [database].into_iter().chain(others) {
            if let Some(home) = home(path) {
                global.say(&format!(
                    "Services cannot access {home}: move {} to another folder and run this command again.",
                    path.display()
                ));
            }
        }
        match &self.user {
            Some(user) => {
                let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
                if !users.lines().any(|line| line.split(':').next() == Some(user)) {
                    global.say(&format!(
                        "There is no user '{user}' yet. Create it: `adduser --system --group {user}`."
                    ));
                }
            }
            None => {
                for folder in folders.iter().map(|folder| folder.display()) {
                    global.say(&format!(
                        "A dynamic user cannot own {folder}: run this command again with --user showcase, and make \
                         that user the folder's owner."
                    ));
                }
            }
        }
    }
}

/// The home folder, hidden from services, that contains the path.
fn home(path: &Path) -> Option<&'static str> {
    ["/root", "/home"].into_iter().find(|home| path.starts_with(home))
}

/// The absolute path of the database. A path in the settings is relative to the service's working folder; one in the
/// flag is relative to the current folder.
fn database(global: &Global, settings: &Config) -> Result<PathBuf> {
    match &global.database {
        Some(typed) => Ok(std::path::absolute(typed)?),
        None => Ok(Path::new(STATE).join(&settings.database)),
    }
}

/// A typed database, for the command line in the unit. Without one the service reads the settings, as commands do.
fn database_flag(global: &Global, database: &Path) -> String {
    match &global.database {
        Some(_) => format!(" --database {}", quoted_argument(database)),
        None => String::new(),
    }
}

/// The folders outside its state folder that the service writes to.
fn other_folders(settings: &Config, database: &Path) -> Vec<PathBuf> {
    let backups = Path::new(&settings.backup.folder);
    let mut folders: Vec<PathBuf> = [database.parent(), Some(backups)]
        .into_iter()
        .flatten()
        .filter(|folder| folder.is_absolute() && !folder.starts_with(STATE))
        .map(Path::to_owned)
        .collect();
    folders.dedup();
    folders
}

/// `-` lets the service start although a folder is missing, for instance because a disk was not mounted. The
/// report then mentions missing backups, and the log a missing database.
fn writable(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| format!("ReadWritePaths=\"-{}\"\n", in_quotes(folder))).collect()
}

/// Escapes a path for any setting but a command line (`systemd.unit(5)`, "Specifiers").
fn escaped(path: &Path) -> String {
    path.display().to_string().replace('%', "%%")
}

/// Quotes the program of a command line in a unit (`systemd.service(5)`).
fn quoted(program: &Path) -> String {
    format!("\"{}\"", in_quotes(program))
}

/// Escapes a path between quotes.
fn in_quotes(path: &Path) -> String {
    escaped(path).replace('\\', "\\\\").replace('"', "\\\"")
}

/// Quotes a path among the arguments, where systemd also replaces variables.
fn quoted_argument(path: &Path) -> String {
    quoted(path).replace('$', "$$")
}

/// A line for each secret. Those without a file are commented out, because a missing file prevents the start.
fn credentials(folder: &Path) -> String {
    let mut lines = String::new();
    for key in config::SECRETS {
        let name = key.replace('.', "_");
        let file = folder.join(&name);
        let comment = if file.is_file() { "" } else { "#" };
        let _ = writeln!(lines, "{comment}LoadCredential={name}:{}", escaped(&file));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_on_a_command_line_are_quoted_and_escaped() {
        for (path, program, argument) in [
            ("/usr/bin/showcase", r#""/usr/bin/showcase""#, r#""/usr/bin/showcase""#),
            ("/opt/a b/100%", r#""/opt/a b/100%%""#, r#""/opt/a b/100%%""#),
            (r#"/opt/"a"\b"#, r#""/opt/\"a\"\\b""#, r#""/opt/\"a\"\\b""#),
            ("/opt/$a", r#""/opt/$a""#, r#""/opt/$$a""#),
        ] {
            assert_eq!(quoted(Path::new(path)), program);
            assert_eq!(quoted_argument(Path::new(path)), argument);
        }
    }
}
