//! A real certificate authority: Pebble (Debian package `pebble`), with a name server that resolves every name to this
//! machine, and gates through which Pebble connects to the server under test.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tempfile::TempDir;

use crate::support::ports::free_port;
use crate::support::tls_client::{Trust, get};
use crate::support::{TIMEOUT, wait_for};

/// A certificate authority; killed when dropped.
pub struct Authority {
    /// Where it validates TLS-ALPN-01 challenges.
    pub tls_gate: Gate,
    /// Where it validates HTTP-01 challenges.
    pub http_gate: Gate,
    folder: TempDir,
    port: u16,
    management_port: u16,
    dns_port: u16,
    process: Option<Child>,
}

impl Authority {
    /// An authority whose certificates are valid for this many seconds.
    pub fn start(validity_seconds: u32) -> Authority {
        let folder = tempfile::tempdir().expect("a folder");
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned(), "localhost".to_owned()])
            .expect("a certificate");
        std::fs::write(folder.path().join("own.pem"), made.cert.pem()).expect("a file");
        std::fs::write(folder.path().join("own.key"), made.key_pair.serialize_pem()).expect("a file");
        let mut authority = Authority {
            tls_gate: Gate::new(),
            http_gate: Gate::new(),
            folder,
            port: free_port(),
            management_port: free_port(),
            dns_port: start_name_server(),
            process: None,
        };
        let config = serde_json::json!({ "pebble": {
            "listenAddress": format!("127.0.0.1:{}", authority.port),
            "managementListenAddress": format!("127.0.0.1:{}", authority.management_port),
            "certificate": authority.path("own.pem"), "privateKey": authority.path("own.key"),
            "httpPort": authority.http_gate.port, "tlsPort": authority.tls_gate.port,
            "ocspResponderURL": "", "externalAccountBindingRequired": false,
            "certificateValidityPeriod": validity_seconds,
        }});
        std::fs::write(authority.path("config.json"), config.to_string()).expect("a file");
        authority.run();
        authority
    }

    fn run(&mut self) {
        let started = Command::new("pebble")
            .args(["-config".as_ref(), self.path("config.json").as_os_str()])
            .args(["-dnsserver", &format!("127.0.0.1:{}", self.dns_port)])
            .envs([("PEBBLE_VA_NOSLEEP", "1"), ("PEBBLE_WFE_NONCEREJECT", "0"), ("PEBBLE_AUTHZREUSE", "0")])
            .stdout(std::fs::File::create(self.path("pebble.log")).expect("a log"))
            .stderr(Stdio::null())
            .spawn();
        let process =
            started.expect("Pebble is needed for this test and is not installed: run tests/install");
        self.process = Some(process);
        wait_for("Pebble to answer", || self.roots_if_ready());
    }

    /// Kills the authority.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The section `[tls]` for a server that uses this authority.
    pub fn settings(&self, name: &str) -> String {
        format!(
            "[tls]\ndomains = ['{name}']\ncontact = 'hello@example.com'\nlisten = '127.0.0.1:0'\nhttp_listen = '127.0.0.1:0'\n\
             directory_url = '{}'\nca_file = '{}'\n",
            self.directory(),
            self.path("own.pem").display()
        )
    }

    pub fn directory(&self) -> String {
        format!("https://127.0.0.1:{}/dir", self.port)
    }

    /// The root certificate, as PEM.
    pub fn roots(&self) -> String {
        self.roots_if_ready().expect("Pebble answers")
    }

    fn roots_if_ready(&self) -> Option<String> {
        let address = format!("127.0.0.1:{}", self.management_port);
        let answer = get(&address, "localhost", &Trust::Anything, "/roots/0").ok()?;
        let start = answer.find("-----BEGIN")?;
        Some(answer[start..].to_owned())
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A port that forwards its connections to another one. Connections wait until the gate is opened, so that no validation
/// comes too early and fails. When it is shut, they are closed.
pub struct Gate {
    pub port: u16,
    state: Arc<(Mutex<GateState>, Condvar)>,
}

#[derive(Clone)]
enum GateState {
    Waiting,
    Shut,
    Open(String),
}

impl Gate {
    fn new() -> Gate {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new((Mutex::new(GateState::Waiting), Condvar::new()));
        let state = Arc::clone(&shared);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (state, changed) = &*shared;
                let state = state.lock().unwrap_or_else(PoisonError::into_inner);
                let state = changed.wait_while(state, |state| matches!(state, GateState::Waiting));
                let state = state.unwrap_or_else(PoisonError::into_inner).clone();
                if let GateState::Open(target) = state
                    && let Ok(server) = TcpStream::connect(target)
                {
                    forward(client, server);
                }
            }
        });
        Gate { port, state }
    }

    pub fn open_to(&self, address: &str) {
        self.set(GateState::Open(address.to_owned()));
    }

    pub fn shut(&self) {
        self.set(GateState::Shut);
    }

    fn set(&self, new: GateState) {
        let (state, changed) = &*self.state;
        *state.lock().unwrap_or_else(PoisonError::into_inner) = new;
        changed.notify_all();
    }
}

/// Copies bytes in both directions until each side has closed.
fn forward(client: TcpStream, server: TcpStream) {
    let both = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
    for (from, to) in both {
        let (mut from, mut to) = (from.expect("a stream"), to.expect("a stream"));
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Write);
        });
    }
}

/// Starts a name server that resolves every name to 127.0.0.1 and has no other records. Returns its port.
fn start_name_server() -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let port = socket.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        let mut question = [0; 1500];
        while let Ok((length, client)) = socket.recv_from(&mut question) {
            let _ = socket.send_to(&answer(&question[..length]), client);
        }
    });
    port
}

/// A DNS response (RFC 1035): the header and the question, then an answer if the question has type A.
fn answer(question: &[u8]) -> Vec<u8> {
    let name_end = 12 + question[12..].iter().position(|byte| *byte == 0).unwrap_or(0) + 1;
    let section = &question[12..name_end + 4];
    let is_address = question[name_end..name_end + 2] == [0, 1];
    let mut answer = Vec::from(&question[..2]);
    answer.extend([0x85, 0x80, 0, 1, 0, u8::from(is_address), 0, 0, 0, 0]);
    answer.extend(section);
    if is_address {
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    }
    answer
}

/// Sends `bytes` to an address without TLS and reads until the connection is closed.
pub fn send_plain(address: &str, bytes: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    stream.write_all(bytes.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
