//! Nominations are made when an entry is paid, and withdrawn when all of it is refunded.

use serde_json::{Value, json};
use showcase::model::EntryId;
use showcase::store::portal::nominations;

use crate::payments::faults::inject_fault;
use crate::support::content::{edited, import};
use crate::support::paid_site::{PRICE, PRICE_OF_TWO, PaidSite, entry, entry_of_two, intent_of};
use crate::support::{Reply, migrated, open, text, wait_for};

const STATES: &str = "select group_concat(state) from nominations";

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
    let (id, _) = site.buy("ada@example.com");
    assert_eq!(site.refund(&cookie, id, "part", 10_000).status, 200);
    assert_eq!(site.place.sql::<String>(STATES), "open");
    assert_eq!(site.refund(&cookie, id, "rest", PRICE - 10_000).status, 200);
    assert_eq!(site.place.sql::<String>(STATES), "withdrawn");
    let logged = "select count(*) from audit_log where action = 'nomination withdrawn' and subject_id = 1";
    assert_eq!(site.place.sql::<i64>(logged), 1);
}

/// A paid entry with two categories, its organiser, and the code of its second nomination.
struct EntryOfTwo {
    site: PaidSite,
    cookie: String,
    code: String,
}

impl EntryOfTwo {
    fn enter() -> EntryOfTwo {
        let site = PaidSite::start();
        site.enter_and_pay("form-1", &entry_of_two("ada@example.com"));
        let code = site.place.sql("select code from nominations where category = 'brows'");
        EntryOfTwo { cookie: site.cookie(), code, site }
    }

    /// An entry with a third category, whose code it has.
    fn enter_with_makeup() -> EntryOfTwo {
        let site = PaidSite::start();
        let mut form = entry_of_two("ada@example.com");
        form["additionalCategories"] = 2.into();
        form["additionalCategory2"] = "makeup".into();
        form["additionalCategory2Sub"] = "Natural Glam".into();
        let body = json!({ "amount": 67_824, "competitionData": {}, "entry": form });
        let intent = intent_of(&site.server.post("/api/create-competition-payment-intent", &body));
        site.stripe.pay(&intent);
        assert_eq!(site.save(&form, &intent).status, 201);
        let code = site.place.sql("select code from nominations where category = 'makeup'");
        EntryOfTwo { cookie: site.cookie(), code, site }
    }

    fn post(&self, path: &str, key: &str, body: &Value) -> Reply {
        let headers = [
            ("content-type", "application/json"),
            ("cookie", self.cookie.as_str()),
            ("idempotency-key", key),
        ];
        self.site.server.send("POST", path, &headers, &body.to_string())
    }

    fn refund(&self, key: &str, body: &Value) -> Reply {
        self.post("/api/competition-entries/1/refund", key, body)
    }

    fn record(&self) -> Value {
        self.site.server.get("/api/competition-entries/1", &[("cookie", &self.cookie)]).json()
    }

    fn states(&self) -> String {
        let states = "select group_concat(category || ' ' || state, ', ') from (select * from nominations order by id)";
        self.site.place.sql(states)
    }
}

