//! Devices and their scans: offline batches come late, twice and out of order.

use serde_json::{Value, json};

use super::tickets::call;
use crate::support::paid_site::SignedInSite;
use crate::support::{Reply, clock};

/// A site with a guest whose code is returned.
pub(super) fn with_guest() -> (SignedInSite, String) {
    let site = SignedInSite::open();
    let added = call(&site, "POST", "/api/tickets", &json!({ "name": "Pat", "role": "guest" }));
    let code = added.json()["code"].as_str().expect("a code").to_owned();
    (site, code)
}

/// Opens a device: its id and cookie.
pub(super) fn device(site: &SignedInSite, name: &str) -> (i64, String) {
    let made = call(site, "POST", "/api/door/devices", &json!({ "name": name })).expect(201);
    let url = made.json()["url"].as_str().expect("an address").to_owned();
    let token = url.split_once("/door#").expect("a fragment").1.to_owned();
    let opened = site.server.post("/api/door/session", &json!({ "token": token })).expect(204);
    let cookie = opened.header("set-cookie");
    assert!(cookie.starts_with("showcase_door=") && cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
    (made.json()["id"].as_i64().expect("an id"), cookie.split(';').next().expect("a cookie").to_owned())
}

pub(super) fn at(seconds_ago: i64) -> String {
    showcase::time::stored(clock::now() - chrono::TimeDelta::seconds(seconds_ago))
}

pub(super) fn send(site: &SignedInSite, cookie: &str, scans: &Value) -> Reply {
    let body = json!({ "sentAt": at(0), "waiting": 3, "scans": scans });
    site.server.call(cookie, "POST", "/api/door/scans", &body)
}

pub(super) fn results(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, 200, "{}", reply.text());
    let results = reply.json()["results"].as_array().expect("results").clone();
    results.iter().map(|one| one["result"].as_str().expect("a result").to_owned()).collect()
}

pub(super) fn scan(id: &str, code: &str, seconds_ago: i64) -> Value {
    json!({ "id": id, "code": code, "list": "day-1", "at": at(seconds_ago) })
}

pub(super) fn figures(site: &SignedInSite) -> Value {
    call(site, "GET", "/api/tickets/figures", &Value::Null).json()
}

#[test]
fn of_the_scans_of_a_ticket_the_earliest_counts_in_whatever_order_they_come() {
    let (site, code) = with_guest();
    let ((_, front), (_, back)) = (device(&site, "Front"), device(&site, "Back"));
    let late = json!([scan("b-1", &code, 60)]);
    assert_eq!(results(&send(&site, &back, &late)), ["welcome"]);
    let second = send(&site, &front, &json!([scan("f-2", &code, 30)]));
    assert_eq!(results(&second), ["already"]);
    assert_eq!(second.json()["results"][0]["first"]["device"], "Back");
    let earlier = json!([scan("f-1", &format!("https://example.com/t/{}", code.to_lowercase()), 120)]);
    assert_eq!(results(&send(&site, &front, &earlier)), ["welcome"], "it was offline");
    // Sent again, each has its first answer, and nothing counts twice.
    assert_eq!(results(&send(&site, &front, &earlier)), ["welcome"]);
    assert_eq!(results(&send(&site, &back, &late)), ["welcome"]);
    let day = &figures(&site)["lists"][0];
    assert_eq!(
        (&day["in"], &day["expected"], &day["byRole"]["guest"]["in"]),
        (&json!(1), &json!(1), &json!(1)),
        "{day}"
    );
    assert_eq!(day["byQuarter"].as_array().map(Vec::len), Some(1));
    assert_eq!(figures(&site)["twice"][0]["scans"], 3);
    let ticket = call(&site, "GET", "/api/tickets/1", &Value::Null).json();
    assert_eq!(ticket["scans"].as_array().map(Vec::len), Some(3));
    // Undone, also twice, it counts nowhere and stays in the log.
    for _ in 0..2 {
        for id in ["f-1", "f-2", "b-1"] {
            let path = format!("/api/door/scans/{id}/undo");
            site.server.call(&front, "POST", &path, &json!({ "at": at(0) })).expect(200);
        }
    }
    assert_eq!(figures(&site)["lists"][0]["in"], 0);
    let ticket = call(&site, "GET", "/api/tickets/1", &Value::Null).json();
    assert!(ticket["scans"][0]["undoneAt"].is_string(), "{ticket}");
}

