//! Clients that occupy as many resources as they can. The site still answers others, and recovers.

use std::io::Write;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Place, Server, TIMEOUT, limit, served, wait_for, wait_longer, waitlist};

const SHORT: &str = "[limits]\nclient_timeout_seconds = 2\nwrites_per_minute = 0\n";

/// Pages are answered at once, although hundreds of attackers each hold a connection for two seconds or more.
fn answers(server: &Server) {
    let started = Instant::now();
    assert_eq!(server.get("/", &[]).status, 200);
    assert!(started.elapsed() < Duration::from_secs(45), "{:?}", started.elapsed());
}

#[test]
fn slow_headers_bodies_and_reads_do_not_keep_others_out() {
    let (_place, server) = served(SHORT);
    let url = |path: &str| format!("http://{}{path}", server.address);
    let attacks: [(&str, Vec<String>); 3] = [
        ("headers", vec!["-H".into(), "-u".into(), url("/")]),
        ("bodies", vec!["-B".into(), "-s".into(), "8192".into(), "-u".into(), url("/api/waitlist-signups")]),
        (
            "reads",
            vec![
                "-X".into(),
                "-k".into(),
                "5".into(),
                "-w".into(),
                "1".into(),
                "-y".into(),
                "8".into(),
                "-n".into(),
                "1".into(),
                "-z".into(),
                "1".into(),
                "-u".into(),
                url("/"),
            ],
        ),
    ];
    for (what, arguments) in attacks {
        let mut attack = start(
            Command::new("slowhttptest")
                .args(["-c", "300", "-r", "150", "-i", "1", "-l", "6", "-p", "3"])
                .args(arguments),
        );
        let started = Instant::now();
        while attack.try_wait().expect("a process").is_none() && started.elapsed() < TIMEOUT {
            answers(&server);
            std::thread::sleep(Duration::from_millis(200));
        }
        let _ = attack.kill();
        let _ = attack.wait();
        assert!(started.elapsed() > Duration::from_secs(2), "the attack with slow {what} took place");
        answers(&server);
    }
}

fn start(command: &mut Command) -> Child {
    let started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started.expect("slowhttptest is needed for this test and is not installed: run tests/install")
}

#[test]
fn ten_thousand_idle_connections_are_held_and_closed() {
    allow_files(11_000);
    let (_place, server) = served(
        "[limits]\nclient_timeout_seconds = 16\nconnections = 10500\n[proxy]\ntrusted = ['127.0.0.1']\n",
    );
    let idle: Vec<TcpStream> =
        (0..10_000).map(|_| TcpStream::connect(&server.address).expect("a connection")).collect();
    answers(&server);
    let memory = resident_megabytes(&server);
    assert!(memory < 400, "{memory} MB for ten thousand connections");
    // The server closes them: the last one ends although the client keeps it open.
    let last = idle.last().expect("a connection");
    last.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    assert_eq!(last.peek(&mut [0]).expect("an end"), 0);
    answers(&server);
}

#[test]
fn memory_is_released_when_a_crowd_has_disconnected() {
    allow_files(3_000);
    let place = Place::with_recompression("[limits]\nclient_timeout_seconds = 600\n");
    let server = place.serve();
    let half = format!("GET / HTTP/1.1\r\nhost: x\r\nx-slow: {}", "x".repeat(300));
    // Twice, because the server also releases memory when the initial pages have been recompressed.
    for round in ["the first crowd", "the second crowd"] {
        let crowd: Vec<TcpStream> = (0..2_000)
            .map(|_| {
                let mut stream = TcpStream::connect(&server.address).expect("a connection");
                stream.write_all(half.as_bytes()).expect("sent");
                stream
            })
            .collect();
        answers(&server);
        let mut highest = resident_megabytes(&server);
        // Some stay open, so that the heap cannot shrink at its end.
        let _staying: Vec<TcpStream> = crowd.into_iter().step_by(50).collect();
        wait_for(&format!("the memory of {round}"), || {
            let now = resident_megabytes(&server);
            highest = highest.max(now);
            (now + 20 < highest).then_some(())
        });
    }
}

pub fn allow_files(count: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let allowed = limit.maximum.unwrap_or(u64::MAX);
    assert!(
        allowed >= count,
        "this test needs {count} open files and the system allows {allowed}: raise `ulimit -Hn`"
    );
    // Not higher: programs that other tests start may loop over all file descriptors up to the limit.
    if limit.current.is_some_and(|current| current < count) {
        let raised = Rlimit { current: Some(count), maximum: limit.maximum };
        setrlimit(Resource::Nofile, raised).expect("a limit");
    }
}

fn resident_megabytes(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).expect("a process");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number") / 1024
}

#[test]
fn without_a_free_file_descriptor_the_server_waits_and_recovers() {
    let (place, server) = served("");
    let open = std::fs::read_dir(format!("/proc/{}/fd", server.process_id())).expect("a process").count();
    limit(&server, "nofile", &(open + 10).to_string());
    let held: Vec<TcpStream> =
        (0..50).map(|_| TcpStream::connect(&server.address).expect("the system takes it")).collect();
    wait_for("the warning", || place.log().contains("could not be accepted").then_some(()));
    drop(held);
    answers(&server);
    let kept = server.post("/api/waitlist-signups", &waitlist("a@example.com"));
    assert_eq!(kept.status, 201, "{}", kept.text());
}

#[test]
fn when_the_clock_jumps_nothing_is_lost_and_no_report_is_repeated() {
    let library = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
        .map(|folder| format!("{folder}/faketime/libfaketimeMT.so.1"))
        .into_iter()
        .find(|path| std::path::Path::new(path).exists())
        .expect("libfaketime is needed for this test and is not installed: run tests/install");
    let place =
        Place::new("[reports]\nrecipient = 'organiser@example.com'\n[limits]\nwrites_per_minute = 0\n");
    let clock = place.path("clock");
    let set = |offset: &str| {
        std::fs::write(place.path("clock.new"), format!("{offset}\n")).expect("a file");
        std::fs::rename(place.path("clock.new"), &clock).expect("set");
    };
    set("+0");
    let server = place.serve_in(
        &[],
        &[
            ("LD_PRELOAD", &library),
            ("FAKETIME_TIMESTAMP_FILE", &clock.display().to_string()),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ("DONT_FAKE_MONOTONIC", "1"),
        ],
    );
    let sent = |email: &str| {
        assert_eq!(server.post("/api/waitlist-signups", &waitlist(email)).status, 201, "{email}");
    };
    sent("now@example.com");
    // Reports count registrations from the first run of the scheduler on.
    let first_run = "select count(*) from settings where key = 'reports.started_at'";
    place.wait_for_sql("the first run", first_run, 1);
    set("+3d");
    sent("ahead@example.com");
    let reports = || place.sql::<i64>("select count(*) from outbox where cause like 'report/daily/%'");
    // The jobs run every minute.
    wait_longer("one report for the skipped days", || (reports() == 1).then_some(())).expect("a report");
    set("-2d");
    sent("behind@example.com");
    answers(&server);
    set("+3d");
    sent("again@example.com");
    assert_eq!(server.get("/readyz", &[]).status, 200);
    assert_eq!(reports(), 1, "no report came twice");
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 4);
}
