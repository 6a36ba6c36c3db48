//! The organiser changes the site in the browser: draft, publish, discard, revisions.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::content::{edited, import};
use crate::support::paid_site::entry;
use crate::support::{ADMIN, AdminSite, Reply, rows, wait_for};

const DRAFT: &str = "/api/content/draft";

impl AdminSite {
    fn draft(&self) -> Value {
        self.get(DRAFT).expect(200).json()
    }

    fn tag(&self) -> String {
        self.get(DRAFT).header("etag").to_owned()
    }

    fn patch(&self, changes: Value) -> Reply {
        self.call("PATCH", DRAFT, &json!({ "changes": changes }))
    }

    pub fn change(&self, changes: Value) -> Value {
        self.patch(changes).expect(200).json()
    }

    fn refused_changes(&self, changes: Value) -> Value {
        self.patch(changes).expect(422).json()["errors"].clone()
    }

    pub fn publish(&self, note: &str) -> Reply {
        self.call("POST", "/api/content/draft/publish", &json!({ "note": note }))
    }

    fn exported(&self) -> String {
        self.place.done(&["content", "export"])
    }

    fn shows(&self, path: &str, words: &str) -> bool {
        self.server.get(path, &[]).text().contains(words)
    }
}

pub fn set(path: &str, value: Value) -> Value {
    json!([{ "path": path, "value": value }])
}

#[test]
fn a_draft_is_published_and_keeps_the_comments_of_the_file() {
    let desk = AdminSite::new(ADMIN);
    let first = desk.draft();
    assert_eq!(first["base"], 0);
    assert_eq!((&first["changes"], &first["savedAt"]), (&json!([]), &Value::Null));
    assert_eq!(first["content"]["event"]["firstDay"], "2026-03-28");

    let draft = desk.change(json!([
        { "path": "event.tagline", "value": "Lashes, brows & a draft" },
        { "path": "openings.speaker-applications.until", "value": "2026-02-01" },
        { "path": "people.groups[0].profiles[1]", "move": 0 },
        { "path": "venue.hotels[4]", "value": null },
        { "path": "faq.sections[0].items", "insert": 1, "value": { "question": "Is there <b>tea</b>?", "answer": "Yes." } },
    ]));
    let changes = json!([
        ["changed", "event.tagline"],
        ["moved", "people.groups[0].profiles[0]"],
        ["removed", "venue.hotels[4]"],
        ["added", "faq.sections[0].items[1]"],
        ["changed", "openings.speaker-applications.until"],
    ]);
    assert_eq!(rows(&draft["changes"], &["kind", "path"]), changes);
    // Nothing is live yet.
    assert!(!desk.shows("/", "a draft"));

    let reply = desk.publish("  Two new things ").expect(200);
    assert_eq!(reply.json()["number"], 1);
    assert_eq!(reply.json()["note"], "Two new things");
    let published = Instant::now();
    wait_for("the new tagline", || desk.shows("/", "Lashes, brows &amp; a draft").then_some(()));
    println!("shown after {:?}", published.elapsed());
    wait_for("the new question", || desk.shows("/faq", "Is there &lt;b&gt;tea&lt;/b&gt;?").then_some(()));

    let exported = desk.exported();
    let default = edited(&[]);
    // Every comment of the default is still there, in its order.
    let comments = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.trim_start().starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(comments(&exported), comments(&default));
    let missing: Vec<&str> = default.lines().filter(|line| !exported.contains(*line)).collect();
    assert!(missing.len() < 12, "{missing:?}");
    assert_eq!(exported, desk.place.sql::<String>("select toml from content_revisions where id = 1"));
    // Closed: publishing twice says so, and the draft is what is live.
    desk.publish("").expect(409);
    let after = desk.draft();
    assert_eq!((&after["base"], &after["changes"], &after["savedAt"]), (&json!(1), &json!([]), &Value::Null));
}

