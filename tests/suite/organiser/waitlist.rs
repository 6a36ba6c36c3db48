//! From the waitlist to an entry: invitations in order, each with a personal link that holds until an instant.

use serde_json::{Value, json};

use crate::support::content::{edited, import};
use crate::support::paid_site::{PaidSite, entry};
use crate::support::{Place, clock, wait_for, waitlist};

/// So many days from now.
fn until(days: i64) -> String {
    (clock::now() + chrono::TimeDelta::days(days)).to_rfc3339()
}

/// The token of the link in the newest invitation of a signup.
fn token(place: &Place, signup: i64) -> String {
    let cause = format!("cause like 'invitation/waitlist-signups/{signup}/%'");
    let link = place.link_in("/enter-competition#invitation=", &format!("{cause} order by id desc"));
    link.split_once('=').expect("a token").1.to_owned()
}

/// A site with this many people on the waitlist: `w1@example.com` and so on.
fn with_waitlist(people: usize) -> PaidSite {
    let site = PaidSite::with_config(
        "[limits]\nwrites_per_minute = 0\nmegabytes_per_day = 0\nconfirmations_per_day = 0\n",
    );
    for number in 1..=people {
        let reply = site.server.post("/api/waitlist-signups", &waitlist(&format!("w{number}@example.com")));
        assert_eq!(reply.status, 201, "{}", reply.text());
    }
    site
}

