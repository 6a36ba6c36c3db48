//! Another program holds the database's only write lock, as a restore or a large import does. The server waits for it, and
//! refuses what it could not store in time.

use rusqlite::Connection;
use serde_json::Value;

use crate::support::{Place, Reply, Server, open, served, wait_for, waitlist};

fn take_lock(place: &Place) -> Connection {
    let other = open(&place.database());
    other.execute_batch("begin immediate").expect("the lock");
    other
}

fn register(server: &Server, email: &str) -> Reply {
    let headers = [("content-type", "application/json"), ("idempotency-key", email)];
    server.send("POST", "/api/waitlist-signups", &headers, &waitlist(email).to_string())
}

/// Waits until the server's writer has work that it cannot store yet.
fn wait_for_queue(server: &Server) {
    wait_for("a write that waits", || {
        let metrics = server.metrics();
        let queue = metrics.lines().find_map(|line| line.strip_prefix("showcase_store_queue ")).expect("it");
        (queue.trim() != "0").then_some(())
    });
}

fn emails(place: &Place) -> String {
    place
        .sql("select coalesce(group_concat(email), '') from (select email from waitlist_signups order by id)")
}

#[test]
fn a_write_waits_for_another_program_and_is_stored() {
    let (place, server) = served("[backup]\nevery_hours = 0\n[metrics]\nlisten = '127.0.0.1:0'\n");
    let other = take_lock(&place);
    let stored = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| register(&server, "bea@example.com"));
        wait_for_queue(&server);
        assert_eq!(server.get("/", &[]).status, 200, "visitors can read meanwhile");
        other.execute_batch("commit").expect("released");
        waiting.join().expect("an answer")
    });
    assert_eq!(stored.status, 201, "{}", stored.text());
    assert_eq!(emails(&place), "bea@example.com");
}

#[test]
fn a_write_that_waited_in_vain_is_refused_and_can_be_repeated() {
    let (place, server) = served("[backup]\nevery_hours = 0\n[metrics]\nlisten = '127.0.0.1:0'\n");
    let other = take_lock(&place);
    let refused: Vec<Reply> = std::thread::scope(|scope| {
        let people = ["a@example.com", "b@example.com"].map(|email| scope.spawn(|| register(&server, email)));
        people.into_iter().map(|person| person.join().expect("an answer")).collect()
    });
    for reply in refused {
        assert_eq!((reply.status, reply.header("retry-after")), (503, "5"), "{}", reply.text());
        assert!(reply.json()["detail"].as_str().expect("a sentence").contains("Nothing was lost"));
    }
    assert_eq!((server.get("/", &[]).status, server.get("/healthz", &[]).status), (200, 200));
    other.execute_batch("rollback").expect("released");
    drop(other);
    assert_eq!(emails(&place), "", "what was refused is not stored later");
    let stored: Vec<Value> = ["a@example.com", "b@example.com", "a@example.com"]
        .map(|email| {
            let reply = register(&server, email);
            assert_eq!(reply.status, 201, "{}", reply.text());
            reply.json()["id"].clone()
        })
        .to_vec();
    assert_eq!(stored[0], stored[2], "a repeated request is not stored twice");
    assert_eq!(emails(&place), "a@example.com,b@example.com");
    assert_eq!(place.sql::<i64>("select count(*) from outbox where cause like 'confirmation/%'"), 2);
}
