//! What is not to be mailed on in the event's name: advertisements.

use serde_json::json;

use crate::support::Place;

#[test]
fn an_advertisement_is_set_aside_and_a_person_with_links_is_not() {
    let place = Place::new("");
    let server = place.serve();
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