#[test]
fn what_cannot_be_is_refused_with_the_path() {
    let desk = AdminSite::new(ADMIN);
    let many: Vec<Value> = vec![json!({ "question": "Q", "answer": "A" }); 10_000];
    let cases = [
        (set("event.firstDay", json!("2026-02-30")), "event.firstDay"),
        (set("event.first_day", json!("2026-02-30")), "event.first_day"),
        (set("event.lastDay", json!("2026-03-01")), "event.lastDay"),
        (set("event.tagline", json!("")), "event.tagline"),
        (set("event.tagline", Value::Null), "event.tagline"),
        (set("event.tagline", json!(7)), "event.tagline"),
        (set("event.tagline", json!("a\u{0}b")), "event.tagline"),
        (set("event.nonsense", json!("x")), "event.nonsense"),
        (set("nonsense", json!("x")), "nonsense"),
        (set("event..tagline", json!("x")), "event..tagline"),
        (set("schedule.days[0].items[1].end", json!("01:00")), "schedule.days[0].items[1].end"),
        (set("schedule.days[0].items[1].end", json!("25:00")), "schedule.days[0].items[1].end"),
        (set("schedule.days[0].items[99].end", json!("20:00")), "schedule.days[0].items[99].end"),
        (set("pricing.participantFeeCents", json!(49)), "pricing.participantFeeCents"),
        (set("pricing.participantFeeCents", json!(100_000)), "pricing.regularFeeCents"),
        (set("faq.sections[0].items", json!([])), "faq.sections[0].items"),
        (set("faq.sections[0].items", json!(many)), "faq.sections[0].items"),
        (
            set("people.groups[0].profiles[0].url", json!("javascript:alert(1)")),
            "people.groups[0].profiles[0].url",
        ),
        (set("home.hero.image", json!("not-there")), "home.hero.image"),
        (set("portal.deadline", json!("2026-13-01")), "portal.deadline"),
        (set("competition.cards[0].category", json!("nails")), "competition.cards[0].category"),
        (json!([{ "path": "event", "insert": 0, "value": "x" }]), "event"),
        (json!([{ "path": "faq.sections[0].items[0]", "move": 99 }]), "faq.sections[0].items[0]"),
    ];
    for (changes, path) in cases {
        let shown: String = changes.to_string().chars().take(120).collect();
        let errors = desk.refused_changes(changes);
        assert!(errors[path].as_str().is_some_and(|message| !message.is_empty()), "{shown}: {errors}");
    }
    // All or nothing.
    let errors = desk.refused_changes(json!([
        { "path": "event.tagline", "value": "Good" },
        { "path": "pricing.participantFeeCents", "value": 1 },
    ]));
    assert_eq!(errors.as_object().expect("errors").len(), 1);
    assert_eq!(desk.draft()["changes"], json!([]));
    for body in [
        json!({}),
        json!({ "changes": {} }),
        json!({ "changes": ["x"] }),
        json!({ "changes": [{ "value": 1 }] }),
        json!({ "changes": [{ "path": "phase" }] }),
        json!({ "changes": [{ "path": "phase", "value": 1, "move": 1 }] }),
        json!({ "changes": [{ "path": "phase", "insert": -1 }] }),
        json!({ "changes": [{ "path": "faq.sections[0].items", "insert": 0 }] }),
    ] {
        assert_eq!(desk.call("PATCH", DRAFT, &body).status, 400, "{body}");
    }
    for (method, path) in [
        ("GET", DRAFT),
        ("PATCH", DRAFT),
        ("POST", "/api/content/draft/publish"),
        ("POST", "/api/content/draft/discard"),
        ("GET", "/api/content/revisions"),
        ("GET", "/api/content/revisions/0"),
        ("POST", "/api/content/revisions/0/restore"),
    ] {
        assert_eq!(desk.server.send(method, path, &[], "").status, 401, "{method} {path}");
    }
}