#[test]
fn a_batch_is_stored_as_a_whole_or_not_at_all() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let walk_in = json!({ "id": "w-1", "code": "", "list": "day-1", "at": at(10), "walkIn": "Wanda Walk" });
    let batch = json!([
        scan("1", &code, 50), scan("2", "0000000000", 40), scan("3", "BEGIN:VCARD", 30), walk_in,
        { "id": "5", "code": "0000000000", "list": "day-1", "at": at(5), "anyway": "Her phone is empty" },
    ]);
    assert_eq!(
        results(&send(&site, &cookie, &batch)),
        ["welcome", "unknown", "unknown", "walk_in", "unknown"]
    );
    assert_eq!(figures(&site)["lists"][0]["in"], 3, "unknown ones are let in with a reason alone");
    let stored = || site.place.sql::<i64>("select count(*) from scans");
    assert_eq!(stored(), 5);
    let other = json!([scan("6", &code, 1), scan("1", "0000000000", 50)]);
    assert_eq!((send(&site, &cookie, &other).status, stored()), (409, 5));
    let many: Vec<Value> = (0..501).map(|number| scan(&format!("m-{number}"), "0000000000", 1)).collect();
    let refused = send(&site, &cookie, &json!(many)).expect(413);
    assert_eq!(refused.json()["detail"], "Please send at most 500 scans at a time.");
    assert_eq!(stored(), 5);
    assert_eq!(results(&send(&site, &cookie, &json!(many[..500]))).len(), 500);
    assert_eq!(send(&site, &cookie, &json!([{ "id": "x" }])).status, 400);
    call(&site, "POST", "/api/tickets/1/void", &json!({ "reason": "Refunded at the desk" })).expect(200);
    assert_eq!(results(&send(&site, &cookie, &json!([scan("8", &code, 1)]))), ["void"]);
}

#[test]
fn a_wrong_clock_is_corrected_and_nobody_is_scanned_in_the_future() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let hour_ahead = at(-3_600);
    let body = json!({ "sentAt": hour_ahead, "scans": [
        { "id": "1", "code": code, "list": "day-1", "at": at(-3_590) },
        { "id": "2", "code": code, "list": "day-2", "at": at(-400 * 86_400) },
    ] });
    site.server.call(&cookie, "POST", "/api/door/scans", &body).expect(200);
    let now = at(0);
    let stored = |id: i64| site.place.sql::<String>(&format!("select at from scans where id = '{id}'"));
    assert!(stored(1) < now && stored(2) <= at(-1), "{} {}", stored(1), stored(2));
    assert_eq!(site.place.sql::<i64>("select count(*) from scans where is_corrected = 1"), 2);
}

