//! How much one sender can store, and the size that the organiser sees.

use serde_json::json;

use crate::support::{ADMIN, Server, served, waitlist};

const JSON: (&str, &str) = ("content-type", "application/json");

fn inquiry(server: &Server, address: &str, message: &str) -> crate::support::Reply {
    let body = json!({ "company": "Sample Brand", "email": "a@example.com", "interest": "booth", "message": message });
    server.send("POST", "/api/sponsor-inquiries", &[JSON, ("x-forwarded-for", address)], &body.to_string())
}

#[test]
fn an_address_and_a_network_have_a_daily_storage_limit() {
    let (_place, server) =
        served("[limits]\nwrites_per_minute = 0\nmegabytes_per_day = 1\n[proxy]\ntrusted = ['127.0.0.1']\n");
    let message = "m".repeat(10_000);
    let until_refused = |address: &str| (0..200).find(|_| inquiry(&server, address, &message).status != 201);
    // 18 KB each, including the overhead of a submission.
    assert!((50..=60).contains(&until_refused("198.51.100.1").expect("a limit")), "the first address");
    let refused = inquiry(&server, "198.51.100.1", &message);
    let wait: u32 = refused.header("retry-after").parse().expect("seconds");
    assert!(refused.status == 429 && (1..=86_400).contains(&wait), "{} {wait}", refused.status);
    assert!((50..=60).contains(&until_refused("198.51.100.2").expect("a limit")), "its neighbor");
    assert!((50..=60).contains(&until_refused("198.51.100.3").expect("a limit")), "and another");
    assert!(until_refused("198.51.100.4").expect("a limit") < 8, "the network has no more room");
    assert_eq!(inquiry(&server, "203.0.113.1", &message).status, 201, "another network has");
    let asks = json!({ "amount": 1, "competitionData": {} }).to_string();
    let asked = |address: &str| {
        let path = "/api/create-competition-payment-intent";
        server.send("POST", path, &[JSON, ("x-forwarded-for", address)], &asks).status
    };
    assert!((0..20).any(|_| asked("198.51.100.1") == 429), "entries count too");
    assert_eq!(asked("203.0.113.1"), 503);
}

#[test]
fn the_organiser_sees_the_size_of_the_database_and_of_its_parts() {
    let (place, server) = served(ADMIN);
    for index in 0..20 {
        server.post("/api/waitlist-signups", &waitlist(&format!("p{index}@example.com")));
    }
    assert_eq!(server.get("/api/storage", &[]).status, 401);
    let cookie = server.sign_in();
    let told = server.get("/api/storage", &[("cookie", &cookie)]).json();
    let pages: i64 = place.sql("select page_count * page_size from pragma_page_count, pragma_page_size");
    assert_eq!(told["bytes"], pages);
    let parts = told["parts"].as_array().expect("a list");
    let names: Vec<&str> = parts.iter().map(|part| part["name"].as_str().expect("a name")).collect();
    assert_eq!((names.len(), names[0], names[3], names[4]), (5, "mails", "pictures", "photos"));
    let words: i64 = place.sql("select sum(octet_length(words)) from outbox");
    let mails = parts[0]["bytes"].as_i64().expect("bytes");
    assert!((words..words * 2).contains(&mails), "{mails} of {words}");
}