#[test]
fn people_are_invited_in_order_and_the_state_is_on_each_record() {
    let site = with_waitlist(5);
    let (place, server, session) = (&site.place, &site.server, site.cookie());
    place.execute(
        "update waitlist_signups set status = 'withdrawn' where id = 1;
             update waitlist_signups set want_to_compete = 0 where id = 3;
             update waitlist_signups set email = 'W2@example.com' where id = 4;",
    );
    let invite = |body: Value| server.call(&session, "POST", "/api/waitlist-signups/invite", &body);
    let invited = invite(json!({ "count": 2, "holdsUntil": until(3) }));
    assert_eq!((invited.status, invited.json()["ids"].clone()), (200, json!([2, 5])), "{}", invited.text());
    assert_eq!(invite(json!({ "count": 2, "holdsUntil": until(3) })).status, 409, "nobody is left");
    let mails = "select group_concat(recipient) from outbox where cause like 'invitation/%'";
    assert_eq!(place.sql::<String>(mails), "w2@example.com,w5@example.com");
    let states = || {
        let list = server.call(&session, "GET", "/api/waitlist-signups?sort=id", &Value::Null).json();
        list["items"]
            .as_array()
            .expect("a list")
            .clone()
            .iter()
            .map(|item| item["invitation"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(states(), ["waiting", "invited", "waiting", "waiting", "invited"]);

    // A link leads to an address and to an entry.
    let (second, fifth) = (token(place, 2), token(place, 5));
    let checked = server.post("/api/waitlist-invitations/check", &json!({ "token": second }));
    assert_eq!((checked.status, checked.json()["email"].clone()), (200, json!("w2@example.com")));
    let mut form = entry("another@example.com");
    form["invitation"] = second.clone().into();
    let intent = site.create_intent("fill-1", &form);
    assert_eq!(states()[1], "invited", "it is not paid yet");
    let opened = server.call(&session, "GET", "/api/waitlist-signups/2", &Value::Null);
    site.stripe.pay(&intent);
    assert_eq!(site.save(&form, &intent).status, 201);
    assert_eq!(states()[1], "accepted");
    // Nobody changed the signup itself.
    let headers = [
        ("cookie", session.as_str()),
        ("content-type", "application/json"),
        ("if-match", opened.header("etag")),
    ];
    let note = json!({ "note": "She will call." }).to_string();
    server.send("PATCH", "/api/waitlist-signups/2", &headers, &note).expect(200);
    // Time passes for the other one.
    place.execute(
        "update waitlist_invitations set holds_until = '2026-01-01T00:00:00.000Z' where signup_id = 5",
    );
    assert_eq!(states()[4], "let_pass");
    let ended = server.post("/api/waitlist-invitations/check", &json!({ "token": fifth }));
    assert_eq!(
        (ended.status, ended.json()["holds"].clone(), ended.json()["email"].clone()),
        (200, json!(false), Value::Null)
    );
    let record = server.call(&session, "GET", "/api/waitlist-signups/5", &Value::Null).json();
    assert_eq!(record["invitationEndsAt"], "2026-01-01T00:00:00.000Z");
    // Whoever enters after all, without the link, has accepted.
    let form = entry("W5@example.com");
    site.enter_and_pay("fill-2", &form);
    assert_eq!(states(), ["waiting", "accepted", "waiting", "waiting", "accepted"]);
    let csv = place.done(&["export", "--kind", "waitlist-signups"]);
    assert!(csv.lines().next().is_some_and(|head| head.contains("\"invitation\"")), "{csv}");
    let group = json!({ "group": { "kind": "waitlist-signups", "invitation": ["waiting", "let_pass"] } });
    let count = server.call(&session, "POST", "/api/mailings/count", &group).json();
    assert_eq!(count["recipients"], 3);
    let stored: i64 = place.sql("select count(*) from waitlist_invitations where length(token_hash) = 32");
    assert_eq!(stored, 2, "only a hash");
}

#[test]
fn a_wrong_invitation_is_refused_and_a_wrong_token_harms_nobody() {
    let site = with_waitlist(2);
    let (place, server, session) = (&site.place, &site.server, site.cookie());
    for (body, field) in [
        (json!({ "count": 0, "holdsUntil": until(1) }), "count"),
        (json!({ "count": 501, "holdsUntil": until(1) }), "count"),
        (json!({ "count": 1, "holdsUntil": until(-1) }), "holdsUntil"),
        (json!({ "count": 1, "holdsUntil": until(1000) }), "holdsUntil"),
        (json!({ "count": 1, "holdsUntil": "tomorrow" }), "holdsUntil"),
        (json!({ "count": 1 }), "holdsUntil"),
    ] {
        let reply = server.call(&session, "POST", "/api/waitlist-signups/invite", &body);
        assert_eq!(reply.status, 422, "{body}: {}", reply.text());
        assert!(reply.json()["errors"][field].is_string(), "{body}: {}", reply.text());
    }
    assert_eq!(server.post("/api/waitlist-signups/invite", &json!({ "count": 1 })).status, 401);
    for token in ["", "00", &"0".repeat(64), &"x".repeat(10_000)] {
        let reply = server.post("/api/waitlist-invitations/check", &json!({ "token": token }));
        assert_eq!(reply.status, 404, "{}", reply.text());
        let mut form = entry("ada@example.com");
        form["invitation"] = token.into();
        let intent = site.create_intent(&format!("fill-{}", token.len()), &form);
        site.stripe.pay(&intent);
        assert_eq!(site.save(&form, &intent).status, 201);
    }
    assert_eq!(place.sql::<i64>("select count(*) from outbox where cause like 'invitation/%'"), 0);
}

#[test]
fn one_person_is_invited_from_the_record_and_again_once_the_invitation_has_ended() {
    let site = with_waitlist(3);
    let (place, server, session) = (&site.place, &site.server, site.cookie());
    let invite = |id: i64, days: i64| {
        let path = format!("/api/waitlist-signups/{id}/invite");
        server.call(&session, "POST", &path, &json!({ "holdsUntil": until(days) }))
    };
    let invited = invite(2, 3);
    assert_eq!((invited.status, invited.json()["invitation"].clone()), (200, json!("invited")));
    assert!(!invited.header("etag").is_empty(), "it is the record");
    let again = invite(2, 3);
    assert!(again.status == 409 && again.text().contains("invited already"), "{}", again.text());
    assert_eq!(invite(2, -1).status, 422);
    assert_eq!(invite(99, 3).status, 404);
    assert_eq!(server.post("/api/waitlist-signups/2/invite", &json!({})).status, 401);
    place.execute("update waitlist_invitations set holds_until = '2026-01-01T00:00:00.000Z'");
    assert_eq!(invite(2, 3).status, 200);
    assert_eq!(place.sql::<i64>("select count(*) from outbox where cause like 'invitation/%/2/%'"), 2);

    let form = entry("w3@example.com");
    site.enter_and_pay("fill-1", &form);
    let entered = invite(3, 3);
    assert!(entered.status == 409 && entered.text().contains("has entered"), "{}", entered.text());
    let withdrawn = json!({ "status": "withdrawn" });
    assert_eq!(server.call(&session, "PATCH", "/api/waitlist-signups/1", &withdrawn).status, 200);
    assert_eq!(invite(1, 3).status, 409);
    assert_eq!(
        server.call(&session, "PATCH", "/api/waitlist-signups/1", &json!({ "status": "new" })).status,
        200
    );

    assert_eq!(invite(1, 3).status, 200);
    assert!(invite(1, 3).text().contains("invited already"));
}

#[test]
fn a_corrected_address_gets_an_unsent_invitation_only_while_its_link_works() {
    let site = with_waitlist(1);
    let (place, server, session) = (&site.place, &site.server, site.cookie());
    let ended = "update waitlist_invitations set holds_until = '2026-01-01T00:00:00.000Z'";
    for (email, ends) in [("ended@example.com", ended), ("current@example.com", "")] {
        let body = json!({ "holdsUntil": until(3) });
        assert_eq!(server.call(&session, "POST", "/api/waitlist-signups/1/invite", &body).status, 200);
        let failed =
            "update outbox set state = 'failed' where cause like 'invitation/%' and state = 'waiting';";
        place.execute(&format!("{failed} {ends}"));
        let corrected =
            server.call(&session, "POST", "/api/waitlist-signups/1/address", &json!({ "email": email }));
        assert_eq!(corrected.status, 200, "{}", corrected.text());
    }
    let unsent =
        "select group_concat(recipient) from outbox where cause like 'invitation/%' and state <> 'discarded'";
    assert_eq!(place.sql::<String>(unsent), "current@example.com");
}

#[test]
fn an_invitation_works_while_entries_are_closed_by_hand_for_one_entry() {
    let mut site = with_waitlist(3);
    let session = site.cookie();
    let invite = |site: &PaidSite, id: i64| {
        let path = format!("/api/waitlist-signups/{id}/invite");
        site.server.call(&session, "POST", &path, &json!({ "holdsUntil": until(3) }))
    };
    let check =
        |token: &str| site.server.post("/api/waitlist-invitations/check", &json!({ "token": token })).json();
    assert_eq!(invite(&site, 1).status, 200);
    let closed = json!({ "open": false });
    assert_eq!(site.server.call(&session, "POST", "/api/openings/competition-entries", &closed).status, 200);
    let intent = |form: &Value| site.request_intent(form["email"].as_str().expect("an address"), form);
    wait_for("the form to close", || (intent(&entry("a@example.com")).status == 403).then_some(()));
    // A place becomes free while the form is closed.
    assert_eq!(invite(&site, 2).status, 200);
    for id in [1, 2] {
        let token = token(&site.place, id);
        let checked = check(&token);
        assert!(
            checked["opensForm"] == true && checked["email"] == format!("w{id}@example.com"),
            "{checked}"
        );
        let mut form = entry(&format!("w{id}@example.com"));
        form["invitation"] = token.clone().into();
        site.enter_and_pay(&format!("fill-{id}"), &form);
        assert_eq!(check(&token)["opensForm"], false, "it is used");
        let mut another = entry("friend@example.com");
        another["invitation"] = token.into();
        assert_eq!(intent(&another).status, 403);
    }
    let mut wrong = entry("b@example.com");
    wrong["invitation"] = "0".repeat(64).into();
    assert_eq!(intent(&wrong).status, 403);
    // One that has ended, and entries that are closed by their dates.
    assert_eq!(invite(&site, 3).status, 200);
    let mut late = entry("w3@example.com");
    let third = token(&site.place, 3);
    late["invitation"] = third.clone().into();
    let ends = |at: &str| {
        let update = format!("update waitlist_invitations set holds_until = '{at}' where signup_id = 3");
        site.place.execute(&update);
    };
    ends("2026-01-01T00:00:00.000Z");
    assert_eq!((intent(&late).status, check(&third)["opensForm"].clone()), (403, json!(false)));
    ends("2027-01-01T00:00:00.000Z");
    assert_eq!(check(&third)["opensForm"], true);
    let entries = "[openings.competition-entries]\n";
    let past = format!("{entries}open = true\nuntil = '2026-01-01'");
    import(&site.place, &edited(&[(&format!("{entries}open = true"), &past)]));
    site.restart();
    assert_eq!(
        site.server.post("/api/waitlist-invitations/check", &json!({ "token": third })).json()["opensForm"],
        false
    );
    let refused = invite(&site, 3);
    assert!(
        refused.status == 409 && refused.text().contains("Entries are closed by their dates"),
        "{}",
        refused.text()
    );
}

#[test]
fn an_invitation_ends_before_entries_do() {
    let mut site = with_waitlist(1);
    let closes =
        format!("open = true\nuntil = '{}'", (clock::now() + chrono::TimeDelta::days(5)).format("%F %H:%M"));
    let entries = "[openings.competition-entries]\n";
    import(&site.place, &edited(&[(&format!("{entries}open = true"), &format!("{entries}{closes}"))]));
    site.restart();
    let session = site.cookie();
    let invite = |path: &str, body: Value| {
        site.server.call(&session, "POST", &format!("/api/waitlist-signups/{path}"), &body)
    };
    let bodies = [
        ("1/invite", json!({ "holdsUntil": until(6) })),
        ("invite", json!({ "count": 1, "holdsUntil": until(6) })),
    ];
    for (path, body) in bodies {
        let refused = invite(path, body);
        let told = refused.json()["errors"]["holdsUntil"].to_string();
        assert!(refused.status == 422 && told.contains("Entries close on November 24, 2026 at"), "{told}");
    }
    assert_eq!(invite("1/invite", json!({ "holdsUntil": until(4) })).status, 200);
}

#[test]
fn somebody_whose_entry_no_longer_takes_part_can_be_invited_again() {
    let site = with_waitlist(3);
    let session = site.cookie();
    let send = |method: &str, path: &str, body: &Value| site.server.call(&session, method, path, body);
    let state = |id: i64| {
        let record = send("GET", &format!("/api/waitlist-signups/{id}"), &Value::Null).json();
        record["invitation"].as_str().unwrap_or_default().to_owned()
    };
    let invited =
        send("POST", "/api/waitlist-signups/invite", &json!({ "count": 3, "holdsUntil": until(3) }));
    assert_eq!(invited.status, 200, "{}", invited.text());
    for id in 1..=3 {
        let mut form = entry(&format!("w{id}@example.com"));
        form["invitation"] = token(&site.place, id).into();
        site.enter_and_pay(&format!("fill-{id}"), &form);
        assert_eq!(state(id), "accepted");
    }
    for (path, body) in [("1/refund", json!({})), ("2/withdraw", json!({ "reason": "She is ill" }))] {
        assert_eq!(send("POST", &format!("/api/competition-entries/{path}"), &body).status, 200);
    }
    site.place.execute("update waitlist_invitations set holds_until = '2026-01-01T00:00:00.000Z'");
    for (id, before, status) in [(1, "let_pass", 200), (2, "let_pass", 200), (3, "accepted", 409)] {
        assert_eq!(state(id), before);
        let path = format!("/api/waitlist-signups/{id}/invite");
        let again = send("POST", &path, &json!({ "holdsUntil": until(3) }));
        assert_eq!(again.status, status, "{id}: {}", again.text());
    }
    // The entry that is made with the new link replaces the one that was refunded.
    let mut form = entry("another@example.com");
    form["invitation"] = token(&site.place, 1).into();
    site.enter_and_pay("fill-4", &form);
    assert_eq!(state(1), "accepted");
}

#[test]
fn two_organisers_at_once_and_a_kill_invite_nobody_twice() {
    let site = with_waitlist(12);
    let (server, session) = (&site.server, site.cookie());
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let press = || {
            let body = json!({ "count": 4, "holdsUntil": until(3) });
            scope.spawn(|| {
                let body = body;
                server.call(&session, "POST", "/api/waitlist-signups/invite", &body).status
            })
        };
        let pressed: Vec<_> = (0..4).map(|_| press()).collect();
        pressed.into_iter().map(|press| press.join().expect("an answer")).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 3, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 1, "{statuses:?}");
    let twice = "select count(*) - count(distinct recipient) from outbox where cause like 'invitation/%'";
    assert_eq!(site.place.sql::<i64>(twice), 0);
    assert_eq!(site.place.sql::<i64>("select count(*) from waitlist_invitations"), 12);
}

#[test]
fn an_invitation_that_cannot_be_written_is_shown_and_stops_no_other() {
    let site = with_waitlist(3);
    let fails = "create trigger broken before insert on outbox when new.recipient = 'w2@example.com' and new.template <> 'uncomposed'
         begin select raise(abort, 'broken'); end";
    site.place.execute(fails);
    let body = json!({ "count": 3, "holdsUntil": until(3) });
    let invited = site.server.call(&site.cookie(), "POST", "/api/waitlist-signups/invite", &body).expect(200);
    assert_eq!(invited.json()["ids"], json!([1, 3]));
    let failed = "select recipient from outbox where template = 'uncomposed' and state = 'failed'";
    assert_eq!(site.place.sql::<String>(failed), "w2@example.com");
    assert_eq!(
        site.place.sql::<i64>("select count(*) from waitlist_invitations"),
        2,
        "she is not called invited"
    );
}
