//! An organiser's decisions.

use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::samples::{FREE_KINDS, give_content, path, whole};
use crate::support::{ADMIN, AdminSite, Place, Reply, speaker};

const SPEAKERS: &str = "speaker-applications";

const APPLICATIONS: [Kind; 4] = [
    Kind::SpeakerApplications,
    Kind::JudgeApplications,
    Kind::SponsorApplications,
    Kind::ProfessionalDemoRegistrations,
];

impl AdminSite {
    /// With one registration of every kind except entries.
    fn with_applications() -> AdminSite {
        let desk = AdminSite::new(ADMIN);
        for kind in FREE_KINDS {
            assert_eq!(desk.server.post(&path(kind), &whole(kind)).status, 201, "{kind}");
        }
        desk
    }

    fn decide(&self, kind: &str, body: &Value) -> Reply {
        self.call("PATCH", &format!("/api/{kind}/1"), body)
    }

    fn decided(&self, kind: &str, body: &Value) -> Value {
        self.decide(kind, body).expect(200).json()
    }

    fn undecided(&self, kind: &str, body: &Value, status: u16) -> String {
        self.decide(kind, body).expect(status).text()
    }

    /// The email of a decision, as it would be sent.
    fn preview(&self, kind: &str, query: &str) -> String {
        let shown = self.get(&format!("/api/{kind}/1/decision-mail?status={query}")).expect(200).json();
        let part = |name: &str| shown[name].as_str().expect("text").to_owned();
        format!("To: {}\nSubject: {}\n\n{}", part("recipient"), part("subject"), part("text"))
    }

    fn stored_status(&self, kind: Kind) -> String {
        self.place.sql(&format!("select status from {} where id = 1", kind.as_str().replace('-', "_")))
    }
}

#[test]
fn every_kind_but_entries_can_get_every_decision_and_the_history_records_it() {
    let desk = AdminSite::with_applications();
    for kind in FREE_KINDS {
        for word in ["in_review", "accepted", "waitlisted", "declined", "withdrawn", "new"] {
            desk.decided(kind.as_str(), &json!({ "status": word }));
            assert_eq!(desk.stored_status(kind), word);
        }
    }
    desk.decided(SPEAKERS, &json!({ "status": "accepted", "note": "  Strong topic;\r\nask for slides  " }));
    let shown = desk.decided(SPEAKERS, &json!({ "note": "Slides are here" }));
    assert_eq!(shown["status"], "accepted");
    let history = shown["history"].as_array().expect("a list");
    let step = |from: &str, to: &str, note: Value| {
        history.iter().any(|step| {
            step["from"] == from && step["to"] == to && step["note"] == note && step["actor"] == "organiser"
        })
    };
    assert!(step("new", "in_review", Value::Null), "{shown}");
    assert!(step("new", "accepted", json!("Strong topic;\nask for slides")), "{shown}");
    assert!(step("accepted", "accepted", json!("Slides are here")), "{shown}");
    assert_eq!(desk.get("/api/speaker-applications/1").json()["history"], shown["history"]);
    let audit = format!("select count(*) from audit_log where action = 'reviewed' and kind = '{SPEAKERS}'");
    assert_eq!(desk.place.sql::<i64>(&audit), 8);
}

#[test]
fn a_decision_previews_its_email_and_sends_it_once() {
    let desk = AdminSite::with_applications();
    let mails = || desk.place.sql::<i64>("select count(*) from outbox where cause like 'decision/%'");
    for kind in APPLICATIONS {
        for word in ["accepted", "waitlisted", "declined"] {
            let shown = desk.preview(kind.as_str(), word);
            assert!(!shown.contains('{'), "{kind} {word}: {shown}");
            assert_eq!((desk.stored_status(kind).as_str(), mails()), ("new", 0), "a preview changes nothing");
        }
    }
    let preview = desk.preview(SPEAKERS, "accepted");
    desk.decided(SPEAKERS, &json!({ "status": "accepted", "mail": true }));
    let queued = "cause like 'decision/speaker-applications/1/%'";
    let head: String = desk.place.sql(&format!(
        "select 'To: ' || recipient || char(10) || 'Subject: ' || subject from outbox where {queued}"
    ));
    let sent = format!("{head}\n\n{}", desk.place.mail_text(queued));
    assert_eq!(sent.trim_end(), preview.trim_end());
    assert!(
        sent.contains("To: ada@example.com\nSubject: You are speaking at")
            && sent.contains("Hello Ada Sample,")
    );
    let again =
        desk.undecided(SPEAKERS, &json!({ "status": "accepted", "mail": true, "note": "again" }), 409);
    assert!(again.contains("in the outbox already"), "{again}");
    assert_eq!(desk.place.sql::<i64>("select count(*) from reviews"), 1, "the refused note left no trace");
    // A decision that is repeated after another one is a new decision.
    desk.decided(SPEAKERS, &json!({ "status": "declined" }));
    desk.decided(SPEAKERS, &json!({ "status": "accepted", "mail": true }));
    assert_eq!(mails(), 2);
    let none = desk.undecided(SPEAKERS, &json!({ "status": "in_review", "mail": true }), 422);
    assert!(none.contains("There is no email for 'in_review'"), "{none}");
    assert_eq!(desk.stored_status(Kind::SpeakerApplications), "accepted", "nothing of it was done");
}

