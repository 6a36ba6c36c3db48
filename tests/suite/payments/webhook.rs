//! The webhook for the payment provider's events, which anybody can call.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::support::paid_site::{PaidSite, entry};
use crate::support::{Server, clock, served, wait_for, waitlist};

const SECRET: &str = "[stripe]\nwebhook_secret = 'whsec_test'\n";

/// A signature that is current and well formed, but not valid.
fn forged() -> String {
    format!("t={},v1={}", clock::now().timestamp(), "ab".repeat(32))
}

/// Sends the head of an event that announces a body of this many bytes.
fn begins(server: &Server, signature: &str, length: usize) -> TcpStream {
    let mut connection = server.connect();
    let head = format!(
        "POST /api/stripe/webhook HTTP/1.1\r\nhost: a\r\nstripe-signature: {signature}\r\ncontent-length: {length}\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).expect("sent");
    connection
}

fn status(connection: &mut TcpStream) -> String {
    let mut start = [0; 12];
    connection.read_exact(&mut start).expect("an answer");
    String::from_utf8_lossy(&start[9..]).into_owned()
}

#[test]
fn an_event_that_cannot_be_right_is_refused_before_its_body_is_read() {
    let (_place, server) = served("");
    assert_eq!(status(&mut begins(&server, &forged(), 500_000)), "503", "no secret is set");
    let (_place, server) = served(SECRET);
    let many = format!("{}{}", forged(), format!(",v1={}", "cd".repeat(32)).repeat(8));
    let old = format!("t=1700000000,v1={}", "ab".repeat(32));
    for signature in ["", "t=1", &forged()[..40], &many, &old, &forged().replace("t=", "t=x")] {
        assert_eq!(status(&mut begins(&server, signature, 500_000)), "400", "{signature}");
    }
}

#[test]
fn a_forged_event_costs_its_address_and_no_other_one() {
    let site = PaidSite::with_config("[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nwrites_per_minute = 600\n");
    let intent = site.create_intent("fill-1", &entry("ada@example.com"));
    site.stripe.pay(&intent);
    let event = site.stripe.event("payment_intent.succeeded", &intent);
    let forged = || {
        let signature = forged();
        let headers = [("stripe-signature", signature.as_str()), ("x-forwarded-for", "203.0.113.5")];
        site.server.send("POST", "/api/stripe/webhook", &headers, "{}")
    };
    let refused = (0..300).map(|_| forged()).find(|answer| answer.status != 400).expect("a limit");
    assert_eq!((refused.status, refused.header("retry-after").is_empty()), (429, false));
    // Genuine events are not limited.
    assert_eq!(site.deliver_event(&event, json!({ "times": 12 })), [200; 12]);
    assert_eq!(site.assert_books_agree(), 1);
}

#[test]
fn halves_of_large_events_keep_no_memory_from_others() {
    let (_place, server) = served(&format!("{SECRET}[limits]\nwrites_per_minute = 0\n"));
    let half = || {
        let mut connection = begins(&server, &forged(), 520_000);
        // The body of a refused event is not read.
        let _ = connection.write_all(&vec![b'x'; 500_000]);
        connection.set_nonblocking(true).expect("a socket");
        connection
    };
    let halves: Vec<TcpStream> = (0..40).map(|_| half()).collect();
    let waiting = || {
        let waits = |half: &&TcpStream| {
            let would_block = |error: std::io::Error| error.kind() == std::io::ErrorKind::WouldBlock;
            half.peek(&mut [0]).err().is_some_and(would_block)
        };
        halves.iter().filter(waits).count()
    };
    // Large bodies share half of the forms' 32 MB, and one network alone gets half of that: 8 MB, which is at most sixteen
    // of these.
    wait_for("the refusals", || (waiting() <= 16).then_some(()));
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    assert!(waiting() >= 1, "some wait for the rest of their bodies");
    drop(halves);
    wait_for("room for a whole one", || {
        let mut connection = begins(&server, &forged(), 520_000);
        let _ = connection.write_all(&vec![b'x'; 520_000]);
        let mut start = [0; 12];
        (connection.read_exact(&mut start).is_ok() && &start[9..] == b"400").then_some(())
    });
}

#[test]
fn half_sent_bodies_of_many_networks_keep_nobody_out() {
    crate::connections::hostile_clients::allow_files(3_000);
    let password = "a-password-of-the-test";
    let (_place, server) = served(&format!(
        "[admin]\npassword = '{password}'\n[proxy]\ntrusted = ['127.0.0.1']\n[limits]\nwrites_per_minute = 0\n"
    ));
    // Both exceed the budget: four networks with a fifth each, and forty with a small part each.
    for networks in [4, 40] {
        let half = |number: usize| {
            let mut connection = server.connect();
            let network = number % networks;
            let head = format!(
                "POST /api/waitlist-signups HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 198.51.{network}.7\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n"
            );
            connection.write_all(head.as_bytes()).expect("sent");
            let _ = connection.write_all(&vec![b' '; 59_000]);
            connection
        };
        let halves: Vec<TcpStream> = (0..640).map(half).collect();
        // A refusal shows that the budget is full.
        wait_for("a full budget", || {
            halves
                .iter()
                .any(|half| {
                    half.set_nonblocking(true).expect("a socket");
                    half.peek(&mut [0]).is_ok()
                })
                .then_some(())
        });
        let send = |path: &str, body: serde_json::Value| {
            let headers = [("content-type", "application/json"), ("x-forwarded-for", "203.0.113.9")];
            server.send("POST", path, &headers, &body.to_string())
        };
        let sign_in = send("/api/admin/session", json!({ "password": password }));
        assert_eq!(sign_in.status, 204, "{networks} networks: {}", sign_in.text());
        let form = send("/api/waitlist-signups", waitlist(&format!("p{networks}@example.com")));
        assert_eq!(form.status, 201, "{networks} networks: {}", form.text());
    }
}