#[test]
fn the_refund_of_a_category_withdraws_its_nomination_and_says_so() {
    let entered = EntryOfTwo::enter();
    let (site, code) = (&entered.site, &entered.code);
    let nominations = entered.record()["nominations"].clone();
    assert_eq!(nominations[1]["code"], json!(code), "{nominations}");
    assert_eq!(
        (&nominations[1]["label"], &nominations[1]["state"]),
        (&json!("Brows - Lamination"), &json!("open"))
    );
    for (body, field) in [
        (json!({ "category": "XX-999" }), "category"),
        (json!({ "category": code, "amountCents": PRICE_OF_TWO + 1 }), "amountCents"),
    ] {
        entered.refund("wrong", &body).expect_field(field);
    }
    let preview = format!("/api/competition-entries/1/refund-mail?category={code}");
    let preview = site.server.get(&preview, &[("cookie", &entered.cookie)]).json();
    assert_eq!(preview["amountCents"], json!(PRICE_OF_TWO - PRICE));

    let body = json!({ "category": code, "reason": "Her model is ill", "notify": true });
    for _ in 0..2 {
        let reply = entered.refund("one", &body);
        assert_eq!(reply.json()["refundedAmount"], json!(PRICE_OF_TWO - PRICE), "{}", reply.text());
    }
    assert_eq!(entered.refund("one", &json!({})).status, 409, "the key was for another refund");
    assert_eq!(entered.states(), "lash-extensions open, brows withdrawn");
    let mail = site.place.mail_text("cause like 'refund/%'");
    assert!(mail.contains("Brows - Lamination is withdrawn"), "{mail}");
    assert_eq!(mail, preview["text"].as_str().expect("a text"), "as it was previewed");
    let note = entered.record()["history"][0]["note"].clone();
    assert_eq!(
        note,
        json!(format!(
            "Refunded $106.92 for Brows - Lamination ({code}), which is withdrawn: Her model is ill"
        ))
    );
    let logged = "select actor || ' ' || detail from audit_log where action = 'nomination withdrawn'";
    assert!(site.place.sql::<String>(logged).contains(code.as_str()));
    entered.refund("two", &json!({ "category": code })).expect_text(422, "withdrawn");
    let last: String = site.place.sql("select code from nominations where state = 'open'");
    entered.refund("three", &json!({ "category": last })).expect_text(422, "only category");
    let list = site.place.run(&["lists", "categories"]);
    let list = text(&list.stdout);
    assert!(list.contains("Volume") && !list.contains("Lamination"), "{list}");
}

#[test]
fn a_category_whose_refund_was_lost_or_failed_is_withdrawn_only_while_the_money_is_back() {
    let entered = EntryOfTwo::enter();
    let site = &entered.site;
    site.place.execute("update nominations set state = 'ready' where category = 'brows'");
    let body = json!({ "category": entered.code });
    inject_fault(site, "POST", "/v1/refunds", &json!({ "kind": "close", "when": "after" }));
    assert_eq!(entered.refund("one", &body).status, 502);
    assert_eq!(entered.states(), "lash-extensions open, brows ready", "nobody knows yet");
    site.reconcile();
    assert_eq!(entered.states(), "lash-extensions open, brows withdrawn");
    // What is withdrawn on its own stays so when the entry is withdrawn and taken back, or corrected.
    for status in ["withdrawn", "new"] {
        site.server.decide(&entered.cookie, "competition-entries/1", &json!({ "status": status }));
    }
    assert_eq!(entered.states(), "lash-extensions open, brows withdrawn");
    let values = json!({ "values": { "subCategory": "Classic" }, "reason": "She called" });
    site.server.decide(&entered.cookie, "competition-entries/1/fields", &values);
    assert_eq!(entered.states(), "lash-extensions withdrawn, brows withdrawn, lash-extensions open");
    let refund = site.stripe.objects("refunds")[0]["id"].clone();
    site.enable_webhooks();
    site.stripe.control("refund-settle", &json!({ "refund": refund, "status": "failed" }));
    site.stripe.control("idle", &json!({}));
    assert_eq!(entered.states(), "lash-extensions withdrawn, brows ready, lash-extensions open");
}

