//! An organiser's decisions, by command and over the API, while a server runs.

use std::process::Output;

use serde_json::{Value, json};
use showcase::model::Kind;

use crate::support::samples::{STORED, give_content, path, whole};
use crate::support::{ADMIN, Place, Server, speaker, text};

const SPEAKERS: &str = "speaker-applications";

const APPLICATIONS: [Kind; 4] = [
    Kind::SpeakerApplications,
    Kind::JudgeApplications,
    Kind::SponsorApplications,
    Kind::ProfessionalDemoRegistrations,
];

/// An installation with one registration of every kind except entries.
fn with_applications() -> (Place, Server) {
    let place = Place::new("");
    let server = place.serve();
    for kind in STORED {
        assert_eq!(server.post(&path(kind), &whole(kind)).status, 201, "{kind}");
    }
    (place, server)
}

fn review(place: &Place, arguments: &[&str]) -> Output {
    let mut all = vec!["review"];
    all.extend(arguments);
    place.run(&all)
}

fn done(place: &Place, arguments: &[&str]) -> String {
    let output = review(place, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn failed(place: &Place, arguments: &[&str], code: i32) -> String {
    let output = review(place, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    text(&output.stderr)
}

fn status(place: &Place, kind: Kind) -> String {
    place.sql(&format!("select status from {} where id = 1", kind.as_str().replace('-', "_")))
}

#[test]
fn every_kind_can_get_every_status_and_the_history_records_it() {
    let (place, _server) = with_applications();
    for kind in STORED {
        for word in ["in_review", "accepted", "waitlisted", "declined", "withdrawn", "new"] {
            done(&place, &[kind.as_str(), "1", "--status", word]);
            assert_eq!(status(&place, kind), word);
        }
    }
    done(&place, &[SPEAKERS, "1", "--status", "accepted", "--note", "  Strong topic;\r\nask for slides  "]);
    done(&place, &[SPEAKERS, "1", "--note", "Slides are here"]);
    let shown = done(&place, &[SPEAKERS, "1"]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "accepted");
    assert!(lines[1].ends_with("new -> in_review  command line"), "{shown}");
    assert!(shown.contains("new -> accepted  command line  Strong topic;\nask for slides"), "{shown}");
    assert!(shown.ends_with("  note  command line  Slides are here\n"), "{shown}");
    let audit = format!("select count(*) from audit_log where action = 'reviewed' and kind = '{SPEAKERS}'");
    assert_eq!(place.sql::<i64>(&audit), 8);
}

#[test]
fn what_changes_nothing_leaves_no_trace() {
    let (place, _server) = with_applications();
    done(&place, &[SPEAKERS, "1", "--status", "new"]);
    failed(&place, &[SPEAKERS, "1", "--note", "   "], 2);
    assert_eq!(done(&place, &[SPEAKERS, "1"]), "new\n");
    assert_eq!(place.sql::<i64>("select count(*) from reviews"), 0);
}

#[test]
fn a_decision_previews_its_email_and_sends_it_once() {
    let (place, _server) = with_applications();
    let mails = || place.sql::<i64>("select count(*) from outbox where cause like 'decision/%'");
    for kind in APPLICATIONS {
        for word in ["accepted", "waitlisted", "declined"] {
            let shown = done(&place, &[kind.as_str(), "1", "--status", word, "--preview"]);
            assert!(shown.starts_with("To: ") && shown.contains("\nSubject: "), "{shown}");
            assert!(!shown.contains('{'), "{kind} {word}: {shown}");
            assert_eq!((status(&place, kind).as_str(), mails()), ("new", 0), "a preview changes nothing");
        }
    }
    let preview = done(&place, &[SPEAKERS, "1", "--status", "accepted", "--preview"]);
    done(&place, &[SPEAKERS, "1", "--status", "accepted", "--mail"]);
    let queued = "cause like 'decision/speaker-applications/1/%'";
    let head: String = place.sql(&format!(
        "select 'To: ' || recipient || char(10) || 'Subject: ' || subject from outbox where {queued}"
    ));
    let sent = format!("{head}\n\n{}\n", place.mail_text(queued));
    assert_eq!(sent, preview);
    assert!(
        sent.contains("To: ada@example.com\nSubject: You are speaking at")
            && sent.contains("Hello Ada Sample,")
    );
    let again = failed(&place, &[SPEAKERS, "1", "--status", "accepted", "--mail", "--note", "again"], 1);
    assert!(again.contains("in the outbox already"), "{again}");
    assert_eq!(place.sql::<i64>("select count(*) from reviews"), 1, "the refused note left no trace");
    // A decision that is repeated after another one is a new decision.
    done(&place, &[SPEAKERS, "1", "--status", "declined"]);
    done(&place, &[SPEAKERS, "1", "--status", "accepted", "--mail"]);
    assert_eq!(mails(), 2);
    let none = failed(&place, &[SPEAKERS, "1", "--status", "in_review", "--mail"], 1);
    assert!(none.contains("There is no email for 'in_review'"), "{none}");
    assert_eq!(status(&place, Kind::SpeakerApplications), "accepted", "nothing of it was done");
}

#[test]
fn only_applications_get_a_decision() {
    let (place, server) = with_applications();
    assert_eq!(server.post("/api/competition-entries", &whole(Kind::CompetitionEntries)).status, 201);
    for (kind, words) in [
        ("competition-entries", vec!["accepted", "waitlisted", "declined"]),
        ("sponsor-inquiries", vec!["accepted", "waitlisted", "declined"]),
        // People on the waitlist get an invitation to enter instead.
        ("waitlist-signups", vec!["accepted", "waitlisted", "declined"]),
    ] {
        for word in words {
            for flag in ["--preview", "--mail"] {
                let told = failed(&place, &[kind, "1", "--status", word, flag], 1);
                assert!(told.contains(&format!("There is no email for '{word}'")), "{kind} {word}: {told}");
            }
            done(&place, &[kind, "1", "--status", word]);
        }
    }
    assert_eq!(place.sql::<i64>("select count(*) from outbox where cause like 'decision/%'"), 0);
}

#[test]
fn a_declined_application_gets_no_reason_and_no_see_you() {
    let (place, _server) = with_applications();
    let preview = |status: &str| done(&place, &[SPEAKERS, "1", "--status", status, "--preview"]);
    let declined = preview("declined");
    assert!(declined.contains("\nWith best wishes,\nThe Lash"), "{declined}");
    assert!(!declined.contains("more applications than places"), "{declined}");
    assert!(preview("accepted").contains("\nSee you in Jersey City,\nThe Lash"));
}

#[test]
fn a_personal_line_is_in_the_email_and_in_its_preview() {
    let (place, _server) = with_applications();
    let line = "You are on at 2 PM <b>sharp</b>; {name} stays as typed.";
    let preview =
        done(&place, &[SPEAKERS, "1", "--status", "accepted", "--line", &format!(" {line} "), "--preview"]);
    let (before, after) = preview.split_once(line).expect("the line");
    assert!(before.ends_with("\n\n") && after.starts_with("\n\nSee you in Jersey City,"), "{preview}");
    done(&place, &[SPEAKERS, "1", "--status", "accepted", "--line", line, "--mail"]);
    assert!(preview.ends_with(&format!("{}\n", place.mail_text("cause like 'decision/%'"))), "{preview}");
    let html = place.mail_html("cause like 'decision/%'");
    assert!(html.contains("2 PM &lt;b&gt;sharp") && !html.contains("<b>sharp"), "{html}");
    for (line, told) in [("l".repeat(1_001), "at most 1000"), ("a\u{1b}b".to_owned(), "control characters")] {
        let refused = failed(&place, &[SPEAKERS, "1", "--status", "declined", "--mail", "--line", &line], 1);
        assert!(refused.contains(told), "{refused}");
    }
    let alone = failed(&place, &[SPEAKERS, "1", "--status", "declined", "--line", "x"], 1);
    assert!(alone.contains("no email"), "{alone}");
    assert_eq!(status(&place, Kind::SpeakerApplications), "accepted");
}

#[test]
fn a_person_is_greeted_by_name_and_a_company_is_not() {
    let (place, _server) = with_applications();
    let sponsor = done(&place, &["sponsor-applications", "1", "--status", "accepted", "--preview"]);
    assert!(sponsor.contains("\nHello Elle Example,\n"), "{sponsor}");
    let confirmation = |kind: &str| place.mail_text(&format!("cause like 'confirmation/{kind}/%'"));
    assert!(confirmation("sponsor-applications").contains("\nHello Elle Example,\n"));
    let inquiry = confirmation("sponsor-inquiries");
    assert!(inquiry.contains("\nHello,\n"), "{inquiry}");
}

#[test]
fn a_record_names_the_decisions_that_can_be_emailed() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    for kind in STORED {
        assert_eq!(server.post(&path(kind), &whole(kind)).status, 201, "{kind}");
    }
    assert_eq!(server.post("/api/competition-entries", &whole(Kind::CompetitionEntries)).status, 201);
    let session = server.sign_in();
    let letters = |kind: &str| {
        let record = server.get(&format!("/api/{kind}/1"), &[("cookie", &session)]).json();
        record["letters"].to_string()
    };
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
    done(&place, &[SPEAKERS, "1", "--status", "accepted"]);
    assert_eq!(letters(SPEAKERS), r#"["accepted","waitlisted","declined"]"#);
    done(&place, &[SPEAKERS, "1", "--status", "accepted", "--mail"]);
    assert_eq!(letters(SPEAKERS), r#"["waitlisted","declined"]"#);

    let path = "/api/speaker-applications/1/decision-mail";
    let asked = "?status=declined&personalLine=One%20%3Ci%3Eline";
    assert_eq!(server.get(&format!("{path}/html{asked}"), &[]).status, 401);
    let shown = server.get(&format!("{path}/html{asked}"), &[("cookie", &session)]);
    assert_eq!(shown.header("content-type"), "text/html; charset=utf-8");
    assert!(shown.header("content-security-policy").contains("sandbox"));
    assert!(shown.text().contains("One &lt;i&gt;line"), "{}", shown.text());
    let text = server.get(&format!("{path}{asked}"), &[("cookie", &session)]).json();
    assert!(text["text"].as_str().expect("text").contains("One <i>line"));
    let changed = server.send(
        "PATCH",
        "/api/speaker-applications/1",
        &[("cookie", &session), ("content-type", "application/json")],
        &json!({ "status": "declined", "mail": true, "personalLine": "Do apply next time." }).to_string(),
    );
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert!(place.mail_text("subject like 'About your%'").contains("Do apply next time."));
}

#[test]
fn decision_emails_use_the_texts_of_the_content() {
    let place = Place::new("");
    give_content(
        &place,
        &[(
            "subject = \"About your {kind}\"\nsign_off = \"With best wishes,\"\nbody = \"\"\"\n",
            "subject = \"{name}: {kind}\"\nbody = \"\"\"\nOne <b>line</b> for {name} about {event}.\n\nAnd {dates}.\n\n",
        )],
    );
    let server = place.serve();
    let mut person = speaker();
    person["name"] = "Ada {event} <i>Sample".into();
    assert_eq!(server.post("/api/speaker-applications", &person).status, 201);
    let preview = done(&place, &[SPEAKERS, "1", "--status", "declined", "--preview"]);
    assert!(preview.contains("Subject: Ada {event} <i>Sample: speaker application\n"), "{preview}");
    assert!(preview.contains("One <b>line</b> for Ada {event} <i>Sample about Lash"), "{preview}");
    done(&place, &[SPEAKERS, "1", "--status", "declined", "--mail"]);
    let html = place.mail_html("cause like 'decision/%'");
    assert!(html.contains("One &lt;b&gt;line") && !html.contains("<i>Sample"), "{html}");
}

#[test]
fn a_submission_held_for_review_is_restored_first_and_then_confirmed() {
    let place = Place::new("");
    let server = place.serve();
    let mut person = speaker();
    person["referralNote"] = "x".into();
    assert_eq!(server.post("/api/speaker-applications", &person).status, 201);
    for word in ["accepted", "declined", "in_review", "withdrawn"] {
        let refused = failed(&place, &[SPEAKERS, "1", "--status", word, "--mail"], 1);
        assert!(refused.contains("This is held for review. Set it to 'new' first"), "{refused}");
    }
    let preview = done(&place, &[SPEAKERS, "1", "--status", "new", "--preview"]);
    assert!(preview.contains("February 15th, 2026"), "{preview}");
    assert_eq!(place.sql::<i64>("select count(*) from outbox"), 0);
    done(&place, &[SPEAKERS, "1", "--status", "new", "--mail"]);
    assert_eq!(
        place.sql::<String>("select cause || ' ' || recipient from outbox"),
        "confirmation/speaker-applications/1 ada@example.com"
    );
    done(&place, &[SPEAKERS, "1", "--status", "accepted"]);
    assert!(done(&place, &[SPEAKERS, "1"]).contains("set_aside -> new"));
}

#[test]
fn a_restored_submission_is_confirmed_once_even_if_not_requested() {
    let place = Place::new("");
    let server = place.serve();
    let entry = crate::support::samples::whole(showcase::model::Kind::CompetitionEntries);
    for (kind, mut body) in [("speaker-applications", speaker()), ("competition-entries", entry)] {
        body["referralNote"] = "x".into();
        assert_eq!(server.post(&format!("/api/{kind}"), &body).status, 201);
        assert_eq!(place.sql::<i64>("select count(*) from outbox where kind = 'competition-entries'"), 0);
        done(&place, &[kind, "1", "--status", "new"]);
        done(&place, &[kind, "1", "--status", "new"]);
    }
    let causes = "select group_concat(cause) from outbox";
    assert_eq!(
        place.sql::<String>(causes),
        "confirmation/speaker-applications/1",
        "an entry is confirmed when it is paid"
    );
}

#[test]
fn an_empty_note_is_wrong_usage() {
    let (place, _server) = with_applications();
    for note in ["", "  "] {
        let told = failed(&place, &[SPEAKERS, "1", "--note", note], 2);
        assert!(told.contains("note"), "{told}");
    }
}

#[test]
fn the_api_shows_the_email_of_a_decision_before_it_is_sent() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    let path = "/api/speaker-applications/1/decision-mail?status=";
    assert_eq!(server.get(&format!("{path}accepted"), &[]).status, 401);
    let session = server.sign_in();
    let get = |path: &str| server.get(path, &[("cookie", &session)]);
    let shown = get(&format!("{path}accepted")).json();
    let printed = done(&place, &[SPEAKERS, "1", "--status", "accepted", "--preview"]);
    // The command does not know the port of the test's server.
    let printed = printed.replace("http://127.0.0.1:8080", &format!("http://{}", server.address));
    let (recipient, subject, words) = (&shown["recipient"], &shown["subject"], &shown["text"]);
    let expected = format!(
        "To: {}\nSubject: {}\n\n{}",
        recipient.as_str().expect("text"),
        subject.as_str().expect("text"),
        words.as_str().expect("text")
    );
    assert_eq!(printed.trim_end(), expected.trim_end());
    for (word, status) in [("new", 422), ("great", 422), ("", 422)] {
        assert_eq!(get(&format!("{path}{word}")).status, status, "{word}");
    }
    assert_eq!(get("/api/speaker-applications/9/decision-mail?status=accepted").status, 404);
    let posted =
        server.send("POST", "/api/speaker-applications/1/decision-mail", &[("cookie", &session)], "");
    assert_eq!((posted.status, posted.header("allow")), (405, "GET, HEAD"));
    assert_eq!(place.sql::<i64>("select count(*) from outbox"), 1, "nothing was queued");
    assert_eq!(place.sql::<i64>("select count(*) from reviews"), 0, "nothing was changed");
}

#[test]
fn a_wrong_command_says_what_is_allowed() {
    let (place, _server) = with_applications();
    for (arguments, code, words) in [
        (vec!["speakers", "1", "--status", "new"], 2, "it is one of: speaker-applications"),
        (vec![SPEAKERS, "one"], 2, "it is not an id; write a number like 12"),
        (vec![SPEAKERS, "1", "--status", "set_aside"], 2, "Please use one of: new, in_review"),
        (vec![SPEAKERS, "1", "--status", "great"], 2, "Please use one of: new, in_review"),
        (vec![SPEAKERS, "1", "--mail"], 2, "--status"),
        (vec![SPEAKERS, "1", "--preview"], 2, "--status"),
        (vec![SPEAKERS, "1", "--status", "new", "--preview"], 1, "There is no email for 'new'"),
        (vec![SPEAKERS, "9", "--status", "new"], 1, "There is no record 9"),
        (vec![SPEAKERS, "9"], 1, "There is no record 9"),
        (vec![SPEAKERS, "-1"], 2, "'-1'"),
        (vec![SPEAKERS, "1", "--note", "a\u{1b}b"], 1, "control characters"),
    ] {
        let told = failed(&place, &arguments, code);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
    let long = "n".repeat(10_001);
    assert!(failed(&place, &[SPEAKERS, "1", "--note", &long], 1).contains("at most 10000"));
    assert_eq!(place.sql::<i64>("select count(*) from reviews"), 0);
}

#[test]
fn a_refusal_after_an_acceptance_warns_that_the_acceptance_was_sent() {
    let place = Place::new(ADMIN);
    let server = place.serve();
    let session = server.sign_in();
    assert_eq!(server.post("/api/speaker-applications", &speaker()).status, 201);
    let warning = || {
        let path = "/api/speaker-applications/1/decision-mail?status=declined";
        server.get(path, &[("cookie", &session)]).json()["warning"].clone()
    };
    assert_eq!(warning(), Value::Null);
    done(&place, &[SPEAKERS, "1", "--status", "accepted", "--mail"]);
    assert_eq!(warning(), "An acceptance was sent to this person on November 19, 2026.");
}

#[test]
fn a_sponsor_is_refused_in_words_that_fit() {
    let (place, _server) = with_applications();
    for status in ["declined", "waitlisted"] {
        let letter = done(&place, &["sponsor-applications", "1", "--status", status, "--preview"]);
        assert!(!letter.contains("the work you put into it"), "{letter}");
        assert!(!letter.contains("all places"), "{letter}");
        assert!(letter.contains("sponsor"), "{letter}");
    }
}
