//! The search over all kinds, and entries by category.

use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::paid_site::{PaidSite, entry};
use crate::support::samples::{path, whole};
use crate::support::{ADMIN, Place, Server, served};

/// An installation with one registration of every kind, its server, and a session.
fn filled() -> (Place, Server, String) {
    let (place, server) = served(ADMIN);
    for kind in Kind::ALL {
        let reply = server.post(&path(kind), &whole(kind));
        assert_eq!(reply.status, 201, "{kind}: {}", reply.text());
    }
    let session = server.sign_in();
    (place, server, session)
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[test]
fn one_search_finds_people_of_every_kind_by_any_detail() {
    let (place, server, session) = filled();
    let found = |text: &str| -> Vec<String> {
        let reply = server.get(&format!("/api/search?q={}", encoded(text)), &[("cookie", &session)]);
        assert_eq!(reply.status, 200, "{text}: {}", reply.text());
        let items = reply.json()["items"].as_array().expect("a list").clone();
        items.iter().map(|item| item["kind"].as_str().expect("a kind").to_owned()).collect()
    };
    for (text, kinds) in [
        // A name, a business, an address; in any case and order.
        ("gia", vec!["competition-entries"]),
        ("EXAMPLE gia", vec!["competition-entries"]),
        ("placeholder beauty", vec!["sponsor-applications"]),
        ("beauty\u{a0}placeholder ", vec!["sponsor-applications"]),
        ("elle example", vec!["sponsor-applications"]),
        ("hana@example.com", vec!["sponsor-inquiries"]),
        // A phone number in any format, and a part of one.
        ("(201) 555-0104", vec!["competition-entries"]),
        ("+1 201.555.0104", vec!["competition-entries"]),
        ("2015550102", vec!["judge-applications"]),
        ("+44 20 7946 0018", vec!["professional-demo-registrations"]),
        ("555 0103", vec!["sponsor-applications"]),
        // An Instagram name, and its address.
        ("@gia", vec!["competition-entries"]),
        ("@bea.example", vec!["waitlist-signups"]),
        ("https://www.instagram.com/Faye/?hl=en", vec!["professional-demo-registrations"]),
        // A category of an entry by label or slug, as the first or an additional one; a subcategory.
        ("Lash Extensions", vec!["competition-entries"]),
        ("lash-extensions", vec!["competition-entries"]),
        ("brows", vec!["competition-entries"]),
        ("Brows - Creative", vec!["competition-entries"]),
        ("Volume", vec!["competition-entries"]),
        ("Lash Lift", vec![]),
        ("Lash Extensions - Creative", vec![]),
        ("Brows - Lamination", vec![]),
        ("nobody at all", vec![]),
        ("100%_", vec![]),
        ("10-4", vec![]),
        ("2015550104@example.com", vec![]),
        ("", vec![]),
        (" \u{0} ", vec![]),
    ] {
        assert_eq!(found(text), kinds, "{text:?}");
    }
    // Everybody, the newest first.
    assert_eq!(found("example.com"), Kind::ALL.iter().rev().map(|kind| kind.as_str()).collect::<Vec<_>>());
    assert_eq!(server.get("/api/search", &[("cookie", &session)]).json(), json!({ "items": [] }));
    assert_eq!(server.get("/api/search?q=gia", &[]).status, 401);

    // Submissions held for review are found too, because that may have been a mistake.
    place.execute("update judge_applications set status = 'set_aside'");
    let item = |text: &str| -> Value {
        server.get(&format!("/api/search?q={text}"), &[("cookie", &session)]).json()["items"][0].take()
    };
    let judge = item("dana");
    assert_eq!((&judge["status"], judge.get("paymentStatus")), (&json!("set_aside"), None));
    let created: String = place.sql("select created_at from competition_entries");
    assert_eq!(
        item("gia"),
        json!({
            "kind": "competition-entries", "id": 1, "name": "Gia Example", "business": "Gia Studio",
            "email": "gia@example.com", "status": "new", "paymentStatus": "pending", "createdAt": created
        })
    );
    let sponsor = item("elle");
    assert_eq!(
        (&sponsor["name"], &sponsor["business"]),
        (&json!("Elle Example"), &json!("Placeholder Beauty"))
    );
    assert_eq!(item("bea")["business"], Value::Null);
}

#[test]
fn a_search_returns_the_newest_fifty() {
    let (place, server, session) = filled();
    place.execute(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
             insert into sponsor_inquiries (created_at, company, email, interest)
             select printf('2035-01-01T00:00:%02d.000Z', i - 1), 'Many', 'many' || i || '@example.com', 'booth' from n;
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
             insert into waitlist_signups (created_at, name, email, want_to_compete, additional_nominations)
             select printf('2034-01-01T00:00:%02d.000Z', i - 1), 'Many', 'many' || i || '@example.com', 0, '0' from n",
    );
    let items = server.get("/api/search?q=many", &[("cookie", &session)]).json()["items"].take();
    let items = items.as_array().expect("a list");
    assert_eq!(items.len(), 50);
    assert!(items.iter().all(|item| item["kind"] == "sponsor-inquiries"), "the newer ones");
    assert_eq!(items[0]["email"], "many60@example.com");
}

#[test]
fn entries_are_listed_and_exported_by_category() {
    let (_place, server, session) = filled();
    let mut other = whole(Kind::CompetitionEntries);
    other["email"] = "ivy@example.com".into();
    other["additionalCategories"] = 0.into();
    assert_eq!(server.post("/api/competition-entries", &other).status, 201);
    let get = |path: &str| server.get(path, &[("cookie", &session)]);
    for (query, total) in [
        ("category=lash-extensions", 2),
        ("category=brows", 1),
        ("category=makeup", 0),
        ("category=brows&status=paid", 0),
        ("category=lash-extensions&search=ivy", 1),
        ("category=", 2),
    ] {
        let list = get(&format!("/api/competition-entries?{query}")).json();
        assert_eq!(list["total"], total, "{query}");
        assert_eq!(list["items"].as_array().map(Vec::len), Some(total), "{query}");
        let exported = get(&format!("/api/export/csv?kind=competition-entries&{query}")).text();
        assert_eq!(exported.matches("\r\n").count(), total + 1, "{query}");
    }
    for wrong in
        ["competition-entries?category=nails", "waitlist-signups?category=brows", "export/csv?category=brows"]
    {
        assert_eq!(get(&format!("/api/{wrong}")).status, 400, "{wrong}");
    }
}

#[test]
fn a_form_that_is_sent_again_keeps_no_former_number_or_name() {
    let site = PaidSite::start();
    let mut form = entry("ada@example.com");
    form["instagram"] = "@ada.lashes".into();
    site.create_intent("fill-1", &form);
    let normalised = "select coalesce(phone_normalised, '-') || ' ' || coalesce(instagram_normalised, '-') from competition_entries";
    assert_eq!(site.place.sql::<String>(normalised), "+12015550101 @ada.lashes");
    form["phone"] = "ask at the desk".into();
    form["instagram"] = "my studio".into();
    site.create_intent("fill-1", &form);
    assert_eq!(site.place.sql::<String>(normalised), "- -");
}
