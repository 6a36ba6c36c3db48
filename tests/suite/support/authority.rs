//! A real certificate authority for the tests: Pebble (Debian package `pebble`), with a name server that
//! sends every name here, and gates through which it looks at the server under test.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tempfile::TempDir;

use crate::support::ports::free_port;
use crate::support::tls_client::{Trust, get};
use crate::support::{PATIENCE, wait_for};

/// A certificate authority; ended when dropped.
pub struct Authority {
    /// Where it looks for challenges over TLS, and over plain HTTP.
    pub tls_gate: Gate,
    pub http_gate: Gate,
    folder: TempDir,
    port: u16,
    management_port: u16,
    names: u16,
    process: Option<Child>,
}

impl Authority {
    /// An authority whose certificates are valid for so many seconds.
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
            names: answer_names(),
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
            .args(["-dnsserver", &format!("127.0.0.1:{}", self.names)])
            .envs([("PEBBLE_VA_NOSLEEP", "1"), ("PEBBLE_WFE_NONCEREJECT", "0"), ("PEBBLE_AUTHZREUSE", "0")])
            .stdout(std::fs::File::create(self.path("pebble.log")).expect("a log"))
            .stderr(Stdio::null())
            .spawn();
        let process =
            started.expect("Pebble is needed for this test and is not installed: run tests/install");
        self.process = Some(process);
        wait_for("Pebble to answer", || self.roots_if_ready());
    }

    /// No longer answers.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Lines of `[tls]` for a server that asks this authority.
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

    /// The root that vouches for its certificates, as PEM.
    pub fn roots(&self) -> String {
        self.roots_if_ready().expect("Pebble answers")
    }

    fn roots_if_ready(&self) -> Option<String> {
        let address = format!("127.0.0.1:{}", self.management_port);
        let answer = get(&address, "localhost", &Trust::Anybody, "/roots/0").ok()?;
        let start = answer.find("-----BEGIN")?;
        Some(answer[start..].to_owned())
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A port that hands its connections on to another one. Until it is opened they wait, so that no look at a server
/// comes too early and fails; once it is shut they end.
pub struct Gate {
    pub port: u16,
    way: Arc<(Mutex<Way>, Condvar)>,
}

#[derive(Clone)]
enum Way {
    Waiting,
    Shut,
    Open(String),
}

impl Gate {
    fn new() -> Gate {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let way = Arc::new((Mutex::new(Way::Waiting), Condvar::new()));
        let kept = Arc::clone(&way);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (way, changed) = &*kept;
                let way = way.lock().unwrap_or_else(PoisonError::into_inner);
                let way = changed.wait_while(way, |way| matches!(way, Way::Waiting));
                let way = way.unwrap_or_else(PoisonError::into_inner).clone();
                if let Way::Open(target) = way
                    && let Ok(server) = TcpStream::connect(target)
                {
                    join(client, server);
                }
            }
        });
        Gate { port, way }
    }

    pub fn open_to(&self, address: &str) {
        self.set(Way::Open(address.to_owned()));
    }

    pub fn shut(&self) {
        self.set(Way::Shut);
    }

    fn set(&self, to: Way) {
        let (way, changed) = &*self.way;
        *way.lock().unwrap_or_else(PoisonError::into_inner) = to;
        changed.notify_all();
    }
}

fn join(client: TcpStream, server: TcpStream) {
    let both = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
    for (from, to) in both {
        let (mut from, mut to) = (from.expect("a stream"), to.expect("a stream"));
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Write);
        });
    }
}

/// A name server for which every name has the address 127.0.0.1, and no other records. Returns its port.
fn answer_names() -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let port = socket.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        let mut question = [0; 1500];
        while let Ok((length, asker)) = socket.recv_from(&mut question) {
            let _ = socket.send_to(&answer(&question[..length]), asker);
        }
    });
    port
}

/// RFC 1035: the header with the question repeated, then for a question of type A its answer.
fn answer(question: &[u8]) -> Vec<u8> {
    let name_end = 12 + question[12..].iter().position(|byte| *byte == 0).unwrap_or(0) + 1;
    let asked = &question[12..name_end + 4];
    let is_address = question[name_end..name_end + 2] == [0, 1];
    let mut answer = Vec::from(&question[..2]);
    answer.extend([0x85, 0x80, 0, 1, 0, u8::from(is_address), 0, 0, 0, 0]);
    answer.extend(asked);
    if is_address {
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    }
    answer
}

/// Sends bytes to a plain address and reads until it closes.
pub fn plain(address: &str, bytes: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.write_all(bytes.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
