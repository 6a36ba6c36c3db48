//! Tickets follow the registrations, and are managed by the organiser.

use serde_json::{Value, json};
use showcase::model::Kind;

use crate::door::scans;
use crate::support::content::{edited, import};
use crate::support::paid_site::{PaidSite, SignedInSite, entry};
use crate::support::samples::whole;
use crate::support::{Reply, speaker, text, wait_for};

/// A call as the organiser.
pub fn call(site: &SignedInSite, method: &str, path: &str, body: &Value) -> Reply {
    site.server.call(&site.cookie, method, path, body)
}

fn tickets(site: &SignedInSite, query: &str) -> Vec<Value> {
    let listed = call(site, "GET", &format!("/api/tickets{query}"), &Value::Null).expect(200);
    listed.json()["items"].as_array().expect("items").clone()
}

pub(super) fn pay(site: &PaidSite, email: &str) {
    site.enter_and_pay(&format!("key-{email}"), &entry(email));
}

/// Offers the ticket of an entry to somebody and returns the link.
fn offer(site: &SignedInSite, entry: i64, name: &str, email: &str) -> String {
    let offered = json!({ "name": name, "email": email, "reason": "She is ill." });
    let path = format!("/api/competition-entries/{entry}/transfer");
    assert_eq!(call(site, "POST", &path, &offered).status, 200);
    site.place.link_in("/transfer/", &format!("recipient = '{email}'"))
}

