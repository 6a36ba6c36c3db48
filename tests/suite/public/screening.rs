//! Screening: advertisements must not be emailed in the event's name.

use serde_json::json;

use crate::support::samples::give_content;
use crate::support::{Place, served};

#[test]
fn an_advertisement_is_held_for_review_and_a_person_with_links_is_not() {
    let (place, server) = served("");
    let inquiry = |company: &str, message: &str| json!({ "company": company, "email": "stranger@example.com", "interest": "booth", "message": message });
    let links = |count: usize| "see https://example.com/a now ".repeat(count);
    for (body, reason) in [
        (inquiry("Sample Brand", &links(200)), "many_links"),
        (inquiry("Sample Brand", &links(5)), "kept"),
        (inquiry("Lash.com", "Our site is example.com, www.example.com"), "kept"),
    ] {
        assert_eq!(server.post("/api/sponsor-inquiries", &body).status, 201);
        let row: String = place
            .sql("select coalesce(set_aside_reason, 'kept') from sponsor_inquiries order by id desc limit 1");
        assert_eq!(row, reason, "{body}");
    }
    assert_eq!(place.sql::<i64>("select count(*) from outbox"), 2);
}

#[test]
fn a_confirmation_contains_no_text_and_no_link_of_a_stranger() {
    let (place, server) = served("");
    let person = |name: &str| json!({ "name": name, "email": "victim@example.net", "categories": "see evil.example/pay" });
    for (name, reason) in [
        ("Your parcel is held! Pay the 2.99 fee now: https://evil.example/pay?id=1", "link_in_name"),
        ("Your parcel is held, pay at evil.com", "link_in_name"),
        ("Lash.com Studio", "kept"),
        ("Dr. Ana M. Cruz", "kept"),
    ] {
        assert_eq!(server.post("/api/waitlist-signups", &person(name)).status, 201);
        let sql = "select coalesce(set_aside_reason, 'kept') from waitlist_signups order by id desc limit 1";
        assert_eq!(place.sql::<String>(sql), reason, "{name}");
    }
    assert_eq!(place.sql::<i64>("select count(*) from outbox"), 2);
    let first = place.mail_text("id = 1");
    assert!(first.contains("Hello there,") && !first.contains("Lash.com"), "{first}");
    assert!(place.mail_text("id = 2").contains("Hello Dr. Ana M. Cruz,"));
    for body in [first, place.mail_html("id = 1")] {
        assert!(!body.contains("evil.example") && body.contains("evil.\u{200B}example"), "{body}");
    }
    let message = format!("Dear customer, {} https://evil.example/1", "pay now. ".repeat(40));
    let inquiry = json!({ "company": "Lashes.com", "email": "victim@example.net", "interest": "booth", "message": message });
    assert_eq!(server.post("/api/sponsor-inquiries", &inquiry).status, 201);
    let told = format!("(your text of {} characters)", message.trim().chars().count());
    for body in [place.mail_text("id = 3"), place.mail_html("id = 3")] {
        assert!(body.contains(&told), "{body}");
        assert!(!body.contains("pay now") && !body.contains("evil"), "{body}");
        assert!(!body.contains("Lashes.com") && body.contains("Lashes.\u{200B}com"), "{body}");
    }
}

#[test]
fn the_organisers_notice_has_the_whole_text() {
    let place = Place::new("[reports]\nrecipient = 'office@example.com'\n");
    give_content(&place, &[("notify_organiser = false", "notify_organiser = true")]);
    let server = place.serve();
    let message = format!("{} see https://example.com/booth", "We would like a corner. ".repeat(20));
    let inquiry = json!({ "company": "Sample Brand", "email": "hana@example.com", "interest": "booth", "message": message });
    assert_eq!(server.post("/api/sponsor-inquiries", &inquiry).status, 201);
    assert!(place.mail_text("cause like 'notice/%'").contains(&message));
    assert!(!place.mail_text("cause like 'confirmation/%'").contains("corner"));
}
