//! The fault table of docs/payments.md, the part about money that goes back.

use serde_json::json;

use crate::payment_desk::{Desk, entry};
use crate::payment_faults::{fails, failures, is_told, paid};

#[test]
fn a_refund_is_paid_once_whatever_stripe_answers_first() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    for (number, failure) in failures().iter().enumerate() {
        let email = format!("f{number}@example.com");
        let id = desk.save(&entry(&email), &paid(&desk, &email)).json()["id"].as_i64().expect("an id");
        fails(&desk, "POST", "/v1/refunds", failure);
        is_told(&desk.refund(&cookie, id, "first", 10_000), 502, failure);
        for _ in 0..2 {
            let again = desk.refund(&cookie, id, "first", 10_000);
            assert_eq!(
                (again.status, &again.json()["refundedAmount"]),
                (200, &json!(10_000)),
                "{failure}: {}",
                again.text()
            );
        }
    }
    let amounts: Vec<_> =
        desk.stripe.holds("refunds").iter().map(|refund| refund["amount"].clone()).collect();
    assert_eq!(amounts, vec![json!(10_000); failures().len()]);
    assert_eq!(desk.books_agree(), failures().len());
}

#[test]
fn a_refund_that_went_unanswered_is_ended_before_another_of_that_amount() {
    let desk = Desk::open();
    let cookie = desk.cookie();
    let id = desk.save(&entry("ada@example.com"), &paid(&desk, "ada@example.com")).json()["id"]
        .as_i64()
        .expect("an id");
    let given_back = || desk.stripe.holds("refunds").len();
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close", "when": "after" }));
    assert_eq!(desk.refund(&cookie, id, "first", 10_000).status, 502);
    let second = desk.refund(&cookie, id, "second", 10_000);
    assert_eq!((second.status, given_back()), (409, 1), "{}", second.text());
    // Whoever is told so and asks again wants it twice; and a repeat of that is none.
    for _ in 0..3 {
        assert_eq!(desk.refund(&cookie, id, "second", 10_000).status, 200);
        assert_eq!(given_back(), 2);
    }
    assert_eq!(desk.refund(&cookie, id, "first", 10_000).status, 200);
    assert_eq!(given_back(), 2);
    // One that Stripe never had is repeated by whoever asks about payments next.
    fails(&desk, "POST", "/v1/refunds", &json!({ "kind": "close" }));
    assert_eq!(desk.refund(&cookie, id, "third", 5_000).status, 502);
    desk.reconciles();
    assert_eq!(given_back(), 3);
    assert_eq!(desk.refund(&cookie, id, "third", 5_000).status, 200);
    assert_eq!((given_back(), desk.books_agree()), (3, 1));
}
