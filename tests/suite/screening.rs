//! What is not to be mailed on in the event's name: advertisements, and the hundredth confirmation to one address.

use serde_json::json;

use crate::support::{Place, speaker, waitlist};

#[test]
fn an_advertisement_is_set_aside_and_a_person_with_links_is_not() {
    let place = Place::new("");
    let server = place.serve();
    let inquiry = |company: &str, message: &str| json!({ "company": company, "email": "stranger@example.com", "interest": "booth", "message": message });
    let links = |count: usize| "see https://example.com/a now ".repeat(count);
    for (body, reason) in [
        (inquiry("FREE MONEY http://evil.example click", "m"), "link_in_name"),
        (inquiry("win at WWW.evil.example", "m"), "link_in_name"),
        (inquiry("Sample Brand", &links(200)), "many_links"),
        (inquiry("Sample Brand", &links(5)), "kept"),
        (inquiry("Lash.com", "Our site is example.com, www.example.com"), "kept"),
    ] {
        assert_eq!(server.post("/api/sponsor-inquiries", &body).status, 201);
        let row: String = place
            .sql("select coalesce(set_aside_reason, 'kept') from sponsor_inquiries order by id desc limit 1");
        assert_eq!(row, reason, "{body}");
    }
    let mut person = speaker();
    person["name"] = "Ada https://evil.example".into();
    assert_eq!(server.post("/api/speaker-applications", &person).status, 201);
    assert_eq!(place.sql::<String>("select set_aside_reason from speaker_applications"), "link_in_name");
    assert_eq!(place.sql::<i64>("select count(*) from outbox"), 2);
}

#[test]
fn one_address_gets_so_many_confirmations_a_day_and_the_rest_is_kept_aside() {
    let place = Place::new("");
    let server = place.serve();
    for count in 0..12 {
        let email = if count % 2 == 0 { "bea@example.com" } else { "Bea@Example.com" };
        let (path, body) = match count {
            0 => {
                ("/api/sponsor-inquiries", json!({ "company": "Bea's", "email": email, "interest": "booth" }))
            }
            _ => ("/api/waitlist-signups", waitlist(email)),
        };
        assert_eq!(server.post(path, &body).status, 201);
    }
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("ada@example.com")).status, 201);
    let aside =
        "select group_concat(id || ' ' || set_aside_reason) from waitlist_signups where status = 'set_aside'";
    assert_eq!(place.sql::<String>(aside), "10 busy_recipient,11 busy_recipient");
    let mails = "select count(*) from outbox where recipient = 'bea@example.com' collate nocase";
    assert_eq!(place.sql::<i64>(mails), 10);
    // The next day they are confirmed again.
    crate::support::open(&place.database())
        .execute_batch("update outbox set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-25 hours')")
        .expect("an update");
    assert_eq!(server.post("/api/waitlist-signups", &waitlist("bea@example.com")).status, 201);
    assert_eq!(place.sql::<i64>(mails), 11);
}