fn take(site: &SignedInSite, link: &str) {
    let form = [("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(site.server.send("POST", link, &form, "").status, 303);
}

pub(super) fn transfer(site: &SignedInSite, entry: i64, name: &str, email: &str) {
    take(site, &offer(site, entry, name, email));
}

#[test]
fn what_gives_a_place_gives_a_ticket_and_what_takes_it_makes_it_void() {
    let site = SignedInSite::open();
    pay(&site, "ada@example.com");
    let [ticket] = tickets(&site, "").try_into().expect("one ticket");
    assert_eq!((&ticket["role"], &ticket["state"]), (&json!("competitor"), &json!("valid")), "{ticket}");
    assert_eq!(ticket["lists"], json!(["day-1", "day-2", "gala"]));
    assert_eq!(ticket["days"], json!(["2026-03-28", "2026-03-29"]));
    let code = ticket["code"].as_str().expect("a code").to_owned();
    assert!(
        code.len() == 10 && code.bytes().all(|byte| b"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(&byte)),
        "{code}"
    );
    let id = ticket["id"].as_i64().expect("an id");
    let shown = call(&site, "GET", &format!("/api/tickets/{id}"), &Value::Null).json();
    assert_eq!(shown["source"], json!({ "kind": "competition-entries", "id": 1 }), "{shown}");
    assert_eq!(shown["scans"], json!([]));

    // A withdrawal and its taking back, a refund, and a transfer.
    let reason = json!({ "reason": "She moved." });
    call(&site, "POST", "/api/competition-entries/1/withdraw", &reason).expect(200);
    assert_eq!(tickets(&site, "?state=void")[0]["code"], code.as_str());
    let page = site.server.get(&format!("/t/{code}"), &[]).text();
    assert!(page.contains("This ticket is void") && page.contains("It was withdrawn."), "{page}");
    call(&site, "PATCH", "/api/competition-entries/1", &json!({ "status": "new" })).expect(200);
    assert_eq!(tickets(&site, "?state=valid")[0]["code"], code.as_str(), "the same ticket");
    let link = offer(&site, 1, "Bea New", "bea@example.com");
    assert_eq!(tickets(&site, "").len(), 1, "nobody has taken it yet");
    take(&site, &link);
    let [new] = tickets(&site, "?state=valid").try_into().expect("one valid ticket");
    assert_eq!(new["name"], "Bea New");
    assert_ne!(new["code"], code.as_str());
    assert_eq!(tickets(&site, "?state=void")[0]["code"], code.as_str());
    assert!(site.server.get(&format!("/t/{code}"), &[]).text().contains("transferred"));
    assert_eq!(site.refund_rest(&site.cookie, 1, "all").status, 200);
    assert_eq!((tickets(&site, "?state=valid").len(), tickets(&site, "?state=void").len()), (0, 2));
}

#[test]
fn accepted_people_and_judges_have_tickets_and_sponsors_two() {
    let site = SignedInSite::open();
    assert_eq!(site.server.post("/api/speaker-applications", &speaker()).status, 201);
    assert_eq!(site.server.post("/api/sponsor-applications", &whole(Kind::SponsorApplications)).status, 201);
    site.place.execute("update sponsor_applications set status = 'accepted'");
    let invited = json!({ "name": "Mona", "email": "mona@example.org" });
    assert_eq!(call(&site, "POST", "/api/judges", &invited).status, 201);
    call(&site, "PATCH", "/api/speaker-applications/1", &json!({ "status": "accepted" })).expect(200);
    let mut roles: Vec<String> =
        tickets(&site, "").iter().map(|ticket| ticket["role"].as_str().expect("a role").to_owned()).collect();
    roles.sort();
    assert_eq!(roles, ["judge", "speaker", "sponsor", "sponsor"]);
    for (places, valid) in [(4, 4), (1, 1), (0, 0), (2, 2)] {
        let set = call(&site, "PUT", "/api/sponsor-applications/1/places", &json!({ "places": places }));
        assert_eq!((set.status, set.json()["places"].as_i64()), (200, Some(places)), "{}", set.text());
        assert_eq!(tickets(&site, "?role=sponsor&state=valid").len(), valid, "{places} places");
    }
    let door = call(&site, "GET", "/api/lists/door/csv", &Value::Null).text();
    for ticket in tickets(&site, "?state=valid") {
        let (first, last) = ticket["code"].as_str().expect("a code").split_at(5);
        assert!(door.contains(&format!("{first}-{last}")), "{ticket}: {door}");
    }
    for (id, body, status) in [
        (1, json!({ "places": 51 }), 422),
        (1, json!({ "places": -1 }), 422),
        (1, json!({}), 422),
        (1, json!({ "places": "two" }), 400),
        (9, json!({ "places": 2 }), 404),
    ] {
        let refused = call(&site, "PUT", &format!("/api/sponsor-applications/{id}/places"), &body);
        assert_eq!(refused.status, status, "{body}: {}", refused.text());
    }
    call(&site, "PATCH", "/api/speaker-applications/1", &json!({ "status": "declined" })).expect(200);
    assert_eq!(tickets(&site, "?role=speaker")[0]["state"], "void");
    assert_eq!(call(&site, "DELETE", "/api/judges/1", &Value::Null).status, 204);
    assert_eq!(tickets(&site, "?role=judge&state=valid").len(), 0);
}

#[test]
fn the_organiser_adds_voids_restores_and_sends_tickets() {
    let site = SignedInSite::open();
    for (body, field) in [
        (json!({ "name": " ", "role": "guest" }), "name"),
        (json!({ "name": "Pat", "role": "judge" }), "role"),
        (json!({ "name": "Pat", "role": "guest", "email": "pat@" }), "email"),
        (json!({ "name": "x".repeat(201), "role": "guest" }), "name"),
        (json!({ "name": "\u{200b}\u{3164}", "role": "guest" }), "name"),
        (json!({ "name": "\u{2800}", "role": "guest" }), "name"),
        (json!({ "name": "Pat", "role": "guest", "business": "\u{3164}" }), "business"),
    ] {
        call(&site, "POST", "/api/tickets", &body).expect_field(field);
    }
    let body = json!({ "name": "Pat Press", "role": "guest", "business": "Daily", "note": "No photos", "email": "pat@example.com" });
    let added = call(&site, "POST", "/api/tickets", &body).expect(201);
    let (id, code) = (
        added.json()["id"].as_i64().expect("an id"),
        added.json()["code"].as_str().expect("a code").to_owned(),
    );
    let path = format!("/api/tickets/{id}");
    for search in
        ["pat", "DAILY", &code.to_lowercase(), &format!("{}-{}", &code[..5], &code[5..]), "pat%40example.com"]
    {
        assert_eq!(tickets(&site, &format!("?search={search}")).len(), 1, "{search}");
    }
    assert_eq!(tickets(&site, "?search=nobody").len(), 0);
    assert_eq!(call(&site, "GET", "/api/tickets?role=king", &Value::Null).status, 400);
    assert_eq!(call(&site, "POST", &format!("{path}/void"), &json!({})).status, 422);
    assert_eq!(call(&site, "POST", &format!("{path}/void"), &json!({ "reason": "Rude." })).status, 200);
    assert_eq!(call(&site, "POST", &format!("{path}/send"), &json!({})).status, 409, "void");
    assert!(site.server.get(&format!("/t/{code}"), &[]).text().contains("Rude."));
    assert_eq!(call(&site, "POST", &format!("{path}/restore"), &json!({})).status, 200);
    assert_eq!(call(&site, "POST", "/api/tickets/99/restore", &json!({})).status, 404);
    let sent = |body: &Value| call(&site, "POST", "/api/tickets/send", body);
    assert_eq!(
        (sent(&json!({ "role": "judge" })).json()["queued"].clone(), sent(&json!({ "role": "x" })).status),
        (json!(0), 422)
    );
    let first = sent(&json!({}));
    assert_eq!((first.status, &first.json()["queued"]), (202, &json!(1)));
    assert_eq!(sent(&json!({})).json()["queued"], 0, "everybody has had it");
    assert_eq!(call(&site, "POST", &format!("{path}/send"), &json!({})).status, 200);
    let mails = "select count(*) from outbox where recipient = 'pat@example.com'";
    assert_eq!(site.place.sql::<i64>(mails), 2);
    assert!(
        site.place
            .mail_text("recipient = 'pat@example.com' order by id limit 1")
            .contains(&format!("/t/{code}"))
    );

    let page = site.server.get(&format!("/t/{}", code.to_lowercase()), &[]);
    assert_eq!((page.status, page.header("cache-control")), (200, "no-store"));
    assert!(page.header("x-robots-tag").contains("noindex"));
    let page = page.text();
    assert!(
        page.contains("Pat Press")
            && page.contains("<svg")
            && page.contains("Day 1")
            && !page.contains("pat@example.com"),
        "{page}"
    );
    assert_eq!(site.server.get("/t/0000000000", &[]).status, 404);
    let badges = call(&site, "GET", "/api/badges?size=a6", &Value::Null).expect(200).text();
    assert!(
        badges.contains("size-a6") && badges.contains("Pat Press") && badges.contains("No photos"),
        "{badges}"
    );
    let none = call(&site, "GET", "/api/badges?since=2099-01-01", &Value::Null).text();
    assert!(!none.contains("Pat Press"), "{none}");
    let unprinted = || call(&site, "GET", "/api/badges?unprinted=true", &Value::Null).text();
    let figures = || call(&site, "GET", "/api/tickets/figures", &Value::Null).json()["unprinted"].clone();
    assert!(unprinted().contains("Pat Press") && figures() == 1);
    for (body, status) in [
        (json!({}), 422),
        (json!({ "madeUntil": "2099-01-01T00:00:00Z", "role": "king" }), 422),
        (json!({ "madeUntil": "2099-01-01T00:00:00Z", "role": "judge" }), 204),
        (json!({ "madeUntil": "2001-01-01T00:00:00Z" }), 204),
    ] {
        assert_eq!(call(&site, "POST", "/api/badges", &body).status, status, "{body}");
        assert_eq!(figures(), 1, "{body}");
    }
    let printed = json!({ "madeUntil": "2099-01-01T00:00:00Z", "role": "guest" });
    assert_eq!(call(&site, "POST", "/api/badges", &printed).status, 204);
    assert!(!unprinted().contains("Pat Press") && figures() == 0);
    for wrong in ["size=a4", "since=March", "unprinted=perhaps"] {
        assert_eq!(call(&site, "GET", &format!("/api/badges?{wrong}"), &Value::Null).status, 400, "{wrong}");
    }
}

#[test]
fn the_door_list_has_all_codes_of_a_person_and_says_that_a_ticket_is_void() {
    let site = SignedInSite::open();
    pay(&site, "ada@example.com");
    let mut judge = whole(Kind::JudgeApplications);
    (judge["name"], judge["email"]) = ("Ada Sample".into(), "ada@example.com".into());
    assert_eq!(site.server.post("/api/judge-applications", &judge).status, 201);
    call(&site, "PATCH", "/api/judge-applications/1", &json!({ "status": "accepted" })).expect(200);
    let door = || call(&site, "GET", "/api/lists/door/csv", &Value::Null).expect(200).text();
    let all = tickets(&site, "");
    assert_eq!(all.len(), 2);
    let shown = |ticket: &Value| {
        let (first, last) = ticket["code"].as_str().expect("a code").split_at(5);
        format!("{first}-{last}")
    };
    let list = door();
    assert!(all.iter().all(|ticket| list.contains(&shown(ticket))), "{list}");
    let void = |ticket: &Value| {
        let path = format!("/api/tickets/{}/void", ticket["id"]);
        call(&site, "POST", &path, &json!({ "reason": "A copy" })).expect(200);
    };
    void(&all[0]);
    let list = door();
    assert!(list.contains(&shown(&all[1])) && !list.contains(&shown(&all[0])), "{list}");
    void(&all[1]);
    assert!(door().contains("Ada Sample") && door().contains("Ticket void"), "{}", door());
}

#[test]
fn a_badge_that_says_something_else_now_is_printed_again() {
    let site = SignedInSite::open();
    pay(&site, "ada@example.com");
    let figures = || call(&site, "GET", "/api/tickets/figures", &Value::Null).json();
    let printed = || {
        let body = json!({ "madeUntil": figures()["at"] });
        call(&site, "POST", "/api/badges", &body).expect(204);
        figures()["unprinted"].clone()
    };
    assert_eq!((figures()["unprinted"].clone(), printed()), (json!(1), json!(0)));
    site.place.execute("update competition_entries set name = 'Ada Simple'");
    // Any change by an organiser updates the tickets.
    call(&site, "PATCH", "/api/competition-entries/1", &json!({ "status": "accepted" })).expect(200);
    assert_eq!(tickets(&site, "")[0]["name"], "Ada Simple");
    assert_eq!((figures()["unprinted"].clone(), printed()), (json!(1), json!(0)));
    site.place.execute("update competition_entries set email = 'ada@example.org'");
    call(&site, "PATCH", "/api/competition-entries/1", &json!({ "status": "new" })).expect(200);
    assert_eq!(figures()["unprinted"], 0, "no badge has the address");
}

#[test]
fn an_erased_person_has_no_ticket() {
    let site = SignedInSite::open();
    // The payment is kept, and whoever took over the ticket comes.
    pay(&site, "ada@example.com");
    pay(&site, "bea@example.com");
    transfer(&site, 2, "Cleo New", "cleo@example.com");
    for email in ["ada@example.com", "bea@example.com"] {
        site.place.done(&["person", "erase", email, "--yes"]);
    }
    assert_eq!(call(&site, "POST", "/api/tickets/send", &json!({})).json()["queued"], 1);
    let [ticket] = tickets(&site, "").try_into().expect("one ticket");
    assert_eq!((&ticket["name"], &ticket["note"]), (&json!("Cleo New"), &Value::Null), "{ticket}");
    let list = site.place.run(&["lists", "door", "--format", "csv"]);
    assert!(!text(&list.stdout).contains("(erased)"), "{}", text(&list.stdout));
}

#[test]
fn a_ticket_that_went_to_a_wrong_address_follows_the_right_one() {
    let site = SignedInSite::open();
    pay(&site, "ada@gmial.com");
    assert_eq!(call(&site, "POST", "/api/tickets/send", &json!({})).json()["queued"], 1);
    call(&site, "POST", "/api/competition-entries/1/address", &json!({ "email": "ada@gmail.com" }))
        .expect(200);
    let code = tickets(&site, "")[0]["code"].as_str().expect("a code").to_owned();
    let sent = site.place.mail_text("recipient = 'ada@gmail.com' order by id desc limit 1");
    assert!(sent.contains(&format!("/t/{code}")), "{sent}");
}

#[test]
fn names_of_devices_judges_and_walk_ins_have_something_to_see() {
    let site = SignedInSite::open();
    for name in ["\u{200b}", "\u{3164}", "\u{2800}", "\u{200d}", "\u{feff}\u{fe0f}"] {
        call(&site, "POST", "/api/door/devices", &json!({ "name": name })).expect_field("name");
        let judge = json!({ "name": name, "email": "judge@example.com" });
        assert_eq!(call(&site, "POST", "/api/judges", &judge).status, 422, "{name:?}");
    }
    let (_, cookie) = scans::device(&site, "Main door");
    let walk_in = |id: &str, name: &str| {
        let mut scan = scans::scan(id, "", 0);
        scan["walkIn"] = name.into();
        scans::send(&site, &cookie, &json!([scan])).json()["results"][0]["result"].clone()
    };
    assert_eq!(walk_in("a-1", "\u{3164}\u{200d}"), "unknown");
    assert_eq!(walk_in("a-2", "\u{feff}Ida\u{3164}"), "walk_in");
    assert_eq!(tickets(&site, "?role=guest")[0]["name"], "Ida");
}

#[test]
fn who_was_sent_a_ticket_is_told_once_that_it_is_void() {
    let site = SignedInSite::open();
    pay(&site, "ada@example.com");
    pay(&site, "bea@example.com");
    pay(&site, "eve@example.com");
    transfer(&site, 1, "Cleo Nova", "cleo@example.com");
    transfer(&site, 2, "Dora Neu", "dora@example.com");
    let guest = json!({ "name": "Pat Press", "role": "guest", "email": "pat@example.com" });
    let guest = call(&site, "POST", "/api/tickets", &guest).json()["id"].as_i64().expect("an id");
    let sent = |to: &str| {
        site.place.sql::<i64>(&format!(
            "select count(*) from outbox where recipient = '{to}' and subject like '%no longer valid%'"
        ))
    };
    let void = format!("/api/tickets/{guest}/void");
    let reason = json!({ "reason": "No press this year." });
    assert_eq!(call(&site, "POST", &void, &reason).status, 200);
    assert_eq!(sent("pat@example.com"), 0, "the ticket was never sent");
    assert_eq!(call(&site, "POST", &format!("/api/tickets/{guest}/restore"), &json!({})).status, 200);
    assert_eq!(call(&site, "POST", "/api/tickets/send", &json!({})).json()["queued"], 4);
    for _ in 0..2 {
        assert_eq!(call(&site, "POST", &void, &reason).status, 200);
    }
    assert_eq!(sent("pat@example.com"), 1);
    assert!(
        site.place
            .mail_text("recipient = 'pat@example.com' order by id desc limit 1")
            .contains("No press this year.")
    );
    let accepted = json!({ "status": "accepted" });
    assert_eq!(call(&site, "PATCH", "/api/competition-entries/1", &accepted).status, 200);
    assert_eq!(call(&site, "POST", "/api/competition-entries/1/refund", &json!({})).status, 200);
    let withdrawn = json!({ "reason": "She is ill." });
    for entry in [2, 3] {
        let path = format!("/api/competition-entries/{entry}/withdraw");
        assert_eq!(call(&site, "POST", &path, &withdrawn).status, 200);
    }
    wait_for("the holders' emails", || {
        (["cleo", "dora", "eve"].iter().all(|name| sent(&format!("{name}@example.com")) == 1)).then_some(())
    });
    assert_eq!(sent("ada@example.com") + sent("bea@example.com"), 0, "their tickets are those of others now");
    let told = site.place.mail_text("recipient = 'cleo@example.com' order by id desc limit 1");
    assert!(told.contains("It was refunded.") && told.contains("reply to this email"), "{told}");
    assert_eq!(call(&site, "POST", &void, &reason).status, 200);
    assert_eq!(
        site.place.sql::<i64>("select count(*) from outbox where subject like '%no longer valid%'"),
        4
    );
}

#[test]
fn a_ticket_whose_email_cannot_be_written_is_shown_and_stops_no_other() {
    let site = SignedInSite::open();
    for name in ["ada", "bea", "cleo"] {
        pay(&site, &format!("{name}@example.com"));
    }
    let fails = "create trigger broken before insert on outbox when new.recipient = 'bea@example.com' and new.template <> 'uncomposed'
         begin select raise(abort, 'broken'); end";
    site.place.execute(fails);
    let sent = call(&site, "POST", "/api/tickets/send", &json!({}));
    assert_eq!((sent.status, &sent.json()["queued"]), (202, &json!(2)), "{}", sent.text());
    let state = "select state || ' ' || recipient || ' ' || (last_error like '%broken%') from outbox where template = 'uncomposed'";
    assert_eq!(site.place.sql::<String>(state), "failed bea@example.com 1");
    let again = call(&site, "POST", "/api/tickets/send", &json!({}));
    assert_eq!(again.json()["queued"], 0, "it is recorded once");
}

#[test]
fn who_is_told_that_a_ticket_is_void_is_sent_it_when_it_is_valid_again() {
    let site = SignedInSite::open();
    let guest = json!({ "name": "Pat Press", "role": "guest", "email": "pat@example.com" });
    assert_eq!(call(&site, "POST", "/api/tickets", &guest).status, 201);
    let told = || site.place.sql::<i64>("select count(*) from outbox where subject like '%no longer valid%'");
    for round in 1..=2 {
        let sent = call(&site, "POST", "/api/tickets/send", &json!({})).json()["queued"].clone();
        assert_eq!(sent, 1, "round {round}");
        call(&site, "POST", "/api/tickets/1/void", &json!({ "reason": "A copy" })).expect(200);
        assert_eq!(told(), round);
        call(&site, "POST", "/api/tickets/1/restore", &json!({})).expect(200);
    }
}

#[test]
fn the_badge_of_one_ticket_is_printed() {
    let site = SignedInSite::open();
    for name in ["Pat Press", "Gab Guest"] {
        assert_eq!(
            call(&site, "POST", "/api/tickets", &json!({ "name": name, "role": "guest" })).status,
            201
        );
    }
    call(&site, "POST", "/api/badges", &json!({ "ticket": 2 })).expect(204);
    assert_eq!(call(&site, "POST", "/api/badges", &json!({ "ticket": 9 })).status, 404);
    let unprinted = call(&site, "GET", "/api/badges?unprinted=true", &Value::Null).text();
    assert!(unprinted.contains("Pat Press") && !unprinted.contains("Gab Guest"), "{unprinted}");
    assert!(call(&site, "GET", "/api/tickets/2", &Value::Null).json()["printedAt"].is_string());
}

#[test]
fn the_organiser_notes_something_about_anybody() {
    let site = SignedInSite::open();
    pay(&site, "ada@example.com");
    let unprinted = || call(&site, "GET", "/api/tickets/figures", &Value::Null).json()["unprinted"].clone();
    let print = || call(&site, "POST", "/api/badges", &json!({ "ticket": 1 })).expect(204);
    let note = |text: &str| call(&site, "POST", "/api/tickets/1/note", &json!({ "note": text }));
    print();
    assert_eq!(note("Model").expect(200).json()["note"], "Model");
    assert_eq!(unprinted(), 0, "no badge says it");
    assert_eq!(note("Model, no photos").status, 200);
    assert_eq!(unprinted(), 1, "its badge has a dot now");
    assert!(call(&site, "GET", "/api/badges", &Value::Null).text().contains("No photos"));
    // The registration changes, and the note stays.
    let sql = "update competition_entries set name = 'Ada Simple'";
    site.place.execute(sql);
    call(&site, "PATCH", "/api/competition-entries/1", &json!({ "status": "accepted" })).expect(200);
    let [ticket] = tickets(&site, "").try_into().expect("one ticket");
    assert_eq!((&ticket["name"], &ticket["note"]), (&json!("Ada Simple"), &json!("Model, no photos")));
    assert_eq!(note("").expect(200).json()["note"], Value::Null);
    assert_eq!(note(&"x".repeat(201)).status, 422);
    assert_eq!(call(&site, "POST", "/api/tickets/9/note", &json!({ "note": "x" })).status, 404);
}

#[test]
fn badges_take_long_names_every_direction_and_emoji() {
    let site = SignedInSite::open();
    let names = ["Maximiliana Featherstonehaugh-Cholmondeley of Greater Trenton", "שרה כהן", "Zoë 💅🏽 Nails"];
    for name in names {
        assert_eq!(
            call(&site, "POST", "/api/tickets", &json!({ "name": name, "role": "guest" })).status,
            201
        );
    }
    let badges = call(&site, "GET", "/api/badges", &Value::Null).text();
    for name in names {
        assert!(badges.contains(name), "{name}: {badges}");
    }
    assert!(badges.contains("longest") && badges.matches("<svg").count() == 3);
    let second = call(&site, "GET", "/api/badges?ticket=2", &Value::Null).text();
    assert!(second.contains(names[1]) && second.matches("<svg").count() == 1);
}

#[test]
fn tickets_are_sent_a_week_before_once_each_and_say_when_where_and_what_to_bring() {
    let mut site = SignedInSite::open();
    pay(&site, "ada@example.com");
    let moved = [
        ("2026-03-28", "2026-11-25"),
        ("2026-03-29", "2026-11-26"),
        ("March 28-29, 2026", "November 25-26, 2026"),
    ];
    import(&site.place, &edited(&moved));
    let sent = |site: &SignedInSite| {
        site.place.sql::<i64>("select count(*) from outbox where cause glob 'ticket/*/before-7'")
    };
    assert_eq!(sent(&site), 0);
    // A start does at once what falls due.
    let restart = |site: &mut SignedInSite| {
        site.server.kill();
        site.server = site.place.serve();
    };
    restart(&mut site);
    wait_for("the ticket", || (sent(&site) == 1).then_some(()));
    let told = site.place.mail_text("cause = 'ticket/1/before-7'");
    let code = tickets(&site, "")[0]["code"].as_str().expect("a code").to_owned();
    let page = site.server.get(&format!("/t/{code}"), &[]).text();
    for text in ["9:30 AM to 8:00 PM", "Lakeside Venue", "your signed model releases"] {
        assert!(told.contains(text) && page.contains(text), "{text}: {told}");
    }
    assert!(told.contains(&format!("/t/{code}")) && page.contains("/event.ics") && page.contains("/venue"));
    // Whoever comes later gets their own, and nobody a second one.
    let guest = json!({ "name": "Gab Guest", "role": "guest", "email": "gab@example.com" });
    assert_eq!(call(&site, "POST", "/api/tickets", &guest).status, 201);
    restart(&mut site);
    wait_for("the guest's ticket", || (sent(&site) == 2).then_some(()));
    restart(&mut site);
    assert_eq!(call(&site, "POST", "/api/tickets/send", &json!({})).json()["queued"], 0);
    assert_eq!(sent(&site), 2);
}