#[test]
fn a_category_whose_refund_is_on_its_way_is_refunded_once_and_is_no_longer_one_of_two() {
    let entered = EntryOfTwo::enter();
    let site = &entered.site;
    site.stripe.control("refund-status", &json!({ "status": "pending" }));
    let body = json!({ "category": entered.code });
    for key in ["one", "one"] {
        assert_eq!(entered.refund(key, &body).expect(200).json()["paymentStatus"], "paid");
    }
    assert_eq!(entered.states(), "lash-extensions open, brows open", "the bank has not taken it");
    entered.refund("two", &body).expect_text(422, "on its way already");
    let other: String = site.place.sql("select code from nominations where category = 'lash-extensions'");
    entered
        .refund("three", &json!({ "category": other, "amountCents": PRICE }))
        .expect_text(422, "the only category");
    assert_eq!(site.stripe.objects("refunds").len(), 1);
    let refund = site.stripe.objects("refunds")[0]["id"].clone();
    site.enable_webhooks();
    site.stripe.control("refund-settle", &json!({ "refund": refund, "status": "succeeded" }));
    site.stripe.control("idle", &json!({}));
    assert_eq!(entered.states(), "lash-extensions open, brows withdrawn");
}

#[test]
fn two_categories_are_refunded_at_their_price_while_the_first_refund_is_on_its_way() {
    let entered = EntryOfTwo::enter_with_makeup();
    entered.site.stripe.control("refund-status", &json!({ "status": "pending" }));
    let brows: String = entered.site.place.sql("select code from nominations where category = 'brows'");
    let refunded = [("one", &entered.code, 8_640), ("two", &brows, PRICE_OF_TWO - PRICE)];
    for (key, code, cents) in refunded {
        let asked = entered.refund(key, &json!({ "category": code }));
        assert_eq!((asked.status, &asked.json()["refundedAmount"]), (200, &json!(cents)), "{}", asked.text());
    }
    assert_eq!(entered.record()["oneCategoryCents"], Value::Null, "one is left");
}

#[test]
fn what_one_of_two_more_categories_cost_is_not_known_once_prices_have_changed() {
    let entered = EntryOfTwo::enter_with_makeup();
    assert_eq!(entered.record()["oneCategoryCents"], json!(8_640), "$80.00 and 8 % tax");
    let prices = "additional_categories_cents = [9900, 17900]";
    let dearer = edited(&[(prices, "additional_categories_cents = [9900, 19900]")]);
    import(&entered.site.place, &dearer);
    wait_for("the new prices", || entered.record()["oneCategoryCents"].is_null().then_some(()));
    let refused = entered.refund("one", &json!({ "category": entered.code }));
    let told = refused.json()["errors"]["amountCents"].to_string();
    assert!(refused.status == 422 && told.contains("prices have changed"), "{}", refused.text());
    let body = json!({ "category": entered.code, "amountCents": 8_640 });
    assert_eq!(entered.refund("two", &body).status, 200);
}

#[test]
fn the_command_line_refunds_a_category() {
    let entered = EntryOfTwo::enter();
    let (site, code) = (&entered.site, entered.code.as_str());
    let planned = site.place.run(&["refund", "1", "--category", code, "--dry-run"]);
    assert_eq!(
        text(&planned.stdout),
        format!("entry 1: $106.92 of $591.84; Brows - Lamination ({code}) would be withdrawn\n")
    );
    let unknown = site.place.run(&["refund", "1", "--category", "XX-999"]);
    assert!(text(&unknown.stderr).contains(code), "it names those there are: {}", text(&unknown.stderr));
    site.place.done(&["refund", "1", "--category", code, "--reason", "Her model is ill"]);
    assert_eq!(entered.states(), "lash-extensions open, brows withdrawn");
}

