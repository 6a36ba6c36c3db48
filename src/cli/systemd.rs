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
            Config::load(&Flags { config: Some(config.clone()), ..global.flags() })?
        } else {
            Config::default()
        };
        self.warn(global, &program, &settings.backup.folder);
        let user = match &self.user {
            Some(name) => format!("User={name}"),
            None => "DynamicUser=yes".to_owned(),
        };
        let unit = UNIT
            .replace("{program}", &program.display().to_string())
            .replace("{config}", &config.display().to_string())
            .replace("{user}", &user)
            .replace("{files}", &(settings.limits.connections + 1000).to_string())
            .replace("{writable}", &writable(&settings))
            .replace("{credentials}\n", &credentials(&self.secrets));
        output::print(unit.as_bytes())
    }

    /// Says what the unit cannot work with as things are.
    fn warn(&self, global: &Global, program: &Path, backups: &str) {
        if let Some(home) = ["/root", "/home"].into_iter().find(|home| program.starts_with(home)) {
            let program = program.display();
            global.say(&format!(
                "Services do not see {home}: copy {program} to /usr/local/bin and print this anew."
            ));
        }
        if self.user.is_none() && backups.starts_with('/') && !Path::new(backups).starts_with(STATE) {
            global.say(&format!(
                "A user that systemd makes cannot own {backups}: print this anew with --user showcase, and give \
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

/// Backups may lie outside of the one folder that the service may write to. One that is missing, as with a disk
/// that does not come up, must not keep the site from starting: the report tells of it.
fn writable(settings: &Config) -> String {
    match settings.backup.folder.as_str() {
        folder if folder.starts_with('/') => {
            format!("ReadWritePaths=\"-{}\"\n", folder.replace('%', "%%"))
        }
        _ => String::new(),
    }
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
