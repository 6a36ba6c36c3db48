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

/// Print a hardened unit file for this machine
#[derive(clap::Args)]
#[command(after_help = "Example: showcase systemd > /etc/systemd/system/showcase.service")]
pub struct Systemd {
    /// Run as this user, which must exist, instead of one that systemd makes
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// Where the secrets lie, a file each, such as smtp_password
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
        let folders = outside(&settings, &database);
        self.warn(global, &program, &database, &folders);
        let user = match &self.user {
            Some(name) => format!("User={name}"),
            None => "DynamicUser=yes".to_owned(),
        };
        let unit = UNIT
            .replace("{program}", &program.display().to_string())
            .replace("{config}", &config.display().to_string())
            .replace("{user}", &user)
            .replace("{files}", &(settings.limits.connections + 1000).to_string())
            .replace("{database}", &quoted(&database))
            .replace("{writable}", &writable(&folders))
            .replace("{credentials}\n", &credentials(&self.secrets));
        output::print(unit.as_bytes())
    }

    /// Says what the unit cannot work with as things are.
    fn warn(&self, global: &Global, program: &Path, database: &Path, folders: &[PathBuf]) {
        if let Some(home) = home(program) {
            let program = program.display();
            global.say(&format!(
                "Services do not see {home}: copy {program} to /usr/local/bin and print this anew."
            ));
        }
        if let Some(home) = home(database) {
            global.say(&format!(
                "Services do not see {home}: move {} to another folder and print this anew.",
                database.display()
            ));
        }
        for folder in folders.iter().filter(|_| self.user.is_none()) {
            let folder = folder.display();
            global.say(&format!(
                "A user that systemd makes cannot own {folder}: print this anew with --user showcase, and give \
                 that user the folder."
            ));
        }
        let Some(user) = &self.user else { return };
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        if !users.lines().any(|line| line.split(':').next() == Some(user)) {
            global
                .say(&format!("There is no user '{user}' yet: `adduser --system --group {user}` makes it."));
        }
    }
}

/// Where services see nothing.
fn home(path: &Path) -> Option<&'static str> {
    ["/root", "/home"].into_iter().find(|home| path.starts_with(home))
}

/// The database as the service finds it, whose working folder is its state: only the flag is of whoever types it.
fn database(global: &Global, settings: &Config) -> Result<PathBuf> {
    match &global.database {
        Some(typed) => Ok(std::path::absolute(typed)?),
        None => Ok(Path::new(STATE).join(&settings.database)),
    }
}

/// Folders that the service writes to, outside of the one that systemd gives it.
fn outside(settings: &Config, database: &Path) -> Vec<PathBuf> {
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

/// A folder that is missing, as with a disk that does not come up, must not keep the site from starting: the report
/// tells of missing backups, and the log of a missing database.
fn writable(folders: &[PathBuf]) -> String {
    let line = |folder: &PathBuf| {
        format!("ReadWritePaths=\"-{}\"\n", folder.display().to_string().replace('%', "%%"))
    };
    folders.iter().map(line).collect()
}

/// A path as a command line of systemd takes it (`systemd.service(5)`).
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{text}\"")
}

/// A line for each secret; only those that are there are switched on, for a missing one keeps a unit from starting.
fn credentials(folder: &Path) -> String {
    let mut lines = String::new();
    for key in config::SECRETS {
        let name = key.replace('.', "_");
        let file = folder.join(&name);
        let off = if file.is_file() { "" } else { "#" };
        let _ = writeln!(lines, "{off}LoadCredential={name}:{}", file.display());
    }
    lines
}
