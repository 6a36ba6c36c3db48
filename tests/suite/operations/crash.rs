//! A submission answered with 201 survives a crash of the process at any moment.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{send_to, served, wait_for};

#[test]
fn no_answered_submission_is_lost_when_the_process_is_killed() {
    for round in 0..3_u64 {
        let (place, mut server) = served("");
        let answered = Mutex::new(BTreeSet::new());
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for client in 0..16 {
                let (address, answered, stop) = (server.address.clone(), &answered, &stop);
                scope.spawn(move || {
                    let mut number = 0;
                    while !stop.load(Ordering::Relaxed) {
                        number += 1;
                        let email = format!("c{client}n{number}@example.com");
                        if let Some(id) = send(&address, &email) {
                            answered.lock().expect("a lock").insert((id, email));
                        }
                    }
                });
            }
            let enough = 200 + 150 * round as usize;
            wait_for("answers", || (answered.lock().expect("a lock").len() > enough).then_some(()));
            server.kill();
            stop.store(true, Ordering::Relaxed);
        });
        let _again = place.serve();
        let answered = answered.into_inner().expect("a lock");
        let connection = crate::support::open(&place.database());
        for (id, email) in &answered {
            let kept: i64 = connection
                .query_row(
                    "select count(*) from waitlist_signups w join outbox o on o.cause = 'confirmation/waitlist-signups/' || w.id
                     where w.id = ? and w.email = ? and o.recipient = w.email",
                    (id, email),
                    |row| row.get(0),
                )
                .expect("a count");
            assert_eq!(kept, 1, "{id} {email} was answered 201 and is gone");
        }
        let unmatched: i64 = place.sql(
            "select (select count(*) from waitlist_signups) - (select count(*) from outbox) + (select count(*) from waitlist_signups) - (select count(*) from audit_log where action = 'registered')",
        );
        assert_eq!(unmatched, 0, "a record without its mail or its audit line");
    }
}

/// The id of a registration that was answered with 201; `None` if the server died first.
fn send(address: &str, email: &str) -> Option<i64> {
    let body = serde_json::json!({ "name": "Ada Sample", "email": email }).to_string();
    let headers = [("content-type", "application/json")];
    let reply = send_to(address, "POST", "/api/waitlist-signups", &headers, body.as_bytes()).ok()?;
    if reply.status == 201 { reply.json()["id"].as_i64() } else { None }
}