#[test]
fn what_a_change_breaks_elsewhere_waits_with_publishing() {
    let desk = AdminSite::new(ADMIN);
    let draft = desk.change(json!([
        { "path": "event.firstDay", "value": "2026-03-29" },
        { "path": "event.dates", "value": "March 29, 2026" },
    ]));
    let path = "schedule.days[0].date";
    assert!(draft["problems"][path].as_str().is_some(), "{}", draft["problems"]);
    desk.publish("").expect_field(path);
    // Something else can still be changed.
    desk.change(set("event.tagline", json!("Still open")));
    // A member that is added has to be complete.
    let empty = json!({ "question": "", "answer": "A." });
    let insert = |value: Value| json!([{ "path": "faq.sections[0].items", "insert": 0, "value": value }]);
    let errors = desk.refused_changes(insert(empty));
    assert!(errors["faq.sections[0].items[0].question"].is_string(), "{errors}");
    let draft = desk.change(insert(json!({ "question": "Q?", "answer": "A." })));
    assert_eq!(draft["content"]["faq"]["sections"][0]["items"][0]["question"], "Q?");
    let reply = desk.call("POST", "/api/content/draft/discard", &Value::Null).expect(200);
    assert_eq!((&reply.json()["changes"], &reply.json()["problems"]), (&json!([]), &json!({})));
}

#[test]
fn a_category_with_entries_stays() {
    let desk = AdminSite::new(ADMIN);
    desk.server.post("/api/competition-entries", &entry("ada@example.com")).expect(201);
    let slug: String = desk.place.sql("select primary_category from competition_entries");
    let draft = desk.draft();
    let index = draft["content"]["categories"]
        .as_array()
        .and_then(|all| all.iter().position(|one| one["slug"] == slug.as_str()))
        .expect("its category");
    let path = format!("categories[{index}]");
    let errors = desk.refused_changes(set(&path, Value::Null));
    let message = errors[&path].as_str().expect("a message");
    assert!(message.contains("1 entry is in") && message.contains("example entry 1"), "{message}");
    // Of several that are removed at once, each is named.
    desk.server.post("/api/competition-entries", &entry("bea@example.com")).expect(201);
    let other = "update competition_entries set sub_category = 'Creative' where id = 2";
    desk.place.execute(other);
    let path = format!("{path}.subcategories");
    let errors = desk.refused_changes(set(&path, json!(["Classic"])));
    let message = errors[&path].as_str().expect("a message");
    assert!(message.contains("example entry 1") && message.contains("example entry 2"), "{message}");
    // A file is checked in the same way, once the entry is paid.
    let paid = crate::support::open(&desk.place.database())
        .execute("update competition_entries set payment_status = 'paid' where id = 1", []);
    assert_eq!(paid, Ok(1));
    let toml = desk.exported().replace(&format!("\"{slug}\""), "\"renamed\"");
    let refused = desk.place.run_with_input(&["content", "import", "-"], &toml);
    assert!(!refused.status.success());
}

#[test]
fn of_two_people_the_second_sees_both_versions() {
    let desk = AdminSite::new(ADMIN);
    let tag = desk.tag();
    let theirs = set("event.tagline", json!("Theirs"));
    assert_eq!(desk.call_if(&tag, "PATCH", DRAFT, &json!({ "changes": theirs })).status, 200);
    let yours = set("event.tagline", json!("Yours"));
    let reply = desk.call_if(&tag, "PATCH", DRAFT, &json!({ "changes": yours })).expect(412);
    let body = reply.json();
    assert_eq!(body["current"]["content"]["event"]["tagline"], "Theirs");
    assert_eq!(body["yours"], json!([{ "path": "event.tagline", "value": "Yours", "theirs": "Theirs" }]));
    assert_eq!(reply.header("etag"), desk.tag());
    for path in ["/api/content/draft/publish", "/api/content/draft/discard"] {
        assert_eq!(desk.call_if(&tag, "POST", path, &json!({})).status, 412, "{path}");
    }
    // A tag is never used again, also not after the draft is closed and opened.
    desk.call_if(&desk.tag(), "POST", "/api/content/draft/discard", &Value::Null);
    desk.change(set("event.tagline", json!("Another")));
    assert_eq!(desk.call_if(reply.header("etag"), "PATCH", DRAFT, &json!({ "changes": yours })).status, 412);
}

