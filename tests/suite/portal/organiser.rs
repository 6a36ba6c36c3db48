//! The organiser's queue: returned slots, later deadlines, and what only a person decides.

use serde_json::{Value, json};

use crate::portal::portal_site::{Portal, content, photo, signed_release};
use crate::support::content::import;
use crate::support::{Reply, rows, text, wait_for};

/// A signed-in organiser; decisions are about nomination 1.
struct Organiser<'a> {
    portal: &'a Portal,
    cookie: String,
}

impl Organiser<'_> {
    fn get(&self, path: &str) -> Reply {
        self.portal.server.get(&format!("/api/nominations{path}"), &[("cookie", &self.cookie)])
    }

    fn decide(&self, decision: &str, body: &Value) -> Reply {
        self.portal.server.call(&self.cookie, "POST", &format!("/api/nominations/1/{decision}"), body)
    }

    fn set_states(&self, state: &str) {
        self.portal.place.execute(&format!("update nominations set state = '{state}'"));
    }
}

#[test]
fn a_return_opens_only_its_slots_and_says_why() {
    let (portal, artist) = Portal::with_artist();
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    assert_eq!(portal.upload(&artist, 1, "left", &photo(700, 500)).status, 204);
    organiser.set_states("handed_in");
    let thumbnail = organiser.get("/1/photos/left?size=thumbnail");
    assert_eq!((thumbnail.status, thumbnail.header("content-type")), (200, "image/jpeg"));
    assert_eq!(organiser.get("/1/photos/right").status, 404);
    for (body, field) in [
        (json!({ "slots": ["left"] }), "reason"),
        (json!({ "slots": [], "reason": "Too dark." }), "slots"),
        (json!({ "slots": ["../"], "reason": "Too dark." }), "slots"),
        (json!({ "slots": ["left"], "reason": "Too dark.", "until": "soon" }), "until"),
        (json!({ "slots": ["left"], "reason": "Too dark.", "until": "2020-01-01T00:00:00Z" }), "until"),
    ] {
        organiser.decide("return", &body).expect_field(field);
    }
    let until = "2056-03-05T23:59:00-05:00";
    assert_eq!(
        organiser
            .decide("return", &json!({ "slots": ["left"], "reason": "Too dark.", "until": until }))
            .expect(200)
            .json()["state"],
        "returned"
    );
    let own = portal.nomination(&artist);
    assert_eq!(
        (&own["state"], &own["reason"], &own["deadline"]),
        (&json!("returned"), &json!("Too dark."), &json!("2056-03-06T04:59:00.000Z"))
    );
    assert_eq!(portal.begin(&artist, 1, "left", 100).status, 201);
    assert_eq!(portal.begin(&artist, 1, "right", 100).status, 423);
    // What came in its place can be returned as well.
    let is_missing =
        || portal.nomination(&artist)["missing"].as_array().expect("keys").contains(&json!("left"));
    assert!(is_missing());
    assert_eq!(portal.upload(&artist, 1, "left", &photo(700, 500)).status, 204);
    assert!(!is_missing());
    organiser.decide("return", &json!({ "slots": ["left"], "reason": "Too dark." })).expect(200);
    assert!(is_missing());
    let history = "select note from reviews where note like 'Nomination%'";
    assert!(portal.place.sql::<String>(history).ends_with(" returned: Too dark."));
    let logged = "select detail from audit_log where action = 'nomination returned'";
    assert!(!portal.place.sql::<String>(logged).contains("dark"), "the log names no person");
}

