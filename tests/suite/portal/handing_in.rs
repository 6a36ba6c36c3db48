//! Handing in takes every required slot, every tick and the release, which the model signs once.

use serde_json::{Value, json};

use crate::portal::portal_site::{Portal, photo, signed_release, ticks};
use crate::support::{clock, open};

fn keys(value: &Value) -> Vec<String> {
    let mut keys: Vec<String> = value.as_object().expect("an object").keys().cloned().collect();
    keys.sort();
    keys
}

#[test]
fn a_nomination_is_handed_in_once_nothing_is_missing() {
    let (portal, cookie) = Portal::with_artist();
    let nomination = portal.nomination(&cookie);
    assert_eq!(
        (&nomination["state"], &nomination["deadline"]),
        (&json!("open"), &json!("2056-03-02T04:59:00.000Z"))
    );
    let id = nomination["id"].as_i64().expect("an id");
    let hand_in = |ticks: Value| {
        portal.send("POST", &format!("nominations/{id}/hand-in"), &cookie, &json!({ "ticks": ticks }))
    };
    let report = || portal.place.done(&["report", "daily", "--print"]);
    let expected = "Artist Portal: 0 of 1 nominations are handed in. Missing most: Close-up";
    assert!(report().contains(expected), "{}", report());
    let reply = hand_in(json!({})).expect(422);
    assert_eq!(
        keys(&reply.json()["errors"]),
        [
            "close_up",
            "closed_above",
            "left",
            "no_filter",
            "no_name",
            "not_posted",
            "open_front",
            "own_work",
            "release",
            "right"
        ]
    );
    portal.upload_all(&cookie);
    let ticks = ticks();
    assert_eq!(keys(&hand_in(ticks.clone()).json()["errors"]), ["release"]);
    let key = nomination["release"]["key"].as_str().expect("a key");
    sign(&portal, key);
    let mut unticked = ticks.clone();
    unticked["no_name"] = json!(false);
    assert_eq!(keys(&hand_in(unticked).json()["errors"]), ["no_name"]);
    for bad in [json!([]), json!({ "own_work": "yes" })] {
        assert_eq!(hand_in(bad).status, 400);
    }
    for _ in 0..2 {
        assert_eq!(hand_in(ticks.clone()).expect(200).json()["state"], "handed_in");
    }
    assert_eq!(portal.begin(&cookie, id, "left", 100).status, 423);
    let medium = portal.nomination(&cookie)["slots"][0]["media"]["id"].clone();
    assert_eq!(portal.send("DELETE", &format!("media/{medium}"), &cookie, &Value::Null).status, 423);
    let logged = "select count(*) from audit_log where action = 'nomination handed in'";
    assert_eq!(portal.place.sql::<i64>(logged), 1);
    assert!(report().contains("Artist Portal: 1 of 1 nominations is handed in."), "{}", report());

    // A photo that is asked for again has to be another one.
    let organiser = portal.site.cookie();
    let body = json!({ "slots": ["left"], "reason": "It is blurred." });
    let path = format!("/api/nominations/{id}/return");
    assert_eq!(portal.server.call(&organiser, "POST", &path, &body).status, 200);
    assert!(report().contains("Missing most: Left three-quarter (1)."), "{}", report());
    let expected = json!({ "left": "The photo 'Left three-quarter' has to be replaced" });
    assert_eq!(hand_in(ticks.clone()).json()["errors"], expected);
    assert_eq!(portal.upload(&cookie, id, "left", &photo(701, 500)).status, 204);
    assert_eq!(hand_in(ticks).json()["state"], "handed_in");
}

#[test]
fn what_was_begun_in_time_may_be_handed_in_within_the_half_hour_for_uploads() {
    let (portal, cookie) = Portal::with_artist();
    let nomination = portal.nomination(&cookie);
    portal.upload_all(&cookie);
    let key = nomination["release"]["key"].as_str().expect("a key");
    portal.server.post(&format!("/api/releases/{key}"), &signed_release()).expect(200);
    let hand_in = || portal.hand_in(&cookie).status;
    let can_hand_in = || portal.nomination(&cookie)["canHandIn"].clone();
    assert_eq!(can_hand_in(), true, "before the deadline");
    let database = open(&portal.place.database());
    let deadline = |minutes: i64| {
        let deadline = showcase::time::stored(clock::now() + chrono::TimeDelta::minutes(minutes));
        portal.place.execute_with("update nominations set extended_until = ?", [deadline]);
    };
    let before = clock::stored_before(1);
    database.execute("update uploads set created_at = ?", [&before]).expect("older uploads");
    database.execute("update media set created_at = ?", [&before]).expect("older photos");
    deadline(-5);
    assert_eq!((can_hand_in(), hand_in()), (json!(false), 423), "everything was there in time");
    // The last photo was on its way at the deadline.
    let last = format!("update media set created_at = '{}' where slot = 'close_up'", clock::stored_before(0));
    database.execute_batch(&last).expect("a later photo");
    deadline(-31);
    assert_eq!((can_hand_in(), hand_in()), (json!(false), 423), "too late for uploads too");
    deadline(-5);
    assert_eq!(can_hand_in(), true, "no slot is open any more");
    assert_eq!(portal.slot(&cookie, "close_up")["open"], false);
    assert_eq!(hand_in(), 200);
    assert_eq!(can_hand_in(), false, "it is handed in");
}

#[test]
fn an_upload_under_way_at_the_deadline_keeps_a_nomination_open_for_it() {
    let (portal, cookie) = Portal::with_artist();
    let id = portal.nomination(&cookie)["id"].as_i64().expect("an id");
    portal.begun(&cookie, id, "close_up", 100);
    portal.place.execute_with("update uploads set created_at = ?", [clock::stored_before(1)]);
    for (minutes, expected, status) in [(-5, true, 422), (-31, false, 423)] {
        let deadline = showcase::time::stored(clock::now() + chrono::TimeDelta::minutes(minutes));
        portal.place.execute_with("update nominations set extended_until = ?", [deadline]);
        assert_eq!(portal.nomination(&cookie)["canHandIn"], expected, "{minutes}");
        let reply = portal.send("POST", &format!("nominations/{id}/hand-in"), &cookie, &json!({}));
        assert_eq!(reply.status, status, "{minutes}");
    }
}

/// Signs a release in every wrong way, and then twice.
fn sign(portal: &Portal, key: &str) {
    let path = format!("/api/releases/{key}");
    let text = portal.server.get(&path, &[]).json();
    assert_eq!((&text["version"], &text["signed"]), (&json!("2025-10-01"), &json!(false)));
    assert!(text["text"].as_str().expect("a text").contains("I am the model"));
    let whole = signed_release();
    for (field, value, status) in [
        ("name", json!(""), 422),
        ("name", json!("n".repeat(201)), 422),
        ("adult", json!(false), 422),
        ("signature", json!(" "), 422),
        ("signature", json!("a\u{0}b"), 422),
        ("accepted", json!(false), 422),
        ("version", json!("1999"), 409),
        ("name", json!(7), 400),
    ] {
        let mut body = whole.clone();
        body[field] = value;
        assert_eq!(portal.server.post(&path, &body).status, status, "{field}");
    }
    for name in ["Mia Model", "Somebody Else"] {
        let mut body = whole.clone();
        body["name"] = name.into();
        assert_eq!(portal.server.post(&path, &body).expect(200).json()["signed"], true);
    }
    assert_eq!(portal.place.sql::<String>("select group_concat(name) from releases"), "Mia Model");
    portal.server.get(&format!("/api/releases/{}", "0".repeat(32)), &[]).expect(404);
}