#[test]
fn a_draft_is_published_over_a_newer_revision_only_on_purpose() {
    let desk = AdminSite::new(ADMIN);
    let tagline = "The Global Lash & Brow Showcase + Championship";
    desk.change(set("event.tagline", json!("Of the draft")));
    let tag = desk.tag();
    import(
        &desk.place,
        &edited(&[
            (&format!("{tagline}\"\nsummary"), "Of the import\"\nsummary"),
            ("hours = \"9:30 AM to 8:00 PM\"", "hours = \"All day\""),
        ]),
    );
    assert_ne!(desk.tag(), tag);
    let newer = json!({ "revision": 1, "changes": [
        { "kind": "changed", "path": "event.tagline", "before": tagline, "value": "Of the import" },
        { "kind": "changed", "path": "event.hours", "before": "9:30 AM to 8:00 PM", "value": "All day" },
    ]});
    let draft = desk.draft();
    assert_eq!((&draft["base"], &draft["newer"]), (&json!(0), &newer));
    // What publishing would change in what visitors see.
    assert_eq!(draft["changes"][0]["value"], "Of the draft");
    assert_eq!(draft["changes"][1]["value"], "9:30 AM to 8:00 PM");
    // Another change of the draft does not settle it.
    desk.change(set("contact.heading", json!("Write to us")));
    let publish = |over: Value| desk.call("POST", "/api/content/draft/publish", &json!({ "over": over }));
    for over in [Value::Null, json!(0), json!(2)] {
        let reply = publish(over);
        assert_eq!((reply.status, &reply.json()["newer"]), (409, &newer), "{}", reply.text());
        let detail = reply.json()["detail"].as_str().map(str::to_owned).expect("a sentence");
        assert!(detail.contains("Publish the draft in its place, or discard it."), "{detail}");
    }
    assert!(desk.exported().contains("hours = \"All day\""), "nothing was published");
    // Hers.
    assert_eq!(publish(json!(1)).expect(200).json()["number"], 2);
    let exported = desk.exported();
    assert!(exported.contains("tagline = \"Of the draft\"") && !exported.contains("hours = \"All day\""));
    assert_eq!(desk.draft()["newer"], Value::Null);
    // Theirs.
    desk.change(set("event.tagline", json!("Not kept")));
    desk.call("POST", "/api/content/revisions/1/restore", &Value::Null);
    assert_eq!(desk.draft()["newer"]["revision"], 3);
    let theirs = desk.call_if(&desk.tag(), "POST", "/api/content/draft/discard", &Value::Null).json();
    assert_eq!((&theirs["newer"], &theirs["changes"]), (&Value::Null, &json!([])));
    assert_eq!(theirs["content"]["event"]["tagline"], "Of the import");
}

#[test]
fn any_revision_comes_back_in_one_step() {
    let desk = AdminSite::new(ADMIN);
    desk.change(set("event.tagline", json!("One")));
    desk.publish("first");
    desk.change(set("event.tagline", json!("Two")));
    desk.publish("second");
    let list = desk.get("/api/content/revisions").expect(200).json();
    let numbers = json!([[2, true], [1, false], [0, false]]);
    assert_eq!(rows(&list["items"], &["number", "isLive"]), numbers);
    assert_eq!(list["items"][0]["note"], "second");
    let second = desk.get("/api/content/revisions/2").expect(200).json();
    assert_eq!(
        second["changes"],
        json!([{ "kind": "changed", "path": "event.tagline", "before": "One", "value": "Two" }])
    );
    assert_eq!(second["before"], 1);
    desk.call_if("\"x\"", "POST", "/api/content/revisions/1/restore", &Value::Null).expect(412);
    let restored = desk.call("POST", "/api/content/revisions/1/restore", &Value::Null).expect(200);
    assert_eq!(restored.json()["number"], 3);
    wait_for("the first tagline", || desk.shows("/about", "One").then_some(()));
    assert_eq!(desk.call("POST", "/api/content/revisions/9/restore", &Value::Null).status, 404);
    assert_eq!(desk.get("/api/content/revisions/9").status, 404);
    desk.call("POST", "/api/content/revisions/0/restore", &Value::Null).expect(200);
    assert_eq!(desk.exported(), edited(&[]));
}

