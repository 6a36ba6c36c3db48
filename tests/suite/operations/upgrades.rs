//! A newer version on older data, an older version on newer data, and an interrupted upgrade.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use sha2::{Digest, Sha256};
use showcase::store::migrate;

use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::stripe::StandIn;
use crate::support::{Place, clock, open, text, wait_for};

const PASSWORD: &str = "a-password-of-the-test";

/// A database from before card payments, with this many entries.
fn older(path: &Path, people: u32) {
    migrate::make_older(path, 5).expect("an older database");
    open(path)
        .execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
             insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                 primary_category, sub_category, additional_categories, agreement_terms, agreement_media, payment_amount_cents)
             select '2026-01-01T00:00:00.000Z', 'n' || i, 'e' || i || '@example.com', '+12015550101', 'b', 'l', 'new-york',
                 'lash-lift', 'Standard Lash Lift', 0, 1, 1, 48492 from n",
            [people],
        )
        .expect("people");
}

#[test]
fn serve_backs_up_and_migrates_an_older_database() {
    let place = Place::new("");
    older(&place.database(), 10);
    let told = text(&place.run(&["export"]).stderr);
    assert!(told.contains("made by an older showcase") && told.contains("showcase migrate"), "{told}");
    let status = text(&place.run(&["migrate", "--status"]).stdout);
    assert!(status.contains("V5  applied") && status.contains("V6  pending"), "{status}");
    let server = place.serve();
    assert_eq!(server.get("/readyz", &[]).status, 200);
    assert_eq!(place.sql::<i64>("select count(*) from competition_entries"), 10);
    let backup = place.path("showcase.db.schema-5.backup");
    assert_eq!(migrate::version(&backup).expect("a whole backup"), 5);
}

#[test]
fn a_running_server_keeps_its_schema() {
    let place = Place::new("");
    let mut server = place.serve();
    let forget = "delete from refinery_schema_history where version = (select max(version) from refinery_schema_history)";
    open(&place.database()).execute(forget, []).expect("the server of an older version");
    let refused = place.run(&["migrate"]);
    assert_eq!(refused.status.code(), Some(1));
    let told = text(&refused.stderr);
    assert!(told.contains("A server is running on") && told.contains("then migrate."), "{told}");
    let status = text(&place.run(&["migrate", "--status"]).stdout);
    assert!(status.contains("pending"), "{status}");
    server.signal("TERM");
    server.wait_for_exit();
    assert!(!text(&place.run(&["migrate"]).stderr).contains("A server is running on"));
}

