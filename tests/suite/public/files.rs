//! Pictures that the organiser adds, and files generated from the content: calendar, sitemap, structured data.

use std::io::Write;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::support::content::{edited, import};
use crate::support::paid_site::PaidSite;
use crate::support::{Place, Server, migrated, served, text, wait_for};

const PUBLIC: &str = "public_url = 'https://showcase.example.com'\n";
/// Two places where the default content has no picture: the hero and the lake.
const HERO: (&str, &str) = ("image = \"\"\nalt = \"A closed eye", "image = \"hero\"\nalt = \"A closed eye");

fn picture(place: &Place, name: &str, width: u32, format: ImageFormat, shade: u8) -> String {
    let pixels = RgbImage::from_fn(width, width / 2, |x, y| Rgb([shade, (x % 256) as u8, (y % 256) as u8]));
    let path = place.path(name);
    DynamicImage::from(pixels).save_with_format(&path, format).expect("a picture");
    path.to_str().expect("a path").to_owned()
}

fn add(place: &Place, name: &str, file: &str) {
    place.done(&["content", "image", "add", name, file]);
}

/// The hero's picture, as the home page shows it.
fn hero(server: &Server) -> Option<Value> {
    let html = server.get("/", &[]).text();
    let (_, tag) = html.split_once("<img class=\"hero-image\"")?;
    let attribute = |name: &str| tag.split_once(&format!(" {name}=\""))?.1.split('"').next();
    let number = |name| attribute(name)?.parse::<u64>().ok();
    Some(json!({
        "srcSet": attribute("srcSet")?,
        "src": attribute("src")?,
        "width": number("width")?,
        "height": number("height")?,
    }))
}

#[test]
fn a_picture_is_served_in_several_sizes_at_immutable_addresses() {
    let (place, server) = served(PUBLIC);
    add(&place, "hero", &picture(&place, "hero.png", 2000, ImageFormat::Png, 10));
    import(&place, &edited(&[HERO]));
    let image = wait_for("the picture", || hero(&server));
    assert_eq!((image["width"].as_u64(), image["height"].as_u64()), (Some(1600), Some(800)));
    let set = image["srcSet"].as_str().expect("a set");
    let sizes: Vec<(&str, &str)> =
        set.split(", ").map(|size| size.split_once(' ').expect("a width")).collect();
    assert_eq!(sizes.iter().map(|(_, width)| *width).collect::<Vec<_>>(), ["480w", "960w", "1600w"]);
    let html = server.get("/", &[]).text();
    assert!(
        html.contains(&format!("srcSet=\"{set}\"")) || html.contains(&format!("srcset=\"{set}\"")),
        "{html}"
    );
    for (path, width) in sizes {
        let reply = server.get(path, &[]);
        assert_eq!((reply.status, reply.header("content-type")), (200, "image/jpeg"), "{path}");
        assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert!(
            path.starts_with("/images/") && path.ends_with(&format!("-{}.jpg", width.trim_end_matches('w')))
        );
        let read = image::load_from_memory(&reply.body).expect("a JPEG");
        assert_eq!(format!("{}w", read.width()), width);
        let again = server.get(path, &[("if-none-match", reply.header("etag"))]);
        assert_eq!((again.status, again.body.len()), (304, 0));
        assert_eq!(server.send("HEAD", path, &[], "").header("content-length"), reply.body.len().to_string());
    }
    // A new picture of that name has a new address. A page that is still open finds the old one.
    let old = image["src"].as_str().expect("an address").to_owned();
    add(&place, "hero", &picture(&place, "other.jpg", 700, ImageFormat::Jpeg, 200));
    let new = wait_for("the new picture", || hero(&server).filter(|image| image["src"] != old.as_str()));
    assert_eq!((new["width"].as_u64(), server.get(&old, &[]).status), (Some(700), 200));
    drop(server);
    let again = place.serve();
    assert_eq!(hero(&again), Some(new), "a restart shows the same");
    assert_eq!(again.get(&old, &[]).status, 404);
}

#[test]
fn pictures_are_listed_and_removed_if_no_page_uses_them() {
    let place = migrated(PUBLIC);
    add(&place, "hero", &picture(&place, "hero.webp", 600, ImageFormat::WebP, 10));
    add(&place, "spare", &picture(&place, "spare.jpg", 300, ImageFormat::Jpeg, 10));
    import(&place, &edited(&[HERO]));
    let listed = place.done(&["content", "image", "list"]);
    let line = |name: &str| listed.lines().find(|line| line.starts_with(name)).expect(name).to_owned();
    assert!(line("hero").contains("480, 600") && line("hero").ends_with("home.hero.image"), "{listed}");
    assert!(line("spare").contains(" 300 ") && line("spare").ends_with("nowhere"), "{listed}");
    let kept = place.refused(&["content", "image", "remove", "hero"]);
    assert!(kept.contains("The content uses 'hero' at home.hero.image"));
    place.done(&["content", "image", "remove", "spare"]);
    let gone = place.refused(&["content", "image", "remove", "spare"]);
    assert!(gone.contains("There is no picture 'spare'"));
    assert_eq!(place.sql::<i64>("select count(*) from image_sizes"), 2);
    let actions: String =
        place.sql("select group_concat(action) from (select action from audit_log order by id)");
    assert_eq!(actions, "picture added,picture added,content imported,picture removed");
    // An older revision may use a picture that was removed. Then it cannot be restored.
    import(&place, &edited(&[("phase = \"before\"", "phase = \"after\"")]));
    place.done(&["content", "image", "remove", "hero"]);
    let back = place.run(&["content", "rollback"]);
    assert!(text(&back.stderr).contains("there is no picture 'hero'"), "{}", text(&back.stderr));
}

