//! An address that was mistyped is corrected, and what went to the wrong one is sent again.

use serde_json::{Value, json};

use crate::emails::mailings::{AT_ONCE, Organiser, fill_waitlist};
use crate::support::mail_server::settings;
use crate::support::paid_site::{PaidSite, entry};
use crate::support::{ADMIN, AdminSite, Place, served, speaker, text};

fn desk() -> AdminSite {
    let desk = AdminSite::new(ADMIN);
    let mut person = speaker();
    person["email"] = "ada@gmial.com".into();
    desk.server.post("/api/speaker-applications", &person).expect(201);
    desk
}

impl AdminSite {
    fn mails(&self) -> String {
        self.place.sql(
            "select group_concat(id || ' ' || state || ' ' || recipient, ', ') from (select * from outbox order by id)",
        )
    }

    fn marks(&self, mail: i64, state: &str) {
        self.place.execute_with("update outbox set state = ?2, attempts = 3 where id = ?1", (mail, state));
    }
}

#[test]
fn a_mail_goes_again_to_the_corrected_address_and_the_old_one_stands_in_the_history() {
    let desk = desk();
    desk.marks(1, "failed");
    // As a decision, which goes before what visitors cause.
    crate::support::open(&desk.place.database())
        .execute_batch("update outbox set priority = 1")
        .expect("a priority");
    let wrong = desk.server.post("/api/outbox/1/correct", &json!({ "email": "ada@gmail.com" }));
    assert_eq!(wrong.status, 401);
    let reply = desk.call("POST", "/api/outbox/1/correct", &json!({ "email": " ada@gmail.com " }));
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!((&reply.json()["id"], &reply.json()["recipient"]), (&json!(2), &json!("ada@gmail.com")));
    assert_eq!(desk.mails(), "1 discarded ada@gmial.com, 2 waiting ada@gmail.com");
    assert_eq!(desk.place.sql::<String>("select email from speaker_applications"), "ada@gmail.com");
    assert_eq!(
        desk.place.sql::<String>("select actor || ': ' || note from reviews"),
        "organiser: Email address corrected from ada@gmial.com to ada@gmail.com."
    );
    let same = "select count(distinct subject || template || priority) = 1 and count(distinct message_id) = 2 from outbox";
    assert!(desk.place.sql::<bool>(same));
    let said = desk.place.mail_text("id = 2");
    assert!(said.contains("ada@gmail.com") && !said.contains("gmial"), "{said}");
    let audited =
        "select actor || ' ' || action || ' ' || kind || ' ' || subject_id || ' ' || detail from audit_log
         order by id desc limit 1";
    assert_eq!(
        desk.place.sql::<String>(audited),
        r#"organiser address corrected speaker-applications 1 {"from":"ada@gmial.com","to":"ada@gmail.com","mails":1}"#
    );
    // An email that was sent to a wrong address is sent again too. The first one stays in the outbox as sent.
    desk.marks(2, "sent");
    assert_eq!(
        desk.call("POST", "/api/outbox/2/correct", &json!({ "email": "ada@example.com" })).status,
        200
    );
    assert_eq!(desk.mails(), "1 discarded ada@gmial.com, 2 sent ada@gmail.com, 3 waiting ada@example.com");
    // An erasure removes her current address and the wrong ones.
    let erased = desk.place.run(&["person", "erase", "ada@example.com", "--yes"]);
    assert!(erased.status.success(), "{}", text(&erased.stderr));
    let detail = "select detail from audit_log where action = 'address corrected' order by id desc limit 1";
    assert_eq!(desk.place.sql::<String>(detail), r#"{"from":"(erased)","to":"(erased)","mails":1}"#);
    let left = "select (select count(*) from reviews) + (select count(*) from outbox) +
         (select count(*) from audit_log where detail like '%gm%')";
    assert_eq!(desk.place.sql::<i64>(left), 0);
}

#[test]
fn an_address_is_corrected_on_the_record_with_the_mails_that_were_chosen() {
    let desk = desk();
    let accepted = json!({ "status": "accepted", "mail": true });
    desk.call("PATCH", "/api/speaker-applications/1", &accepted).expect(200);
    desk.marks(1, "sent");
    desk.marks(2, "failed");
    let path = "/api/speaker-applications/1/address";
    let reply = desk.call("POST", path, &json!({ "email": "ada@gmail.com" }));
    assert_eq!((reply.status, &reply.json()["email"]), (200, &json!("ada@gmail.com")));
    let expected = "1 sent ada@gmial.com, 2 discarded ada@gmial.com, 3 waiting ada@gmail.com";
    assert_eq!(desk.mails(), expected, "what has not left goes to the right address");
    // A decision that was told is not told again.
    assert_eq!(reply.json()["letters"], json!(["waitlisted", "declined"]));
    let again = desk.call("POST", path, &json!({ "email": "ada@example.com", "mails": [1] }));
    assert_eq!(again.status, 422, "mail 1 went to another address: {}", again.text());
    desk.marks(3, "sent");
    assert_eq!(desk.call("POST", path, &json!({ "email": "ada@example.com", "mails": [3] })).status, 200);
    assert!(desk.mails().ends_with("3 sent ada@gmail.com, 4 waiting ada@example.com"));
}

#[test]
fn an_entry_that_is_corrected_while_it_is_being_paid_is_paid() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let email = json!({ "email": "ada@gmail.com" });
    let values = json!({ "values": { "email": "bea@gmail.com" }, "reason": "She called" });
    let business = json!({ "values": { "businessName": "Gia Studio" }, "reason": "She called" });
    for (id, method, path, body) in
        [(1, "POST", "address", email), (2, "PATCH", "fields", values), (3, "PATCH", "fields", business)]
    {
        let form = entry(&format!("{id}@gmial.com"));
        let intent = site.create_intent(&format!("key-{id}"), &form);
        let path = format!("/api/competition-entries/{id}/{path}");
        site.server.call(&cookie, method, &path, &body).expect(200);
        site.stripe.pay(&intent);
        let saved = site.save(&form, &intent);
        assert_eq!((saved.status, &saved.json()["paymentStatus"]), (201, &json!("paid")), "{}", saved.text());
    }
    let business = "select business_name from competition_entries where id = 3";
    assert_eq!(site.place.sql::<String>(business), "Gia Studio");
    assert_eq!(site.assert_books_agree(), 3);
}