#[test]
fn a_return_by_mistake_is_taken_back_unless_a_photo_is_gone() {
    let (portal, artist) = Portal::with_artist();
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    portal.upload_all(&artist);
    let key = portal.nomination(&artist)["release"]["key"].as_str().expect("a key").to_owned();
    portal.server.post(&format!("/api/releases/{key}"), &signed_release()).expect(200);
    portal.hand_in(&artist).expect(200);
    organiser.decide("ready", &json!({})).expect(200);
    let body = json!({ "slots": ["left"], "reason": "Too dark." });
    organiser.decide("return", &body).expect(200);
    let ready = organiser.decide("ready", &json!({})).expect(200).json();
    assert_eq!(rows(&json!([ready]), &["state", "reason", "missing"]), json!([["ready", null, []]]));
    assert_eq!(portal.begin(&artist, 1, "left", 100).status, 423);

    organiser.decide("return", &body).expect(200);
    let slots = portal.nomination(&artist)["slots"].clone();
    let left = slots.as_array().expect("a list").iter().find(|slot| slot["key"] == "left").expect("a slot");
    let path = format!("media/{}", left["media"]["id"]);
    assert_eq!(portal.send("DELETE", &path, &artist, &Value::Null).status, 204);
    organiser.decide("ready", &json!({})).expect_field("left");
}

#[test]
fn nominations_to_check_are_listed_first_then_by_deadline_and_code() {
    let portal = Portal::open();
    for number in 1..=6 {
        portal.enter(&format!("n{number}@example.com"));
    }
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    portal.place.execute(
        "update nominations set code = 'AA-10' || (7 - id);
             update nominations set state = 'withdrawn' where id = 1;
             update nominations set state = 'ready' where id = 2;
             update nominations set extended_until = '2056-05-01T00:00:00.000Z' where id = 4;
             update nominations set state = 'handed_in' where id = 6;",
    );
    let items = organiser.get("").json()["items"].clone();
    let ids: Vec<i64> =
        items.as_array().expect("a list").iter().filter_map(|item| item["id"].as_i64()).collect();
    // 6 is to be checked; 5 and 3 have everybody's deadline and are sorted by code, 4 has a later one.
    assert_eq!(ids, [6, 5, 3, 4, 2, 1], "{items}");
}

#[test]
fn a_competitor_is_told_what_to_replace_and_when_nothing_is_left_to_do() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    let change = |body: &Value| portal.server.call(&organiser.cookie, "PATCH", "/api/nominations/1", body);
    let mail = |word: &str| portal.place.mail_text(&format!("cause like 'nomination-{word}/1/%'"));
    organiser.set_states("handed_in");
    for (body, field) in [
        (json!({ "state": "open" }), "state"),
        (json!({ "state": "returned", "slots": ["left"] }), "reason"),
        (json!({ "reason": "Ill." }), "until"),
    ] {
        change(&body).expect_field(field);
    }
    let body = json!({
        "state": "returned", "slots": ["left", "right"], "reason": "A {photos} is too dark.",
        "until": "2056-03-05T23:59:00-05:00",
    });
    assert_eq!(change(&body).json()["state"], "returned");
    let returned = mail("returned");
    for said in [
        "your nomination Lash Extensions - Volume",
        "- Left three-quarter\n- Right three-quarter",
        "A {photos} is too dark.",
        "by March 5, 2056 at 11:59 PM (Eastern Time)",
        "/artist-portal",
    ] {
        assert!(returned.contains(said), "{said}: {returned}");
    }
    let edited = json!({ "subject": "Again", "text": "Only {photos} until {deadline}." });
    let path = "/api/mail-texts/nomination.returned";
    portal.server.call(&organiser.cookie, "PATCH", path, &edited).expect(200);
    let edited_emails = || portal.place.sql::<i64>("select count(*) from outbox where subject = 'Again'");
    wait_for("the edited text", || {
        assert_eq!(change(&body).status, 200);
        (edited_emails() > 0).then_some(())
    });
    organiser.set_states("handed_in");
    assert_eq!(change(&json!({ "state": "ready" })).json()["state"], "ready");
    assert!(mail("ready").contains("it is complete, and there is nothing more to do"), "{}", mail("ready"));
    let told = "select count(*) from outbox where cause like 'nomination-%'";
    let before = portal.place.sql::<i64>(told);
    assert_eq!(change(&json!({ "state": "disqualified", "reason": "Posted." })).status, 200);
    assert_eq!(portal.place.sql::<i64>(told), before, "a person writes that email");
}

