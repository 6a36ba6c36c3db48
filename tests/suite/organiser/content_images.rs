//! Pictures that organisers add in the browser, and the first steps.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use super::content_draft::set;
use crate::support::{ADMIN, AdminSite, Reply, column, wait_for};

fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_pixel(width, height, Rgb([20, 40, 90])).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

fn upload(desk: &AdminSite, path: &str, file: &[u8]) -> Reply {
    desk.server.send_bytes("POST", path, &[("cookie", &desk.cookie)], file)
}

#[test]
fn a_picture_is_added_described_shown_and_removed() {
    let desk = AdminSite::new(ADMIN);
    let path = "/api/content/images?name=ana&alt=Ana%20at%20work&focus=20,80";
    let added = upload(&desk, path, &picture(2000, 1000, ImageFormat::Jpeg)).expect(201);
    let ana = added.json();
    assert_eq!(
        (&ana["name"], &ana["alt"], &ana["focus"]),
        (&json!("ana"), &json!("Ana at work"), &json!({"x": 20, "y": 80}))
    );
    assert_eq!((&ana["width"], &ana["height"], &ana["usedBy"]), (&json!(1600), &json!(800), &json!([])));
    assert_eq!(ana["srcSet"].as_str().map(|set| set.split(", ").count()), Some(3));
    let bytes = desk.get("/api/content/images/ana");
    assert_eq!((bytes.status, bytes.header("content-type")), (200, "image/jpeg"));
    assert_eq!(image::load_from_memory(&bytes.body).expect("a picture").width(), 960);
    let src = ana["src"].as_str().expect("a path").to_owned();
    wait_for("the picture", || (desk.server.get(&src, &[]).status == 200).then_some(()));

    // A draft that uses it keeps it, and its page shows it with its focal point.
    desk.change(set("home.hero.image", json!("ana")));
    let home = desk.get("/api/content/preview/home").text();
    assert!(home.contains("data-focus=\"25-75\"") && home.contains(&src), "the hero's picture");
    let refused = desk.call("DELETE", "/api/content/images/ana", &Value::Null).expect(409);
    assert!(refused.json()["detail"].as_str().is_some_and(|detail| detail.contains("home.hero.image")));
    let listed = desk.get("/api/content/images").json();
    assert_eq!(listed["items"][0]["usedBy"], json!(["home.hero.image"]));

    let smiling = json!({ "alt": "Ana, smiling", "focus": {"x": 50, "y": 50} });
    let described = desk.call("PATCH", "/api/content/images/ana", &smiling);
    assert_eq!((described.status, &described.json()["alt"]), (200, &json!("Ana, smiling")));
    // A second organiser who saw the first description does not overwrite the new one.
    let seen = format!("\"{}\"", listed["items"][0]["version"].as_str().expect("a version"));
    assert_eq!(seen, added.header("etag"));
    let late = desk.call_if(&seen, "PATCH", "/api/content/images/ana", &json!({ "alt": "Mine" }));
    assert_eq!((late.status, late.header("etag")), (412, described.header("etag")), "{}", late.text());
    assert_eq!(late.json()["current"]["alt"], "Ana, smiling");
    assert_eq!(desk.call("PATCH", "/api/content/images/ana", &json!({ "alt": " " })).status, 422);
    desk.call("PATCH", "/api/content/images/ana", &json!({ "focus": {"x": 101, "y": 0} })).expect(422);
    assert_eq!(desk.call("PATCH", "/api/content/images/bo", &json!({ "alt": "x" })).status, 404);

    // It is published with its focal point. A change of its description changes the pages too.
    desk.publish("").expect(200);
    wait_for("the hero", || desk.server.get("/", &[]).text().contains(&src).then_some(()));
    desk.call("PATCH", "/api/content/images/ana", &json!({ "focus": {"x": 0, "y": 0} })).expect(200);
    wait_for("the focal point", || {
        desk.server.get("/", &[]).text().contains("data-focus=\"0-0\"").then_some(())
    });

    let small = picture(300, 200, ImageFormat::Png);
    let replace = |path: &str, tag: &str| {
        let headers = [("cookie", desk.cookie.as_str()), ("if-match", tag)];
        desk.server.send_bytes("POST", path, &headers, &small)
    };
    let late = replace(path, &seen);
    assert_eq!((late.status, &late.json()["current"]["width"]), (412, &json!(1600)), "{}", late.text());
    assert_eq!(upload(&desk, path, &small).expect(200).json()["width"], 300);
    let bo = "/api/content/images?name=bo&alt=Bo";
    replace(bo, &seen).expect(404);
    let first = upload(&desk, bo, &small).expect(201);
    replace(bo, first.header("etag")).expect(200);
    let late = desk.call_if(first.header("etag"), "DELETE", "/api/content/images/bo", &Value::Null);
    assert_eq!((late.status, &late.json()["current"]["name"]), (412, &json!("bo")), "{}", late.text());
    assert_eq!(desk.call("DELETE", "/api/content/images/bo", &Value::Null).status, 204);
    assert_eq!(desk.call("DELETE", "/api/content/images/bo", &Value::Null).status, 404);
    assert_eq!(desk.get("/api/content/images/bo").status, 404);
}

