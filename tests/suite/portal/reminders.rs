//! Reminders go to competitors with something missing, once each, even if the server restarts.

use crate::portal::portal_site::Portal;
use crate::support::{clock, wait_for};

#[test]
fn a_reminder_names_what_is_missing_and_is_sent_once() {
    let mut portal = Portal::open();
    for email in ["ada@example.com", "bea@example.com"] {
        portal.enter(email);
    }
    let change = |portal: &Portal, sql: &str| {
        portal.place.execute(sql);
    };
    let deadline_in = |portal: &Portal, days: i64| {
        let until = clock::stored_before(1 - 24 * days);
        change(portal, &format!("update nominations set extended_until = '{until}'"));
    };
    let reminders = "select group_concat(registration_id) from outbox where cause like 'portal-reminder/%'";
    let sent = |portal: &Portal| portal.place.sql::<Option<String>>(reminders).unwrap_or_default();
    change(
        &portal,
        "update nominations set created_at = '2020-01-01T00:00:00.000Z'; update nominations set state = 'handed_in' where id = 2",
    );
    deadline_in(&portal, 14);
    for _ in 0..2 {
        portal.site.restart();
        wait_for("the reminder", || (sent(&portal) == "1").then_some(()));
    }
    let text = portal.place.mail_text("cause like 'portal-reminder/%'");
    for expected in [
        "Your nomination Lash Extensions - Volume is not complete yet.",
        "- Left three-quarter",
        "- the release, signed by your model",
        "/artist-portal",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    deadline_in(&portal, 1);
    portal.site.restart();
    wait_for("the next reminder", || (sent(&portal) == "1,1").then_some(()));
}

#[test]
fn a_reminder_that_cannot_be_written_is_shown_and_stops_no_other() {
    let mut portal = Portal::open();
    for email in ["ada@example.com", "bea@example.com", "cleo@example.com"] {
        portal.enter(email);
    }
    let until = clock::stored_before(1 - 24 * 14);
    let broken = format!(
        "update nominations set created_at = '2020-01-01T00:00:00.000Z', extended_until = '{until}';
         delete from releases where nomination_id = 1"
    );
    portal.place.execute(&broken);
    portal.site.restart();
    let place = &portal.place;
    let states = "select group_concat(registration_id || ' ' || state || ' ' || template, ', ')
         from (select * from outbox where cause like 'portal-reminder/%' order by registration_id)";
    let expected = "1 failed uncomposed, 2 waiting decision, 3 waiting decision";
    let states = || place.sql::<Option<String>>(states).unwrap_or_default();
    wait_for("the others", || (states().split(", ").count() == 3).then_some(()));
    assert_eq!(states(), expected);
    let reason: String =
        place.sql("select last_error from outbox where registration_id = 1 and state = 'failed'");
    assert!(reason.contains("has no release"), "{reason}");
    assert!(
        portal
            .server
            .get("/api/attention", &[("cookie", &portal.site.cookie())])
            .text()
            .contains("could not be sent: 1")
    );
    // It is shown, and never sent.
    let id: i64 = place.sql("select id from outbox where template = 'uncomposed'");
    place.done(&["outbox", "show", &id.to_string()]);
}
