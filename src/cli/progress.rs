//! The progress of long work.

use std::io::{IsTerminal, Write};

use super::{Global, print_error_line};

/// A line of standard error that is replaced again and again; nothing if that is not a terminal, or with `--quiet`.
pub struct Progress {
    is_shown: bool,
    is_begun: bool,
}

impl Progress {
    pub fn new(global: &Global) -> Progress {
        Progress { is_shown: std::io::stderr().is_terminal() && !global.quiet, is_begun: false }
    }

    pub fn show(&mut self, text: &str) {
        if self.is_shown {
            self.is_begun = true;
            let _ = write!(std::io::stderr(), "\r{text}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_begun {
            print_error_line("");
        }
    }
}
