//! A real mail server (`tests/smtp`) as a child process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A mail server that stores accepted emails in a folder; killed when dropped.
pub struct MailServer {
    process: Child,
    port: u16,
}

impl MailServer {
    /// `code` is the reply to every email, such as `550`; if it is empty, emails are accepted.
    pub fn start(folder: &Path, code: &str) -> MailServer {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut process = Command::new("python3")
            .arg(root.join("tests/smtp/server.py"))
            .arg(folder)
            .args(Some(code).filter(|code| !code.is_empty()))
            .env("PYTHONPATH", root.join("target/test-python"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 runs");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let port = line.trim().parse().expect("a port; tests/all installs the mail server it needs");
        MailServer { process, port }
    }

    pub fn settings(&self, security: &str) -> String {
        settings(self.port, security)
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn settings(port: u16, security: &str) -> String {
    format!(
        "[smtp]\nhost = '127.0.0.1'\nport = {port}\nsecurity = '{security}'\nfrom = 'Lash & Brow Showcase <hello@example.com>'\nreply_to = 'office@example.com'\n"
    )
}
