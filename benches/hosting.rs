//! The cost of hosting: HTTPS handshakes compared with nginx and the same certificate, a page's latency and the server's
//! memory with and without slow attacks, and a start after a crash with a gigabyte of data. Each pair is measured
//! alternately in one run.
//!
//! Run: `cargo bench --bench hosting` (all), or with `handshakes`, `attacks` or `crash` after `--`. Needs nginx and
//! slowhttptest (tests/install). Aims: no more CPU per handshake than nginx; p99 under attack at most twice that without;
//! at most 100 MB of memory; a start within two seconds.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};

const BINARY: &str = env!("CARGO_BIN_EXE_showcase");
const NAME: &str = "showcase.example.com";
const ROUNDS: usize = 5;
const HANDSHAKES: usize = 1000;
const CLIENTS: usize = 2;
const REQUESTS: usize = 3000;
const GIGABYTE: u64 = 1 << 30;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let runs = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    if runs("handshakes") {
        handshakes(folder.path());
    }
    if runs("attacks") {
        attacks(folder.path());
    }
    if runs("crash") {
        crash(folder.path());
    }
}

/// A server process, which is killed when dropped.
struct Served {
    process: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Served {
    fn showcase(folder: &Path, config: &str) -> Served {
        std::fs::write(folder.join("config.toml"), config).expect("a file");
        let mut process = Command::new(BINARY)
            .args(["serve"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        // From here on it is killed whatever happens.
        let mut served = Served { process, address: String::new() };
        for line in lines.map_while(Result::ok) {
            let secure = line.split_once("(HTTPS on ").map(|(_, address)| address.trim_end_matches(')'));
            if let Some(address) = secure.or_else(|| line.strip_prefix("Showcase is at http://")) {
                address.trim_end_matches('/').clone_into(&mut served.address);
                return served;
            }
        }
        panic!("the server ended");
    }

    fn nginx(folder: &Path) -> Served {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port")
            .port();
        let path = folder.display();
        let config = format!(
            "daemon off; master_process off; pid {path}/nginx.pid; error_log {path}/nginx.log; events {{ worker_connections 1000; }}
             http {{ access_log off; server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {path}/own.pem; ssl_certificate_key {path}/own.key;
             ssl_protocols TLSv1.3; return 200 alive; }} }}"
        );
        std::fs::write(folder.join("nginx.conf"), config).expect("a file");
        let process = Command::new("/usr/sbin/nginx")
            .args(["-e", &format!("{path}/nginx.log"), "-c", &format!("{path}/nginx.conf")])
            .spawn()
            .expect("nginx is needed: run tests/install");
        let address = format!("127.0.0.1:{port}");
        while TcpStream::connect(&address).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Served { process, address }
    }

    /// The CPU time that the process has used, in seconds.
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).expect("a process");
        let after_name = stat.rsplit(") ").next().expect("fields");
        let fields: Vec<&str> = after_name.split(' ').collect();
        let ticks = |index: usize| fields[index].parse::<f64>().expect("a number");
        // USER_HZ is 100 on Linux.
        (ticks(11) + ticks(12)) / 100.0
    }

    fn resident_megabytes(&self) -> f64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("a process");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
        line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok()).expect("a number") / 1e3
    }
}

fn handshakes(folder: &Path) {
    let made = rcgen::generate_simple_self_signed([NAME.to_owned()]).expect("a certificate");
    std::fs::write(folder.join("own.pem"), made.cert.pem()).expect("a file");
    std::fs::write(folder.join("own.key"), made.key_pair.serialize_pem()).expect("a file");
    let ours = Served::showcase(
        folder,
        &format!(
            "public_url = 'https://{NAME}'\n[tls]\ncertificate = 'own.pem'\nprivate_key = 'own.key'\nlisten = '127.0.0.1:0'\nhttp_listen = ''\n"
        ),
    );
    let nginx = Served::nginx(folder);
    let client = Arc::new(client(&made.cert.pem()));
    let mut results = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (server, results) in [&ours, &nginx].into_iter().zip(&mut results) {
            let (started, cpu) = (Instant::now(), server.cpu());
            std::thread::scope(|scope| {
                for _ in 0..CLIENTS {
                    scope.spawn(|| {
                        (0..HANDSHAKES / CLIENTS).for_each(|_| shake_hands(&client, &server.address));
                    });
                }
            });
            let rate = HANDSHAKES as f64 / started.elapsed().as_secs_f64();
            results.push((rate, (server.cpu() - cpu) / HANDSHAKES as f64 * 1e6));
        }
    }
    for (name, results) in ["showcase", "nginx"].iter().zip(&results) {
        println!(
            "{name:<9} handshakes        {:>8.0} /s  {:>6.0} microseconds of CPU each (median of {ROUNDS})",
            median(results, |result| result.0),
            median(results, |result| result.1)
        );
    }
}

fn client(pem: &str) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(pem.as_bytes()).expect("PEM")).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    // Every handshake is a full one.
    config.resumption = rustls::client::Resumption::disabled();
    config
}