#[test]
fn only_applications_get_a_decision() {
    let desk = AdminSite::with_applications();
    assert_eq!(desk.server.post("/api/competition-entries", &whole(Kind::CompetitionEntries)).status, 201);
    // People on the waitlist get an invitation to enter instead.
    for kind in ["competition-entries", "sponsor-inquiries", "waitlist-signups"] {
        for word in ["accepted", "waitlisted", "declined"] {
            let none = format!("There is no email for '{word}'");
            let preview = desk.get(&format!("/api/{kind}/1/decision-mail?status={word}"));
            assert!(preview.status == 422 && preview.text().contains(&none), "{kind}: {}", preview.text());
            let told = desk.undecided(kind, &json!({ "status": word, "mail": true }), 422);
            assert!(told.contains(&none), "{kind} {word}: {told}");
            desk.decided(kind, &json!({ "status": word }));
        }
    }
    assert_eq!(desk.place.sql::<i64>("select count(*) from outbox where cause like 'decision/%'"), 0);
}

#[test]
fn an_email_of_a_decision_greets_and_ends_as_it_fits() {
    let desk = AdminSite::with_applications();
    let declined = desk.preview(SPEAKERS, "declined");
    assert!(declined.contains("\nWith best wishes,\nThe Lash"), "{declined}");
    assert!(!declined.contains("more applications than places"), "{declined}");
    assert!(desk.preview(SPEAKERS, "accepted").contains("\nSee you in Jersey City,\nThe Lash"));
    for status in ["accepted", "declined", "waitlisted"] {
        let letter = desk.preview("sponsor-applications", status);
        assert!(letter.contains("\nHello Elle Example,\n"), "{letter}");
        let is_of_artists = letter.contains("the work you put into it") || letter.contains("all places");
        assert!(status == "accepted" || letter.contains("sponsor") && !is_of_artists, "{letter}");
    }
    // A person is greeted by name, and a company is not.
    let confirmation = |kind: &str| desk.place.mail_text(&format!("cause like 'confirmation/{kind}/%'"));
    assert!(confirmation("sponsor-applications").contains("\nHello Elle Example,\n"));
    let inquiry = confirmation("sponsor-inquiries");
    assert!(inquiry.contains("\nHello,\n"), "{inquiry}");
}

#[test]
fn a_personal_line_is_in_the_email_and_in_its_preview() {
    let desk = AdminSite::with_applications();
    let line = "You are on at 2 PM <b>sharp</b>; {name} stays as typed.";
    let typed =
        "%20You%20are%20on%20at%202%20PM%20%3Cb%3Esharp%3C/b%3E;%20%7Bname%7D%20stays%20as%20typed.%20";
    let preview = desk.preview(SPEAKERS, &format!("accepted&personalLine={typed}"));
    let (before, after) = preview.split_once(line).expect("the line");
    assert!(before.ends_with("\n\n") && after.starts_with("\n\nSee you in Jersey City,"), "{preview}");
    desk.decided(SPEAKERS, &json!({ "status": "accepted", "personalLine": line, "mail": true }));
    let sent = desk.place.mail_text("cause like 'decision/%'");
    assert!(preview.trim_end().ends_with(sent.trim_end()), "{preview}");
    let html = desk.place.mail_html("cause like 'decision/%'");
    assert!(html.contains("2 PM &lt;b&gt;sharp") && !html.contains("<b>sharp"), "{html}");
    for (line, told) in [("l".repeat(1_001), "at most 1000"), ("a\u{1b}b".to_owned(), "control characters")] {
        let body = json!({ "status": "declined", "mail": true, "personalLine": line });
        let refused = desk.undecided(SPEAKERS, &body, 422);
        assert!(refused.contains(told), "{refused}");
    }
    let alone = desk.undecided(SPEAKERS, &json!({ "status": "declined", "personalLine": "x" }), 422);
    assert!(alone.contains("no email"), "{alone}");
    assert_eq!(desk.stored_status(Kind::SpeakerApplications), "accepted");
}

