//! The whole program, measured from outside: size, cold start, idle memory, and the CPU time of a cached page compared
//! with a bare hyper server that sends the same bytes, in one run.
//!
//! Run: `cargo bench --bench whole_process`. Aims: a start under 150 ms with every page rendered, idle memory under 26 MB,
//! at most 1.1 times bare hyper's CPU time per request for a cached page, all pages rendered again within 300 ms after an
//! import is noticed, and visible within a second.

use std::convert::Infallible;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};

const STARTS: usize = 15;
/// Pairs of new processes, because a process's place in memory changes its speed by some percent.
const PAIRS: usize = 7;
/// Short alternating rounds, so that a machine that slows down for a moment slows down both processes.
const ROUNDS: usize = 9;
const REQUESTS: usize = 8_000;
const CONNECTIONS: usize = 8;
const IMPORTS: usize = 7;
/// By then the pages have been compressed as small as they get, in the background, ten seconds after the start.
const COMPRESSED_AFTER: Duration = Duration::from_secs(15);
/// The measured request.
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n";

const PLAIN_REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n";

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("bare-hyper") {
        return bare_hyper(&arguments.next().expect("a file"));
    }
    let binary = env!("CARGO_BIN_EXE_showcase");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder on a real disk");
    let bytes = std::fs::metadata(binary).expect("the binary").len();
    println!("binary size                 {:>8.1} MB", bytes as f64 / 1e6);
    cold_start(binary, folder.path());
    let server = Served::showcase(binary, folder.path());
    std::thread::sleep(COMPRESSED_AFTER);
    println!("idle resident memory        {:>8.1} MB", server.resident_bytes() as f64 / 1e6);
    drop(server);
    cached_page(binary, folder.path());
    import(binary, folder.path());
}

/// How long rendering all pages takes after an import, and how long until visitors see it.
fn import(binary: &str, folder: &Path) {
    let log = folder.join("server.log");
    let mut command = Command::new(binary);
    command.args(["serve", "--listen", "127.0.0.1:0"]).current_dir(folder);
    command.stderr(std::fs::File::create(&log).expect("a log"));
    let server = Served::start(command, "Showcase is at http://");
    let default = run(binary, folder, &["content", "export", "--default"], "");
    let mut seen: Vec<Duration> = (0..IMPORTS)
        .map(|number| {
            let name = format!("Edition {number} of the Showcase");
            run(
                binary,
                folder,
                &["content", "import", "--quiet", "-"],
                &default.replace("Lash & Brow Showcase", &name),
            );
            let imported = Instant::now();
            while !String::from_utf8_lossy(&server.answer_to(PLAIN_REQUEST)).contains(&name) {
                std::thread::sleep(Duration::from_millis(5));
            }
            imported.elapsed()
        })
        .collect();
    seen.sort();
    let log = std::fs::read_to_string(&log).expect("the log");
    let made = log.lines().filter(|line| line.contains("published revision"));
    let mut made: Vec<u32> = made
        .map(|line| {
            line.rsplit("milliseconds=")
                .next()
                .and_then(|number| number.trim().parse().ok())
                .expect("a number")
        })
        .collect();
    made.sort_unstable();
    println!("all pages rendered again    {:>8} ms (median of {IMPORTS})", made[made.len() / 2]);
    println!(
        "an import is seen after     {:>8.1} ms (median of {IMPORTS})",
        seen[IMPORTS / 2].as_secs_f64() * 1e3
    );
}

/// Runs a command with `input` on standard input and returns its output.
fn run(binary: &str, folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(binary);
    let command = command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("it starts");
    process.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?} failed");
    String::from_utf8(output.stdout).expect("text")
}

fn cold_start(binary: &str, folder: &Path) {
    let mut times: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let started = Instant::now();
            let server = Served::showcase(binary, folder);
            server.page();
            started.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "cold start to first answer  {:>8.1} ms (median of {STARTS})",
        times[STARTS / 2].as_secs_f64() * 1e3
    );
}

fn cached_page(binary: &str, folder: &Path) {
    let file = folder.join("answer");
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let server = Served::showcase(binary, folder);
        std::thread::sleep(COMPRESSED_AFTER);
        let answer = server.page();
        std::fs::write(&file, &answer).expect("a file");
        let bare = Served::bare_hyper(&file);
        assert_eq!(bare.page().len(), answer.len(), "both send the same bytes");
        let rounds: Vec<(f64, f64)> =
            (0..ROUNDS).map(|_| (server.cpu_of_requests(), bare.cpu_of_requests())).collect();
        println!(
            "  CPU per request           {:>8.2} us ours, {:.2} us bare hyper (medians of {ROUNDS})",
            median(rounds.iter().map(|(ours, _)| ours / REQUESTS as f64 * 1e6)),
            median(rounds.iter().map(|(_, theirs)| theirs / REQUESTS as f64 * 1e6))
        );
        ratios.extend(rounds.iter().map(|(ours, theirs)| ours / theirs));
    }
    println!(
        "cached page / bare hyper    {:>8.2} (median of {} rounds, {REQUESTS} requests each)",
        median(ratios.iter().copied()),
        ratios.len()
    );
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// A server process, which is killed when dropped.
struct Served {
    process: Child,
    address: String,
}