#[test]
fn a_later_deadline_opens_what_was_missed_and_nothing_forfeits_by_itself() {
    let (portal, artist) = Portal::with_artist();
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    portal.place.execute("update nominations set extended_until = '2020-01-01T00:00:00.000Z'");
    assert_eq!(portal.begin(&artist, 1, "left", 100).status, 423);
    assert_eq!(portal.nomination(&artist)["state"], "open", "a person decides whether it is forfeited");
    let reason = json!({ "reason": "Nothing came." });
    assert_eq!(organiser.decide("forfeit", &json!({})).status, 422);
    assert_eq!(organiser.decide("forfeit", &reason).json()["state"], "forfeited");
    assert_eq!(organiser.decide("ready", &json!({})).status, 409);
    for (body, status) in [
        (json!({ "reason": "Ill." }), 422),
        (json!({ "until": "2020-01-01T00:00:00Z", "reason": "Ill." }), 422),
        (json!({ "until": "2056-03-02T12:00:00Z" }), 422),
        (json!({ "until": "2956-03-02T12:00:00Z", "reason": "Ill." }), 200),
        // A slip of the year is corrected, down to everybody's deadline.
        (json!({ "until": "2056-03-03T12:00:00Z", "reason": "Ill." }), 200),
        (json!({ "until": "2056-03-01T12:00:00Z", "reason": "Ill." }), 422),
    ] {
        assert_eq!(organiser.decide("extend", &body).status, status, "{body}");
    }
    assert_eq!(portal.begin(&artist, 1, "left", 100).status, 201);
    // Everybody's deadline is moved beyond the extension.
    import(
        &portal.place,
        &content().replace("deadline = \"2056-03-01 23:59\"", "deadline = \"2056-03-08 23:59\""),
    );
    wait_for("the later deadline", || {
        (portal.nomination(&artist)["deadline"] == "2056-03-09T04:59:00.000Z").then_some(())
    });
    organiser.set_states("handed_in");
    assert_eq!(organiser.decide("ready", &json!({})).json()["state"], "ready");
    assert_eq!(organiser.decide("forfeit", &reason).status, 409);
    assert_eq!(organiser.decide("approve", &json!({})).status, 404, "there is no such decision");
    let disqualified = organiser.decide("disqualify", &json!({ "reason": "Posted before the results." }));
    assert_eq!(disqualified.json()["state"], "disqualified");
    assert_eq!(organiser.decide("disqualify", &reason).status, 409);
}

#[test]
fn a_later_deadline_that_is_published_in_the_browser_ends_an_earlier_extension() {
    let (portal, artist) = Portal::with_artist();
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    let extension = json!({ "until": "2056-03-05T12:00:00Z", "reason": "Ill." });
    assert_eq!(organiser.decide("extend", &extension).status, 200);
    let call = |method: &str, path: &str, body: &Value| {
        portal.server.call(&organiser.cookie, method, &format!("/api/content/draft{path}"), body).expect(200)
    };
    let later = json!({ "changes": [{ "path": "portal.deadline", "value": "2056-03-08 23:59" }] });
    call("PATCH", "", &later);
    call("POST", "/publish", &json!({ "note": "More time" }));
    wait_for("the later deadline", || {
        (portal.nomination(&artist)["deadline"] == "2056-03-09T04:59:00.000Z").then_some(())
    });
}

#[test]
fn a_whole_refund_withdraws_what_was_forfeited_and_no_extension_brings_it_back() {
    let portal = Portal::open();
    let entry = portal.enter("ada@example.com");
    let artist = portal.sign_in("ada@example.com");
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    let (reason, later) =
        (json!({ "reason": "Nothing came." }), json!({ "until": "2056-03-05T12:00:00Z", "reason": "Ill." }));
    assert_eq!(organiser.decide("forfeit", &reason).status, 200);
    let path = format!("/api/competition-entries/{entry}/refund");
    assert_eq!(portal.server.call(&organiser.cookie, "POST", &path, &json!({})).status, 200);
    assert_eq!(portal.nomination(&artist)["state"], "withdrawn");
    assert_eq!(organiser.decide("extend", &later).status, 409);
    // A forfeited nomination of a refunded entry, which the program no longer makes.
    organiser.set_states("forfeited");
    organiser.decide("extend", &later).expect_text(409, "refunded");
}

