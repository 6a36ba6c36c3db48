//! Pictures that organisers add in the browser, and the first steps.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::support::{ADMIN, Place, Reply, Server, wait_for};

fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_pixel(width, height, Rgb([20, 40, 90])).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

/// A PNG of a few bytes whose header claims this size.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let mut png = picture(20, 20, ImageFormat::Png);
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    // The checksum of the header (PNG specification, annex D).
    let crc = png[12..29].iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 },
        )
    });
    png[29..33].copy_from_slice(&(!crc).to_be_bytes());
    png
}

fn call(server: &Server, cookie: &str, method: &str, path: &str, body: &[u8]) -> Reply {
    server.send_bytes(method, path, &[("cookie", cookie)], body)
}

#[test]
fn a_picture_is_added_described_shown_and_removed() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    let cookie = server.sign_in();
    let path = "/api/content/images?name=ana&alt=Ana%20at%20work&focus=20,80";
    let added = call(&server, &cookie, "POST", path, &picture(2000, 1000, ImageFormat::Jpeg)).expect(201);
    let ana = added.json();
    assert_eq!(
        (&ana["name"], &ana["alt"], &ana["focus"]),
        (&json!("ana"), &json!("Ana at work"), &json!({"x": 20, "y": 80}))
    );
    assert_eq!((&ana["width"], &ana["height"], &ana["usedBy"]), (&json!(1600), &json!(800), &json!([])));
    assert_eq!(ana["srcSet"].as_str().map(|set| set.split(", ").count()), Some(3));
    let bytes = call(&server, &cookie, "GET", "/api/content/images/ana", b"");
    assert_eq!((bytes.status, bytes.header("content-type")), (200, "image/jpeg"));
    assert_eq!(image::load_from_memory(&bytes.body).expect("a picture").width(), 960);
    let src = ana["src"].as_str().expect("a path").to_owned();
    wait_for("the picture", || (server.get(&src, &[]).status == 200).then_some(()));

    // A draft that uses it keeps it, and its page shows it with its focal point.
    let changes = json!({ "changes": [{ "path": "home.hero.image", "value": "ana" }] });
    assert_eq!(server.call(&cookie, "PATCH", "/api/content/draft", &changes).status, 200);
    let home = call(&server, &cookie, "GET", "/api/content/preview/home", b"").text();
    assert!(home.contains("data-focus=\"25-75\"") && home.contains(&src), "the hero's picture");
    let refused = call(&server, &cookie, "DELETE", "/api/content/images/ana", b"").expect(409);
    assert!(refused.json()["detail"].as_str().is_some_and(|detail| detail.contains("home.hero.image")));
    let listed = call(&server, &cookie, "GET", "/api/content/images", b"").json();
    assert_eq!(listed["items"][0]["usedBy"], json!(["home.hero.image"]));

    let described = server.call(
        &cookie,
        "PATCH",
        "/api/content/images/ana",
        &json!({ "alt": "Ana, smiling", "focus": {"x": 50, "y": 50} }),
    );
    assert_eq!((described.status, &described.json()["alt"]), (200, &json!("Ana, smiling")));
    // A second organiser who saw the first description does not overwrite the new one.
    let seen = format!("\"{}\"", listed["items"][0]["version"].as_str().expect("a version"));
    assert_eq!(seen, added.header("etag"));
    let headers = [("cookie", cookie.as_str()), ("content-type", "application/json"), ("if-match", &seen)];
    let late =
        server.send("PATCH", "/api/content/images/ana", &headers, &json!({ "alt": "Mine" }).to_string());
    assert_eq!((late.status, late.header("etag")), (412, described.header("etag")), "{}", late.text());
    assert_eq!(late.json()["current"]["alt"], "Ana, smiling");
    assert_eq!(server.call(&cookie, "PATCH", "/api/content/images/ana", &json!({ "alt": " " })).status, 422);
    server
        .call(&cookie, "PATCH", "/api/content/images/ana", &json!({ "focus": {"x": 101, "y": 0} }))
        .expect(422);
    assert_eq!(server.call(&cookie, "PATCH", "/api/content/images/bo", &json!({ "alt": "x" })).status, 404);

    // It is published with its focal point. A change of its description changes the pages too.
    server.send("POST", "/api/content/draft/publish", &[("cookie", &cookie)], "").expect(200);
    wait_for("the hero", || server.get("/", &[]).text().contains(&src).then_some(()));
    server
        .call(&cookie, "PATCH", "/api/content/images/ana", &json!({ "focus": {"x": 0, "y": 0} }))
        .expect(200);
    wait_for("the focal point", || server.get("/", &[]).text().contains("data-focus=\"0-0\"").then_some(()));

    assert_eq!(
        call(&server, &cookie, "POST", path, &picture(300, 200, ImageFormat::Png)).expect(200).json()["width"],
        300
    );
    call(
        &server,
        &cookie,
        "POST",
        "/api/content/images?name=bo&alt=Bo",
        &picture(300, 200, ImageFormat::Png),
    )
    .expect(201);
    assert_eq!(call(&server, &cookie, "DELETE", "/api/content/images/bo", b"").status, 204);
    assert_eq!(call(&server, &cookie, "DELETE", "/api/content/images/bo", b"").status, 404);
    assert_eq!(call(&server, &cookie, "GET", "/api/content/images/bo", b"").status, 404);
}