#[test]
fn a_file_that_is_not_a_picture_is_refused_and_nothing_is_stored() {
    let place = migrated("");
    std::fs::write(
        place.path("script.svg"),
        "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
    )
    .expect("a file");
    std::fs::write(place.path("text.jpg"), "no picture at all").expect("a file");
    let mut large = std::fs::read(picture(&place, "good.png", 100, ImageFormat::Png, 1)).expect("a picture");
    large.resize(20_000_000, 0);
    std::fs::write(place.path("large.png"), large).expect("a file");
    let cases = [
        ("hero", "script.svg", "This picture cannot be used"),
        ("hero", "text.jpg", "This picture cannot be used"),
        ("hero", "large.png", "larger than the limit of 15 MB"),
        ("hero", "missing.png", "cannot be read"),
        ("Hero Picture", "good.png", "lowercase letters, digits and hyphens"),
        ("../../etc/passwd", "good.png", "lowercase letters, digits and hyphens"),
        ("", "good.png", "lowercase letters, digits and hyphens"),
    ];
    for (name, file, words) in cases {
        let told = place.refused(&["content", "image", "add", name, file]);
        assert!(told.contains(words) && told.lines().count() == 1, "{file}: {told}");
    }
    assert_eq!(place.sql::<i64>("select count(*) from images"), 0);
}