#[test]
fn a_decision_about_an_older_version_is_refused_with_the_current_one() {
    let (portal, artist) = Portal::with_artist();
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    let decide = |decision: &str, tag: &str, body: &Value| {
        let path = format!("/api/nominations/1/{decision}");
        portal.server.call_if(&organiser.cookie, tag, "POST", &path, body)
    };
    let before = organiser.get("/1").header("etag").to_owned();
    assert_eq!(portal.upload(&artist, 1, "left", &photo(700, 500)).status, 204);
    let extension = json!({ "until": "2056-03-05T12:00:00Z", "reason": "Ill." });
    let refused = decide("extend", &before, &extension);
    assert_eq!((refused.status, &refused.json()["current"]["state"]), (412, &json!("open")));
    let current = refused.header("etag").to_owned();
    assert_ne!(before, current, "a photo came");
    let decided = decide("extend", &current, &extension).expect(200);
    assert_eq!(decided.header("etag"), organiser.get("/1").header("etag"));
    assert_eq!(portal.upload(&artist, 1, "release", &photo(700, 500)).status, 204);
    organiser.set_states("handed_in");
    let paper = json!({ "name": "Mo Model", "adult": true });
    assert_eq!(decide("confirm-release", decided.header("etag"), &paper).status, 412, "it was handed in");
    let confirmed = decide("confirm-release", organiser.get("/1").header("etag"), &paper).expect(200);
    assert_eq!(decide("ready", confirmed.header("etag"), &json!({})).status, 200);
}

#[test]
fn nominations_are_exported_with_what_is_missing_and_without_formulas() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    portal.enter("bea@example.com");
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    let changed = "update competition_entries set business_name = '=1+1' where id = 1;
        update nominations set state = 'handed_in', handed_in_at = '2026-02-01T12:00:00.000Z' where id = 1";
    portal.place.execute(changed);
    let get =
        |query: &str| portal.server.get(&format!("/api/export/{query}"), &[("cookie", &organiser.cookie)]);
    let csv = get("csv?kind=nominations");
    assert!(csv.header("content-disposition").contains("-nominations-2026-11-19.csv"));
    let csv = csv.text();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("\u{feff}\"id\",\"code\",\"category\""), "{csv}");
    assert!(lines[1].contains("\"'=1+1\"") && lines[1].contains("\"2026-02-01 07:00:00\""), "{csv}");
    assert!(lines[2].contains("\"open\"") && lines[2].contains("; release\""), "{csv}");
    let json = get("json?kind=nominations&status=handed_in").json();
    let items = json["nominations"].as_array().expect("a list");
    assert_eq!((items.len(), &items[0]["email"]), (1, &json!("ada@example.com")));
    for (query, status) in [
        ("xlsx?kind=nominations", 400),
        ("csv?kind=nominations&status=paid", 400),
        ("csv?kind=nominations&from=2027-01-01", 400),
        ("json?kind=nominations&to=nonsense", 400),
        ("csv?kind=nominations&category=brows", 400),
        ("csv?kind=nomination", 400),
    ] {
        assert_eq!(get(query).status, status, "{query}");
    }
    assert!(get("csv?kind=nominations&from=x&to=y").text().contains("cannot be filtered by from and to."));
    let refused = portal.place.run(&["export", "--kind", "nominations", "--to", "2027-01-01"]);
    assert!(text(&refused.stderr).contains("Nominations cannot be filtered by --to. Omit --to."));
    let printed = portal.place.run(&["export", "--kind", "nominations", "--status", "open"]);
    let printed = text(&printed.stdout);
    assert!(printed.lines().count() == 2 && printed.contains("bea@example.com"), "{printed}");
    let logged = "select count(*) from audit_log where action = 'exported' and detail like '%nominations%'";
    assert_eq!(portal.place.sql::<i64>(logged), 3);
}

