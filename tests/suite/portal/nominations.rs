//! Nominations are made when an entry is paid, and withdrawn when all of it is refunded.

use serde_json::json;

use crate::payments::faults::paid;
use crate::support::paid_site::{PRICE, PaidSite, entry, entry_of_two};
use crate::support::{Place, open, text};

const STATES: &str = "select group_concat(state) from nominations";

/// An entry that is paid, with its id.
fn enter(site: &PaidSite, email: &str) -> i64 {
    let reply = site.save(&entry(email), &paid(site, email));
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["id"].as_i64().expect("an id")
}

#[test]
fn each_category_of_an_entry_is_a_nomination_once_it_is_paid() {
    let site = PaidSite::start();
    let form = entry_of_two("ada@example.com");
    let intent = site.create_intent("form-1", &form);
    let count = || site.place.sql::<i64>("select count(*) from nominations");
    assert_eq!(count(), 0, "nothing is paid yet");
    site.stripe.pay(&intent);
    for _ in 0..2 {
        assert_eq!(site.save(&form, &intent).status, 201);
    }
    site.assert_books_agree();
    assert_eq!(count(), 2);
    let codes = "select group_concat(substr(code, 1, 3) || category || '/' || sub_category || '/' || state) from nominations order by id";
    assert_eq!(site.place.sql::<String>(codes), "LE-lash-extensions/Volume/open,BR-brows/Lamination/open");
    let digits = "select count(*) from nominations where code glob '[A-Z][A-Z]-[0-9][0-9][0-9]'";
    assert_eq!(site.place.sql::<i64>(digits), 2);
}

#[test]
fn a_refund_of_everything_withdraws_and_a_refund_of_a_part_does_not() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let id = enter(&site, "ada@example.com");
    assert_eq!(site.refund(&cookie, id, "part", 10_000).status, 200);
    assert_eq!(site.place.sql::<String>(STATES), "open");
    assert_eq!(site.refund(&cookie, id, "rest", PRICE - 10_000).status, 200);
    assert_eq!(site.place.sql::<String>(STATES), "withdrawn");
    let logged = "select count(*) from audit_log where action = 'nomination withdrawn' and subject_id = 1";
    assert_eq!(site.place.sql::<i64>(logged), 1);
}

#[test]
fn a_corrected_category_gets_another_nomination_and_a_complimentary_entry_gets_one() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let id = enter(&site, "ada@example.com");
    let headers = [("content-type", "application/json"), ("cookie", cookie.as_str())];
    let correct = |sub_category: &str| {
        let body = json!({ "values": { "subCategory": sub_category }, "reason": "She called" }).to_string();
        let reply =
            site.server.send("PATCH", &format!("/api/competition-entries/{id}/fields"), &headers, &body);
        assert_eq!(reply.status, 200, "{}", reply.text());
    };
    let states = "select group_concat(sub_category || ' ' || state, ', ') from (select * from nominations order by id)";
    correct("Classic");
    assert_eq!(site.place.sql::<String>(states), "Volume withdrawn, Classic open");
    let code = "select code from nominations where sub_category = 'Volume'";
    let before = site.place.sql::<String>(code);
    correct("Volume");
    assert_eq!(site.place.sql::<String>(states), "Volume open, Classic withdrawn");
    assert_eq!(site.place.sql::<String>(code), before, "a nomination keeps its code");

    let form = entry("bea@example.com");
    assert_eq!(site.request_intent("unpaid", &form).status, 200);
    let path = "/api/competition-entries/2/complimentary";
    let reply = site.server.send("POST", path, &headers, &json!({ "reason": "Our guest" }).to_string());
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(site.place.sql::<i64>("select count(*) from nominations where entry_id = 2"), 1);
}

#[test]
fn entries_paid_before_there_were_nominations_get_theirs_when_the_server_starts() {
    let place = Place::new("");
    showcase::store::migrate::make_older(&place.database(), 17).expect("an older database");
    let entry = |id: i64, status: &str, email: &str| {
        format!(
            "insert into competition_entries (id, created_at, name, email, phone, business_name, location, tax_location,
                 primary_category, sub_category, additional_categories, additional_category1, additional_category1_sub,
                 agreement_terms, agreement_media, payment_amount_cents, payment_status)
             values ({id}, '2026-01-01T00:00:00.000Z', '', '{email}', '', '', '', '', 'lash-lift', 'Standard Lash Lift', 1,
                 'makeup', 'Natural Glam', 1, 1, 48492, '{status}');"
        )
    };
    let statuses =
        ["pending", "paid", "partially_refunded", "refunded", "disputed", "failed", "abandoned", "paid"];
    let entries = statuses.into_iter().enumerate().map(|(index, status)| {
        let email = if index == 7 { "(erased)".to_owned() } else { format!("a{index}@example.com") };
        entry(index as i64 + 1, status, &email)
    });
    open(&place.database())
        .execute_batch(&entries.collect::<String>())
        .expect("what an older program stored");
    for _ in 0..2 {
        drop(place.serve());
        let created = "select group_concat(entry_id || substr(code, 1, 2)) from nominations";
        assert_eq!(place.sql::<String>(created), "2LL,2MA,3LL,3MA,5LL,5MA");
    }
}

#[test]
fn an_export_of_a_person_includes_the_nominations_and_an_erasure_deletes_them() {
    let site = PaidSite::start();
    enter(&site, "ada@example.com");
    enter(&site, "bea@example.com");
    let exported = site.place.run(&["person", "export", "ada@example.com"]);
    let code: String = site.place.sql("select code from nominations where entry_id = 1");
    assert!(text(&exported.stdout).contains(&code), "{}", text(&exported.stdout));
    let erased = site.place.run(&["person", "erase", "ada@example.com", "--yes"]);
    assert!(erased.status.success(), "{}", text(&erased.stderr));
    assert_eq!(site.place.sql::<String>("select group_concat(entry_id) from nominations"), "2");
}
