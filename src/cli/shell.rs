//! `showcase completions` and `showcase man`, for packagers.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use super::output::print;
use crate::error::{Error, Result};

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Example: showcase completions bash > /etc/bash_completion.d/showcase")]
pub struct Completions {
    /// The shell to complete commands in
    shell: Shell,
}

/// Print the manual page of the program or of one command, or write all pages to a folder
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase man > showcase.1\n  showcase man person erase > showcase-person-erase.1\n  showcase man --folder man1"
)]
pub struct Man {
    /// The command, such as `export` or `outbox list`
    command: Vec<String>,
    /// Write the pages of the program and of all commands to this existing folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    folder: Option<PathBuf>,
}

impl Completions {
    pub fn run(&self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "showcase", &mut script);
        print(&script)
    }
}

impl Man {
    pub fn run(&self) -> Result<()> {
        let mut command = Cli::command();
        command.build();
        if let Some(folder) = &self.folder {
            return write_pages(&command, folder);
        }
        for name in &self.command {
            let known: Vec<String> =
                command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
            command = command.find_subcommand(name).cloned().ok_or_else(|| {
                Error::Malformed(if known.is_empty() {
                    format!("'{}' has no commands of its own.", command.get_name())
                } else {
                    format!("There is no command '{name}'; it is one of: {}.", known.join(", "))
                })
            })?;
        }
        let mut text = Vec::new();
        page(&command).render(&mut text)?;
        print(&text)
    }
}

fn page(command: &clap::Command) -> clap_mangen::Man {
    clap_mangen::Man::new(command.clone()).source(concat!("showcase ", env!("CARGO_PKG_VERSION")))
}

/// Writes the page of a command and those of its own commands, except the generated `help`.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<()> {
    page(command).generate_to(folder).map_err(Error::io(folder.display().to_string()))?;
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        write_pages(inner, folder)?;
    }
    Ok(())
}