#[test]
fn the_list_is_narrowed_by_state_by_what_is_missing_and_by_text() {
    let portal = Portal::open();
    portal.enter("ada@example.com");
    portal.enter("bea@example.com");
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    let count = |query: &str| {
        let reply = organiser.get(query);
        assert_eq!(reply.status, 200, "{query}: {}", reply.text());
        reply.json()["total"].as_i64().expect("a number")
    };
    let code: String = portal.place.sql("select code from nominations where id = 2");
    for (query, expected) in [
        (String::new(), 2),
        ("?state=open".into(), 2),
        ("?state=ready".into(), 0),
        ("?missing=true".into(), 2),
        ("?missing=false".into(), 0),
        ("?search=BEA%40".into(), 1),
        (format!("?search={}", code.to_lowercase()), 1),
        ("?search=nobody".into(), 0),
        ("?page=2&pageSize=1".into(), 2),
    ] {
        assert_eq!(count(&query), expected, "{query}");
    }
    // Both are open and have one deadline, so their codes decide.
    let last: String = portal.place.sql("select max(code) from nominations");
    assert_eq!(organiser.get("?page=2&pageSize=1").json()["items"][0]["code"], json!(last));
    assert_eq!(organiser.get("?state=lost").status, 400);
    assert_eq!(organiser.get("/77").status, 404);
    assert_eq!(portal.server.get("/api/nominations", &[]).status, 401);
}

#[test]
fn the_same_photo_in_two_nominations_is_pointed_out_although_its_bytes_differ() {
    let portal = Portal::open();
    for email in ["ada@example.com", "bea@example.com"] {
        portal.enter(email);
    }
    let (ada, bea) = (portal.sign_in("ada@example.com"), portal.sign_in("bea@example.com"));
    let ids = [&ada, &bea].map(|cookie| portal.nomination(cookie)["id"].as_i64().expect("an id"));
    // Stripes of random shades, as no two photos have; sent on, it is smaller, brighter and saved badly.
    let striped = |seed: u32, width: u32, brighter: i32, quality: u8| {
        let shade = |x: u32, y: u32| (x * 9 + y * 7 + seed).wrapping_mul(2_654_435_761) >> 24;
        let picture = image::RgbImage::from_fn(width, width * 3 / 4, |x, y| {
            image::Rgb([(shade(x * 9 / width, y * 8 / (width * 3 / 4)) / 2 + 40) as u8; 3])
        });
        let picture = image::DynamicImage::from(picture).brighten(brighter);
        let mut bytes = Vec::new();
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, quality);
        picture.write_with_encoder(encoder).expect("a JPEG");
        bytes
    };
    assert_eq!(portal.upload(&ada, ids[0], "left", &striped(1, 1600, 0, 92)).status, 204);
    assert_eq!(portal.upload(&ada, ids[0], "right", &striped(2, 1600, 0, 92)).status, 204);
    assert_eq!(portal.upload(&bea, ids[1], "close_up", &striped(1, 800, 14, 50)).status, 204);
    assert_eq!(portal.upload(&bea, ids[1], "left", &striped(3, 1200, 0, 90)).status, 204);
    let organiser = Organiser { portal: &portal, cookie: portal.site.cookie() };
    let alike = |id: i64| -> Vec<(Value, Value)> {
        let slots = organiser.get(&format!("/{id}")).json()["slots"].take();
        let slots = slots.as_array().expect("a list").clone();
        let found = slots.into_iter().filter(|slot| !slot["media"].is_null());
        found.map(|mut slot| (slot["key"].take(), slot["media"]["alike"].take())).collect()
    };
    let codes = ids.map(|id| organiser.get(&format!("/{id}")).json()["code"].clone());
    let pointed = |other: usize, label: &str| json!([{ "nominationId": ids[other], "code": codes[other], "label": label }]);
    let expected = [(json!("left"), pointed(1, "Close-up of the lash line")), (json!("right"), json!([]))];
    assert_eq!(alike(ids[0]), expected);
    assert_eq!(
        alike(ids[1]),
        [(json!("left"), json!([])), (json!("close_up"), pointed(0, "Left three-quarter"))]
    );
}