#[test]
fn a_hundred_changed_fields_are_live_within_a_second() {
    let desk = AdminSite::new(ADMIN);
    let draft = desk.draft();
    let sections = draft["content"]["faq"]["sections"].as_array().expect("sections");
    let mut changes = Vec::new();
    for (section, items) in sections.iter().enumerate() {
        for index in 0..items["items"].as_array().expect("items").len() {
            for name in ["question", "answer"] {
                let path = format!("faq.sections[{section}].items[{index}].{name}");
                changes.push(json!({ "path": path, "value": format!("Changed {name} {section} {index}") }));
            }
        }
    }
    for index in 0..draft["content"]["portal"]["slots"].as_array().expect("slots").len() {
        for name in ["label", "hint"] {
            let path = format!("portal.slots[{index}].{name}");
            changes.push(json!({ "path": path, "value": format!("Changed {name} {index}") }));
        }
    }
    for name in ["tagline", "summary", "hours", "region"] {
        changes.push(json!({ "path": format!("event.{name}"), "value": format!("Changed {name}") }));
    }
    assert!(changes.len() >= 100, "{}", changes.len());
    desk.change(json!(changes));
    let started = Instant::now();
    assert_eq!(desk.publish("").status, 200);
    let published = Instant::now();
    wait_for("the answer", || desk.shows("/faq", "Changed answer 0 0").then_some(()));
    // Publishing renders every page as a check: a busy machine is slow at both.
    let (took, delay) = (published - started, published.elapsed());
    println!("published in {took:?}, shown after {delay:?}");
    assert!(delay < Duration::from_secs(2) + 3 * took, "{delay:?}");
}

#[test]
fn a_server_killed_while_it_publishes_has_the_whole_draft_or_the_whole_revision() {
    for round in 0..3 {
        let mut desk = AdminSite::new(ADMIN);
        desk.change(set("event.tagline", json!("Before the kill")));
        let request = format!(
            "POST /api/content/draft/publish HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\ncontent-length: 0\r\n\r\n",
            desk.server.address, desk.cookie
        );
        let mut stream = desk.server.connect();
        std::io::Write::write_all(&mut stream, request.as_bytes()).expect("sent");
        std::thread::sleep(Duration::from_millis(120 * round));
        desk.server.kill();
        let (open, revisions): (bool, i64) = (
            desk.place.sql("select toml is not null from content_draft"),
            desk.place.sql("select count(*) from content_revisions"),
        );
        assert_eq!((open, revisions), if revisions == 0 { (true, 0) } else { (false, 1) });
        desk.server = desk.place.serve();
        desk.cookie = desk.server.sign_in();
        let draft = desk.draft();
        assert_eq!(draft["content"]["event"]["tagline"], "Before the kill");
        assert_eq!(draft["changes"].as_array().map(Vec::len), Some(usize::from(open)));
    }
}

