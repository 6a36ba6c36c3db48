//! Tests every row of the table of bad input in docs/reference.md, for every kind, and texts that programs often handle
//! wrongly.

use serde_json::{Value, json};
use showcase::forms::FieldType;
use showcase::forms::form;
use showcase::model::Kind;

use crate::support::samples::{FREE_KINDS, give_content, path, whole};
use crate::support::{ADMIN, Place, Server, served};

const JSON: (&str, &str) = ("content-type", "application/json");

/// Expects a problem with this status, and returns its `errors`.
fn refused(server: &Server, kind: Kind, body: &str, status: u16) -> Value {
    let reply = server.send("POST", &path(kind), &[JSON], body);
    let start: String = body.chars().take(200).collect();
    assert_eq!(reply.status, status, "{kind}: {start}: {}", reply.text());
    assert_eq!(reply.header("content-type"), "application/problem+json", "{kind}: {start}");
    let problem = reply.json();
    assert_eq!(problem["status"], status, "{kind}: {start}");
    assert!(!problem["title"].as_str().expect("a title").is_empty(), "{kind}: {start}");
    assert!(problem["detail"].as_str().expect("a sentence").len() > 10, "{kind}: {start}");
    problem["errors"].clone()
}

fn stored(place: &Place) -> i64 {
    let tables = Kind::ALL.map(|kind| format!("(select count(*) from {})", kind.as_str().replace('-', "_")));
    place.sql(&format!("select (select count(*) from outbox) + {}", tables.join(" + ")))
}

fn changed(kind: Kind, field: &str, value: Value) -> String {
    let mut body = whole(kind);
    body[field] = value;
    body.to_string()
}

#[test]
fn an_unreadable_body_is_400() {
    let (place, server) = served("");
    for kind in Kind::ALL {
        let whole = whole(kind).to_string();
        let deep = format!("{{\"name\": {}", "[".repeat(20_000));
        for body in ["not json", "[]", "3", "null", "\"text\"", "{", &whole[..whole.len() / 2], &deep] {
            refused(&server, kind, body, 400);
        }
        // A lone surrogate is not valid text anywhere.
        let lone = whole.replacen("@example.com", "\\ud800@example.com", 1);
        refused(&server, kind, &lone, 400);
        for field in form(kind).fields() {
            let wrong: &[Value] = match field.field_type {
                FieldType::Consent | FieldType::Flag => &[json!("true"), json!(1), json!([true]), json!({})],
                FieldType::Count => &[json!("1"), json!(1.5), json!(true), json!([1])],
                FieldType::Choices => {
                    &[json!("Lash Extensions"), json!({"0": "x"}), json!([1]), json!([["x"]])]
                }
                _ => &[json!(3), json!(true), json!(["text"]), json!({"text": "x"})],
            };
            for value in wrong {
                refused(&server, kind, &changed(kind, &field.name, value.clone()), 400);
            }
        }
    }
    assert_eq!(stored(&place), 0);
}

#[test]
fn broken_rules_are_422_and_name_every_field() {
    let (place, server) = served("");
    for kind in Kind::ALL {
        let nothing = refused(&server, kind, "{}", 422);
        let needed: Vec<String> = nothing.as_object().expect("fields").keys().cloned().collect();
        assert!(needed.len() >= 2, "{kind}: {needed:?}");
        for field in &needed {
            for missing in [Value::Null, json!("")] {
                let field_type =
                    form(kind).fields().find(|known| known.name == *field).expect("a field").field_type;
                let empty =
                    matches!(field_type, FieldType::Consent | FieldType::Choices) && missing == json!("");
                if empty {
                    continue;
                }
                let errors = refused(&server, kind, &changed(kind, field, missing), 422);
                assert_eq!(errors[field], nothing[field], "{kind}: {errors}");
            }
        }
        let several = json!({"email": "nobody", "name": "x", "company": "y", "phone": "1"}).to_string();
        assert!(refused(&server, kind, &several, 422).as_object().expect("fields").len() >= 2);
        for field in form(kind).fields() {
            let is_text = matches!(
                field.field_type,
                FieldType::Text | FieldType::LongText | FieldType::Phone | FieldType::Handle
            );
            let values: &[String] = match field.field_type {
                FieldType::Text | FieldType::Phone | FieldType::Handle => &[
                    "Ada Sample 0101\u{0}".into(),
                    "Ada Sample\r\nBcc: everyone@example.com".into(),
                    "Ada\u{85}Sample 0101".into(),
                    "\u{1b}[31mAda Sample".into(),
                    "💅".repeat(201),
                ],
                FieldType::LongText => &["e\u{0}".repeat(150), "💅".repeat(10_001)],
                FieldType::Email => {
                    &["a@b".into(), "a@example.com\r\nBcc: b@example.com".into(), "ä@example.com".into()]
                }
                FieldType::Url => {
                    &["javascript:alert(1)".into(), "https:// x".into(), "https://a\r\n.example".into()]
                }
                FieldType::Choice => &["no such option".into(), "New York\u{0}".into()],
                FieldType::Choices | FieldType::Consent | FieldType::Flag | FieldType::Count => &[],
            };
            for value in values {
                let errors = refused(&server, kind, &changed(kind, &field.name, json!(value)), 422);
                assert!(errors[&field.name].is_string(), "{kind} {}: {errors}", field.name);
            }
            assert!(!is_text || !values.is_empty());
        }
    }
    assert_eq!(stored(&place), 0);
}