#[test]
fn a_device_reads_the_list_until_it_is_ended_and_sends_for_a_day_more() {
    let (site, code) = with_guest();
    let (id, cookie) = device(&site, "Front");
    for (body, status) in [
        (json!({ "name": "" }), 422),
        (json!({ "name": "x", "until": "tomorrow" }), 422),
        (json!({ "name": "x", "until": "2026-01-01T00:00:00Z" }), 422),
    ] {
        assert_eq!(call(&site, "POST", "/api/door/devices", &body).status, status, "{body}");
    }
    assert_eq!(site.server.post("/api/door/session", &json!({ "token": "wrong" })).status, 401);
    assert_eq!(site.server.get("/api/door/list", &[]).status, 401);
    let read = |tag: &str| site.server.get("/api/door/list", &[("cookie", &cookie), ("if-none-match", tag)]);
    let list = read("").expect(200);
    let body = list.json();
    assert_eq!(body["lists"][0], json!({ "key": "day-1", "label": "Day 1", "day": "2026-03-28" }));
    assert_eq!((&body["tickets"][0]["code"], &body["tickets"][0]["name"]), (&json!(code), &json!("Pat")));
    assert!(body["at"].is_string() && body["scans"] == json!([]), "{body}");
    assert!(!list.text().contains("email"), "{}", list.text());
    let tag = list.header("etag").to_owned();
    assert_eq!(read(&tag).status, 304);
    assert_eq!(results(&send(&site, &cookie, &json!([scan("1", &code, 5)]))), ["welcome"]);
    let changed = read(&tag);
    assert_eq!((changed.status, &changed.json()["scans"][0]["device"]), (200, &json!("Front")));
    let listed = call(&site, "GET", "/api/door/devices", &Value::Null).json();
    assert_eq!((&listed["items"][0]["waiting"], &listed["items"][0]["name"]), (&json!(3), &json!("Front")));
    assert!(listed["items"][0]["lastSeenAt"].is_string());

    assert_eq!(call(&site, "DELETE", &format!("/api/door/devices/{id}"), &Value::Null).status, 204);
    assert_eq!(call(&site, "DELETE", &format!("/api/door/devices/{id}"), &Value::Null).status, 404);
    assert_eq!(read("").status, 401);
    let waiting = send(&site, &cookie, &json!([scan("2", &code, 3)]));
    assert_eq!(results(&waiting), ["already"], "what it still had is taken");
    assert_eq!(site.place.sql::<i64>("select count(*) from scans where is_late = 1"), 1);
    // What it scans afterwards lets nobody in.
    site.place.execute_with("update door_devices set ended_at = ?", [at(600)]);
    let walk_in = json!({ "id": "4", "code": "", "list": "day-1", "at": at(2), "walkIn": "Pal" });
    send(&site, &cookie, &json!([{ "id": "5", "code": code, "list": "day-2", "at": at(2) }, walk_in]))
        .expect(200);
    assert_eq!(figures(&site)["lists"][1]["in"], 0);
    assert_eq!(site.place.sql::<i64>("select count(*) from tickets"), 1, "and nobody has a ticket by it");
    site.place.execute("update door_devices set ended_at = '2026-01-01T00:00:00.000Z'");
    assert_eq!(send(&site, &cookie, &json!([scan("3", &code, 1)])).status, 401);
    // To end a device whose time was over long ago opens it no more.
    site.place.execute("update door_devices set ended_at = null, until = '2026-01-01T00:00:00.000Z'");
    assert_eq!(call(&site, "DELETE", &format!("/api/door/devices/{id}"), &Value::Null).status, 204);
    assert_eq!(send(&site, &cookie, &json!([scan("3", &code, 1)])).status, 401);
}

#[test]
fn without_a_network_what_the_device_showed_was_carried_out() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let shown = |id: &str, list: &str, seconds_ago: i64, shown: &str| json!({ "id": id, "code": code, "list": list, "at": at(seconds_ago), "shown": shown });
    let came = |list: usize| figures(&site)["lists"][list]["in"].clone();
    // A ticket that was not on the device's list yet: turned away, and welcome when the server knows it.
    assert_eq!(results(&send(&site, &cookie, &json!([shown("1", "day-1", 600, "unknown")]))), ["unknown"]);
    assert_eq!(came(0), 0);
    assert_eq!(results(&send(&site, &cookie, &json!([shown("2", "day-1", 300, "welcome")]))), ["welcome"]);
    // At once, the volunteer sees the server's own answer.
    assert_eq!(results(&send(&site, &cookie, &json!([shown("3", "day-2", 1, "unknown")]))), ["welcome"]);
    assert_eq!((came(0), came(1)), (json!(1), json!(1)));
    // A ticket that was made void meanwhile.
    call(&site, "POST", "/api/tickets/1/void", &json!({ "reason": "Refunded at the desk" })).expect(200);
    assert_eq!(results(&send(&site, &cookie, &json!([shown("4", "gala", 600, "welcome")]))), ["welcome"]);
    assert_eq!(came(2), 1, "she is in");
    assert_eq!(results(&send(&site, &cookie, &json!([shown("5", "gala", 1, "welcome")]))), ["void"]);
    assert_eq!(send(&site, &cookie, &json!([shown("6", "gala", 1, "maybe")])).status, 400);
}

#[test]
fn a_batch_with_odd_instants_or_of_another_type_is_answered() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let send = |sent_at: &str, at: &str, id: &str, content_type: &str| {
        let body = json!({ "sentAt": sent_at, "waiting": i64::MAX, "scans": [{ "id": id, "code": code, "list": "day-1", "at": at }] });
        let headers = [("content-type", content_type), ("cookie", cookie.as_str())];
        site.server.send("POST", "/api/door/scans", &headers, &body.to_string()).status
    };
    assert_eq!(send(&at(0), &at(1), "0", "text/plain"), 415);
    for (index, (sent_at, scanned_at)) in [
        ("9999-12-31T23:59:59Z", "-262143-01-01T00:00:00Z"),
        ("-262143-01-01T00:00:00Z", "+262142-12-31T23:59:59Z"),
        (at(0).as_str(), "1970-01-01T00:00:00Z"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(
            send(sent_at, scanned_at, &index.to_string(), "application/json"),
            200,
            "{sent_at} {scanned_at}"
        );
    }
    let instants = site.place.sql::<i64>("select count(*) from scans where at > '2020' and is_corrected = 1");
    assert_eq!(instants, 3);
    assert!(site.place.sql::<i64>("select waiting from door_devices") <= 100_000);
    let spaced = format!("/t/{}%20{}", &code[..4], &code[4..]);
    assert_eq!(site.server.get(&spaced, &[]).status, 200);
}

