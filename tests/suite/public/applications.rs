//! What is stored with an application: agreements, normalised contacts, and a link to the person's earlier one. Also
//! which submissions are held for review and not counted.

use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::samples::{FREE_KINDS, give_content, path, whole};
use crate::support::{Place, Reply, Server, served, speaker, text, waitlist};

const JSON: (&str, &str) = ("content-type", "application/json");

fn with(mut body: Value, more: Value) -> Value {
    for (name, value) in more.as_object().expect("fields") {
        body[name] = value.clone();
    }
    body
}

fn id(reply: &Reply) -> i64 {
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["id"].as_i64().expect("an id")
}

fn mails(place: &Place) -> i64 {
    place.sql("select count(*) from outbox")
}

#[test]
fn agreements_are_stored_with_their_version_and_time() {
    let (place, server) = served("");
    let agreed = json!({"agreedTo": {"termsAccepted": "2025-08-01", "photographyConsent": "x".repeat(500)}});
    id(&server.post("/api/speaker-applications", &with(speaker(), agreed)));
    id(&server.post("/api/speaker-applications", &speaker()));
    id(&server.post("/api/sponsor-applications", &whole(Kind::SponsorApplications)));
    id(&server.post("/api/waitlist-signups", &waitlist("a@example.com")));
    let stored = |table: &str, id: i64| {
        let sql = format!("select agreed_to || ' ' || (agreed_at = created_at) from {table} where id = {id}");
        place.sql::<Option<String>>(&sql)
    };
    let versions = r#"{"termsAccepted":"2025-08-01","photographyConsent":"2025-09-01"} 1"#;
    assert_eq!(stored("speaker_applications", 1).as_deref(), Some(versions));
    let in_force = r#"{"termsAccepted":"2025-09-01","photographyConsent":"2025-09-01"} 1"#;
    assert_eq!(stored("speaker_applications", 2).as_deref(), Some(in_force));
    assert_eq!(stored("sponsor_applications", 1).as_deref(), Some(r#"{"agreementTerms":"2025-09-01"} 1"#));
    assert_eq!(place.sql::<i64>("select agreed_to is null from waitlist_signups"), 1);
}

#[test]
fn phone_and_instagram_are_stored_as_typed_and_normalised() {
    let (place, server) = served("");
    let typed = json!({"phone": "(201) 555-0101 ext. 7", "instagram": "https://www.instagram.com/Ada.Lash/"});
    id(&server.post("/api/speaker-applications", &with(speaker(), typed)));
    id(&server.post("/api/speaker-applications", &with(speaker(), json!({"phone": "020 7946 0018"}))));
    let columns =
        "phone || '|' || coalesce(phone_normalised, '-') || '|' || instagram || '|' || instagram_normalised";
    let row =
        |id: i64| place.sql::<String>(&format!("select {columns} from speaker_applications where id = {id}"));
    assert_eq!(row(1), "(201) 555-0101 ext. 7|+12015550101|https://www.instagram.com/Ada.Lash/|@ada.lash");
    assert_eq!(row(2), "020 7946 0018|-|@ada|@ada");
}

#[test]
fn a_second_application_is_linked_to_the_first_and_acknowledged_as_such() {
    let (place, server) = served("");
    for kind in FREE_KINDS {
        let mails_before = mails(&place);
        let first = id(&server.post(&path(kind), &whole(kind)));
        let email = whole(kind)["email"].as_str().expect("an address").to_uppercase();
        let second = id(&server.post(&path(kind), &with(whole(kind), json!({ "email": email }))));
        assert_ne!(first, second);
        let table = kind.as_str().replace('-', "_");
        let earlier =
            |id: i64| place.sql::<Option<i64>>(&format!("select earlier_id from {table} where id = {id}"));
        assert_eq!((earlier(first), earlier(second)), (None, Some(first)), "{kind}");
        assert_eq!(mails(&place), mails_before + 2, "{kind}: each is confirmed by one mail");
        let mail = |id: i64| place.mail_text(&format!("cause = 'confirmation/{kind}/{id}'"));
        assert!(!mail(first).contains("We already have your"), "{kind}");
        let told = mail(second);
        let line = told.lines().find(|line| line.starts_with("We already have your")).expect("a sentence");
        assert!(line.contains(", 20") && line.contains("We keep both"), "{line}");
    }
    // A registration of another kind is not a repeat.
    let other = json!({"company": "Ada's", "email": "ada@example.com", "interest": "booth"});
    let other = id(&server.post("/api/sponsor-inquiries", &other));
    assert_eq!(
        place.sql::<Option<i64>>(&format!("select earlier_id from sponsor_inquiries where id = {other}")),
        None
    );
}

#[test]
fn an_automated_submission_is_held_for_review_without_email_or_count_and_answered_like_any_other() {
    for kind in FREE_KINDS {
        let (place, server) = served("");
        // As fast as the page can send it.
        let good = server.post(&path(kind), &with(whole(kind), json!({ "secondsSpent": 0.2 })));
        for (more, reason) in [
            (json!({"referralNote": "http://pills.example"}), "hidden_field"),
            (json!({"referralNote": "", "secondsSpent": 0}), "too_fast"),
        ] {
            let send = || {
                let headers = [JSON, ("idempotency-key", reason)];
                server.send("POST", &path(kind), &headers, &with(whole(kind), more.clone()).to_string())
            };
            let reply = send();
            assert_eq!(send().json(), reply.json(), "{kind}: a repeat is answered as the first time");
            let keys = |reply: &Reply| {
                reply.json().as_object().expect("an object").keys().cloned().collect::<Vec<_>>()
            };
            assert_eq!((reply.status, keys(&reply)), (201, keys(&good)), "{kind}");
            let table = kind.as_str().replace('-', "_");
            let row: String = place.sql(&format!(
                "select status || ' ' || set_aside_reason from {table} where id = {}",
                id(&reply)
            ));
            assert_eq!(row, format!("set_aside {reason}"), "{kind}");
        }
        assert_eq!(mails(&place), 1, "{kind}: the only mail is the good one's");
        let rows = |more: &[&str]| {
            let mut arguments = vec!["export", "--kind", kind.as_str()];
            arguments.extend(more);
            text(&place.run(&arguments).stdout).lines().filter(|line| line.contains("@example.com")).count()
        };
        assert_eq!((rows(&[]), rows(&["--status", "set_aside"])), (1, 2), "{kind}");
        // A person whose address a bot has used before is not told of that earlier submission.
        let after = id(&server.post(&path(kind), &whole(kind)));
        let told = place.mail_text(&format!("cause = 'confirmation/{kind}/{after}'"));
        assert!(told.contains("We already have your"), "{kind}");
        let first = good.json()["id"].as_i64();
        let table = kind.as_str().replace('-', "_");
        let linked = place.sql::<Option<i64>>(&format!("select earlier_id from {table} where id = {after}"));
        assert_eq!(linked, first, "{kind}: linked to the good one");
    }
}

#[test]
fn submissions_from_a_too_busy_network_are_held_for_review_and_others_are_not() {
    let (place, server) = served("[limits]\nwrites_per_minute = 2\n[proxy]\ntrusted = ['127.0.0.1']\n");
    let send = |server: &Server, address: &str, n: u32| {
        let headers = [JSON, ("x-forwarded-for", address)];
        let body = waitlist(&format!("p{n}@example.com")).to_string();
        server.send("POST", "/api/waitlist-signups", &headers, &body).status
    };
    // Each client stays within its own rate, but their network does not.
    for n in 0..8 {
        assert_eq!(send(&server, &format!("198.51.100.{}", n / 2), n), 201);
        assert_eq!(send(&server, &format!("2001:db8:7:{}::1", n / 2), n), 201);
    }
    assert_eq!(send(&server, "198.51.101.1", 99), 201);
    let reasons: String = place.sql(
        "select group_concat(coalesce(set_aside_reason, 'kept')) from (select * from waitlist_signups order by id)",
    );
    let kept = "kept,".repeat(12);
    assert_eq!(reasons, format!("{kept}{}kept", "busy_network,".repeat(4)));
    assert_eq!(mails(&place), 13);
}

#[test]
fn the_organiser_is_notified_at_once_if_the_content_says_so() {
    for (wanted, recipient, expected) in
        [("true", "office@example.com", 6), ("false", "office@example.com", 0), ("true", "", 0)]
    {
        let place = Place::new(&format!("[reports]\nrecipient = '{recipient}'\n"));
        give_content(&place, &[("notify_organiser = false", &format!("notify_organiser = {wanted}"))]);
        let server = place.serve();
        for kind in FREE_KINDS {
            id(&server.post(&path(kind), &whole(kind)));
        }
        server.post("/api/waitlist-signups", &with(waitlist("x@example.com"), json!({"referralNote": "x"})));
        let notices =
            "select count(*) from outbox where cause like 'notice/%' and recipient = 'office@example.com'";
        assert_eq!(place.sql::<i64>(notices), expected, "{wanted} {recipient}");
        if expected > 0 {
            let queued = "cause = 'notice/speaker-applications/1'";
            let subject: String = place.sql(&format!("select subject from outbox where {queued}"));
            assert_eq!(subject, "Speaker application: Ada Sample");
            let notice = place.mail_text(queued);
            assert!(notice.contains("Area of expertise: Education"), "{notice}");
        }
    }
}
