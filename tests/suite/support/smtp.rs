//! A mail server in the test's own process, for tests about the number of concurrent connections.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use crate::support::TIMEOUT;

/// How a [`SmtpServer`] behaves.
#[derive(Clone, Copy)]
pub struct Behaviour {
    /// Further connections are refused with 421, as real servers do.
    pub max_connections: usize,
    /// No email is accepted before this many were offered at the same time.
    pub min_concurrent: usize,
}

#[derive(Default)]
struct State {
    open: usize,
    offered: usize,
    refused: usize,
    /// The most emails that were offered at the same time.
    max_offered: usize,
    /// How often each `Message-ID` was accepted.
    accepted: BTreeMap<String, usize>,
    recipients: Vec<String>,
    /// The lines of the last email to each recipient, as they were sent.
    last_lines: BTreeMap<String, String>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    is_away: AtomicBool,
    /// The answer to every email, if none is accepted.
    refusal: Mutex<Option<&'static str>>,
}

/// Listens on a free port of the loopback address until the test ends.
pub struct SmtpServer {
    port: u16,
    shared: Arc<Shared>,
}

impl SmtpServer {
    pub fn start(behaviour: Behaviour) -> SmtpServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared::default());
        let all = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, shared) = (stream.expect("a connection"), Arc::clone(&all));
                if shared.is_away.load(Ordering::Relaxed) {
                    continue;
                }
                thread::spawn(move || {
                    let is_one_too_many = {
                        let mut state = shared.state.lock().expect("a lock");
                        state.open += 1;
                        state.open > behaviour.max_connections
                    };
                    // The client may disconnect at any time.
                    let _ = talk(stream, &shared, behaviour, is_one_too_many);
                    shared.state.lock().expect("a lock").open -= 1;
                });
            }
        });
        SmtpServer { port, shared }
    }

    pub fn settings(&self, connections: usize) -> String {
        format!(
            "[smtp]\nhost = '127.0.0.1'\nport = {}\nsecurity = 'none'\nconnections = {connections}\nfrom = 'Showcase <hello@example.com>'\n",
            self.port
        )
    }

    /// How often each email was accepted.
    pub fn accepted(&self) -> Vec<usize> {
        self.shared.state.lock().expect("a lock").accepted.values().copied().collect()
    }

    /// How often each email was accepted, by its `Message-ID`.
    pub fn accepted_by_id(&self) -> BTreeMap<String, usize> {
        self.shared.state.lock().expect("a lock").accepted.clone()
    }

    /// While it is away, new connections are closed before a greeting.
    pub fn set_away(&self, is_away: bool) {
        self.shared.is_away.store(is_away, Ordering::Relaxed);
    }

    /// Answers every email with this line instead of accepting it.
    pub fn refuse_with(&self, line: Option<&'static str>) {
        *self.shared.refusal.lock().expect("a lock") = line;
    }

    /// The recipients, in the order of the emails.
    pub fn recipients(&self) -> Vec<String> {
        self.shared.state.lock().expect("a lock").recipients.clone()
    }

    /// The lines of the last email to a recipient, without the line breaks that the transfer encoding has added.
    pub fn last_to(&self, recipient: &str) -> Option<String> {
        let state = self.shared.state.lock().expect("a lock");
        state.last_lines.get(recipient).map(|lines| lines.replace("=\n", ""))
    }

    pub fn max_offered(&self) -> usize {
        self.shared.state.lock().expect("a lock").max_offered
    }

    pub fn refused(&self) -> usize {
        self.shared.state.lock().expect("a lock").refused
    }
}

fn talk(stream: TcpStream, shared: &Shared, behaviour: Behaviour, refuse: bool) -> std::io::Result<()> {
    let mut answers = stream.try_clone()?;
    if refuse {
        shared.state.lock().expect("a lock").refused += 1;
        return answers.write_all(b"421 4.7.0 too many connections from your address\r\n");
    }
    answers.write_all(b"220 test\r\n")?;
    let mut lines = BufReader::new(stream).lines();
    let mut recipient = String::new();
    while let Some(line) = lines.next().transpose()? {
        match line.get(..4).unwrap_or_default() {
            "DATA" => {
                answers.write_all(b"354 go on\r\n")?;
                let mut id = String::new();
                let mut text = String::new();
                let mut is_whole = false;
                for line in lines.by_ref() {
                    match line? {
                        line if line == "." => {
                            is_whole = true;
                            break;
                        }
                        line => {
                            if let Some(value) = line.strip_prefix("Message-ID: ") {
                                value.clone_into(&mut id);
                            }
                            text.push_str(&line);
                            text.push('\n');
                        }
                    }
                }
                if !is_whole {
                    return Ok(());
                }
                wait_for_others(shared, behaviour);
                if let Some(line) = *shared.refusal.lock().expect("a lock") {
                    answers.write_all(format!("{line}\r\n").as_bytes())?;
                    continue;
                }
                let mut state = shared.state.lock().expect("a lock");
                *state.accepted.entry(id).or_default() += 1;
                state.recipients.push(recipient.clone());
                state.last_lines.insert(recipient.clone(), text);
                drop(state);
                answers.write_all(b"250 accepted\r\n")?;
            }
            "RCPT" => {
                recipient = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                let answer = match recipient.split('@').next() {
                    Some("nobody") => "550 5.1.1 no such person",
                    Some("denied") => "554 5.7.1 Recipient address rejected: Access denied",
                    _ => "250 yes",
                };
                answers.write_all(format!("{answer}\r\n").as_bytes())?;
            }
            "QUIT" => return answers.write_all(b"221 bye\r\n"),
            _ => answers.write_all(b"250 test\r\n")?,
        }
    }
    Ok(())
}

/// Waits, for a limited time, until `min_concurrent` emails have been offered at the same time.
fn wait_for_others(shared: &Shared, behaviour: Behaviour) {
    let mut state = shared.state.lock().expect("a lock");
    state.offered += 1;
    state.max_offered = state.max_offered.max(state.offered);
    shared.changed.notify_all();
    let is_alone = |state: &mut State| state.max_offered < behaviour.min_concurrent;
    let (mut state, _) = shared.changed.wait_timeout_while(state, TIMEOUT / 6, is_alone).expect("a lock");
    state.offered -= 1;
}