impl Served {
    fn showcase(binary: &str, folder: &Path) -> Served {
        let mut command = Command::new(binary);
        command.args(["serve", "--quiet", "--listen", "127.0.0.1:0"]).current_dir(folder);
        Served::start(command, "Showcase is at http://")
    }

    fn bare_hyper(file: &Path) -> Served {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg("bare-hyper").arg(file);
        Served::start(command, "bare at http://")
    }

    fn start(mut command: Command, prefix: &str) -> Served {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let address = lines.find_map(|line| {
            let line = line.expect("text");
            line.strip_prefix(prefix).map(|address| address.trim_end_matches('/').to_owned())
        });
        Served { process, address: address.expect("an address") }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        stream
    }

    /// The bytes of one response, head and body.
    fn page(&self) -> Vec<u8> {
        self.answer_to(REQUEST)
    }

    fn answer_to(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        stream.write_all(request).expect("sent");
        let mut answer = Vec::new();
        let mut part = [0; 65_536];
        loop {
            let read = stream.read(&mut part).expect("an answer");
            answer.extend_from_slice(&part[..read]);
            if let Some(whole) = whole_length(&answer)
                && answer.len() >= whole
            {
                return answer;
            }
            assert!(read > 0, "the answer ended early");
        }
    }

    /// The CPU time that the process spends on a round of requests, in seconds.
    fn cpu_of_requests(&self) -> f64 {
        let before = self.cpu_seconds();
        std::thread::scope(|scope| {
            for _ in 0..CONNECTIONS {
                scope.spawn(|| {
                    let mut stream = self.connect();
                    // The length varies: a request id can have one more digit.
                    let mut answer = Vec::with_capacity(1 << 18);
                    let mut part = vec![0; 1 << 17];
                    for _ in 0..REQUESTS / CONNECTIONS {
                        stream.write_all(REQUEST).expect("sent");
                        answer.clear();
                        while whole_length(&answer).is_none_or(|whole| answer.len() < whole) {
                            let read = stream.read(&mut part).expect("an answer");
                            assert!(read > 0, "the answer ended early");
                            answer.extend_from_slice(&part[..read]);
                        }
                    }
                });
            }
        });
        self.cpu_seconds() - before
    }

    /// The CPU time of all threads in seconds, from `schedstat`, which counts nanoseconds; the ticks of `stat` are
    /// too coarse.
    fn cpu_seconds(&self) -> f64 {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).expect("Linux");
        let nanoseconds = |thread: std::fs::DirEntry| {
            let counted = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            counted.split_whitespace().next()?.parse::<u64>().ok()
        };
        threads.filter_map(|thread| nanoseconds(thread.ok()?)).sum::<u64>() as f64 / 1e9
    }

    fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("Linux");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
        // In KiB, although it is called "kB" (proc_pid_status(5)).
        1024 * line.split_whitespace().nth(1).expect("a number").parse::<u64>().expect("a number")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The length of the whole response, once its head has arrived.
fn whole_length(answer: &[u8]) -> Option<usize> {
    let head = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let text = std::str::from_utf8(&answer[..head]).ok()?;
    let length =
        text.lines().find_map(|line| line.strip_prefix("content-length: "))?.trim().parse::<usize>().ok()?;
    Some(head + 4 + length)
}

/// The reference: only hyper, with our runtime and timers, sending one prepared response.
fn bare_hyper(file: &str) {
    let answer = std::fs::read(file).expect("the answer");
    let split = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    let mut headers = hyper::header::HeaderMap::new();
    for line in String::from_utf8_lossy(&answer[..split]).lines().skip(1) {
        let (name, value) = line.split_once(": ").expect("a header");
        if name != "date" {
            let name = hyper::header::HeaderName::from_bytes(name.as_bytes()).expect("a name");
            headers.insert(name, value.parse().expect("a value"));
        }
    }
    let body = Bytes::copy_from_slice(&answer[split + 4..]);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        println!("bare at http://{}/", listener.local_addr().expect("an address"));
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            let _ = stream.set_nodelay(true);
            let (headers, body) = (headers.clone(), body.clone());
            let service = service_fn(move |_: hyper::Request<Incoming>| {
                let mut response = hyper::Response::new(Full::new(body.clone()));
                response.headers_mut().clone_from(&headers);
                async move { Ok::<_, Infallible>(response) }
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .serve_connection(TokioIo::new(stream), service),
            );
        }
    });
}
