//! Named accounts and sessions; export and erasure of one person's data.

use serde_json::{Value, json};

use crate::support::{PASSWORD, Place, Reply, Server, served, speaker, text, waitlist};

const JSON: (&str, &str) = ("content-type", "application/json");

fn place() -> Place {
    Place::new(&format!(
        "[admin]\npassword = '{PASSWORD}'\n[limits]\nwrites_per_minute = 0\nsign_ins_per_minute = 0\n"
    ))
}

fn sign_in(server: &Server, body: Value) -> Reply {
    server.post("/api/admin/session", &body)
}

fn cookie(reply: &Reply) -> String {
    assert_eq!(reply.status, 204, "{}", reply.text());
    reply.header("set-cookie").split(';').next().expect("a pair").to_owned()
}

#[test]
fn a_named_organiser_signs_in_and_the_audit_log_names_them() {
    let place = place();
    let server = place.serve();
    let added = place.run_with_input(&["user", "add", "Ines"], "a-long-enough-one\n");
    assert!(added.status.success(), "{}", text(&added.stderr));
    for (arguments, input, code, says) in [
        (vec!["user", "add", "ines"], "a-long-enough-one\n", 1, "already"),
        (vec!["user", "add", "organiser"], "a-long-enough-one\n", 1, "is reserved"),
        (vec!["user", "add", "demo"], "a-long-enough-one\n", 1, "is reserved"),
        (vec!["user", "add", "Program"], "a-long-enough-one\n", 1, "is reserved"),
        (vec!["user", "add", "command-line"], "a-long-enough-one\n", 1, "is reserved"),
        (vec!["user", "add", "a b"], "a-long-enough-one\n", 1, "letters, digits"),
        (vec!["user", "add", "jo"], "short\n", 1, "at least 10 characters"),
        (vec!["user", "remove", "nobody"], "", 1, "no account 'nobody'"),
        (vec!["user", "password", "nobody"], "a-long-enough-one\n", 1, "no account 'nobody'"),
    ] {
        let refused = place.run_with_input(&arguments, input);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}");
        let told = text(&refused.stderr);
        assert!(told.contains(says) && told.lines().count() == 1, "{arguments:?}: {told}");
    }
    let hash: String = place.sql("select password_hash from accounts");
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    for wrong in [
        json!({ "username": "ines", "password": PASSWORD }),
        json!({ "username": "ines", "password": "wrong" }),
        json!({ "password": "a-long-enough-one" }),
        json!({ "username": "nobody", "password": "a-long-enough-one" }),
    ] {
        let reply = sign_in(&server, wrong).expect(401);
        assert_eq!(reply.json()["detail"], "Invalid admin password. Please try again.");
    }
    let ines = cookie(&sign_in(&server, json!({ "username": "INES", "password": "a-long-enough-one" })));
    let session = server.get("/api/admin/session", &[("cookie", &ines)]).json();
    assert_eq!(session["username"], "Ines");
    let id = server.post("/api/speaker-applications", &speaker()).json()["id"].as_i64().expect("an id");
    let path = format!("/api/speaker-applications/{id}");
    let reviewed = server.send("PATCH", &path, &[JSON, ("cookie", &ines)], r#"{"status":"accepted"}"#).json();
    assert_eq!(reviewed["history"][0]["actor"], "Ines");
    let actor: String = place.sql("select actor from audit_log where action = 'reviewed'");
    assert_eq!(actor, "Ines");
    assert!(text(&place.run(&["user", "list"]).stdout).contains("Ines"));
    assert!(place.run_with_input(&["user", "password", "ines"], "another-long-one\n").status.success());
    assert!(!server.is_signed_in(&ines), "a new password ends sessions");
    let again = cookie(&sign_in(&server, json!({ "username": "ines", "password": "another-long-one" })));
    let shared = cookie(&sign_in(&server, json!({ "password": PASSWORD })));
    place.done(&["user", "remove", "ines"]);
    assert!(!server.is_signed_in(&again));
    assert!(server.is_signed_in(&shared), "others stay");
    assert_eq!(sign_in(&server, json!({ "username": "ines", "password": "another-long-one" })).status, 401);
}

