//! Reminders go to competitors with something missing, once each, even if the server restarts.

use crate::portal::portal_site::Portal;
use crate::support::{clock, open, wait_for};

#[test]
fn a_reminder_names_what_is_missing_and_is_sent_once() {
    let mut portal = Portal::open();
    for email in ["ada@example.com", "bea@example.com"] {
        portal.enter(email);
    }
    let change = |portal: &Portal, sql: &str| {
        open(&portal.site.place.database()).execute_batch(sql).expect(sql);
    };
    let deadline_in = |portal: &Portal, days: i64| {
        let until = clock::stored_before(1 - 24 * days);
        change(portal, &format!("update nominations set extended_until = '{until}'"));
    };
    let reminders = "select group_concat(registration_id) from outbox where cause like 'portal-reminder/%'";
    let sent = |portal: &Portal| portal.site.place.sql::<Option<String>>(reminders).unwrap_or_default();
    change(
        &portal,
        "update nominations set created_at = '2020-01-01T00:00:00.000Z'; update nominations set state = 'handed_in' where id = 2",
    );
    deadline_in(&portal, 14);
    for _ in 0..2 {
        portal.site.restart();
        wait_for("the reminder", || (sent(&portal) == "1").then_some(()));
    }
    let text = portal.site.place.mail_text("cause like 'portal-reminder/%'");
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