#[test]
fn the_other_rows_of_the_table_apply_to_every_kind() {
    let (place, server) = served("");
    for kind in Kind::ALL {
        let (path, body) = (path(kind), whole(kind).to_string());
        let send =
            |method: &str, headers: &[(&str, &str)], body: &str| server.send(method, &path, headers, body);
        assert_eq!(send("POST", &[], &body).status, 415, "{kind}");
        for other in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
            assert_eq!(send("POST", &[("content-type", other)], &body).status, 415, "{kind} {other}");
        }
        let emoji = changed(kind, "email", json!("💅".repeat(16 * 1024)));
        assert!(emoji.len() > 65_536);
        refused(&server, kind, &emoji, 413);
        for method in ["PUT", "DELETE"] {
            let reply = send(method, &[JSON], &body);
            assert_eq!(reply.status, 405, "{kind} {method}");
            assert_eq!(reply.json()["status"], 405, "{kind} {method}");
            assert!(reply.header("allow").contains("POST"), "{kind}: {}", reply.header("allow"));
        }
        assert_eq!(server.send("POST", &format!("{path}/x/y"), &[JSON], &body).status, 404, "{kind}");
        assert_eq!(send("POST", &[JSON, ("idempotency-key", "")], &body).status, 400, "{kind}");
        let long = "k".repeat(256);
        assert_eq!(send("POST", &[JSON, ("idempotency-key", &long)], &body).status, 400, "{kind}");
    }
    assert_eq!(stored(&place), 0);
    for kind in FREE_KINDS {
        let send = |body: &Value| {
            server.send("POST", &path(kind), &[JSON, ("idempotency-key", "one")], &body.to_string()).status
        };
        let mut other = whole(kind);
        other["email"] = "somebody.else@example.com".into();
        assert_eq!((send(&whole(kind)), send(&other), send(&whole(kind))), (201, 409, 201), "{kind}");
    }
}

#[test]
fn a_closed_form_gives_its_reason_for_every_kind() {
    let place = Place::new("");
    let edits = Kind::ALL.map(|kind| {
        let open = format!("[openings.{kind}]\nopen = true");
        let closed = format!("[openings.{kind}]\nopen = false\nmessage = \"No more {kind}.\"");
        (open, closed)
    });
    give_content(&place, &edits.each_ref().map(|(open, closed)| (open.as_str(), closed.as_str())));
    let server = place.serve();
    for kind in Kind::ALL {
        let reply = server.post(&path(kind), &whole(kind));
        assert_eq!(reply.status, 403, "{kind}");
        let detail = reply.json()["detail"].as_str().expect("a sentence").to_owned();
        assert!(detail.contains(&format!("No more {kind}.")), "{detail}");
    }
    assert_eq!(stored(&place), 0);
}

#[test]
fn too_many_requests_are_429_for_every_kind() {
    let (place, server) = served("[limits]\nwrites_per_minute = 1\n[proxy]\ntrusted = ['127.0.0.1']\n");
    for (index, kind) in Kind::ALL.into_iter().enumerate() {
        let address = format!("203.0.113.{index}");
        let headers = [JSON, ("x-forwarded-for", address.as_str())];
        assert_eq!(server.send("POST", &path(kind), &headers, "{}").status, 422, "{kind}");
        let reply = server.send("POST", &path(kind), &headers, &whole(kind).to_string());
        assert_eq!(reply.status, 429, "{kind}");
        assert!((1..=61).contains(&reply.header("retry-after").parse::<u64>().expect("seconds")), "{kind}");
    }
    assert_eq!(stored(&place), 0);
}

#[test]
fn a_busy_database_refuses_every_kind_and_stores_nothing() {
    let (place, server) = served("");
    let locked = crate::support::open(&place.database());
    locked.execute_batch("begin immediate").expect("a lock");
    std::thread::scope(|scope| {
        for kind in FREE_KINDS {
            let server = &server;
            scope.spawn(move || {
                let reply = server.post(&path(kind), &whole(kind));
                assert_eq!((reply.status, reply.header("retry-after")), (503, "5"), "{kind}");
            });
        }
    });
    locked.execute_batch("rollback").expect("released");
    assert_eq!(stored(&place), 0);
    server.post(&path(FREE_KINDS[0]), &whole(FREE_KINDS[0])).expect(201);
}

