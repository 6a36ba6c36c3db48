//! `showcase completions` and `showcase man`, for packagers.

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use super::output::print;
use crate::error::Result;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Example: showcase completions bash > /etc/bash_completion.d/showcase")]
pub struct Completions {
    /// The shell to complete commands in
    shell: Shell,
}

/// Print the manual page of the program or of one command
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  showcase man > showcase.1\n  showcase man person erase > showcase-person-erase.1"
)]
pub struct Man {
    /// The command, such as `export` or `outbox list`
    command: Vec<String>,
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
        for name in &self.command {
            let known: Vec<String> =
                command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
            command = command.find_subcommand(name).cloned().ok_or_else(|| {
                crate::error::Error::Malformed(format!(
                    "There is no command '{name}'; it is one of: {}.",
                    known.join(", ")
                ))
            })?;
        }
        let mut page = Vec::new();
        let source = concat!("showcase ", env!("CARGO_PKG_VERSION"));
        clap_mangen::Man::new(command).source(source).render(&mut page)?;
        print(&page)
    }
}
