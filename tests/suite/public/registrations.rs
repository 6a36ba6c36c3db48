//! Registrations: stored completely with their email, or refused with every reason and nothing stored.

use serde_json::Value;

use crate::support::paid_site::entry;
use crate::support::{served, speaker, wait_for, waitlist};

const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn an_answered_registration_is_on_disk_with_its_email() {
    let (place, server) = served("");
    let reply = server.post("/api/speaker-applications", &speaker()).expect(201);
    let id = reply.json()["id"].as_i64().expect("an id");
    let created_at = reply.json()["createdAt"].as_str().expect("an instant").to_owned();
    assert!(created_at.ends_with('Z'));
    let row: String = place.sql(&format!(
        "select name || '|' || topic_proposal || '|' || terms_accepted || '|' || created_at from speaker_applications where id = {id}"
    ));
    assert_eq!(row, format!("Ada Sample|{}|1|{created_at}", "t".repeat(100)));
    let queued = format!("cause = 'confirmation/speaker-applications/{id}'");
    let whose: String = place.sql(&format!("select recipient || ' ' || state from outbox where {queued}"));
    assert_eq!(whose, "ada@example.com waiting");
    let mail = place.mail_text(&queued);
    assert!(mail.contains("Hello Ada Sample,") && mail.contains("February 15th, 2026"), "{mail}");
    assert!(mail.contains("Area of expertise: Education"), "labels, not values: {mail}");
    assert_eq!(place.sql::<i64>("select count(*) from audit_log where action = 'registered'"), 1);
}

#[test]
fn a_repeat_is_answered_as_the_first_time_after_the_form_has_closed() {
    let (place, server) = served("");
    let send = |path: &str, key: &str, body: &Value| {
        let headers = [JSON, ("idempotency-key", key)];
        server.send("POST", path, &headers, &body.to_string())
    };
    let sent = [
        ("/api/waitlist-signups", waitlist("a@example.com")),
        ("/api/competition-entries", entry("a@example.com")),
    ];
    let first = sent.each_ref().map(|(path, body)| send(path, "k1", body));
    assert!(first.iter().all(|reply| reply.status == 201), "{}", first[1].text());
    // The form is closed, and the entry's category is no longer offered.
    let content = place
        .done(&["content", "export"])
        .replace("[openings.waitlist-signups]\nopen = true", "[openings.waitlist-signups]\nopen = false")
        .replace(
            "[openings.competition-entries]\nopen = true",
            "[openings.competition-entries]\nopen = false",
        )
        .replace("\"Volume\"", "\"Mega Volume\"");
    std::fs::write(place.path("event.toml"), content).expect("a file");
    place.done(&["content", "import", "event.toml"]);
    let other = waitlist("b@example.com");
    wait_for("the forms to close", || (server.post(sent[0].0, &other).status == 403).then_some(()));
    for ((path, body), first) in sent.iter().zip(first) {
        let again = send(path, "k1", body);
        assert_eq!((again.status, again.json()), (201, first.json()), "{path}");
        assert_eq!(send(path, "k2", body).status, 403, "{path}: another request");
    }
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups where email = 'a@example.com'"), 1);
    assert_eq!(place.sql::<i64>("select count(*) from outbox where recipient = 'a@example.com'"), 1);
}

#[test]
fn concurrent_requests_with_the_same_key_create_one_record() {
    let (place, server) = served("");
    let ids: std::collections::BTreeSet<i64> = std::thread::scope(|scope| {
        let sends: Vec<_> = (0..16)
            .map(|_| {
                scope.spawn(|| {
                    let headers = [JSON, ("idempotency-key", "double click")];
                    let body = waitlist("a@example.com").to_string();
                    server.send("POST", "/api/waitlist-signups", &headers, &body).json()["id"]
                        .as_i64()
                        .expect("an id")
                })
            })
            .collect();
        sends.into_iter().map(|send| send.join().expect("an answer")).collect()
    });
    assert_eq!(ids.len(), 1);
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 1);
}
