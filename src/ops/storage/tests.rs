use serde_json::json;

use super::*;
use crate::config::Config;
use crate::mail::Body;
use crate::model::Kind;
use crate::registrations::submit::{Submission, register};
use crate::store::sizes;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}

fn run(app: &App, sql: &str) {
    app.store.write(|connection| Ok(connection.execute_batch(sql)?)).expect("changed");
}

fn texts(app: &App, sql: &str) -> Vec<String> {
    let read = |connection: &Connection| {
        let mut statement = connection.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(rows)
    };
    app.store.read(read).expect("rows")
}

/// Stores three confirmations: one sent long ago, one sent recently, one waiting.
fn with_mails(app: &App) {
    for name in ["Ada Sample", "Bea Sample", "Cleo Sample"] {
        let body = json!({ "name": name, "email": format!("{}@example.com", &name[..3]) });
        register(app, &Submission::new(Kind::WaitlistSignups, &body)).expect("stored");
    }
    let written = Body::written("as it was sent", "<p>as it was sent</p>").values;
    for (id, sent_at) in [(1, "2026-01-31T12:00:00.000Z"), (2, "2026-02-02T12:00:00.000Z")] {
        app.store
            .write(|connection| stored_emails::mark_sent(connection, id, &written, sent_at))
            .expect("a sent mail");
    }
    run(
        app,
        "insert into outbox_attachments (outbox_id, file_name, content_type, content)
         select id, 'event.ics', 'text/calendar', x'00' from outbox",
    );
}

#[test]
fn a_sent_email_loses_its_text_and_attachments_after_thirty_days_and_can_still_be_shown() {
    let (_folder, app) = App::for_test(Config::default());
    with_mails(&app);
    for _ in 0..2 {
        trim(&app, at("2026-03-03T12:00:00Z")).expect("trimmed");
    }
    let written =
        texts(&app, "select case when written is null then '' else id || '' end from outbox order by id");
    assert_eq!(written, ["", "2", ""]);
    let files = texts(&app, "select outbox_id || '' from outbox_attachments order by id");
    assert_eq!(files, ["2", "3"]);
    let first = outbox::details(&app, 1).expect("a mail");
    assert!(first.is_trimmed && first.text.contains("Hello Ada Sample,"), "{}", first.text);
    assert!(outbox::html(&app, 1).expect("HTML").contains("Ada Sample"));
    let second = outbox::details(&app, 2).expect("a mail");
    assert!(!second.is_trimmed && second.text.contains("as it was sent"), "{}", second.text);
}

#[test]
fn more_than_one_batch_is_trimmed() {
    let (_folder, app) = App::for_test(Config::default());
    run(
        &app,
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 350)
         insert into outbox (created_at, due_at, cause, message_id, recipient, subject, state, sent_at, written, counted_as)
         select '2026-01-01T00:00:00.000Z', '', i, i, '', '', 'sent', '2026-01-01T00:00:00.000Z', '{}', 'a@example.com' from n",
    );
    trim(&app, at("2026-03-03T12:00:00Z")).expect("trimmed");
    let left = "select count(*) || '' from outbox where written is not null or counted_as is not null";
    assert_eq!(texts(&app, left), ["0"]);
}

#[test]
fn an_entry_abandoned_long_ago_keeps_one_audit_line_and_those_of_organisers() {
    let (_folder, app) = App::for_test(Config::default());
    for (id, status, last) in [
        (1, "abandoned", "2026-01-03"),
        (2, "abandoned", "2026-02-20"),
        (3, "paid", "2026-01-03"),
        (4, "pending", "2026-01-03"),
    ] {
        run(
            &app,
            &format!(
                "insert into competition_entries (id, created_at, name, email, phone, business_name, location, tax_location,
                     primary_category, sub_category, additional_categories, agreement_terms, agreement_media,
                     payment_amount_cents, payment_status)
                 values ({id}, '2026-01-01T00:00:00.000Z', '', '', '', '', '', '', '', '', 0, 1, 1, 1, '{status}');
                 insert into audit_log (at, actor, action, kind, subject_id) values
                     ('2026-01-01T00:00:00.000Z', 'visitor', 'registered', 'competition-entries', {id}),
                     ('2026-01-02T00:00:00.000Z', 'visitor', 'changed', 'competition-entries', {id}),
                     ('2026-01-02T01:00:00.000Z', 'ines', 'reviewed', 'competition-entries', {id}),
                     ('{last}T00:00:00.000Z', 'program', '{status}', 'competition-entries', {id});"
            ),
        );
    }
    for _ in 0..2 {
        trim(&app, at("2026-03-03T12:00:00Z")).expect("trimmed");
    }
    let lines = "select subject_id || ' ' || group_concat(action) from (select * from audit_log order by id) group by subject_id";
    assert_eq!(
        texts(&app, lines),
        [
            "1 reviewed,abandoned",
            "2 registered,changed,reviewed,abandoned",
            "3 registered,changed,reviewed,paid",
            "4 registered,changed,reviewed,pending",
        ]
    );
}

#[test]
fn parts_are_listed_largest_first() {
    let (_folder, app) = App::for_test(Config::default());
    with_mails(&app);
    run(
        &app,
        "insert into images (created_at, actor, name, hash, content_type) values ('', '', 'x', '', 'image/png');
         insert into image_sizes (image_id, width, height, bytes) values (1, 1, 1, zeroblob(500000))",
    );
    let parts = app.store.read(sizes::parts).expect("parts");
    assert_eq!((parts[0].name, parts[1].name), ("pictures", "mails"));
    assert!((500_000..500_100).contains(&parts[0].bytes) && parts[1].bytes > 3_000, "{parts:?}");
    assert!(parts[2].bytes > 0 && parts.is_sorted_by_key(|part| -part.bytes), "{parts:?}");
}