#[test]
fn a_clock_that_was_set_after_a_scan_gives_no_instant() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let before = at(0);
    let scan = json!({ "id": "1", "code": code, "list": "day-2", "at": "2021-01-01T00:00:00.000Z" });
    assert_eq!(results(&send(&site, &cookie, &json!([scan]))), ["welcome"]);
    let stored = site.place.sql::<String>("select at from scans where is_corrected = 1");
    assert!(stored >= before && stored <= at(0), "{stored}");
}

#[test]
fn a_phone_whose_clock_is_half_a_minute_slow_is_not_taken_to_be_offline() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let body = json!({ "sentAt": at(30), "scans": [
        { "id": "1", "code": code, "list": "day-1", "at": at(31), "shown": "unknown" },
    ] });
    let sent = site.server.call(&cookie, "POST", "/api/door/scans", &body);
    assert_eq!(results(&sent), ["welcome"]);
}

#[test]
fn what_a_phone_scanned_after_its_time_without_a_network_counts() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    // Its time was over ten minutes ago.
    site.place.execute_with("update door_devices set until = ?", [at(600)]);
    let walk_in = json!({ "id": "2", "code": "", "list": "day-1", "at": at(2), "walkIn": "Wanda Walk" });
    assert_eq!(
        results(&send(&site, &cookie, &json!([scan("1", &code, 2), walk_in]))),
        ["welcome", "walk_in"]
    );
    assert_eq!(figures(&site)["lists"][0]["in"], 2, "they are in");
    let ticket = call(&site, "GET", "/api/tickets/1", &Value::Null).json();
    let stored = &ticket["scans"][0];
    assert_eq!((&stored["late"], &stored["letsIn"]), (&json!(true), &json!(true)), "{ticket}");
}

#[test]
fn a_scan_that_is_sent_again_says_whether_it_still_counts() {
    let (site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    let batch = json!([scan("1", &code, 60), scan("2", &code, 30)]);
    assert_eq!(results(&send(&site, &cookie, &batch)), ["welcome", "already"]);
    site.server.call(&cookie, "POST", "/api/door/scans/1/undo", &json!({ "at": at(0) })).expect(200);
    let again = send(&site, &cookie, &batch);
    assert_eq!(results(&again), ["welcome", "already"]);
    let counts = |index: usize| again.json()["results"][index]["counts"].clone();
    assert_eq!((counts(0), counts(1)), (json!(false), Value::Null));
}

#[test]
fn a_server_that_is_killed_in_a_batch_has_all_of_it_or_nothing() {
    let (mut site, code) = with_guest();
    let (_, cookie) = device(&site, "Front");
    for round in 0..4 {
        let scans: Vec<Value> =
            (0..500).map(|number| scan(&format!("{round}-{number}"), &code, 500 - number)).collect();
        let batch = json!(scans);
        let head = format!(
            "POST /api/door/scans HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n",
            site.server.address
        );
        let body = json!({ "sentAt": at(0), "scans": batch }).to_string();
        let mut stream = std::net::TcpStream::connect(&site.server.address).expect("a connection");
        let request = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        std::io::Write::write_all(&mut stream, request.as_bytes()).expect("a request");
        std::thread::sleep(std::time::Duration::from_millis(round * 15));
        site.server.kill();
        let of_round = format!("select count(*) from scans where id glob '{round}-*'");
        let stored = site.place.sql::<i64>(&of_round);
        assert!([0, 500].contains(&stored), "{stored} after {} ms", round * 15);
        site.server = site.place.serve();
        assert_eq!(results(&send(&site, &cookie, &batch)).len(), 500);
        assert_eq!(site.place.sql::<i64>(&of_round), 500);
    }
    assert_eq!(figures(&site)["lists"][0]["in"], 1);
}