#[test]
fn unusual_texts_are_stored_unchanged_if_the_rules_allow_them() {
    let (place, server) = served(
        "[limits]\nwrites_per_minute = 0\nbody_bytes = 400000\nmegabytes_per_day = 0\nconfirmations_per_day = 0\n",
    );
    let names = [
        "אדה לאב־לייס 💅🏽",
        "علی\u{200c}رضا ❤\u{fe0f}",
        "Zoë-Ångström O’Brien",
        "田中さくら",
        "<script>alert('1')</script>",
        "{{ 7 * 7 }} {name} %s",
        "Robert'); drop table waitlist_signups;--",
    ];
    for kind in FREE_KINDS {
        let long: Vec<&str> = form(kind)
            .fields()
            .filter(|field| field.field_type == FieldType::LongText)
            .map(|field| field.name.as_str())
            .collect();
        let name = if whole(kind)["name"].is_string() { "name" } else { "company" };
        let table = kind.as_str().replace('-', "_");
        for odd in names {
            let mut body = whole(kind);
            body[name] = odd.into();
            let text = format!("{odd}\r\n\tשלום {}", "💅".repeat(9_900));
            for field in &long {
                body[*field] = text.clone().into();
            }
            let reply = server.post(&path(kind), &body);
            assert_eq!(reply.status, 201, "{kind} {odd}: {}", reply.text());
            let id = reply.json()["id"].as_i64().expect("an id");
            let kept: String = place.sql(&format!("select {name} from {table} where id = {id}"));
            assert_eq!(kept, odd, "{kind}");
            let mail = format!("cause = 'confirmation/{kind}/{id}'");
            // The email shows a short answer on one line and without a link, whatever was typed.
            let email = place.mail_text(&mail).replace('\u{200b}', "");
            let on_one_line = odd.replace('\u{2028}', " ");
            assert!(email.contains(odd) || email.contains(&on_one_line), "{kind} {odd}");
            assert!(!place.mail_html(&mail).contains("<script>"), "{kind} {odd}");
        }
    }
    for hidden in ["Ada \u{202e}gnp.ecilA", "a\u{2028}b and c", "a\u{200b}b"] {
        let mut body = whole(Kind::WaitlistSignups);
        body["name"] = hidden.into();
        let errors = refused(&server, Kind::WaitlistSignups, &body.to_string(), 422);
        assert!(errors["name"].as_str().is_some_and(|words| words.contains("hidden characters")), "{errors}");
    }
    // A decomposed name is stored composed (NFC).
    let mut body = whole(Kind::WaitlistSignups);
    body["name"] = "Zoe\u{308}".into();
    assert_eq!(server.post("/api/waitlist-signups", &body).status, 201);
    assert_eq!(place.sql::<String>("select name from waitlist_signups order by id desc limit 1"), "Zo\u{eb}");
}

#[test]
fn ten_thousand_unknown_keys_are_ignored_and_64_kib_of_emoji_are_too_long() {
    let (_place, server) = served("[limits]\nwrites_per_minute = 0\nbody_bytes = 400000\n");
    for kind in Kind::ALL {
        for field in form(kind)
            .fields()
            .filter(|field| matches!(field.field_type, FieldType::Text | FieldType::LongText))
        {
            let errors =
                refused(&server, kind, &changed(kind, &field.name, json!("💅".repeat(16 * 1024))), 422);
            assert!(
                errors[&field.name].as_str().is_some_and(|words| words.starts_with("Please use at most"))
            );
        }
    }
    for kind in FREE_KINDS {
        let mut body = whole(kind);
        for key in 0..10_000 {
            body[format!("key{key}")] = json!(key);
        }
        let reply = server.send("POST", &path(kind), &[JSON], &body.to_string());
        assert_eq!(reply.status, 201, "{kind}: {}", reply.text());
    }
    // The default limit refuses them.
    let usual = Place::new("");
    let server = usual.serve();
    let many: String = (0..10_000).map(|key| format!("\"{key}\":1,")).collect();
    for kind in Kind::ALL {
        let whole = whole(kind).to_string();
        refused(&server, kind, &format!("{{{many}{}", &whole[1..]), 413);
    }
}

#[test]
fn a_signed_in_organiser_may_send_as_much_as_the_setting_says() {
    let place = Place::new(&format!("{ADMIN}[limits]\nbody_bytes = 1000\nsigned_in_body_bytes = 3000\n"));
    let server = place.serve();
    let cookie = server.sign_in();
    let draft = |length: usize| {
        let group = serde_json::json!({ "kind": "waitlist-signups" });
        let body = serde_json::json!({ "group": group, "subject": "s", "text": "x".repeat(length) });
        server.call(&cookie, "POST", "/api/mailings", &body).status
    };
    assert_eq!((draft(2000), draft(3500)), (201, 413));
}