#[test]
fn no_picture_is_removed_while_the_draft_that_may_name_it_cannot_be_read() {
    let desk = AdminSite::new(ADMIN);
    let path = "/api/content/images?name=ana&alt=Ana";
    upload(&desk, path, &picture(300, 200, ImageFormat::Jpeg)).expect(201);
    desk.change(set("home.hero.image", json!("ana")));
    let unreadable = "update content_draft set toml = replace(toml, 'tagline', 'unheard_of')";
    desk.place.execute(unreadable);
    let kept = desk.call("DELETE", "/api/content/images/ana", &Value::Null).expect(409);
    assert!(kept.text().contains("cannot read the draft"), "{}", kept.text());
    let listed = desk.get("/api/content/images").expect(200).json();
    assert_eq!(listed["items"][0]["name"], "ana");
}

#[test]
fn a_version_whose_picture_was_removed_is_not_restored_and_the_reason_is_true() {
    let desk = AdminSite::new(ADMIN);
    let path = "/api/content/images?name=ana&alt=Ana";
    assert_eq!(upload(&desk, path, &picture(300, 200, ImageFormat::Jpeg)).status, 201);
    for image in [json!("ana"), Value::Null] {
        desk.change(set("home.hero.image", image));
        desk.publish("").expect(200);
    }
    wait_for("the removal", || {
        (desk.call("DELETE", "/api/content/images/ana", &Value::Null).status == 204).then_some(())
    });
    let restored = desk.call("POST", "/api/content/revisions/1/restore", &Value::Null).expect(409);
    let said = restored.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(said.starts_with("Revision 1 cannot be used as it is: "), "{said}");
    assert!(said.contains("home.hero.image: there is no picture 'ana'"), "{said}");
}

#[test]
fn what_is_no_picture_or_not_described_is_refused() {
    let desk = AdminSite::new(ADMIN);
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
        let reply = upload(&desk, &format!("/api/content/images?{query}"), body);
        assert_eq!(reply.status, status, "{query}: {}", reply.text());
        if !field.is_empty() {
            assert!(reply.json()["errors"][field].is_string(), "{query}: {}", reply.text());
        }
    }
    let head = format!(
        "POST /api/content/images?name=ana&alt=Ana HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\ncontent-length: 15000001\r\n\r\n",
        desk.server.address, desk.cookie
    );
    let large = desk.server.raw(head.as_bytes());
    assert!(large.starts_with("HTTP/1.1 413"), "{large}");
    assert_eq!(desk.server.get("/api/content/images", &[]).status, 401);
    assert_eq!(desk.server.get("/api/content/images/ana", &[]).status, 401);
    assert_eq!(desk.place.sql::<i64>("select count(*) from images"), 0);
}

#[test]
fn the_first_steps_are_listed_and_done_ones_stay_done() {
    let desk = AdminSite::new(ADMIN);
    let steps = || desk.get("/api/first-steps").json();
    let first = steps();
    let keys = ["people", "dates", "email", "payment", "pictures", "legal"];
    assert_eq!(column(&first["items"], "key"), keys);
    assert_eq!((&first["done"], &first["total"]), (&json!(0), &json!(6)), "{first}");
    let is_done = |steps: &Value| steps["items"][4]["done"] == true;
    upload(&desk, "/api/content/images?name=ana&alt=Ana", &picture(20, 20, ImageFormat::Png)).expect(201);
    let hero = |name: &str| {
        desk.change(set("home.hero.image", json!(name)));
        assert_eq!(desk.publish("").status, 200);
    };
    hero("ana");
    assert!(is_done(&steps()), "a picture is shown");
    hero("");
    assert!(is_done(&steps()), "done steps stay done");
    assert_eq!(desk.server.get("/api/first-steps", &[]).status, 401);
}
