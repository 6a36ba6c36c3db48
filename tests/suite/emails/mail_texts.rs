//! The texts of the standard emails, edited by an organiser.

use serde_json::{Value, json};

use crate::support::paid_site::{PaidSite, entry};
use crate::support::{ADMIN, Place, Reply, Server, served, speaker, wait_for, waitlist};

struct Texts<'a> {
    server: &'a Server,
    session: String,
}

impl Texts<'_> {
    fn new(server: &Server) -> Texts<'_> {
        Texts { server, session: server.sign_in() }
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.server.call(&self.session, method, &format!("/api/mail-texts{path}"), body)
    }

    /// As [`Texts::call`], with this tag in `If-Match`: it fails if the text has another version.
    fn call_if(&self, tag: &str, method: &str, path: &str, body: &Value) -> Reply {
        self.server.call_if(&self.session, tag, method, &format!("/api/mail-texts{path}"), body)
    }

    fn done(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, path, body).expect(200).json()
    }
}

/// Signs up with this address and returns the text of the confirmation.
fn confirmation(place: &Place, server: &Server, email: &str) -> String {
    assert_eq!(server.post("/api/waitlist-signups", &waitlist(email)).status, 201);
    place.mail_text(&format!("cause like 'confirmation/%' and recipient = '{email}'"))
}

#[test]
fn an_edited_confirmation_is_sent_until_it_is_reset() {
    let (place, server) = served(ADMIN);
    let texts = Texts::new(&server);
    let before = confirmation(&place, &server, "a0@example.com");
    let name = "/confirmation.waitlist-signups";
    let shown = texts.done("GET", name, &Value::Null);
    assert_eq!((&shown["isDefault"], &shown["changedAt"]), (&json!(true), &Value::Null));
    assert!(before.contains(shown["text"].as_str().expect("a text")), "{before} {shown}");
    let own = json!({ "subject": "Welcome, {{ name }}", "text": "First <b>one</b> for {name}.\n\nSecond one, at {event}." });
    let preview = texts.done("POST", &format!("{name}/preview"), &own);
    assert_eq!(preview["subject"], "Welcome, Bea Example");
    assert!(
        preview["text"]
            .as_str()
            .expect("a text")
            .contains("First <b>one</b> for Bea Example.\n\nSecond one, at Lash"),
        "{preview}"
    );
    assert_eq!(texts.done("GET", name, &Value::Null)["isDefault"], true, "a preview stores nothing");
    let changed = texts.done("PATCH", name, &own);
    assert_eq!((&changed["isDefault"], &changed["subject"]), (&json!(false), &json!("Welcome, {name}")));
    assert_eq!(changed["actor"], "organiser");
    let mut number = 0;
    let sent = wait_for("an email with the new text", || {
        number += 1;
        let said = confirmation(&place, &server, &format!("b{number}@example.com"));
        said.contains("First").then_some(said)
    });
    assert!(sent.contains("First <b>one</b> for Bea Example.\n\nSecond one, at Lash"), "{sent}");
    let last = format!("cause like 'confirmation/%' and recipient = 'b{number}@example.com'");
    assert_eq!(
        place.sql::<String>(&format!("select subject from outbox where {last}")),
        "Welcome, Bea Example"
    );
    let html = place.mail_html(&last);
    assert!(html.contains("First &lt;b&gt;one") && !html.contains("<b>one"), "{html}");
    let html = texts.call("GET", &format!("{name}/preview/html"), &Value::Null);
    assert!(
        html.header("content-security-policy").contains("sandbox") && html.text().contains("&lt;b&gt;one")
    );

    let reset = texts.done("DELETE", name, &Value::Null);
    assert_eq!((&reset["isDefault"], &reset["text"]), (&json!(true), &shown["text"]));
    texts.done("DELETE", name, &Value::Null);
    let lines = "select group_concat(action) from (select action from audit_log where action like 'email text%' order by id)";
    assert_eq!(place.sql::<String>(lines), "email text edited,email text reset");
    wait_for("an email with the default text", || {
        number += 1;
        let said = confirmation(&place, &server, &format!("b{number}@example.com"));
        (!said.contains("First")).then_some(())
    });
}