#[test]
fn a_version_whose_picture_was_removed_is_not_restored_and_the_reason_is_true() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    let cookie = server.sign_in();
    let path = "/api/content/images?name=ana&alt=Ana";
    assert_eq!(call(&server, &cookie, "POST", path, &picture(300, 200, ImageFormat::Jpeg)).status, 201);
    for image in [json!("ana"), Value::Null] {
        let changes = json!({ "changes": [{ "path": "home.hero.image", "value": image }] });
        assert_eq!(server.call(&cookie, "PATCH", "/api/content/draft", &changes).status, 200);
        server.send("POST", "/api/content/draft/publish", &[("cookie", &cookie)], "").expect(200);
    }
    wait_for("the removal", || {
        (call(&server, &cookie, "DELETE", "/api/content/images/ana", b"").status == 204).then_some(())
    });
    let restored = call(&server, &cookie, "POST", "/api/content/revisions/1/restore", b"").expect(409);
    let said = restored.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(said.starts_with("Revision 1 cannot be used as it is: "), "{said}");
    assert!(said.contains("home.hero.image: there is no picture 'ana'"), "{said}");
}

#[test]
fn what_is_no_picture_or_not_described_is_refused() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    let cookie = server.sign_in();
    let png = picture(20, 20, ImageFormat::Png);
    for (query, body, status, field) in [
        ("name=ana", png.as_slice(), 422, "alt"),
        ("name=ana&alt=%20", &png, 422, "alt"),
        ("alt=Ana", &png, 422, "name"),
        ("name=..%2Fana&alt=Ana", &png, 422, "name"),
        ("name=Ana&alt=Ana", &png, 422, "name"),
        ("name=ana&alt=Ana&focus=5", &png, 422, "focus"),
        ("name=ana&alt=Ana&focus=101,0", &png, 422, "focus"),
        ("name=ana&alt=Ana", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", 415, ""),
        ("name=ana&alt=Ana", b"GIF89a\x01\x00\x01\x00", 415, ""),
        ("name=ana&alt=Ana", &png[..40], 415, ""),
        ("name=ana&alt=Ana", b"", 415, ""),
    ] {
        let reply = call(&server, &cookie, "POST", &format!("/api/content/images?{query}"), body);
        assert_eq!(reply.status, status, "{query}: {}", reply.text());
        if !field.is_empty() {
            assert!(reply.json()["errors"][field].is_string(), "{query}: {}", reply.text());
        }
    }
    let head = format!(
        "POST /api/content/images?name=ana&alt=Ana HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\ncontent-length: 15000001\r\n\r\n",
        server.address
    );
    for (width, height, words) in
        [(8_001, 8_000, "at most 50 megapixels"), (20_000, 10, ""), (8_000, 5_000, "")]
    {
        let query = format!("/api/content/images?name=huge&alt=Huge&x={width}");
        let reply = call(&server, &cookie, "POST", &query, &claiming(width, height));
        assert!([415, 422].contains(&reply.status), "{width} x {height}: {}", reply.text());
        assert!(reply.text().contains(words), "{}", reply.text());
    }
    let large = server.raw(head.as_bytes());
    assert!(large.starts_with("HTTP/1.1 413"), "{large}");
    assert_eq!(server.get("/api/content/images", &[]).status, 401);
    assert_eq!(server.get("/api/content/images/ana", &[]).status, 401);
    assert_eq!(place.sql::<i64>("select count(*) from images"), 0);
}

#[test]
fn the_first_steps_are_listed_and_done_ones_stay_done() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    let cookie = server.sign_in();
    let steps = || call(&server, &cookie, "GET", "/api/first-steps", b"").json();
    let first = steps();
    let keys: Vec<&str> =
        first["items"].as_array().expect("items").iter().filter_map(|step| step["key"].as_str()).collect();
    assert_eq!(keys, ["people", "dates", "email", "payment", "pictures", "legal"]);
    assert_eq!((&first["done"], &first["total"]), (&json!(0), &json!(6)), "{first}");
    let is_done = |steps: &Value| steps["items"][4]["done"] == true;
    call(
        &server,
        &cookie,
        "POST",
        "/api/content/images?name=ana&alt=Ana",
        &picture(20, 20, ImageFormat::Png),
    )
    .expect(201);
    let hero = |name: &str| {
        let changes = json!({ "changes": [{ "path": "home.hero.image", "value": name }] });
        assert_eq!(server.call(&cookie, "PATCH", "/api/content/draft", &changes).status, 200);
        assert_eq!(server.send("POST", "/api/content/draft/publish", &[("cookie", &cookie)], "").status, 200);
    };
    hero("ana");
    assert!(is_done(&steps()), "a picture is shown");
    hero("");
    assert!(is_done(&steps()), "done steps stay done");
    assert_eq!(server.get("/api/first-steps", &[]).status, 401);
}