#[test]
fn accounts_and_sessions_are_managed_over_the_api() {
    let place = place();
    let server = place.serve();
    let mine = cookie(&sign_in(&server, json!({ "password": PASSWORD })));
    let send =
        |method: &str, path: &str, body: &str| server.send(method, path, &[JSON, ("cookie", &mine)], body);
    let account = r#"{"username":"ines","password":"a-long-enough-one"}"#;
    let added = send("POST", "/api/admin/accounts", account);
    assert_eq!((added.status, &added.json()["items"][0]["username"]), (201, &json!("ines")));
    assert_eq!(send("POST", "/api/admin/accounts", account).status, 409);
    for (body, status) in [
        (r#"{"username":"i","password":"a-long-enough-one"}"#, 422),
        (r#"{"username":"jo","password":"short"}"#, 422),
        (r#"{"username":7,"password":"a-long-enough-one"}"#, 400),
        (r#"[]"#, 400),
    ] {
        assert_eq!(send("POST", "/api/admin/accounts", body).status, status, "{body}");
    }
    let theirs = cookie(&sign_in(&server, json!({ "username": "ines", "password": "a-long-enough-one" })));
    let sessions =
        server.send("GET", "/api/admin/sessions", &[("cookie", &mine), ("user-agent", "Test/1")], "").json();
    let sessions = sessions["items"].as_array().expect("a list").clone();
    assert_eq!(sessions.len(), 2);
    let other = sessions.iter().find(|session| session["username"] == "ines").expect("it");
    assert_eq!(
        (&other["isThis"], sessions.iter().filter(|one| one["isThis"] == true).count()),
        (&json!(false), 1)
    );
    assert!(!serde_json::to_string(&sessions).expect("JSON").contains(&mine["showcase_session=".len()..]));
    let path = format!("/api/admin/sessions/{}", other["id"].as_str().expect("an id"));
    assert_eq!(send("DELETE", &path, "").status, 204);
    assert_eq!(send("DELETE", &path, "").status, 404);
    assert!(!server.is_signed_in(&theirs));
    assert_eq!(send("PATCH", "/api/admin/accounts/ines", r#"{"password":"another-long-one"}"#).status, 200);
    assert_eq!(sign_in(&server, json!({ "username": "ines", "password": "another-long-one" })).status, 204);
    let left = send("DELETE", "/api/admin/accounts/ines", "");
    assert_eq!((left.status, &left.json()["items"]), (200, &json!([])));
    assert_eq!(send("DELETE", "/api/admin/accounts/ines", "").status, 404);
    let actions: String = place.sql("select group_concat(action, ', ') from (select action from audit_log where action like 'account%' or action like 'session%' order by id)");
    assert_eq!(actions, "account added, session ended, account password changed, account removed");
}

#[test]
fn a_malformed_sign_in_is_400_or_422() {
    let place = place();
    let server = place.serve();
    for (body, status) in [
        (json!({ "password": 7 }), 400),
        (json!({ "password": PASSWORD, "username": ["x"] }), 400),
        (json!([PASSWORD]), 400),
        (json!({}), 422),
        (json!({ "password": null }), 422),
        (json!({ "password": PASSWORD, "username": null }), 204),
    ] {
        assert_eq!(sign_in(&server, body.clone()).status, status, "{body}");
    }
}

#[test]
fn settings_with_which_nobody_could_sign_in_are_refused_at_the_start() {
    for (admin, says) in [
        ("password_hash = 'not a hash'", "not a complete Argon2 hash"),
        ("password_hash = '$2b$12$KIXabcdefghijklmnopqrstuv'", "not a complete Argon2 hash"),
        ("password_hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ'", "not a complete Argon2 hash"),
        (
            "password = 'a'\npassword_hash = '$argon2id$v=19$m=19456,t=2,p=1$b25seS1mb3ItdGltaW5n$RdescudvJCsgt3ub+b5dWRJJTmaaJObG7SZUlKoBbYg'",
            "Both",
        ),
    ] {
        let place = Place::new(&format!("[admin]\n{admin}\n"));
        let refused = place.refused(&["serve", "--listen", "127.0.0.1:0"]);
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn a_persons_data_is_exported_completely() {
    let place = place();
    let server = place.serve();
    server.post("/api/speaker-applications", &speaker());
    server.post("/api/waitlist-signups", &waitlist("ADA@example.com"));
    server.post("/api/waitlist-signups", &waitlist("bea@example.com"));
    let decision = json!({ "status": "accepted", "note": "Strong topic", "mail": true });
    server.decide(&server.sign_in(), "speaker-applications/1", &decision);
    let data = place.run(&["person", "export", "Ada@Example.com"]);
    assert!(data.status.success(), "{}", text(&data.stderr));
    let data: Value = serde_json::from_slice(&data.stdout).expect("JSON");
    assert_eq!(data["registrations"]["speakerApplications"][0]["history"][0]["note"], "Strong topic");
    assert_eq!(data["registrations"]["waitlistSignups"].as_array().map(Vec::len), Some(1));
    assert_eq!(data["mails"].as_array().map(Vec::len), Some(3), "two confirmations and a decision");
    assert!(!data.to_string().contains("bea@example.com"));
    let noted = place.sql::<String>("select detail from audit_log where action = 'person exported'");
    assert!(noted.contains("\"mails\":3") && !noted.contains('@'), "{noted}");
    place.refused(&["person", "export", "nobody@example.com"]);
    assert_eq!(place.run(&["person", "export", "no address"]).status.code(), Some(2));
}

#[test]
fn an_erased_person_leaves_the_payment_and_what_others_have_sent() {
    let place =
        Place::new(&format!("[admin]\npassword = '{PASSWORD}'\n[reports]\nrecipient = 'desk@example.com'\n"));
    let server = place.serve();
    let (email, shouted) = ("zoe.unusual+tag@example.com", "ZOE.Unusual+tag@Example.com");
    let mut person = speaker();
    (person["name"], person["email"]) = ("Zoe Unusual".into(), email.into());
    let key = [JSON, ("idempotency-key", "key-1")];
    assert_eq!(server.send("POST", "/api/speaker-applications", &key, &person.to_string()).status, 201);
    assert_eq!(server.post("/api/waitlist-signups", &waitlist(shouted)).status, 201);
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    for (status, intent) in [("paid", Some("pi_1")), ("pending", None)] {
        place.insert_entry(&[
            ("email", &email),
            ("payment_status", &status),
            ("stripe_payment_intent_id", &intent),
        ]);
    }
    let note = format!("Wrote again as {shouted}");
    let decision = json!({ "status": "accepted", "note": note, "mail": true });
    server.decide(&server.sign_in(), "speaker-applications/1", &decision);
    // Reports cover only days that have ended.
    place.execute(
        "update speaker_applications set created_at = '2026-03-10T12:00:00.000Z';
             update waitlist_signups set created_at = '2026-03-10T12:00:00.000Z';",
    );
    for day in ["2026-03-10", "2025-11-30"] {
        place.done(&["report", "daily", "--for", day]);
    }
    assert_eq!(place.run(&["person", "erase", email]).status.code(), Some(1), "nobody is there to be asked");
    assert_eq!(place.sql::<i64>("select count(*) from speaker_applications"), 1);
    let erased = place.run(&["person", "erase", shouted, "--yes"]);
    assert!(erased.status.success(), "{}", text(&erased.stderr));
    assert!(
        text(&erased.stderr).contains("3 registrations, 1 entry (anonymised, payments kept)"),
        "{}",
        text(&erased.stderr)
    );
    let kept: String = place.sql("select name || ' ' || email || ' ' || payment_amount_cents || ' ' || payment_status || ' ' || stripe_payment_intent_id from competition_entries");
    assert_eq!(kept, "(erased) (erased) 48492 paid pi_1");
    assert_eq!(place.sql::<i64>("select count(*) from idempotency_keys"), 0);
    assert_eq!(place.sql::<i64>("select count(*) from reviews"), 0);
    assert_eq!(place.sql::<String>("select email from waitlist_signups"), "bea@example.com");
    assert_eq!(place.sql::<i64>("select count(*) from outbox where recipient = 'bea@example.com'"), 1);
    assert_eq!(
        place.sql::<i64>("select count(*) from outbox where cause like 'report/%'"),
        1,
        "the other day's report stays"
    );
    assert_eq!(place.sql::<i64>("select count(*) from audit_log where action = 'person erased'"), 4);
    assert_eq!(place.sql::<String>("pragma integrity_check"), "ok");
    assert_eq!(
        place.run(&["person", "erase", email, "--yes"]).status.code(),
        Some(1),
        "there is nothing left"
    );
    assert_eq!(
        server.post("/api/waitlist-signups", &waitlist("later@example.com")).status,
        201,
        "the server goes on"
    );
}

#[test]
fn erasure_removes_only_the_address_from_texts_of_others() {
    let place = place();
    let server = place.serve();
    // One address is the end of another. It is also in a stranger's message, in an email to the stranger, and in a note.
    let (email, longer, stranger) = ("ada@example.com", "nada@example.com", "bea@example.com");
    for address in [email, longer] {
        assert_eq!(server.post("/api/waitlist-signups", &waitlist(address)).status, 201);
    }
    let mut application = speaker();
    application["email"] = stranger.into();
    application["experience"] =
        format!("Ten years in a salon. Ask my friend {0}, who knows.\n{0}", "Ada@Example.com").into();
    assert_eq!(server.post("/api/speaker-applications", &application).status, 201);
    let note = json!({ "note": "A friend of ada@example.com" });
    server.decide(&server.sign_in(), "speaker-applications/1", &note);
    // The sent email is stored as it was, with the invisible characters that keep mail programs from making links.
    assert!(place.mail_text("recipient like 'bea%'").contains("Ada@\u{200b}Example.\u{200b}com"));
    let sent = "update outbox set state = 'sent', sent_at = created_at,
         written = json_object('text', 'Ada@' || char(0x200b) || 'Example.' || char(0x200b) || 'com', 'html', '')
         where recipient like 'bea%'";
    place.execute(sent);
    let erased = place.run(&["person", "erase", email, "--yes"]);
    assert!(erased.status.success(), "{}", text(&erased.stderr));
    let words = "1 registration, 1 email, 3 other texts";
    assert!(text(&erased.stderr).contains(words), "{}", text(&erased.stderr));
    assert_eq!(place.sql::<String>("select email from waitlist_signups"), longer);
    let experience: String = place.sql("select experience from speaker_applications");
    assert!(experience.ends_with("Ask my friend (erased), who knows.\n(erased)"), "{experience}");
    let mails = "select group_concat(recipient, ' ') from (select recipient from outbox order by id)";
    assert_eq!(place.sql::<String>(mails), format!("{longer} {stranger}"));
    assert!(place.mail_text("recipient like 'bea%'").contains("(erased), who knows. (erased)\n"));
    assert_eq!(place.sql::<String>("select note from reviews"), "A friend of (erased)");
    let again = place.run(&["person", "erase", email, "--yes"]);
    assert!(again.status.success(), "the longer address holds it, and stays: {}", text(&again.stderr));
    assert_eq!(place.sql::<i64>("select count(*) from waitlist_signups"), 1);
}

#[test]
fn an_erasure_that_a_reader_blocks_is_completed_by_the_next_run() {
    let (place, server) = served("");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("zebra@example.com")).status, 201);
    let reader = crate::support::open(&place.database());
    reader.execute_batch("begin").expect("a transaction");
    let _: i64 =
        reader.query_row("select count(*) from waitlist_signups", [], |row| row.get(0)).expect("a count");
    let held = place.refused(&["person", "erase", "zebra@example.com", "--yes"]);
    assert!(held.contains("Run the same command again"), "{held}");
    reader.execute_batch("commit").expect("an end");
    place.done(&["person", "erase", "zebra@example.com", "--yes"]);
    for file in [place.database(), place.path("showcase.db-wal")] {
        let bytes = std::fs::read(&file).unwrap_or_default();
        assert!(!bytes.windows(5).any(|window| window == b"zebra"), "{}", file.display());
    }
    assert_eq!(
        place.run(&["person", "erase", "zebra@example.com", "--yes"]).status.code(),
        Some(1),
        "nothing is left"
    );
}

#[test]
fn most_of_ten_thousand_wrong_passwords_are_refused_unchecked() {
    let (place, server) =
        served(&format!("[admin]\npassword = '{PASSWORD}'\n[limits]\nsign_ins_per_minute = 3\n"));
    let mut checked = 0;
    let started = std::time::Instant::now();
    for n in 0..10_000 {
        let reply = sign_in(&server, json!({ "password": format!("guess-number-{n}") }));
        match reply.status {
            401 => checked += 1,
            429 => assert!((1..=61).contains(&reply.header("retry-after").parse::<u32>().expect("seconds"))),
            other => panic!("{other}"),
        }
    }
    // Three at once, and one more every twenty seconds.
    let most = 3 + started.elapsed().as_secs() / 20;
    assert!((3..=most).contains(&checked), "{checked} of {most}");
    assert_eq!(place.sql::<i64>("select count(*) from sessions"), 0);
    assert!(place.sql::<i64>("select count(*) from audit_log") < 5, "no line a guess");
}