#[test]
fn what_cannot_be_corrected_is_refused_and_changes_nothing() {
    let desk = desk();
    let before = desk.mails();
    for (path, body, status) in [
        ("/api/outbox/1/correct", json!({ "email": "ada@gmail" }), 422),
        ("/api/outbox/1/correct", json!({ "email": "" }), 422),
        ("/api/outbox/1/correct", json!({}), 422),
        ("/api/outbox/1/correct", json!({ "email": 7 }), 400),
        ("/api/outbox/1/correct", json!({ "email": "ada@gmial.com" }), 422),
        ("/api/outbox/9/correct", json!({ "email": "ada@gmail.com" }), 404),
        ("/api/speaker-applications/9/address", json!({ "email": "ada@gmail.com" }), 404),
        ("/api/speaker-applications/1/address", json!({ "email": "ada@gmail.com", "mails": ["x"] }), 400),
        ("/api/speaker-applications/1/address", json!({ "email": "ada@gmail.com", "mails": [9] }), 422),
        ("/api/speaker-applications/1/address", json!([]), 400),
    ] {
        let reply = desk.call("POST", path, &body);
        assert_eq!(reply.status, status, "{path} {body}: {}", reply.text());
    }
    // A report is about nobody, and a discarded mail is not sent.
    desk.place.execute(
        "insert into outbox (created_at, due_at, cause, message_id, recipient, subject)
             values ('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'report/x', '<x@y>', 'desk@example.com', 'Report');
             update outbox set state = 'discarded' where id = 1",
    );
    assert_eq!(desk.call("POST", "/api/outbox/2/correct", &json!({ "email": "ada@gmail.com" })).status, 409);
    assert_eq!(desk.call("POST", "/api/outbox/1/correct", &json!({ "email": "ada@gmail.com" })).status, 409);
    assert_eq!(desk.place.sql::<String>("select email from speaker_applications"), "ada@gmial.com");
    assert_eq!(desk.place.sql::<i64>("select count(*) from reviews"), 0);
    assert!(desk.mails().starts_with(&before.replace("waiting", "discarded")));
}

#[test]
fn an_address_of_another_person_is_confirmed_first() {
    let desk = desk();
    let mut other = speaker();
    other["name"] = "Bea Otra".into();
    other["email"] = "bea@example.com".into();
    assert_eq!(desk.server.post("/api/speaker-applications", &other).status, 201);
    desk.marks(1, "failed");
    for path in ["/api/speaker-applications/1/address", "/api/outbox/1/correct"] {
        let reply = desk.call("POST", path, &json!({ "email": "BEA@example.com" }));
        assert_eq!(reply.status, 409, "{path}: {}", reply.text());
        let question = "BEA@example.com belongs to Bea Otra as well (speaker application 2).";
        assert!(
            reply.json()["detail"].as_str().expect("a sentence").starts_with(question),
            "{}",
            reply.text()
        );
    }
    assert_eq!(
        desk.call("POST", "/api/outbox/1/correct", &json!({ "email": "bea@example.com", "confirm": 1 }))
            .status,
        400
    );
    let confirmed =
        desk.call("POST", "/api/outbox/1/correct", &json!({ "email": "bea@example.com", "confirm": true }));
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    // Another registration of the same person is no other person's.
    let mut same = speaker();
    same["email"] = "ada@example.com".into();
    assert_eq!(desk.server.post("/api/speaker-applications", &same).status, 201);
    let path = "/api/speaker-applications/1/address";
    assert_eq!(desk.call("POST", path, &json!({ "email": "ada@example.com" })).status, 200);
    let both = "select count(*) from speaker_applications where email = 'ada@example.com'";
    assert_eq!(desk.place.sql::<i64>(both), 2);
}

#[test]
fn an_email_to_a_group_follows_its_recipient_with_their_own_link_and_only_once() {
    let (place, server) = served(&format!("{ADMIN}{}{AT_ONCE}", settings(9, "none")));
    let organiser = Organiser::of(&server);
    fill_waitlist(&place, 5);
    let id = organiser.draft(&json!({ "kind": "waitlist-signups" }), "s", "t");
    organiser.done("POST", &format!("/{id}/send"), &Value::Null);
    place.wait_for_sql("the attempts", "select count(*) from outbox where attempts > 0", 5);
    place.execute("update outbox set state = 'failed'");
    let token = |place: &Place, recipient: &str| {
        let mail = place.mail_text(&format!("recipient = '{recipient}' order by id desc"));
        mail.split("/unsubscribe/").nth(1).expect("a link").trim().to_owned()
    };
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    // The person of p3 unsubscribes; later the one of p2 turns out to have the same mailbox.
    let unsubscribe = format!("/unsubscribe/{}", token(&place, "p3@example.com"));
    assert_eq!(server.send("POST", &unsubscribe, &headers, "").status, 200);
    place.execute("delete from mailing_recipients where recipient = 'p3@example.com'");
    let desk = AdminSite { cookie: server.sign_in(), server, place };
    let corrected = |signup: i64, email: &str| {
        let path = format!("/api/waitlist-signups/{signup}/address");
        let reply = desk.call("POST", &path, &json!({ "email": email, "confirm": true }));
        assert_eq!(reply.status, 200, "{}", reply.text());
    };
    corrected(1, "new@example.com");
    assert_ne!(token(&desk.place, "new@example.com"), token(&desk.place, "p1@example.com"));
    corrected(2, "p3@example.com");
    // Refused whole: the email would have no copy to answer with.
    let about_p4: i64 = desk.place.sql("select id from outbox where recipient = 'p4@example.com'");
    let same = json!({ "email": "P5@example.com", "confirm": true });
    let refused = desk.call("POST", &format!("/api/outbox/{about_p4}/correct"), &same);
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert_eq!(desk.place.sql::<String>("select email from waitlist_signups where id = 4"), "p4@example.com");
    corrected(4, "P5@example.com");
    let recipients =
        "select group_concat(recipient || ' ' || state || ifnull(' ' || skipped_because, ''), ', ')
                      from (select * from mailing_recipients order by id)";
    assert_eq!(
        desk.place.sql::<String>(recipients),
        "new@example.com queued, p3@example.com skipped unsubscribed, p4@example.com skipped same_address, \
         p5@example.com queued"
    );
    let copies = "select group_concat(recipient || ' ' || state) from outbox where cause like '%/again/%'";
    assert_eq!(desk.place.sql::<String>(copies), "new@example.com waiting");
    let organiser = Organiser::of(&desk.server);
    let progress = organiser.done("GET", &format!("/{id}"), &Value::Null)["progress"].clone();
    assert_eq!((&progress["queued"], &progress["leftOut"]), (&json!(1), &json!(1)), "{progress}");
    organiser.done("POST", &format!("/{id}/stop"), &Value::Null);
    assert_eq!(desk.place.sql::<String>(copies), "new@example.com discarded", "the copy is stopped too");
}