#[test]
fn a_preview_shows_the_draft_as_of_a_day_and_nobody_else_sees_it() {
    let desk = AdminSite::new(ADMIN);
    desk.change(json!([
        { "path": "event.tagline", "value": "Only in the preview <script>alert(1)</script>" },
        { "path": "openings.speaker-applications.until", "value": "2026-02-02 12:00" },
        { "path": "pricing.afterDeadline", "value": "regular" },
    ]));
    let page = |path: &str| desk.get(&format!("/api/content/preview/{path}"));
    let home = page("home").expect(200);
    let html = home.text();
    assert!(html.starts_with("<!doctype html>") || html.starts_with("<!DOCTYPE html>"), "{}", &html[..80]);
    assert!(html.contains("Only in the preview &lt;script&gt;") && !html.contains("<script>alert"));
    assert_eq!(home.header("cache-control"), "no-store");
    assert_eq!(home.header("x-robots-tag"), "noindex");
    let policy = home.header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'self'") && !policy.contains("script-src"), "{policy}");
    assert!(html.contains("href=\"/api/content/preview/faq\""), "links lead to previews");
    // As of the noon of a day, or of a minute: the form closes, and the price rises.
    let closed = "This form closed on February 2, 2026 at 12:00 PM (Eastern Time).";
    assert!(!page("apply-speaker?asOf=2026-02-01").text().contains(closed));
    assert!(page("apply-speaker?asOf=2026-02-02").text().contains(closed));
    assert!(page("enter-competition?asOf=2025-09-25").text().contains("449"));
    assert!(page("enter-competition?asOf=2025-09-26").text().contains("749"));
    assert!(!page("apply-speaker?asOf=2026-02-02T11:59").text().contains(closed));
    assert!(page("faq?asOf=2026-02-02%2018:00").text().contains("preview/home?asOf=2026-02-02+18%3A00"));
    for (path, status) in [
        ("nowhere", 404),
        ("export-data", 404),
        ("404", 404),
        ("home?asOf=2026-02-30", 400),
        ("home?asOf=soon", 400),
        ("..%2Fhome", 404),
    ] {
        assert_eq!(page(path).status, status, "{path}");
    }
    assert_eq!(desk.server.get("/api/content/preview/home", &[]).status, 401);
    // Nothing of it is live.
    assert!(!desk.shows("/", "Only in the preview"));
    assert!(!desk.shows("/apply-speaker", closed));
}

/// The paths of all texts of a value.
fn text_paths(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(path.to_owned()),
        Value::Array(members) => {
            for (index, member) in members.iter().enumerate() {
                text_paths(member, &format!("{path}[{index}]"), found);
            }
        }
        Value::Object(table) => {
            for (key, member) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                text_paths(member, &path, found);
            }
        }
        _ => {}
    }
}

#[test]
fn html_and_script_in_every_text_are_shown_as_text() {
    const HOSTILE: &str = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
    let desk = AdminSite::new(ADMIN);
    let mut paths = Vec::new();
    text_paths(&desk.draft()["content"], "", &mut paths);
    // What is a date, an address, a key or one of a few values refuses it; all other texts take it.
    let mut refused = 0;
    let mut named = ["schedule.awards.names", "categories", "people.groups", "pricing"].into_iter();
    loop {
        let changes: Vec<Value> =
            paths.iter().map(|path| json!({ "path": path, "value": HOSTILE })).take(1_000).collect();
        let reply = desk.patch(json!(changes));
        if reply.status == 200 {
            break;
        }
        assert_eq!(reply.status, 422, "{}", reply.text());
        let errors = reply.json()["errors"].as_object().expect("errors").clone();
        let before = paths.len();
        paths.retain(|path| !errors.contains_key(path));
        if paths.len() == before {
            // Other fields name these texts.
            let named = named.next().unwrap_or_else(|| panic!("{errors:?}"));
            paths.retain(|path| !path.starts_with(named));
        }
        refused += before - paths.len();
    }
    println!("{} texts took it, {refused} refused it", paths.len());
    assert!(paths.len() > 300, "{} texts", paths.len());
    for page in
        ["home", "about", "competition", "speakers-judges", "sponsors", "venue", "schedule", "faq", "contact"]
    {
        let html = desk.get(&format!("/api/content/preview/{page}")).text();
        assert!(html.contains("&lt;img src=x onerror"), "{page} shows nothing of it");
        assert!(!html.contains("<img src=x") && !html.contains("<script>alert"), "{page}");
    }
}
