//! The fault table of docs/payments.md, the part about a payment that was made before its entry, and that any
//! matching entry may come with.

use serde_json::json;

use crate::content::{edited, import};
use crate::payment_desk::{Desk, entry};
use crate::support::wait_for;

#[test]
fn a_payment_that_was_given_back_or_taken_back_pays_for_no_entry() {
    let desk = Desk::open();
    desk.listens();
    let cookie = desk.cookie();
    for how in ["refunded", "refunded in part", "disputed", "lost", "settled by hand"] {
        let intent = desk.loose();
        let does = |deed: &str, more: serde_json::Value| {
            let mut body = more;
            body["payment_intent"] = intent.as_str().into();
            desk.stripe.does(deed, &body);
        };
        does("pay", json!({}));
        desk.stripe.does("idle", &json!({}));
        match how {
            "refunded" => does("refund", json!({})),
            "refunded in part" => does("refund", json!({ "amount": 100 })),
            "disputed" => does("dispute", json!({})),
            "lost" => {
                does("dispute", json!({}));
                does("dispute-close", json!({ "status": "lost" }));
            }
            _ => {
                let id: i64 = desk.place.sql("select max(id) from payment_findings");
                let path = format!("/api/payment-findings/{id}/settle");
                let headers = [("content-type", "application/json"), ("cookie", cookie.as_str())];
                assert_eq!(desk.server.send("POST", &path, &headers, "{}").status, 200);
            }
        }
        desk.stripe.does("idle", &json!({}));
        let saved = desk.save(&entry("ada@example.com"), &intent);
        let told = saved.json()["errors"]["stripePaymentIntentId"].as_str().unwrap_or_default().to_owned();
        assert_eq!((saved.status, told.is_empty()), (422, false), "{how}: {}", saved.text());
        assert_eq!(desk.place.sql::<i64>("select count(*) from competition_entries"), 0, "{how}");
    }
    assert_eq!(desk.books_agree(), 0);
}