#[test]
fn a_record_names_the_decisions_that_can_be_emailed() {
    let desk = AdminSite::with_applications();
    let AdminSite { place, server, cookie: session } = &desk;
    assert_eq!(server.post("/api/competition-entries", &whole(Kind::CompetitionEntries)).status, 201);
    let letters = |kind: &str| desk.get(&format!("/api/{kind}/1")).json()["letters"].to_string();
    for (kind, expected) in [
        ("speaker-applications", r#"["accepted","waitlisted","declined"]"#),
        ("sponsor-applications", r#"["accepted","waitlisted","declined"]"#),
        ("waitlist-signups", "[]"),
        ("sponsor-inquiries", "[]"),
        ("competition-entries", "[]"),
    ] {
        assert_eq!(letters(kind), expected, "{kind}");
    }
    // A decision made without its email can still be emailed, but not a second time.
    desk.decided(SPEAKERS, &json!({ "status": "accepted" }));
    assert_eq!(letters(SPEAKERS), r#"["accepted","waitlisted","declined"]"#);
    desk.decided(SPEAKERS, &json!({ "status": "accepted", "mail": true }));
    assert_eq!(letters(SPEAKERS), r#"["waitlisted","declined"]"#);

    let path = "/api/speaker-applications/1/decision-mail";
    let asked = "?status=declined&personalLine=One%20%3Ci%3Eline";
    assert_eq!(server.get(&format!("{path}/html{asked}"), &[]).status, 401);
    assert_eq!(server.get(&format!("{path}{asked}"), &[]).status, 401);
    for word in ["new", "great", ""] {
        assert_eq!(desk.get(&format!("{path}?status={word}")).status, 422, "{word}");
    }
    assert_eq!(desk.get("/api/speaker-applications/9/decision-mail?status=accepted").status, 404);
    let posted = server.send("POST", path, &[("cookie", session)], "");
    assert_eq!((posted.status, posted.header("allow")), (405, "GET, HEAD"));
    let shown = server.get(&format!("{path}/html{asked}"), &[("cookie", session)]);
    assert_eq!(shown.header("content-type"), "text/html; charset=utf-8");
    assert!(shown.header("content-security-policy").contains("sandbox"));
    assert!(shown.text().contains("One &lt;i&gt;line"), "{}", shown.text());
    let text = server.get(&format!("{path}{asked}"), &[("cookie", session)]).json();
    assert!(text["text"].as_str().expect("text").contains("One <i>line"));
    desk.decided(
        SPEAKERS,
        &json!({ "status": "declined", "mail": true, "personalLine": "Do apply next time." }),
    );
    assert!(place.mail_text("subject like 'About your%'").contains("Do apply next time."));
}

#[test]
fn decision_emails_use_the_texts_of_the_content() {
    let place = Place::new(ADMIN);
    give_content(
        &place,
        &[(
            "subject = \"About your {kind}\"\nsign_off = \"With best wishes,\"\nbody = \"\"\"\n",
            "subject = \"{name}: {kind}\"\nbody = \"\"\"\nOne <b>line</b> for {name} about {event}.\n\nAnd {dates}.\n\n",
        )],
    );
    let desk = AdminSite::of(place);
    let mut person = speaker();
    person["name"] = "Ada {event} <i>Sample".into();
    assert_eq!(desk.server.post("/api/speaker-applications", &person).status, 201);
    let preview = desk.preview(SPEAKERS, "declined");
    assert!(preview.contains("Subject: Ada {event} <i>Sample: speaker application\n"), "{preview}");
    assert!(preview.contains("One <b>line</b> for Ada {event} <i>Sample about Lash"), "{preview}");
    desk.decided(SPEAKERS, &json!({ "status": "declined", "mail": true }));
    let html = desk.place.mail_html("cause like 'decision/%'");
    assert!(html.contains("One &lt;b&gt;line") && !html.contains("<i>Sample"), "{html}");
}

#[test]
fn a_submission_held_for_review_is_restored_first_and_then_confirmed() {
    let desk = AdminSite::new(ADMIN);
    let mut person = speaker();
    person["referralNote"] = "x".into();
    assert_eq!(desk.server.post("/api/speaker-applications", &person).status, 201);
    for word in ["accepted", "declined", "in_review", "withdrawn"] {
        let refused = desk.undecided(SPEAKERS, &json!({ "status": word, "mail": true }), 409);
        assert!(refused.contains("This is held for review. Set it to 'new' first"), "{refused}");
    }
    let preview = desk.preview(SPEAKERS, "new");
    assert!(preview.contains("February 15th, 2026"), "{preview}");
    assert_eq!(desk.place.sql::<i64>("select count(*) from outbox"), 0);
    desk.decided(SPEAKERS, &json!({ "status": "new", "mail": true }));
    assert_eq!(
        desk.place.sql::<String>("select cause || ' ' || recipient from outbox"),
        "confirmation/speaker-applications/1 ada@example.com"
    );
    let history = desk.decided(SPEAKERS, &json!({ "status": "accepted" }))["history"].to_string();
    assert!(history.contains(r#""from":"set_aside","to":"new""#), "{history}");
}

#[test]
fn a_restored_submission_is_confirmed_once_even_if_not_requested() {
    let desk = AdminSite::new(ADMIN);
    let AdminSite { place, server, .. } = &desk;
    let entry = whole(Kind::CompetitionEntries);
    for (kind, mut body) in [("speaker-applications", speaker()), ("competition-entries", entry)] {
        body["referralNote"] = "x".into();
        assert_eq!(server.post(&format!("/api/{kind}"), &body).status, 201);
        assert_eq!(place.sql::<i64>(&format!("select count(*) from outbox where kind = '{kind}'")), 0);
        desk.decided(kind, &json!({ "status": "new" }));
        desk.decided(kind, &json!({ "status": "new" }));
    }
    let causes = "select group_concat(cause) from outbox";
    assert_eq!(
        place.sql::<String>(causes),
        "confirmation/speaker-applications/1",
        "an entry is confirmed when it is paid"
    );
}

#[test]
fn a_wrong_decision_says_what_is_allowed() {
    let desk = AdminSite::with_applications();
    for (body, told) in [
        (json!({ "status": "set_aside" }), "Please use one of: new, in_review"),
        (json!({ "status": "great" }), "Please use one of: new, in_review"),
        (json!({ "status": "new", "mail": true }), "There is no email for 'new'"),
        (json!({ "note": "a\u{1b}b" }), "control characters"),
        (json!({ "note": "n".repeat(10_001) }), "at most 10000"),
    ] {
        let refused = desk.undecided(SPEAKERS, &body, 422);
        assert!(refused.contains(told), "{body}: {refused}");
    }
    desk.undecided(SPEAKERS, &json!({ "status": 3 }), 400);
    let (json, cookie) = (("content-type", "application/json"), ("cookie", desk.cookie.as_str()));
    let foreign = ("origin", "https://evil.example");
    for (id, headers, status) in
        [(9, &[json, cookie][..], 404), (1, &[json], 401), (1, &[json, cookie, foreign], 403)]
    {
        let path = format!("/api/speaker-applications/{id}");
        assert_eq!(desk.server.send("PATCH", &path, headers, r#"{"status":"declined"}"#).status, status);
    }
    // What changes nothing leaves no trace.
    desk.decided(SPEAKERS, &json!({ "status": "new" }));
    assert_eq!(desk.decided(SPEAKERS, &json!({ "note": "   " }))["status"], "new");
    assert_eq!(desk.place.sql::<i64>("select count(*) from reviews"), 0);
}

#[test]
fn a_refusal_after_an_acceptance_warns_that_the_acceptance_was_sent() {
    let desk = AdminSite::new(ADMIN);
    assert_eq!(desk.server.post("/api/speaker-applications", &speaker()).status, 201);
    let warning = || {
        let path = "/api/speaker-applications/1/decision-mail?status=declined";
        desk.get(path).json()["warning"].clone()
    };
    assert_eq!(warning(), Value::Null);
    desk.decided(SPEAKERS, &json!({ "status": "accepted", "mail": true }));
    assert_eq!(warning(), "An acceptance was sent to this person on November 19, 2026.");
}