#[test]
fn a_part_that_was_refunded_at_stripe_asks_which_category_it_was() {
    let entered = EntryOfTwo::enter();
    let site = &entered.site;
    assert_eq!(entered.record()["refundedElsewhere"], json!(false));
    site.enable_webhooks();
    let intent: String = site.place.sql("select stripe_payment_intent_id from competition_entries");
    site.stripe.control("refund", &json!({ "payment_intent": intent, "amount": 10_692 }));
    site.stripe.control("idle", &json!({}));
    assert_eq!(entered.states(), "lash-extensions open, brows open", "nothing is withdrawn by itself");
    assert_eq!(entered.record()["refundedElsewhere"], json!(true));
    let id: i64 = site.place.sql("select id from nominations where category = 'brows'");
    let path = |step: &str| format!("/api/nominations/{id}/{step}");
    assert_eq!(entered.post(&path("withdraw"), "", &json!({})).status, 422, "a reason is required");
    assert_eq!(
        entered.post(&path("withdraw"), "", &json!({ "reason": "Refunded at Stripe" })).expect(200).json()["state"],
        "withdrawn"
    );
    assert_eq!(entered.record()["refundedElsewhere"], json!(false));
    assert_eq!(
        entered.post(&path("reinstate"), "", &json!({ "reason": "A slip" })).expect(200).json()["state"],
        "open"
    );
    let body = json!({ "reason": "She called" });
    assert_eq!(entered.post("/api/competition-entries/1/withdraw", "", &body).status, 200);
    let reply = entered.post(&path("reinstate"), "", &json!({ "reason": "A slip" }));
    assert_eq!(reply.status, 409, "its entry is withdrawn: {}", reply.text());
}

#[test]
fn a_corrected_category_gets_another_nomination_and_a_complimentary_entry_gets_one() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let (id, _) = site.buy("ada@example.com");
    let correct = |sub_category: &str| {
        let body = json!({ "values": { "subCategory": sub_category }, "reason": "She called" });
        site.server.decide(&cookie, &format!("competition-entries/{id}/fields"), &body);
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
    site.server.call(&cookie, "POST", path, &json!({ "reason": "Our guest" })).expect(200);
    assert_eq!(site.place.sql::<i64>("select count(*) from nominations where entry_id = 2"), 1);
}

#[test]
fn a_correction_of_a_withdrawn_entry_leaves_its_nominations_withdrawn() {
    let site = PaidSite::start();
    let cookie = site.cookie();
    let (id, _) = site.buy("ada@example.com");
    let patch = |path: &str, body: &Value| {
        site.server.decide(&cookie, &format!("competition-entries/{id}{path}"), body);
    };
    let correct = |field: &str, value: &str| {
        patch("/fields", &json!({ "values": { field: value }, "reason": "She called" }));
    };
    let states = || {
        let sql = "select group_concat(sub_category || ' ' || state, ', ') from (select * from nominations order by id)";
        site.place.sql::<String>(sql)
    };
    patch("", &json!({ "status": "withdrawn" }));
    assert_eq!(states(), "Volume withdrawn");
    // One answer changes, none changes, and the category changes.
    correct("businessName", "Another Studio");
    assert_eq!(states(), "Volume withdrawn");
    correct("businessName", "Another Studio");
    assert_eq!(states(), "Volume withdrawn");
    correct("subCategory", "Classic");
    assert_eq!(states(), "Volume withdrawn");
    let reinstated = "select count(*) from audit_log where action = 'nomination reinstated'";
    assert_eq!(site.place.sql::<i64>(reinstated), 0);
    // Once the entry takes part again, its nominations are those of its answers.
    patch("", &json!({ "status": "new" }));
    assert_eq!(states(), "Volume withdrawn, Classic open");
    for status in ["withdrawn", "new"] {
        patch("", &json!({ "status": status }));
    }
    assert_eq!(states(), "Volume withdrawn, Classic open");
}

#[test]
fn an_export_of_a_person_includes_the_nominations_and_an_erasure_deletes_them() {
    let site = PaidSite::start();
    site.buy("ada@example.com");
    site.buy("bea@example.com");
    let exported = site.place.run(&["person", "export", "ada@example.com"]);
    let code: String = site.place.sql("select code from nominations where entry_id = 1");
    assert!(text(&exported.stdout).contains(&code), "{}", text(&exported.stdout));
    site.place.done(&["person", "erase", "ada@example.com", "--yes"]);
    assert_eq!(site.place.sql::<String>("select group_concat(entry_id) from nominations"), "2");
}