fn shake_hands(config: &Arc<ClientConfig>, address: &str) {
    let name = ServerName::try_from(NAME).expect("a name");
    let mut connection = ClientConnection::new(Arc::clone(config), name).expect("a connection");
    let mut stream = TcpStream::connect(address).expect("connected");
    while connection.is_handshaking() {
        connection.complete_io(&mut stream).expect("a handshake");
    }
}

fn attacks(folder: &Path) {
    let server = Served::showcase(folder, "listen = '127.0.0.1:0'\n[limits]\nwrites_per_minute = 0\n");
    let url = |path: &str| format!("http://{}{path}", server.address);
    let attacks: [(&str, Vec<String>); 3] = [
        ("slow headers", vec!["-H".into(), "-u".into(), url("/")]),
        ("slow bodies", vec!["-B".into(), "-u".into(), url("/api/waitlist-signups")]),
        (
            "slow reads",
            vec![
                "-X".into(),
                "-k".into(),
                "3".into(),
                "-n".into(),
                "1".into(),
                "-z".into(),
                "8".into(),
                "-u".into(),
                url("/"),
            ],
        ),
    ];
    for (name, arguments) in attacks {
        let (mut calm, mut attacked, mut megabytes) = (Vec::new(), Vec::new(), 0.0_f64);
        // Alternately: latencies are hundredths of a millisecond, and the machine's own variation is larger than the effect
        // of an attack.
        for _ in 0..ROUNDS {
            calm.push(latencies(&server));
            let mut attack = Command::new("slowhttptest")
                .args(["-c", "1000", "-r", "500", "-i", "5", "-l", "30", "-p", "3"])
                .args(&arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("slowhttptest is needed: run tests/install");
            std::thread::sleep(Duration::from_secs(4));
            attacked.push(latencies(&server));
            megabytes = megabytes.max(server.resident_megabytes());
            let _ = attack.kill();
            let _ = attack.wait();
        }
        let (without, with) = (median(&calm, |times| times.1), median(&attacked, |times| times.1));
        println!(
            "{name:<17} p50 {:>6.2} ms  p99 {with:>6.2} ms  {megabytes:>5.0} MB  ({:.1} times the p99 without attack, \
             {without:.2} ms; medians of {ROUNDS} rounds)",
            median(&attacked, |times| times.0),
            with / without
        );
    }
}

fn median(pairs: &[(f64, f64)], pick: fn(&(f64, f64)) -> f64) -> f64 {
    let mut values: Vec<f64> = pairs.iter().map(pick).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Median and 99th percentile, in milliseconds, of a page that is requested on a new connection each time.
fn latencies(server: &Served) -> (f64, f64) {
    let mut times: Vec<f64> = (0..REQUESTS)
        .map(|_| {
            let started = Instant::now();
            let answer = get(&server.address);
            assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[REQUESTS / 2], times[REQUESTS * 99 / 100])
}

fn get(address: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("connected");
    stream
        .write_all(b"GET / HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\nconnection: close\r\n\r\n")
        .expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    answer
}

fn crash(folder: &Path) {
    let config = "listen = '127.0.0.1:0'\ndatabase = 'large.db'\n[backup]\nevery_hours = 0\n";
    drop(Served::showcase(folder, config));
    let path = folder.join("large.db");
    let fill = rusqlite::Connection::open(&path).expect("the database");
    while path.metadata().expect("the file").len() < GIGABYTE {
        let batch = fill.unchecked_transaction().expect("a transaction");
        insert_rows(&batch, 10_000);
        batch.commit().expect("committed");
        fill.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(())).expect("a checkpoint");
    }
    drop(fill);
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let mut server = Served::showcase(folder, config);
            // Fifty megabytes that are only in the write-ahead log when the process is killed.
            let writer = rusqlite::Connection::open(&path).expect("the database");
            writer.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(())).expect("a checkpoint");
            writer.execute_batch("pragma wal_autocheckpoint = 0").expect("no checkpoint at the commit");
            let batch = writer.unchecked_transaction().expect("a transaction");
            insert_rows(&batch, 5_000);
            batch.commit().expect("committed");
            // SQLite recovers the log only if no connection outlives the kill.
            drop(writer);
            server.process.kill().expect("killed");
            server.process.wait().expect("ended");
            let started = Instant::now();
            let again = Served::showcase(folder, config);
            get(&again.address);
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let size = path.metadata().expect("the file").len() as f64 / 1e9;
    println!("start after a crash with {size:.2} GB {:>8.0} ms (median of {ROUNDS})", times[ROUNDS / 2]);
}

/// Inserts rows of nine kilobytes.
fn insert_rows(connection: &rusqlite::Connection, count: usize) {
    let message = "m".repeat(9_000);
    for _ in 0..count {
        connection
            .execute(
                "insert into sponsor_inquiries (created_at, company, email, interest, message)
                 values ('2026-01-01T00:00:00.000Z', 'c', 'e@example.com', 'booth', ?)",
                [&message],
            )
            .expect("a row");
    }
}
