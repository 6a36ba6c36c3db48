//! The reminder for entries that were started but not paid: sent once, and never after a payment.

use crate::support::paid_site::{PaidSite, entry};
use crate::support::samples::give_content;
use crate::support::wait_for;

/// Makes every entry this many hours older and restarts the server, which then checks unpaid entries.
fn passes(site: &mut PaidSite, hours: i64) {
    let older = format!(
        "update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-{hours} hours')"
    );
    site.server.kill();
    site.place.execute(&older);
    site.server = site.place.serve();
}

fn reminders(site: &PaidSite) -> String {
    site.place.sql(
        "select coalesce(group_concat(state || ' ' || recipient, ', '), '') from
         (select * from outbox where cause like 'reminder/%' order by id)",
    )
}

/// Waits for the reminder of the last unpaid entry, after which all have been checked.
fn is_reminded(site: &PaidSite, email: &str) {
    wait_for("a reminder", || reminders(site).contains(email).then_some(()));
}

#[test]
fn an_unpaid_entry_gets_one_reminder_with_a_link_to_continue() {
    let mut site = PaidSite::start();
    let ada = entry("ada@example.com");
    let intent = site.create_intent("ada", &ada);
    passes(&mut site, 2);
    is_reminded(&site, "ada@example.com");
    let mail = site.place.mail_text("cause like 'reminder/%'");
    assert!(mail.contains("Hello Ada Sample,") && mail.contains("not booked"), "{mail}");
    assert!(mail.contains("/enter-competition\n"), "{mail}");
    // Only one: neither a later one, nor one for another form of the same person.
    site.create_intent("ada again", &ada);
    site.create_intent("bea", &entry("bea@example.com"));
    passes(&mut site, 2);
    is_reminded(&site, "bea@example.com");
    assert_eq!(reminders(&site), "waiting ada@example.com, waiting bea@example.com");
    // Whoever pays gets the receipt, and an unsent reminder is discarded.
    site.stripe.pay(&intent);
    assert_eq!(site.save(&ada, &intent).status, 201);
    assert_eq!(site.status("ada@example.com"), "paid");
    assert_eq!(reminders(&site), "discarded ada@example.com, waiting bea@example.com");
}

#[test]
fn nobody_who_has_paid_or_withdrawn_or_was_set_aside_gets_a_reminder() {
    let mut site = PaidSite::start();
    let begin = |site: &PaidSite, email: &str| site.create_intent(email, &entry(email));
    // Paid at Stripe, but the server does not know yet.
    let untold = begin(&site, "untold@example.com");
    site.stripe.pay(&untold);
    // The same person has paid with another form.
    begin(&site, "twice@example.com");
    site.enter_and_pay("second", &entry("Twice@example.com"));
    for (id, status) in [("withdrawn@example.com", "withdrawn"), ("aside@example.com", "set_aside")] {
        begin(&site, id);
        site.place.execute_with("update competition_entries set status = ? where email = ?", [status, id]);
    }
    let gone = begin(&site, "gone@example.com");
    let gone = site.stripe.objects("intents").iter().find(|one| one["id"] == gone).cloned().expect("it");
    assert_eq!(gone["status"], "requires_payment_method");
    site.place.done(&["person", "erase", "gone@example.com", "--yes"]);
    begin(&site, "last@example.com");
    passes(&mut site, 2);
    is_reminded(&site, "last@example.com");
    assert_eq!(reminders(&site), "waiting last@example.com");
    assert_eq!(site.status("untold@example.com"), "paid");
    // Started less than an hour ago, or so long ago that it is about to be abandoned.
    begin(&site, "young@example.com");
    begin(&site, "old@example.com");
    site.place.execute(
        "update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-23 hours') where email = 'old@example.com'",
    );
    begin(&site, "end@example.com");
    site.place.execute(
        "update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-2 hours') where email = 'end@example.com'",
    );
    site.restart();
    is_reminded(&site, "end@example.com");
    assert_eq!(reminders(&site), "waiting last@example.com, waiting end@example.com");
}

#[test]
fn no_reminders_are_sent_if_the_content_switches_them_off_or_the_form_is_closed() {
    for (old, new) in [
        ("remind_unpaid = true", "remind_unpaid = false"),
        ("remind_unpaid = true\n", ""),
        ("[openings.competition-entries]\nopen = true", "[openings.competition-entries]\nopen = false"),
    ] {
        let mut site = PaidSite::start();
        site.create_intent("ada", &entry("ada@example.com"));
        site.server.kill();
        give_content(&site.place, &[(old, new)]);
        // The first scheduled backup is created after unpaid entries were checked.
        let backups = site.place.path("backups");
        let _ = std::fs::remove_dir_all(&backups);
        passes(&mut site, 2);
        wait_for("the end of the round", || {
            std::fs::read_dir(&backups).is_ok_and(|mut files| files.next().is_some()).then_some(())
        });
        assert_eq!(reminders(&site), "", "{new}");
    }
}

#[test]
fn a_reminder_that_cannot_be_written_is_shown_and_stops_no_other() {
    let mut site = PaidSite::start();
    for email in ["ada@example.com", "bea@example.com"] {
        site.create_intent(email, &entry(email));
    }
    let fails = "create trigger broken before insert on outbox when new.recipient = 'ada@example.com' and new.template <> 'uncomposed'
         begin select raise(abort, 'broken'); end";
    site.place.execute(fails);
    passes(&mut site, 2);
    is_reminded(&site, "bea@example.com");
    assert_eq!(reminders(&site), "failed ada@example.com, waiting bea@example.com");
}