#[test]
fn the_calendar_has_both_days_in_summer_time() {
    let (place, server) = served(PUBLIC);
    let reply = server.get("/event.ics", &[]);
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/calendar; charset=utf-8"));
    let calendar = reply.text();
    assert!(calendar.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"), "{calendar}");
    for expected in ["DTSTART:20260328T133000Z", "DTEND:20260329T000000Z", "DTSTART:20260329T133000Z"] {
        assert!(calendar.contains(&format!("\r\n{expected}\r\n")), "{expected} in {calendar}");
    }
    assert_eq!(calendar.matches("BEGIN:VEVENT").count(), 2);
    assert!(calendar.contains("UID:2026-day-1@showcase.example.com"));
    let tag = reply.header("etag").to_owned();
    assert_eq!(server.get("/event.ics", &[("if-none-match", &tag)]).status, 304);
    import(&place, &edited(&[("opens = \"09:30\"", "opens = \"10:15\"")]));
    let starts_later =
        || server.get("/event.ics", &[]).text().contains("DTSTART:20260328T141500Z").then_some(());
    wait_for("the new hour", starts_later);
    assert!(server.get("/event.ics", &[]).text().contains("SEQUENCE:1\r\n"));
}

/// The events of a calendar file as another program reads them: UID, SEQUENCE and start of each, and the file's method.
fn read_by_icalendar(calendar: &str) -> Value {
    let script = "import icalendar, json, sys
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
events = [[str(e['UID']), int(e['SEQUENCE']), e.start.isoformat(), str(e['SUMMARY']), e.errors] for e in calendar.events]
print(json.dumps({'method': str(calendar['METHOD']), 'events': events, 'errors': calendar.errors}))";
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut python = std::process::Command::new("python3")
        .args(["-c", script])
        .env("PYTHONPATH", root.join("target/test-python"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("python3 runs");
    python.stdin.take().expect("a pipe").write_all(calendar.as_bytes()).expect("the calendar");
    let read = python.wait_with_output().expect("an answer");
    assert!(read.status.success(), "{calendar}");
    serde_json::from_slice(&read.stdout).expect("JSON")
}

#[test]
fn another_calendar_program_replaces_its_entries_when_the_event_moves() {
    let place = migrated("public_url = 'https://showcase.example.com:8443'\n");
    import(&place, &edited(&[]));
    let server = place.serve();
    let read = || read_by_icalendar(&server.get("/event.ics", &[]).text());
    let before = read();
    assert_eq!((&before["method"], &before["errors"]), (&json!("PUBLISH"), &json!([])), "{before}");
    let uids = |read: &Value| [read["events"][0][0].clone(), read["events"][1][0].clone()];
    assert_eq!(uids(&before), ["2026-day-1@showcase.example.com", "2026-day-2@showcase.example.com"]);
    import(
        &place,
        &edited(&[])
            .replace("2026-03-28", "2027-04-24")
            .replace("2026-03-29", "2027-04-25")
            .replace("March 28-29, 2026", "April 24-25, 2027"),
    );
    let after = wait_for("the new days", || {
        Some(read()).filter(|read| read["events"][0][2] != before["events"][0][2])
    });
    assert_eq!(after["events"][0][2], "2027-04-24T13:30:00+00:00", "{after}");
    assert_eq!(uids(&after), uids(&before));
    for day in [0, 1] {
        assert!(after["events"][day][1].as_i64() > before["events"][day][1].as_i64(), "{after}");
        assert_eq!(after["events"][day][4], json!([]), "{after}");
    }
}

#[test]
fn the_calendar_of_a_confirmation_is_read_by_another_program() {
    let site = PaidSite::start();
    site.buy("ada@example.com");
    let attached = "select content from outbox_attachments where file_name = 'event.ics'";
    let calendar = String::from_utf8(site.place.sql::<Vec<u8>>(attached)).expect("text");
    let read = read_by_icalendar(&calendar);
    assert_eq!((&read["method"], &read["errors"]), (&json!("PUBLISH"), &json!([])), "{read}");
    let public = read_by_icalendar(&site.server.get("/event.ics", &[]).text());
    assert_eq!(read["events"], public["events"]);
}

#[test]
fn crawlers_find_the_public_pages_and_no_others() {
    let (place, server) = served(PUBLIC);
    let robots = server.get("/robots.txt", &[]);
    assert_eq!((robots.status, robots.header("content-type")), (200, "text/plain; charset=utf-8"));
    for line in
        ["Disallow: /export-data", "Disallow: /api/", "Sitemap: https://showcase.example.com/sitemap.xml"]
    {
        assert!(robots.text().lines().any(|found| found == line), "{line}");
    }
    let sitemap = server.get("/sitemap.xml", &[]);
    assert_eq!((sitemap.status, sitemap.header("content-type")), (200, "application/xml; charset=utf-8"));
    let sitemap = sitemap.text();
    let pages: Vec<&str> = sitemap
        .split("<loc>https://showcase.example.com")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap_or_default())
        .collect();
    assert_eq!(pages.len(), 17, "{pages:?}");
    for page in &pages {
        let html = server.get(page, &[]).text();
        assert!(html.contains("rel=\"canonical\"") && !html.contains("noindex"), "{page}");
    }
    let is_public =
        |page: &&str| !["export-data", "404", "page-data"].iter().any(|other| page.contains(other));
    assert!(pages.iter().all(is_public), "{pages:?}");
    let changed = |sitemap: &str| {
        sitemap.split("<lastmod>").nth(1).map(|rest| rest.split('<').next().map(str::to_owned))
    };
    let before = changed(&sitemap);
    import(&place, &edited(&[("opens = \"09:30\"", "opens = \"10:15\"")]));
    wait_for("a later date", || (changed(&server.get("/sitemap.xml", &[]).text()) != before).then_some(()));
    let imported: String = place.sql("select created_at from content_revisions");
    assert_eq!(changed(&server.get("/sitemap.xml", &[]).text()), Some(Some(imported)));
}

#[test]
fn search_engines_read_the_event_with_offer_place_and_offset() {
    let (place, server) = served(PUBLIC);
    let event = || {
        let html = server.get("/", &[]).text();
        let start =
            html.find("application/ld+json\">").expect("structured data") + "application/ld+json\">".len();
        let json = html[start..].split("</script>").next().expect("an end").to_owned();
        serde_json::from_str::<Value>(&json).expect("JSON")
    };
    let found = event();
    assert_eq!(found["@type"], "Event");
    assert_eq!(found["startDate"], "2026-03-28T09:30:00-04:00");
    assert_eq!(found["endDate"], "2026-03-29T20:00:00-04:00");
    assert_eq!(found["location"]["address"]["addressLocality"], "Jersey City");
    assert_eq!(
        (&found["offers"]["price"], &found["offers"]["priceCurrency"]),
        (&"449.00".into(), &"USD".into())
    );
    assert_eq!(found["offers"]["url"], "https://showcase.example.com/enter-competition");
    assert_eq!(found["offers"]["availability"], "https://schema.org/InStock");
    let ahead = "[openings.competition-entries]\nfrom = \"2100-01-05 09:00\"";
    import(&place, &edited(&[("[openings.competition-entries]\nopen = true", ahead)]));
    wait_for("an offer that is ahead", || {
        (event()["offers"]["availability"] == "https://schema.org/PreOrder").then_some(())
    });
    assert_eq!(event()["offers"]["validFrom"], "2100-01-05T09:00:00-05:00");
    import(&place, &edited(&[("phase = \"before\"", "phase = \"after\"")]));
    wait_for("the end of the offer", || {
        (event()["offers"]["availability"] == "https://schema.org/SoldOut").then_some(())
    });
}