#[test]
fn a_code_under_which_the_log_has_points_is_not_given_again() {
    let place = migrated("");
    place.insert_entry(&[]);
    place.execute("insert into score_log (at, judge_id, code, kind, rubric_version) values ('', 1, 'LL-100', 'points', '')");
    for (code, is_given) in [("LL-100", false), ("LL-101", true), ("LL-101", false)] {
        let given =
            nominations::insert(&open(&place.database()), EntryId(1), "lash-lift", "", code, "").expect(code);
        assert_eq!(given, is_given, "{code}");
    }
}

#[test]
fn a_seat_for_several_nominations_goes_with_the_one_that_is_refunded() {
    let mut site = PaidSite::start();
    import(&site.place, &edited(&[("front_row_places = 20", "front_row_places = 1")]));
    site.restart();
    let cookie = site.cookie();
    let mut three = entry_of_two("ada@example.com");
    three["additionalCategories"] = 2.into();
    three["additionalCategory2"] = "lash-lift".into();
    three["additionalCategory2Sub"] = "Standard Lash Lift".into();
    let shown = || {
        let record = site.server.get("/api/competition-entries/1", &[("cookie", &cookie)]).json();
        let tickets = site.server.get("/api/tickets?role=competitor", &[("cookie", &cookie)]).json();
        let list = site.place.run(&["lists", "front-row"]);
        (record["frontRow"].clone(), tickets["items"][0]["seat"].clone(), text(&list.stdout).contains("Ada"))
    };
    let intent = site.create_intent_of("form-1", &three, 67_824);
    site.stripe.pay(&intent);
    assert_eq!(site.deliver_event(&site.stripe.event("payment_intent.succeeded", &intent), json!({})), [200]);
    assert_eq!(shown(), (json!("vip, guaranteed"), json!("VIP"), true));
    // A category that was corrected is none that was refunded.
    let correction =
        json!({ "values": { "additionalCategory1Sub": "Creative" }, "reason": "She asked for it." });
    site.server.decide(&cookie, "competition-entries/1/fields", &correction);
    assert_eq!(shown(), (json!("vip, guaranteed"), json!("VIP"), true));
    let codes = ["brows", "lash-lift"].map(|category| {
        site.place.sql::<String>(&format!(
            "select code from nominations where category = '{category}' and state <> 'withdrawn'"
        ))
    });
    let refund = |key: &str, code: &str| {
        site.send_refund(&cookie, 1, key, &json!({ "category": code })).expect(200);
    };
    refund("one", &codes[0]);
    assert_eq!(shown(), (json!("guaranteed"), json!("Front row"), true), "two are left");
    refund("two", &codes[1]);
    assert_eq!(shown(), (Value::Null, Value::Null, false));
    // The seat is free for the next one.
    site.enter_and_pay("form-2", &entry_of_two("bea@example.com"));
    let record = site.server.get("/api/competition-entries/2", &[("cookie", &cookie)]).json();
    assert_eq!(record["frontRow"], "guaranteed");
}

#[test]
fn a_whole_refund_that_the_bank_returns_gives_everything_back() {
    let entered = EntryOfTwo::enter();
    let site = &entered.site;
    site.enable_webhooks();
    let ready = "update nominations set state = 'ready', extended_until = '2026-01-01T00:00:00.000Z' where category = 'brows'";
    open(&site.place.database()).execute_batch(ready).expect("a nomination past the deadline");
    entered.refund("all", &json!({})).expect(200);
    assert_eq!(entered.states(), "lash-extensions withdrawn, brows withdrawn");
    let valid = "select count(*) from tickets where void_reason is null";
    assert_eq!(site.place.sql::<i64>(valid), 0);
    let refund = site.stripe.objects("refunds")[0]["id"].clone();
    site.stripe.control("refund-settle", &json!({ "refund": refund, "status": "failed" }));
    site.stripe.control("idle", &json!({}));
    assert_eq!(entered.states(), "lash-extensions open, brows ready");
    assert_eq!(site.place.sql::<i64>(valid), 1);
}
