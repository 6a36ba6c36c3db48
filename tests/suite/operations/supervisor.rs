//! Messages to the supervisor (sd_notify): ready, watchdog, reloading, stopping.

use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixDatagram;
use std::process::{Child, Stdio};
use std::time::Instant;

use crate::support::{Place, TIMEOUT, wait_for};

/// A server started as systemd would, and the socket on which it reports.
fn supervised(place: &Place) -> (Child, UnixDatagram) {
    let path = place.path("notify.socket");
    let socket = UnixDatagram::bind(&path).expect("a socket");
    socket.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    let child = place
        .command(&["serve", "--listen", "127.0.0.1:0"])
        .env("NOTIFY_SOCKET", &path)
        .env("WATCHDOG_USEC", "300000")
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(place.path("server.log")).expect("a log"))
        .spawn()
        .expect("the binary runs");
    (child, socket)
}

/// The next message that is not from the watchdog.
fn told(socket: &UnixDatagram) -> String {
    wait_for("a message", || Some(heard(socket)).filter(|message| message.trim() != "WATCHDOG=1"))
}

fn heard(socket: &UnixDatagram) -> String {
    let mut bytes = [0; 500];
    let length = socket.recv(&mut bytes).expect("a message in time");
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

#[test]
fn a_reload_signal_during_the_start_does_not_end_the_server() {
    let place = Place::new("");
    let (mut child, socket) = supervised(&place);
    let signals = format!("/proc/{}/status", child.id());
    let caught = || {
        let status = std::fs::read_to_string(&signals).expect("a process");
        let mask =
            status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a line").trim().to_owned();
        u64::from_str_radix(&mask, 16).expect("a number") & 1 == 1
    };
    // Waits until SIGHUP is handled, which is before the pages are rendered.
    let deadline = Instant::now() + TIMEOUT;
    while !caught() {
        assert!(child.try_wait().expect("a process").is_none(), "the program ended: {}", place.log());
        assert!(Instant::now() < deadline, "waited too long for SIGHUP to be handled");
        std::thread::yield_now();
    }
    let hangup = std::process::Command::new("kill").args(["-s", "HUP", &child.id().to_string()]).status();
    assert!(hangup.expect("kill runs").success());
    wait_for("RELOADING=1", || told(&socket).contains("RELOADING=1").then_some(()));
    let _ = std::process::Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status();
    let status = wait_for("the end", || child.try_wait().expect("a process"));
    assert!(status.success());
}

#[test]
fn the_supervisor_is_notified_of_every_change_and_by_the_watchdog() {
    let place = Place::new("");
    let (mut child, socket) = supervised(&place);
    assert!(told(&socket).contains("READY=1"));
    // Then it is serving, and its output is complete.
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.any(|line| line.expect("text").contains("Showcase is at http://")));
    for _ in 0..3 {
        wait_for("a sign of life", || (heard(&socket).trim() == "WATCHDOG=1").then_some(()));
    }
    let signal = |name: &str| {
        let sent = std::process::Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    };
    signal("HUP");
    let reloading = told(&socket);
    assert!(reloading.contains("RELOADING=1") && reloading.contains("MONOTONIC_USEC="), "{reloading}");
    assert!(told(&socket).contains("READY=1"));
    assert!(place.log().contains("nothing to reload"), "{}", place.log());
    signal("TERM");
    assert!(told(&socket).contains("STOPPING=1"));
    let status = wait_for("the end", || child.try_wait().expect("a process"));
    assert!(status.success());
}
