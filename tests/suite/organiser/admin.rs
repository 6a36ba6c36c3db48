//! The organiser's pages: access, downloads, lists and reviews.

use serde_json::json;

use crate::support::{ADMIN, PASSWORD, served, speaker, waitlist};

#[test]
fn the_cookie_is_strict_and_valid_for_every_organiser_call_until_sign_out() {
    let (place, server) = served(ADMIN);
    let reply = server.post("/api/admin/session", &json!({ "password": PASSWORD }));
    let set = reply.header("set-cookie");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict") && !set.contains("Secure"), "{set}");
    let cookie = set.split(';').next().expect("a pair").to_owned();
    let session = server.get("/api/admin/session", &[("cookie", &cookie)]);
    assert_eq!((session.status, &session.json()["username"]), (200, &json!("organiser")));
    assert!(session.json()["expiresAt"].as_str().expect("an instant").ends_with('Z'));
    assert_eq!(server.get("/api/export/csv", &[("cookie", &cookie)]).status, 200);
    place.assert_not_stored("organiser", &[&cookie["showcase_session=".len()..]]);
    let out = server.send("DELETE", "/api/admin/session", &[("cookie", &cookie)], "");
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert!(!server.is_signed_in(&cookie), "a cookie stolen before sign-out opens nothing after it");
}

#[test]
fn a_session_ends_after_idle_time_and_with_the_password() {
    let (place, server) = served("");
    let password = server.generated_password();
    let enter = || server.sign_in_with(&json!({ "password": password }));
    let idle = enter();
    assert!(server.is_signed_in(&idle));
    place.execute("update sessions set last_seen_at = '2026-01-01T00:00:00.000Z'");
    assert!(!server.is_signed_in(&idle));
    let second = enter();
    assert!(server.is_signed_in(&second));
    assert!(place.run_with_input(&["password"], "another-long-one\n").status.success());
    assert!(!server.is_signed_in(&second), "a new password ends every session");
}

#[test]
fn the_summary_counts_every_kind_but_not_spam_or_dead_entries() {
    let (place, server) = served(ADMIN);
    server.post("/api/speaker-applications", &speaker());
    server.post("/api/waitlist-signups", &waitlist("a@example.com"));
    server.post("/api/waitlist-signups", &waitlist("b@example.com"));
    place.execute("update waitlist_signups set status = 'set_aside' where email = 'b@example.com'");
    for status in ["disputed", "paid", "failed", "abandoned"] {
        place.insert_entry(&[("payment_status", &status)]);
    }
    let cookie = server.sign_in();
    let summary = server.get("/api/export/json", &[("cookie", &cookie)]).json();
    for (key, count) in [
        ("speakerApplications", 1),
        ("judgeApplications", 0),
        ("sponsorApplications", 0),
        ("professionalDemoRegistrations", 0),
        ("competitionEntries", 2),
        ("waitlistSignups", 1),
        ("sponsorInquiries", 0),
        ("totalRegistrations", 4),
    ] {
        assert_eq!(summary[key], count, "{key}");
    }
    assert_eq!(summary["competitionEntriesByStatus"]["abandoned"], 1);
    let record = &summary["registrations"]["speakerApplications"][0];
    assert_eq!((&record["name"], &record["termsAccepted"]), (&json!("Ada Sample"), &json!(true)));
    assert!(record["createdAt"].as_str().expect("an instant").ends_with('Z'));
    assert_eq!(summary["registrations"]["waitlistSignups"].as_array().expect("a list").len(), 1);
    let short = server.get("/api/export/json?summary=true", &[("cookie", &cookie)]).json();
    assert!(short.get("registrations").is_none() && short["totalRegistrations"] == 4);
    for (asked, entries, total) in [
        ("from=2026-01-01&to=2026-01-01", 0, 0),
        ("from=2025-12-31&to=2025-12-31", 2, 2),
        ("status=paid", 1, 1),
        ("status=abandoned", 1, 1),
        ("status=set_aside", 0, 1),
    ] {
        let of_these = server.get(&format!("/api/export/json?{asked}"), &[("cookie", &cookie)]).json();
        let counts = (&of_these["competitionEntries"], &of_these["totalRegistrations"]);
        assert_eq!(counts, (&json!(entries), &json!(total)), "the counts are those of the rows: {asked}");
    }
}

#[test]
fn a_list_is_searched_sorted_and_paged() {
    let (_place, server) = served(ADMIN);
    for name in ["Ada 100%", "Bea_Lash", "Cleo", "Dana", "Elle"] {
        let email = format!("{}@example.com", &name[..3].to_lowercase());
        assert_eq!(
            server.post("/api/waitlist-signups", &json!({ "name": name, "email": email })).status,
            201
        );
    }
    let cookie = server.sign_in();
    let list = |query: &str| server.get(&format!("/api/waitlist-signups{query}"), &[("cookie", &cookie)]);
    let names = |query: &str| {
        let list = list(query).json();
        let items = list["items"].as_array().expect("a list").iter();
        items.map(|item| item["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("?sort=name&pageSize=2&page=2"), ["Cleo", "Dana"]);
    assert_eq!(names("")[0], "Elle", "the newest first");
    assert_eq!(names("?search=100%25"), ["Ada 100%"], "a percent sign is a letter like any other");
    assert_eq!(names("?search=BEA_"), ["Bea_Lash"]);
    assert_eq!(names("?status=accepted").len(), 0);
    let page = list("?pageSize=2").json();
    assert_eq!((&page["total"], &page["page"], &page["pageSize"]), (&json!(5), &json!(1), &json!(2)));
    for wrong in ["?page=0", "?pageSize=x", "?sort=password", "?sort=name;drop"] {
        assert_eq!(list(wrong).status, 400, "{wrong}");
    }
    let id = list("").json()["items"][0]["id"].as_i64().expect("an id");
    let one = server.get(&format!("/api/waitlist-signups/{id}"), &[("cookie", &cookie)]);
    assert_eq!(one.json()["name"], "Elle");
    assert_eq!(server.get("/api/waitlist-signups/999", &[("cookie", &cookie)]).status, 404);
}