#[test]
fn every_standard_email_is_listed_and_can_be_edited_and_previewed() {
    let site = PaidSite::start();
    let (place, server) = (&site.place, &site.server);
    let texts = Texts { server, session: site.cookie() };
    let preview_all = || {
        let list = texts.done("GET", "", &Value::Null);
        for item in list["items"].as_array().expect("a list") {
            let name = item["name"].as_str().expect("a name");
            let known: String = item["placeholders"]
                .as_array()
                .expect("placeholders")
                .iter()
                .map(|placeholder| {
                    format!("[{}] ", placeholder["placeholder"].as_str().expect("a placeholder"))
                })
                .collect();
            let own = json!({ "subject": "An own subject", "text": format!("Own text {known}") });
            let preview = texts.done("POST", &format!("/{name}/preview"), &own);
            assert_eq!(preview["subject"], "An own subject", "{name}");
            let said = preview["text"].as_str().expect("a text");
            assert!(
                said.contains("Own text [") && !said.contains('{') && !said.contains("[]"),
                "{name}: {said}"
            );
        }
    };
    // Nobody has applied yet: the person is made up.
    preview_all();
    assert_eq!(texts.done("POST", "/receipt/preview", &json!({}))["recipient"], "ada@example.com");
    for kind in crate::support::samples::FREE_KINDS {
        let body = crate::support::samples::whole(kind);
        assert_eq!(server.post(&crate::support::samples::path(kind), &body).status, 201, "{kind}");
    }
    let intent = site.create_intent("fill-1", &entry("ada@example.com"));
    site.stripe.pay(&intent);
    assert_eq!(site.save(&entry("ada@example.com"), &intent).status, 201);
    let list = texts.done("GET", "", &Value::Null);
    let items = list["items"].as_array().expect("a list");
    let names: Vec<&str> = items.iter().filter_map(|item| item["name"].as_str()).collect();
    for name in [
        "confirmation.speaker-applications",
        "confirmation.sponsor-inquiries",
        "decision.judge-applications.declined",
        "receipt",
        "refund",
        "reminder",
        "invitation",
        "ticket",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for item in items {
        let name = item["name"].as_str().expect("a name");
        assert!(item["title"].as_str().is_some_and(|title| title.contains(": ")), "{item}");
        for placeholder in item["placeholders"].as_array().expect("placeholders") {
            assert_ne!(placeholder["meaning"], "", "{placeholder}");
        }
        // The default is accepted as it is, and changes nothing.
        let same = json!({ "subject": item["subject"], "text": item["text"] });
        assert_eq!(texts.done("PATCH", &format!("/{name}"), &same)["isDefault"], true, "{name}");
    }
    preview_all();
    assert_eq!(place.sql::<i64>("select count(*) from mail_texts"), 0);
    // A decision and the receipt use their edited texts.
    texts.done(
        "PATCH",
        "/decision.speaker-applications.accepted",
        &json!({ "text": "Come to {event}, {name}." }),
    );
    texts.done(
        "PATCH",
        "/receipt",
        &json!({ "subject": "Paid: {number}", "text": "Thanks for {amount}.\n\nSee you." }),
    );
    wait_for("the decision", || {
        let path = "/api/speaker-applications/1/decision-mail?status=accepted";
        let said = texts.server.get(path, &[("cookie", &texts.session)]).json();
        let said = said["text"].as_str().expect("a text");
        (said.contains("Come to Lash") && said.contains("\nSee you in Jersey City,\n")).then_some(())
    });
    let mut number = 1;
    wait_for("the receipt", || {
        number += 1;
        let form = entry(&format!("b{number}@example.com"));
        site.enter_and_pay(&format!("fill-{number}"), &form);
        let queued = format!("cause = 'confirmation/competition-entries/{number}'");
        let said = place.mail_text(&queued);
        let is_edited = said.contains("Thanks for $") && said.contains("\n\nSee you.\n\n");
        let subject = place.sql::<String>(&format!("select subject from outbox where {queued}"));
        (is_edited && subject == format!("Paid: {number}")).then_some(())
    });
}

#[test]
fn an_invalid_text_is_refused_with_its_line_and_so_is_a_change_of_an_older_version() {
    let (_place, server) = served(ADMIN);
    let texts = Texts::new(&server);
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    let name = "/confirmation.speaker-applications";
    for (field, value, part) in [
        (
            "text",
            "One.\n\nTwo {nmae}.",
            "Line 3: there is no placeholder 'nmae'. You can use {name}, {event}, {kind}, {dates}.",
        ),
        ("text", "{{ {{ name }} }}", "Line 1: a brace"),
        ("text", "{% for x in y %}", "Line 1: there is no placeholder"),
        ("text", " ", "enter a text"),
        ("subject", "a\nb", "one line"),
        ("subject", "{amount}", "no placeholder 'amount'"),
    ] {
        for (method, path) in [("PATCH", name.to_owned()), ("POST", format!("{name}/preview"))] {
            let refused = texts.call(method, &path, &json!({ field: value }));
            assert_eq!(refused.status, 422, "{method} {value}: {}", refused.text());
            let message = refused.json()["errors"][field].as_str().unwrap_or_default().to_owned();
            assert!(message.contains(part), "{value}: {message}");
        }
    }
    let large = texts.call("PATCH", name, &json!({ "text": "t".repeat(60_000) }));
    assert_eq!(large.status, 422);
    let default = texts.call("GET", name, &Value::Null).header("etag").to_owned();
    let mine = texts.call_if(&default, "PATCH", name, &json!({ "text": "Mine." }));
    assert_eq!(mine.status, 200, "{}", mine.text());
    for method in ["PATCH", "DELETE"] {
        let theirs = texts.call_if(&default, method, name, &json!({ "text": "Theirs." }));
        assert_eq!((theirs.status, theirs.header("etag")), (412, mine.header("etag")), "{}", theirs.text());
        assert_eq!(theirs.json()["current"]["text"], "Mine.", "{method}");
    }
    let theirs = texts.call_if(mine.header("etag"), "PATCH", name, &json!({ "text": "Theirs." }));
    assert_eq!(theirs.status, 200, "{}", theirs.text());
    let reset = texts.call_if(theirs.header("etag"), "DELETE", name, &Value::Null);
    assert_eq!((reset.status, reset.header("etag")), (200, default.as_str()));
    for path in
        ["/nothing", "/confirmation.competition-entries", "/decision.sponsor-inquiries.accepted", "/..%2f"]
    {
        assert_eq!(texts.call("GET", path, &Value::Null).status, 404, "{path}");
    }
    assert_eq!(server.get("/api/mail-texts", &[]).status, 401);
}

#[test]
fn a_name_that_is_a_message_stands_in_no_edited_email() {
    let site = PaidSite::start();
    let texts = Texts { server: &site.server, session: site.cookie() };
    site.enter_and_pay("fill-1", &entry("ada@example.com"));
    site.place.execute("update competition_entries set name = 'Call +1 900 555 0100 now'");
    for name in ["receipt", "refund", "reminder", "nomination.returned", "nomination.ready"] {
        let own = json!({ "subject": "For {name}", "text": "Dear {name}," });
        let preview = texts.done("POST", &format!("/{name}/preview"), &own);
        assert_eq!(preview["subject"], "For there", "{name}");
        let said = preview["text"].as_str().expect("a text");
        assert!(said.contains("Dear there,"), "{name}: {said}");
    }
}