#[test]
fn the_status_of_migrations_fails_if_the_server_would_not_start() {
    let place = Place::new("[limits]\nconnections = 0\n");
    older(&place.database(), 1);
    let refused = place.run(&["migrate", "--status"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("limits.connections must be 1 or more"));
    assert!(text(&refused.stdout).contains("V6  pending"), "{}", text(&refused.stdout));
}

#[test]
fn an_email_stored_before_an_upgrade_keeps_its_text() {
    let place = Place::new("");
    migrate::make_older(&place.database(), 9).expect("an older database");
    let (words, html) =
        ("Hello \"Ada\"\n{{ not }} a \\ template é", "<p>Hello &quot;Ada&quot; {{ not }} a template</p>");
    open(&place.database())
        .execute(
            "insert into outbox (created_at, due_at, cause, message_id, recipient, subject, body_text, body_html)
             values ('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'c', 'm', 'ada@example.com', 's', ?, ?)",
            [words, html],
        )
        .expect("a mail");
    assert!(place.run(&["migrate"]).status.success());
    let shown = |arguments: &[&str]| text(&place.run(arguments).stdout);
    assert!(shown(&["outbox", "show", "1"]).ends_with(&format!("\n\n{words}\n")));
    assert_eq!(shown(&["outbox", "show", "1", "--html"]), format!("{html}\n"));
}

#[test]
fn an_upgrade_killed_at_any_moment_leaves_the_old_or_the_new() {
    let place = Place::new("");
    let mut seen_old = false;
    for round in 0..12_u64 {
        let database = place.path(&format!("round-{round}.db"));
        older(&database, 4000);
        let name = database.display().to_string();
        let mut migrating = place.command(&["migrate", "--database", &name]).spawn().expect("it runs");
        // This does not wait for anything: it varies the moment at which the process is killed.
        std::thread::sleep(Duration::from_millis(8 * round));
        let _ = migrating.kill();
        let _ = migrating.wait();
        let version = migrate::version(&database).expect("a readable database");
        assert!(version == 5 || version == migrate::newest(), "round {round}: {version}");
        seen_old |= version == 5;
        let again = place.run(&["migrate", "--database", &name]);
        assert!(again.status.success(), "round {round}: {}", text(&again.stderr));
        let connection = open(&database);
        let count: i64 = connection
            .query_row("select count(*) from competition_entries", [], |row| row.get(0))
            .expect("a count");
        let check: String =
            connection.query_row("pragma integrity_check", [], |row| row.get(0)).expect("a check");
        assert_eq!((count, check.as_str()), (4000, "ok"), "round {round}");
    }
    assert!(seen_old, "no upgrade was interrupted");
}

#[test]
fn an_older_version_refuses_newer_data_and_says_what_to_do() {
    let place = Place::new("");
    assert!(place.run(&["migrate"]).status.success());
    open(&place.database())
        .execute("insert into refinery_schema_history values (999, 'later', '2030-01-01', '1')", [])
        .expect("a later version");
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["migrate"],
        &["migrate", "--status"],
        &["export"],
        &["backup"],
    ] {
        let refused = place.run(command);
        let told = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{command:?}");
        assert!(
            told.contains("newer than this showcase") && told.contains("Run the newer showcase"),
            "{told}"
        );
    }
}

#[test]
fn an_entry_that_was_unpaid_during_the_upgrade_is_paid_by_its_own_intent() {
    let stripe = StandIn::start();
    let place = Place::new(&stripe.settings());
    migrate::make_older(&place.database(), 8).expect("an older database");
    let intent = stripe.create_foreign_intent(None, 48_492);
    stripe.control(
        "edit",
        &json!({ "payment_intent": intent, "changes": { "metadata": { "entry_id": "1" } } }),
    );
    open(&place.database())
        .execute(
            "insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                 primary_category, sub_category, additional_categories, agreement_terms, agreement_media, payment_amount_cents,
                 stripe_payment_intent_id)
             values (?2, 'Ada Sample', 'ada@example.com', '+12015550101', 'b', 'l', 'new-york',
                 'lash-extensions', 'Volume', 0, 1, 1, 48492, ?1)",
            (&intent, clock::stored_before(0)),
        )
        .expect("an entry");
    assert!(place.run(&["migrate"]).status.success());
    stripe.pay(&intent);
    let told = place.run(&["payments", "reconcile"]);
    assert!(text(&told.stdout).starts_with("1 checked, 1 paid, 0 findings"), "{}", text(&told.stderr));
    // Another intent with the same entry number belongs to another database.
    let other = stripe.create_foreign_intent(Some(&intent), 48_492);
    stripe.pay(&other);
    let told = place.run(&["payments", "reconcile"]);
    assert!(text(&told.stdout).contains("no_entry  $484.92  no entry"), "{}", text(&told.stdout));
}

