//! One mail to whoever began an entry and left before it was paid; never beside a payment.

use crate::support::paid_site::{Desk, entry};
use crate::support::samples::give_content;
use crate::support::{open, wait_for};

/// Makes every entry so many hours older; the server looks at what is unpaid when it starts.
fn passes(desk: &mut Desk, hours: i64) {
    let older = format!(
        "update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-{hours} hours')"
    );
    desk.server.kill();
    open(&desk.place.database()).execute_batch(&older).expect("older entries");
    desk.server = desk.place.serve();
}

fn reminders(desk: &Desk) -> String {
    desk.place.sql(
        "select coalesce(group_concat(state || ' ' || recipient, ', '), '') from
         (select * from outbox where cause like 'reminder/%' order by id)",
    )
}

/// Waits until the server has looked at all that is unpaid: it reminds the last one that it may.
fn is_reminded(desk: &Desk, email: &str) {
    wait_for("a reminder", || reminders(desk).contains(email).then_some(()));
}

#[test]
fn an_entry_that_was_left_unpaid_is_reminded_of_once_with_a_way_back() {
    let mut desk = Desk::open();
    let ada = entry("ada@example.com");
    let intent = desk.intent("ada", &ada);
    passes(&mut desk, 2);
    is_reminded(&desk, "ada@example.com");
    let mail = desk.place.mail_text("cause like 'reminder/%'");
    assert!(mail.contains("Hello Ada Sample,") && mail.contains("not booked"), "{mail}");
    assert!(mail.contains("/enter-competition\n"), "{mail}");
    // One only: neither later, nor for another form of hers.
    desk.intent("ada again", &ada);
    desk.intent("bea", &entry("bea@example.com"));
    passes(&mut desk, 2);
    is_reminded(&desk, "bea@example.com");
    assert_eq!(reminders(&desk), "waiting ada@example.com, waiting bea@example.com");
    // Who pays gets the receipt, and a reminder that has not left stays.
    desk.stripe.pay(&intent);
    assert_eq!(desk.save(&ada, &intent).status, 201);
    assert_eq!(desk.status("ada@example.com"), "paid");
    assert_eq!(reminders(&desk), "discarded ada@example.com, waiting bea@example.com");
}

#[test]
fn nobody_is_reminded_who_has_paid_withdrawn_or_was_set_aside() {
    let mut desk = Desk::open();
    let begin = |desk: &Desk, email: &str| desk.intent(email, &entry(email));
    // Paid at Stripe's, and nobody has told us.
    let untold = begin(&desk, "untold@example.com");
    desk.stripe.pay(&untold);
    // Paid with another form of hers.
    begin(&desk, "twice@example.com");
    let second = desk.intent("second", &entry("Twice@example.com"));
    desk.stripe.pay(&second);
    assert_eq!(desk.save(&entry("Twice@example.com"), &second).status, 201);
    for (id, status) in [("withdrawn@example.com", "withdrawn"), ("aside@example.com", "set_aside")] {
        begin(&desk, id);
        open(&desk.place.database())
            .execute("update competition_entries set status = ? where email = ?", [status, id])
            .expect("a status");
    }
    let gone = begin(&desk, "gone@example.com");
    let gone = desk.stripe.holds("intents").iter().find(|one| one["id"] == gone).cloned().expect("it");
    assert_eq!(gone["status"], "requires_payment_method");
    assert!(desk.place.run(&["person", "erase", "gone@example.com", "--yes"]).status.success());
    begin(&desk, "last@example.com");
    passes(&mut desk, 2);
    is_reminded(&desk, "last@example.com");
    assert_eq!(reminders(&desk), "waiting last@example.com");
    assert_eq!(desk.status("untold@example.com"), "paid");
    // Begun less than an hour ago, or so long ago that it is about to end.
    begin(&desk, "young@example.com");
    begin(&desk, "old@example.com");
    open(&desk.place.database())
        .execute_batch("update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-23 hours') where email = 'old@example.com'")
        .expect("an older entry");
    begin(&desk, "end@example.com");
    open(&desk.place.database())
        .execute_batch("update competition_entries set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-2 hours') where email = 'end@example.com'")
        .expect("an older entry");
    desk.dies();
    is_reminded(&desk, "end@example.com");
    assert_eq!(reminders(&desk), "waiting last@example.com, waiting end@example.com");
}

#[test]
fn a_content_that_wants_no_reminders_or_has_closed_the_form_sends_none() {
    for (old, new) in [
        ("remind_unpaid = true", "remind_unpaid = false"),
        ("remind_unpaid = true\n", ""),
        ("[openings.competition-entries]\nopen = true", "[openings.competition-entries]\nopen = false"),
    ] {
        let mut desk = Desk::open();
        desk.intent("ada", &entry("ada@example.com"));
        desk.server.kill();
        give_content(&desk.place, &[(old, new)]);
        // The clock's first round makes a backup once it has looked at what is unpaid.
        let backups = desk.place.path("backups");
        let _ = std::fs::remove_dir_all(&backups);
        passes(&mut desk, 2);
        wait_for("the end of the round", || {
            std::fs::read_dir(&backups).is_ok_and(|mut files| files.next().is_some()).then_some(())
        });
        assert_eq!(reminders(&desk), "", "{new}");
    }
}
