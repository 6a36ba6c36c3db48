//! A mail server in the test's own process, for what depends on how many connections it has at once.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use crate::support::PATIENCE;

/// How a [`SmtpServer`] behaves.
#[derive(Clone, Copy)]
pub struct Manner {
    /// Connections beyond this many are refused with 421, as real servers do.
    pub connections: usize,
    /// No mail is taken before this many were offered at the same time.
    pub together: usize,
}

#[derive(Default)]
struct Seen {
    open: usize,
    offered: usize,
    refused: usize,
    /// So many mails were offered at the same time at some moment.
    most_offered: usize,
    /// How often each `Message-ID` was taken.
    taken: BTreeMap<String, usize>,
    recipients: Vec<String>,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
}

/// Listens on a free port of the loopback address until the test ends.
pub struct SmtpServer {
    port: u16,
    shared: Arc<Shared>,
}

impl SmtpServer {
    pub fn start(manner: Manner) -> SmtpServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared::default());
        let all = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, shared) = (stream.expect("a connection"), Arc::clone(&all));
                thread::spawn(move || {
                    let is_one_too_many = {
                        let mut seen = shared.seen.lock().expect("a lock");
                        seen.open += 1;
                        seen.open > manner.connections
                    };
                    // The client may leave whenever it likes.
                    let _ = talk(stream, &shared, manner, is_one_too_many);
                    shared.seen.lock().expect("a lock").open -= 1;
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

    /// How often each mail was taken.
    pub fn taken(&self) -> Vec<usize> {
        self.shared.seen.lock().expect("a lock").taken.values().copied().collect()
    }

    /// Who got them, in their order.
    pub fn recipients(&self) -> Vec<String> {
        self.shared.seen.lock().expect("a lock").recipients.clone()
    }

    pub fn most_offered(&self) -> usize {
        self.shared.seen.lock().expect("a lock").most_offered
    }

    pub fn refused(&self) -> usize {
        self.shared.seen.lock().expect("a lock").refused
    }
}

fn talk(stream: TcpStream, shared: &Shared, manner: Manner, refuse: bool) -> std::io::Result<()> {
    let mut answers = stream.try_clone()?;
    if refuse {
        shared.seen.lock().expect("a lock").refused += 1;
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
                for line in lines.by_ref() {
                    match line? {
                        line if line == "." => break,
                        line if line.starts_with("Message-ID: ") => id = line,
                        _ => {}
                    }
                }
                offered(shared, manner);
                let mut seen = shared.seen.lock().expect("a lock");
                *seen.taken.entry(id).or_default() += 1;
                seen.recipients.push(recipient.clone());
                drop(seen);
                answers.write_all(b"250 taken\r\n")?;
            }
            "RCPT" => {
                recipient = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                let is_known = !recipient.starts_with("nobody@");
                answers.write_all(if is_known { b"250 yes\r\n" } else { b"550 5.1.1 no such person\r\n" })?;
            }
            "QUIT" => return answers.write_all(b"221 bye\r\n"),
            _ => answers.write_all(b"250 test\r\n")?,
        }
    }
    Ok(())
}

/// Waits until as many mails are offered at once as the test wants, for a limited time.
fn offered(shared: &Shared, manner: Manner) {
    let mut seen = shared.seen.lock().expect("a lock");
    seen.offered += 1;
    seen.most_offered = seen.most_offered.max(seen.offered);
    shared.changed.notify_all();
    let is_alone = |seen: &mut Seen| seen.most_offered < manner.together;
    let (mut seen, _) = shared.changed.wait_timeout_while(seen, PATIENCE / 6, is_alone).expect("a lock");
    seen.offered -= 1;
}