/// The migrations V11 to V15 change emails of every priority, sessions, refunds and the search.
#[test]
fn an_upgrade_keeps_emails_sessions_refunds_and_the_search() {
    let mails = SmtpServer::start(Behaviour { max_connections: usize::MAX, min_concurrent: 1 });
    let stripe = StandIn::start();
    let place = Place::new(&format!("[admin]\npassword = '{PASSWORD}'\n{}", stripe.settings()));
    migrate::make_older(&place.database(), 10).expect("an older database");
    let intent = stripe.create_foreign_intent(None, 48_492);
    stripe.control(
        "edit",
        &json!({ "payment_intent": intent, "changes": { "metadata": { "entry_id": "1" } } }),
    );
    stripe.pay(&intent);
    let token = "ab".repeat(32);
    let connection = open(&place.database());
    connection
        .execute_batch(
            "insert into outbox (created_at, due_at, cause, message_id, recipient, subject, words, kind, registration_id, state, sent_at)
             select '2026-01-01T00:00:0' || column1 || '.000Z', '2026-01-01T00:00:0' || column1 || '.000Z', column2, 'm' || column1,
                 column3, 'Subject', json_object('text', 'Said to ' || column3, 'html', '<p>Said</p>'), column4, column5,
                 iif(column1 = 0, 'sent', 'waiting'), iif(column1 = 0, '2026-01-01T00:00:00.000Z', null)
             from (values
                 (0, 'confirmation/waitlist-signups/9', 'sent@example.com', 'waitlist-signups', 9),
                 (1, 'confirmation/waitlist-signups/1', 'visitor@example.com', 'waitlist-signups', 1),
                 (2, 'decision/speaker-applications/1/accepted', 'speaker@example.com', 'speaker-applications', 1),
                 (3, 'report/2026-01-01', 'desk@example.com', null, null),
                 (4, 'confirmation/competition-entries/1', 'ada@example.com', 'competition-entries', 1));
             insert into speaker_applications (created_at, name, email, phone, phone_normalised, instagram, instagram_normalised, company,
                 expertise, speaking_experience, experience, topic_proposal, terms_accepted, photography_consent)
             values ('2026-01-01T00:00:00.000Z', 'Faye Sample', 'speaker@example.com', '(201) 555-0104', '+12015550104', 'faye', '@faye',
                 'c', 'education', 'experienced', 'e', 't', 1, 1);",
        )
        .expect("mails and a speaker");
    connection
        .execute(
            "insert into competition_entries (created_at, name, email, phone, business_name, location, tax_location,
                 primary_category, sub_category, additional_categories, agreement_terms, agreement_media, payment_amount_cents,
                 stripe_payment_intent_id, payment_status, paid_at, payment_token, payment_live)
             values ('2026-01-01T00:00:00.000Z', 'Ada Sample', 'ada@example.com', '+12015550101', 'b', 'l', 'new-york',
                 'lash-extensions', 'Volume', 0, 1, 1, 48492, ?1, 'paid', '2026-01-01T00:00:00.000Z', '', 0)",
            [&intent],
        )
        .expect("an entry");
    connection
        .execute_batch(
            "insert into refunds (created_at, actor, entry_id, amount_cents, state, key, is_rest)
             values ('2026-01-01T00:00:00.000Z', 'admin', 1, 10000, 'asked', 'asked-before-the-upgrade', 0)",
        )
        .expect("a refund that was asked for");
    connection
        .execute(
            "insert into sessions (token_hash, username, created_at, last_seen_at)
             values (?1, 'organiser', ?2, ?2)",
            (Sha256::digest(&token).to_vec(), clock::stored_before(0)),
        )
        .expect("a session");
    drop(connection);
    assert!(place.run(&["migrate"]).status.success());

    // The refund is requested with its old key, and nobody gets an email about it.
    let told = place.run(&["payments", "reconcile"]);
    assert!(told.status.success(), "{}", text(&told.stderr));
    let refunds = stripe.objects("refunds");
    assert_eq!((refunds.len(), &refunds[0]["amount"]), (1, &json!(10_000)));
    assert_eq!(place.sql::<String>("select state from refunds"), "done");
    assert_eq!(place.sql::<String>("select payment_status from competition_entries"), "partially_refunded");
    let unasked = "select count(*) from refunds where notify = 0 and reason is null";
    assert_eq!((place.sql::<i64>(unasked), place.sql::<i64>("select count(*) from outbox")), (1, 5));

    // The emails are sent, urgent ones first, with their old text. One that was already sent can still be shown.
    let config = std::fs::read_to_string(place.path("config.toml")).expect("a file");
    std::fs::write(place.path("config.toml"), format!("{config}{}", mails.settings(1))).expect("a file");
    let server = place.serve();
    wait_for("the mails", || (mails.recipients().len() == 4).then_some(()));
    assert_eq!(
        mails.recipients(),
        ["desk@example.com", "ada@example.com", "speaker@example.com", "visitor@example.com"]
    );
    for (id, recipient) in [(1, "sent"), (2, "visitor"), (5, "ada")] {
        let shown = text(&place.run(&["outbox", "show", &id.to_string()]).stdout);
        assert!(shown.ends_with(&format!("\n\nSaid to {recipient}@example.com\n")), "{shown}");
    }

    // The password of an old session is unknown, so the session ends.
    assert!(!server.is_signed_in(&format!("showcase_session={token}")));
    let reply = server.post("/api/admin/session", &json!({ "password": PASSWORD }));
    let session = reply.header("set-cookie").split(';').next().expect("a pair").to_owned();
    let found = |query: &str| -> Vec<String> {
        let items = server.get(&format!("/api/search?q={query}"), &[("cookie", &session)]).json();
        let items = items["items"].as_array().expect("a list").clone();
        items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(found("2015550104"), ["Faye Sample"]);
    assert_eq!(found("%40faye"), ["Faye Sample"]);
    assert_eq!(found("Volume"), ["Ada Sample"]);
}
