//! From confirmed sheets to published results, and what proves them.

use std::io::Write;

use chrono::NaiveDateTime;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::judging_site::{Judge, JudgingSite, PATH, code};
use crate::support::{column, rows, text, wait_for};

/// The worked example of four entries and three judges.
const WORKED: [(usize, [u64; 3]); 4] =
    [(0, [92, 85, 78]), (1, [89, 86, 74]), (2, [88, 80, 79]), (3, [95, 79, 70])];

fn scored() -> (JudgingSite, [Judge; 3]) {
    let site = JudgingSite::with_nominations(4);
    let judges = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&judges[0], &judges[1], &judges[2]], &[]).status, 200);
    for (number, totals) in WORKED {
        for (judge, total) in judges.iter().zip(totals) {
            site.score(judge, &code(number), total);
        }
    }
    (site, judges)
}

fn post(site: &JudgingSite, call: &str) -> crate::support::Reply {
    site.act(call, &json!({}))
}

#[test]
fn the_worked_example_is_sealed_published_and_mailed_once() {
    let (site, judges) = scored();
    let place = site.place();
    assert_eq!(post(&site, "publish").status, 409, "not sealed");
    let artist = site.portal.sign_in("artist-0@example.com");
    let sheet = || site.send("GET", "/api/artist/nominations/1/score-sheet", &artist, &Value::Null);
    assert_eq!(sheet().status, 404);
    assert_eq!(site.detail()["results"], Value::Null);
    let sealed = post(&site, "seal").expect(200);
    let expected = [(0, "85.00", 1), (1, "83.00", 2), (2, "82.33", 3), (3, "81.33", 4)]
        .map(|(number, points, place)| json!([code(number), points, place]));
    assert_eq!(rows(&sealed.json()["results"], &["code", "points", "place"]), json!(expected));
    // Nothing is public, and nothing changes any more.
    assert_eq!(sheet().status, 404);
    assert_eq!(site.set_panel(&[&judges[0]], &[]).status, 423);
    let facts = || site.portal.server.get("/results", &[]);
    assert!(!facts().text().contains("Artist Canary 0"));
    let ceremony = site.organise("GET", "/api/judging/ceremony", &Value::Null).json();
    assert_eq!(column(&ceremony["categories"][0]["places"], "place"), [3, 2, 1]);
    assert_eq!(ceremony["categories"][0]["blockers"], json!([]));
    // A publication that fails halfway leaves nothing behind.
    place.execute(
        "create trigger fails before insert on outbox when new.cause = 'results/3' begin select raise(abort, 'no'); end",
    );
    assert_eq!(post(&site, "publish").status, 500);
    let mails = || place.sql::<i64>("select count(*) from outbox where cause like 'results/%'");
    let certificates = || place.sql::<i64>("select count(*) from certificates");
    assert_eq!((mails(), certificates(), site.detail()["publishedAt"].is_null()), (0, 0, true));
    place.execute("drop trigger fails");
    for _ in 0..2 {
        assert_eq!(post(&site, "publish").status, 200);
        assert_eq!((mails(), certificates()), (4, 4 + 3 + 3));
    }
    // Reopened and published again: nobody is mailed twice.
    assert_eq!(site.act("reopen", &json!({ "reason": "" })).status, 422);
    site.act("reopen", &json!({ "reason": "A typing error." })).expect(200);
    assert_eq!(sheet().status, 404);
    assert_eq!((post(&site, "seal").status, post(&site, "publish").status, mails()), (200, 200, 4));
    let own = sheet().expect(200).json();
    assert_eq!((&own["points"], &own["place"], &own["placed"]), (&json!("85.00"), &json!(1), &json!(4)));
    let points = column(&own["criteria"], "points").into_iter();
    let sum: f64 = points.map(|one| one.as_str().expect("a text").parse::<f64>().expect("a number")).sum();
    assert!((sum - 85.0).abs() < 0.06, "{sum}");
    assert!(!own.to_string().contains("Mona"));
    // By its rounded means, 9.67 and 2.67 among them, the third one would have 82.34.
    let third = site.portal.sign_in("artist-2@example.com");
    let third = site.send("GET", "/api/artist/nominations/3/score-sheet", &third, &Value::Null).json();
    assert_eq!((&third["criteriaTotal"], &third["points"]), (&json!("82.33"), &json!("82.33")));
    let verified = site
        .portal
        .server
        .get(&format!("/verify/{}", own["certificate"]["code"].as_str().expect("a code")), &[])
        .expect_text(200, "Artist Canary 0");
    assert!(verified.text().contains("First place"));
    assert_eq!(site.portal.server.get("/verify/NOSUCHCODE22", &[]).status, 404);
    let listed = site.organise("GET", "/api/judging/certificates?kind=place", &Value::Null).json();
    assert_eq!(listed["items"].as_array().expect("a list").len(), 3);
    assert!(listed["items"][0]["qr"].as_str().expect("a picture").contains("<svg"));
    let other = site.portal.sign_in("artist-1@example.com");
    assert_eq!(site.send("GET", "/api/artist/nominations/1/score-sheet", &other, &Value::Null).status, 404);
    let results = site.organise("GET", "/api/export/csv?kind=results", &Value::Null).text();
    assert!(results.lines().count() == 5 && results.contains("\"85.00\""), "{results}");
    let scores = site.organise("GET", "/api/export/json?kind=scores", &Value::Null).json();
    assert_eq!(scores["scores"].as_array().expect("rows").len(), 4 * 3 * 9);
    for query in [
        "xlsx?kind=scores",
        "csv?kind=scores&status=paid",
        "csv?kind=results&search=ada",
        "json?kind=results&from=2027-01-01",
    ] {
        assert_eq!(
            site.organise("GET", &format!("/api/export/{query}"), &Value::Null).status,
            400,
            "{query}"
        );
    }
}

#[test]
fn sealing_waits_for_every_sheet_and_a_changed_row_of_the_log_is_found() {
    let site = JudgingSite::with_nominations(4);
    let judges = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&judges[0], &judges[1], &judges[2]], &[]).status, 200);
    for (number, totals) in WORKED {
        for (judge, total) in judges.iter().zip(totals).skip(usize::from(number == 2)) {
            site.score(judge, &code(number), total);
        }
    }
    let refused = post(&site, "seal").expect(409);
    let detail = refused.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(detail.contains("Mona") && detail.contains(&code(2)) && !detail.contains(&code(1)), "{detail}");
    // Mona sits out: with three shared entries she cannot be filled in, and the mean of the others stands.
    let token = site.token(&judges[0], &code(2));
    site.sheet(&judges[0], "POST", &token, "/recuse", &json!({ "reason": "I trained her." })).expect(200);
    let sealed = post(&site, "seal").expect(200);
    let sealed = sealed.json();
    let result = result_of(&sealed, 2);
    assert_eq!(result["adjustment"], Value::Null);
    let said = result["sentence"].as_str().expect("a sentence");
    assert!(
        said.contains("one judge did not score this entry") && said.contains("the mean of the others"),
        "{said}"
    );
    site.act("reopen", &json!({ "reason": "A reserve is found." })).expect(200);
    let rita = site.judge("Rita");
    assert_eq!(site.set_panel(&[&judges[0], &judges[1], &judges[2]], &[&rita]).status, 200);
    site.score(&rita, &code(2), 88);
    assert_eq!(post(&site, "seal").status, 200);
}

#[test]
fn who_is_judged_does_not_change_between_seal_and_publication() {
    let (site, _) = scored();
    site.enter(4);
    site.place().execute("update nominations set state = 'handed_in' where id = 5");
    assert_eq!(post(&site, "seal").status, 200);
    let decide = |id: i64, decision: &str, body: &Value| {
        site.organise("POST", &format!("/api/nominations/{id}/{decision}"), body)
    };
    let reason = json!({ "reason": "Posted before the results." });
    for (id, decision, body) in [
        (1, "disqualify", &reason),
        (1, "withdraw", &reason),
        (1, "return", &json!({ "slots": ["left"], "reason": "Too dark." })),
        (5, "ready", &Value::Null),
    ] {
        let refused = decide(id, decision, body);
        assert_eq!(refused.status, 409, "{decision}: {}", refused.text());
        assert!(refused.text().contains("sealed. Reopen them"), "{}", refused.text());
    }
    // An entry is withdrawn as a whole at any time, with its money.
    let withdraw =
        |id: i64| site.organise("POST", &format!("/api/competition-entries/{id}/withdraw"), &reason).status;
    assert_eq!(withdraw(1), 200);
    post(&site, "publish").expect_text(409, &code(0));
    assert_eq!(site.detail()["blockers"].as_array().map(Vec::len), Some(1));
    let ceremony = site.organise("GET", "/api/judging/ceremony", &Value::Null).json();
    assert_eq!(ceremony["categories"][0]["blockers"], site.detail()["blockers"]);
    // What takes part again, for instance because the refund failed, is not ready.
    for (state, change) in [("open", "changed"), ("disqualified", "disqualified"), ("withdrawn", "withdrawn")]
    {
        site.place().execute(&format!("update nominations set state = '{state}' where id = 1"));
        let refused = post(&site, "publish");
        assert_eq!(refused.status, 409, "{state}");
        assert!(refused.text().contains(&format!("{} was {change}", code(0))), "{}", refused.text());
    }
    site.act("reopen", &json!({ "reason": "Somebody is out." })).expect(200);
    assert_eq!(decide(2, "disqualify", &reason).status, 200);
    assert_eq!((post(&site, "seal").status, post(&site, "publish").status), (200, 200));
    let results = site.organise("GET", "/api/export/json?kind=results", &Value::Null).json();
    let places = json!([[code(2), 1], [code(3), 2], [code(1), null]]);
    assert_eq!(rows(&results["results"], &["code", "place"]), places);
    // Instants are local in a table, and UTC in JSON.
    let sealed_at = results["results"][0]["sealedAt"].as_str().expect("an instant");
    let csv = site.organise("GET", "/api/export/csv?kind=results", &Value::Null).text();
    let cell = csv.lines().nth(1).and_then(|row| row.split("\",\"").nth(13)).expect("a cell");
    assert!(sealed_at.ends_with('Z') && NaiveDateTime::parse_from_str(cell, "%F %T").is_ok(), "{csv}");
    // What was published stays what it was.
    assert_eq!(withdraw(3), 200);
    assert_eq!(site.detail()["results"][0]["name"], "Artist Canary 2");
}

#[test]
fn a_photo_that_is_replaced_reopens_the_confirmed_sheet() {
    let (site, mona) = JudgingSite::with_judge(1);
    site.score(&mona, &code(0), 90);
    assert_eq!(site.detail()["blockers"], json!([]));
    site.add_photo();
    assert_eq!(site.work(&mona)[0]["state"], "saved");
    let blockers = site.detail()["blockers"].to_string();
    assert!(blockers.contains("Mona has not confirmed LE-101"), "{blockers}");
}

/// The result of a nomination.
fn result_of(sealed: &Value, number: usize) -> &Value {
    let mut results = sealed["results"].as_array().expect("results").iter();
    results.find(|one| one["code"] == code(number)).expect("the result")
}

#[test]
fn a_tie_is_the_head_judges_and_a_second_look_is_kept_or_changed() {
    let site = JudgingSite::with_nominations(3);
    let judges = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    let [mona, nora, olga] = &judges;
    assert_eq!(site.set_panel(&[mona, nora, olga], &[]).status, 200);
    for (number, totals) in [(0, [80, 80, 60]), (1, [80, 80, 80]), (2, [80, 80, 80])] {
        for (judge, total) in judges.iter().zip(totals) {
            site.score(judge, &code(number), total);
        }
    }
    let detail = site.detail();
    assert_eq!(detail["secondLooks"][0]["state"], "suggested", "{}", detail["secondLooks"]);
    assert_eq!(
        (&detail["secondLooks"][0]["code"], &detail["secondLooks"][0]["distance"]),
        (&json!(code(0)), &json!("-20.00"))
    );
    assert_eq!(detail["severity"], Value::Null, "silent below eight nominations");
    let token = site.token(olga, &code(0));
    let answer = |body: &Value| site.sheet(olga, "POST", &token, "/second-look", body);
    assert_eq!(answer(&json!({ "keep": true })).status, 409, "none is asked");
    let asked = json!({ "judge": olga.id, "code": code(0) });
    assert_eq!(site.act("second-looks", &asked).status, 200);
    assert_eq!(post(&site, "seal").status, 409);
    let change = json!([{ "id": "look", "criterion": "overall", "points": 9 }]);
    assert_eq!(site.put(olga, &token, &change).status, 423);
    let reason = "I had missed the corners.";
    assert_eq!(answer(&json!({ "keep": true, "reason": "x".repeat(2001) })).status, 422, "too long");
    assert_eq!(answer(&json!({ "changes": [] })).status, 422, "nothing is changed");
    let changed = answer(&json!({ "changes": change, "reason": reason }));
    assert_eq!((changed.status, &changed.json()["state"]), (200, &json!("confirmed")), "{}", changed.text());
    // Sent again, because the answer was lost on its way; another answer is still too late.
    let rows = || site.place().sql::<i64>("select count(*) from score_log");
    let before = rows();
    let again = answer(&json!({ "changes": change, "reason": reason }));
    assert_eq!((again.status, again.json()), (200, changed.json()));
    let other = json!([{ "id": "other", "criterion": "overall", "points": 8 }]);
    for late in [json!({ "keep": true, "reason": reason }), json!({ "changes": other, "reason": reason })] {
        assert_eq!(answer(&late).status, 409, "{late}");
    }
    assert_eq!(answer(&json!({ "changes": [], "reason": reason })).status, 422, "nothing is changed");
    assert_eq!(rows(), before);
    let look = site.detail()["secondLooks"][0].clone();
    assert_eq!((&look["state"], &look["reason"]), (&json!("changed"), &json!(reason)));
    let logged = "select detail from score_log where kind = 'second_look' order by id desc limit 1";
    let logged: String = site.place().sql(logged);
    assert_eq!(logged, format!("changed {}", hex::encode(Sha256::digest(reason))), "no text is in the log");
    let ties = site.send("GET", "/api/judge/work", &mona.cookie, &Value::Null).json()["ties"].clone();
    assert_eq!(ties[0]["codes"], json!([code(1), code(2)]));
    assert_eq!(site.send("GET", "/api/judge/work", &nora.cookie, &Value::Null).json()["ties"], json!([]));
    let tie = format!("{PATH}/tie");
    let body = json!({ "order": [code(2), code(1)], "reason": "Finer fans." });
    assert_eq!(site.send("POST", &tie, &nora.cookie, &body).status, 403, "not the head");
    site.send("POST", &tie, &mona.cookie, &json!({ "order": [code(0), code(1)], "reason": "x" })).expect(409);
    assert_eq!(site.send("POST", &tie, &mona.cookie, &json!({ "order": [code(2), code(1)] })).status, 422);
    let twice = json!({ "order": [code(1), code(2), code(1)], "reason": "A slip." });
    assert_eq!(site.send("POST", &tie, &mona.cookie, &twice).status, 422);
    assert_eq!(site.send("POST", &tie, &mona.cookie, &body).status, 204);
    // Sent again, because the answer was lost on its way; another answer is too late.
    assert_eq!(site.send("POST", &tie, &mona.cookie, &body).status, 204);
    let other = json!({ "order": [code(1), code(2)], "reason": "Finer fans." });
    assert_eq!(site.send("POST", &tie, &mona.cookie, &other).status, 409);
    assert_eq!(site.place().sql::<i64>("select count(*) from tie_decisions"), 1);
    let sealed = post(&site, "seal").json();
    assert_eq!(column(&sealed["results"], "code"), [code(2), code(1), code(0)]);
    assert!(sealed["results"][0]["sentence"].as_str().expect("a sentence").contains("head judge"));
    let both = "select group_concat(points) from score_log where criterion = 'overall' and code = 'LE-101' and judge_id = 3";
    assert_eq!(site.place().sql::<String>(both), "10.0,9.0", "both values stay");
    // What answered the first second look does not answer another one.
    let reopened = json!({ "reason": "Once more." });
    assert_eq!(site.act("reopen", &reopened).status, 200);
    assert_eq!(site.act("second-looks", &asked).status, 200);
    let late =
        site.sheet(olga, "POST", &token, "/second-look", &json!({ "changes": change, "reason": reason }));
    assert_eq!((late.status, &late.json()["state"]), (200, &json!("second_look")), "{}", late.text());
    // Nor does an answer that was on its way when this one was asked, if it says to which it belongs.
    let asked_at = |sheet: &Value| sheet["secondLookAskedAt"].as_str().expect("an instant").to_owned();
    let (first, second) = (asked_at(&changed.json()), asked_at(&late.json()));
    assert!(first < second, "{first} {second}");
    answer(&json!({ "keep": true, "askedAt": first })).expect_text(409, "another second look");
    assert_eq!(answer(&json!({ "keep": true, "askedAt": second })).expect(200).json()["state"], "confirmed");
}

#[test]
fn a_decision_about_a_tie_is_void_once_its_points_have_changed() {
    let site = JudgingSite::with_nominations(3);
    let judges = ["Mona", "Nora"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&judges[0], &judges[1]], &[]).status, 200);
    for judge in &judges {
        for (number, total) in [(0, 80), (1, 80), (2, 60)] {
            site.score(judge, &code(number), total);
        }
    }
    let tie = |order: [usize; 2]| {
        let body = json!({ "order": order.map(code), "reason": "Finer fans." });
        site.send("POST", &format!("{PATH}/tie"), &judges[0].cookie, &body).status
    };
    let shown =
        || site.send("GET", "/api/judge/work", &judges[0].cookie, &Value::Null).json()["ties"][0].clone();
    let first = shown()["since"].clone();
    assert_eq!(tie([1, 0]), 204);
    assert_eq!(site.detail()["ties"], json!([]));
    // Both entries get other points, and are equal again.
    for number in [0, 1] {
        let named = json!({ "judge": judges[1].id, "code": code(number), "reason": "A slip." });
        assert_eq!(site.act("reopen", &named).status, 200);
        site.score(&judges[1], &code(number), 70);
    }
    assert_eq!(site.detail()["ties"], json!([{ "codes": [code(0), code(1)], "place": 1 }]), "asked again");
    // A decision that was on its way when the points changed says about which tie it is.
    let body = json!({ "order": [code(1), code(0)], "reason": "Finer fans.", "since": first });
    site.send("POST", &format!("{PATH}/tie"), &judges[0].cookie, &body)
        .expect_text(409, "have changed since");
    assert!(shown()["since"].as_str() > first.as_str(), "{first}");
    let sealed = post(&site, "seal").json();
    for number in [0, 1] {
        assert_eq!(result_of(&sealed, number)["place"], 1);
        assert!(
            !result_of(&sealed, number)["sentence"].as_str().expect("a sentence").contains("head judge"),
            "{}",
            result_of(&sealed, number)
        );
    }
}

#[test]
fn the_organiser_decides_a_tie_with_a_nomination_that_the_head_judge_does_not_score() {
    let site = JudgingSite::with_nominations(4);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let conflict = json!({ "judge": mona.id, "code": code(1), "reason": "She trained her." });
    assert_eq!(site.act("conflicts", &conflict).status, 200);
    for (number, total) in [(0, 80), (1, 80), (2, 70), (3, 70)] {
        site.score(if number == 1 { &rita } else { &mona }, &code(number), total);
        site.score(&nora, &code(number), total);
    }
    let ties =
        json!([{ "codes": [code(0), code(1)], "place": 1 }, { "codes": [code(2), code(3)], "place": 3 }]);
    assert_eq!(site.detail()["ties"], ties);
    let work = site.send("GET", "/api/judge/work", &mona.cookie, &Value::Null);
    assert_eq!(work.json()["ties"].as_array().map(Vec::len), Some(1), "{}", work.text());
    assert!(!work.text().contains(&code(1)), "the code of a conflict is not shown: {}", work.text());
    let tie = format!("{PATH}/tie");
    let order = |codes: [usize; 2]| json!({ "order": codes.map(code), "reason": "Finer fans." });
    let refused =
        site.send("POST", &tie, &mona.cookie, &order([0, 1])).expect_text(403, "the organizer decides");
    // No tie, and still the same answer: it does not tell which codes are tied.
    assert_eq!(site.send("POST", &tie, &mona.cookie, &order([2, 1])).text(), refused.text());
    // Nor can she reopen the sheets of others, or learn whether there is such a code.
    for code in [code(1), "LE-999".to_owned()] {
        let named = json!({ "category": "lash-extensions", "subCategory": "Volume", "judge": nora.id, "code": code, "reason": "x" });
        let reopened = site.send("POST", "/api/judge/reopen", &mona.cookie, &named);
        assert_eq!(reopened.text(), refused.text(), "{code}");
    }
    assert_eq!(site.send("POST", &tie, &mona.cookie, &order([3, 2])).status, 204);
    // The organiser's browser may have a judge's cookie as well.
    let both = format!("{}; {}", nora.cookie, site.organiser);
    site.send("POST", &tie, &both, &order([1, 0])).expect(200);
    assert_eq!(site.send("POST", &tie, "", &order([1, 0])).status, 401);
    let sealed = post(&site, "seal").json();
    assert_eq!(column(&sealed["results"], "code"), [1, 0, 3, 2].map(code));
}

#[test]
fn the_organiser_takes_back_a_second_look_that_nobody_answers() {
    let site = JudgingSite::with_nominations(1);
    let judges = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    let olga = &judges[2];
    assert_eq!(site.set_panel(&[&judges[0], &judges[1], olga], &[]).status, 200);
    for (judge, total) in judges.iter().zip([80, 80, 60]) {
        site.score(judge, &code(0), total);
    }
    let named = json!({ "judge": olga.id, "code": code(0) });
    let second_looks = |call: &str| site.act(&format!("second-looks{call}"), &named);
    assert_eq!(second_looks("/cancel").status, 409, "none is asked");
    assert_eq!(second_looks("").status, 200);
    assert_eq!(post(&site, "seal").status, 409);
    // The points were confirmed, so nothing closes the sheet meanwhile.
    let conflict = json!({ "judge": olga.id, "code": code(0), "reason": "Her student." });
    site.act("conflicts", &conflict).expect_text(409, "has confirmed");
    let cancelled = second_looks("/cancel").expect(200);
    let detail = cancelled.json();
    assert_eq!((&detail["secondLooks"][0]["state"], &detail["blockers"]), (&json!("suggested"), &json!([])));
    let sheet = site.work(olga)[0].clone();
    assert_eq!((&sheet["state"], &sheet["missing"]), (&json!("confirmed"), &json!(0)));
    let token = sheet["token"].as_str().expect("a token");
    site.sheet(olga, "POST", token, "/second-look", &json!({ "keep": true })).expect(409);
    let logged = "select actor || ' ' || detail from score_log order by id desc limit 1";
    assert_eq!(site.place().sql::<String>(logged), "organiser cancelled");
    let audit = site.organise("GET", "/api/audit", &Value::Null).text();
    assert!(audit.contains("second look cancelled"), "{audit}");
    assert_eq!(post(&site, "seal").json()["results"][0]["points"], "73.33");
    assert_eq!(second_looks("/cancel").status, 423, "sealed");
}

#[test]
fn a_place_that_is_lost_when_results_are_sealed_again_leaves_the_participants_certificate() {
    let (site, judges) = scored();
    let reopen = |body: &Value| site.act("reopen", body).status;
    let certificate = || {
        let artist = site.portal.sign_in("artist-2@example.com");
        let sheet = site.send("GET", "/api/artist/nominations/3/score-sheet", &artist, &Value::Null).json();
        let code = sheet["certificate"]["code"].as_str().unwrap_or_else(|| panic!("{sheet}")).to_owned();
        (sheet["place"].clone(), site.portal.server.get(&format!("/verify/{code}"), &[]))
    };
    assert_eq!((post(&site, "seal").status, post(&site, "publish").status), (200, 200));
    let (place, verified) = certificate();
    assert!(place == 3 && verified.text().contains("Third place"), "{}", verified.text());
    assert_eq!(reopen(&json!({ "reason": "A slip." })), 200);
    let olga = &judges[2];
    assert_eq!(reopen(&json!({ "reason": "A slip.", "judge": olga.id, "code": code(3) })), 200);
    let token = site.token(olga, &code(3));
    let criteria = site.sheet(olga, "GET", &token, "", &Value::Null).json()["criteria"].clone();
    let full = criteria.as_array().expect("criteria").iter().map(
        |one| json!({ "id": format!("full-{}", one["key"]), "criterion": one["key"], "points": one["max"] }),
    );
    assert_eq!(site.put(olga, &token, &full.collect()).status, 200);
    assert_eq!(site.sheet(olga, "POST", &token, "/confirm", &json!({})).status, 200);
    assert_eq!((post(&site, "seal").status, post(&site, "publish").status), (200, 200));
    let (place, verified) = certificate();
    assert_eq!((&place, verified.status), (&json!(4), 200), "{}", verified.text());
    assert!(!verified.text().contains("place"), "{}", verified.text());
}

#[test]
fn with_a_closed_portal_the_email_about_results_names_only_the_results_page() {
    let (site, mona) = JudgingSite::with_judge(1);
    site.score(&mona, &code(0), 80);
    let open_portal = "sample = true\nopen = true\n# A sample date";
    let content = crate::portal::portal_site::content();
    assert!(content.contains(open_portal));
    crate::support::content::import(
        site.place(),
        &content.replace(open_portal, "open = false\n# A sample date"),
    );
    wait_for("the closed portal", || {
        (site.portal.server.get("/artist-portal", &[]).status == 404).then_some(())
    });
    assert_eq!((post(&site, "seal").status, post(&site, "publish").status), (200, 200));
    let id: i64 = site.place().sql("select id from outbox where cause = 'results/1'");
    let mail = site.organise("GET", &format!("/api/outbox/{id}"), &Value::Null).json();
    let html = site.organise("GET", &format!("/api/outbox/{id}/html"), &Value::Null).text();
    let html = html.replace("&#x2f;", "/");
    for body in [mail["text"].as_str().expect("a text"), &html] {
        assert!(body.contains("/results") && body.contains("results are public now"), "{body}");
        assert!(!body.to_lowercase().replace('-', " ").contains("artist portal"), "{body}");
    }
}

#[test]
fn paper_is_typed_in_by_one_and_verified_by_another() {
    let (site, mona) = JudgingSite::with_judge(1);
    let sheet = site.sheet(&mona, "GET", &site.token(&mona, &code(0)), "", &Value::Null).json();
    let criteria = sheet["criteria"].as_array().expect("criteria").iter();
    let scores: Vec<Value> =
        criteria.map(|one| json!({ "criterion": one["key"], "points": one["max"] })).collect();
    let paper = json!({
        "judge": mona.id, "code": code(0), "scores": scores, "penalties": [{ "penalty": "mark", "points": 5 }],
        "comment": "Even fans.",
    });
    let read = || {
        let path = format!("{PATH}/paper?judge={}&code={}", mona.id, code(0));
        site.organise("GET", &path, &Value::Null)
    };
    let verify = json!({ "judge": mona.id, "code": code(0) });
    let verify = |cookie: &str| site.send("POST", &format!("{PATH}/paper/verify"), cookie, &verify);
    assert_eq!((read().status, verify(&site.organiser).status), (404, 409), "nothing is typed in");
    let mut off = paper.clone();
    off["scores"][0]["points"] = json!(10.5);
    assert_eq!(site.act("paper", &off).status, 422);
    site.act("paper", &paper).expect(200);
    let shown = read().json();
    assert_eq!((&shown["typedBy"], &shown["comment"]), (&json!("organiser"), &json!("Even fans.")));
    assert_eq!(shown["penalties"], json!([{ "penalty": "mark", "points": 5.0 }]));
    assert_eq!(shown["scores"].as_array().map(Vec::len), Some(scores.len()));
    verify(&site.organiser).expect_text(409, "another account");
    assert_eq!(post(&site, "seal").status, 409, "it does not count yet");
    let added = site.place().run_with_input(&["user", "add", "ines"], "a-long-enough-one\n");
    assert!(added.status.success(), "{}", text(&added.stderr));
    let ines =
        site.portal.server.sign_in_with(&json!({ "username": "ines", "password": "a-long-enough-one" }));
    // What was compared is not what is there now.
    let stale = json!({ "judge": mona.id, "code": code(0), "savedAt": "2026-01-01T00:00:00.000Z" });
    site.send("POST", &format!("{PATH}/paper/verify"), &ines, &stale).expect_text(409, "once more");
    let own = json!({ "changes": [{ "id": "own", "comment": "Even fans, still." }] });
    assert_eq!(site.sheet(&mona, "PUT", &site.token(&mona, &code(0)), "/scores", &own).status, 200);
    assert_eq!((read().status, verify(&ines).status), (404, 409), "the judge has changed it: it is no paper");
    assert_eq!(site.act("paper", &paper).status, 200);
    assert!(read().json()["savedAt"].is_string());
    // The judge's device sends the change once more, because it missed the answer: the paper is still to be verified.
    assert_eq!(site.sheet(&mona, "PUT", &site.token(&mona, &code(0)), "/scores", &own).status, 200);
    assert_eq!(read().json()["comment"], "Even fans.");
    verify(&ines).expect(200);
    assert_eq!((read().status, verify(&ines).status), (404, 423), "it is confirmed");
    assert_eq!(post(&site, "seal").json()["results"][0]["points"], "95.00");
}

#[test]
fn a_change_that_was_logged_before_the_server_died_counts_once() {
    let mut site = JudgingSite::with_nominations(1);
    let mona = site.judge("Mona");
    assert_eq!(site.set_panel(&[&mona], &[]).status, 200);
    let token = site.token(&mona, &code(0));
    let body = json!({ "changes": [{ "id": "a", "criterion": "overall", "points": 7 }] }).to_string();
    let mut connection = site.portal.server.connect();
    write!(
        connection,
        "PUT /api/judge/sheets/{token}/scores HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        site.portal.server.address,
        mona.cookie,
        body.len()
    )
    .expect("sent");
    let count = |site: &JudgingSite| site.place().sql::<i64>("select count(*) from score_log");
    wait_for("the row", || (count(&site) == 1).then_some(()));
    site.portal.site.restart();
    let again = site.put(&mona, &token, &json!([{ "id": "a", "criterion": "overall", "points": 7 }]));
    assert_eq!((again.status, count(&site)), (200, 1));
}

#[test]
fn who_is_erased_during_judging_blocks_no_seal_and_is_announced_nowhere() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let begun = json!({ "changes": [{ "id": "a", "criterion": "overall", "points": 7 }] });
    assert_eq!(site.sheet(&mona, "PUT", &site.token(&mona, &code(0)), "/scores", &begun).status, 200);
    let erase = |email: &str| {
        site.place().done(&["person", "erase", email, "--yes"]);
    };
    erase("mona@example.org");
    // The reserve takes over at the next change.
    assert_eq!(site.organise("POST", "/api/outbox/retry", &json!({})).status, 200);
    for number in 0..2 {
        site.score(&nora, &code(number), 80);
        site.score(&rita, &code(number), 70);
    }
    assert_eq!(site.detail()["blockers"], json!([]));

    // A confirmed sheet of a judge with a conflict is not opened again for nobody.
    let body = json!({ "judge": nora.id, "code": code(0), "reason": "Her sister." });
    site.place().execute_with(
        "insert into judging_conflicts (judge_id, nomination_id, source, reason, created_at)
                 select ?, id, 'computed', 'The same business', '' from nominations where code = ?",
        (nora.id, code(0)),
    );
    site.act("reopen", &body).expect_text(409, "Remove the conflict first");
    site.place().execute("delete from judging_conflicts");

    assert_eq!(post(&site, "seal").status, 200);
    erase("artist-0@example.com");
    post(&site, "publish").expect_text(409, "was erased after the seal");
}

/// Gives each judge's sheets of these nominations points that differ by judge and nomination.
fn score_all(site: &JudgingSite, judges: &[&Judge], numbers: std::ops::Range<usize>) {
    for (index, judge) in judges.iter().enumerate() {
        for number in numbers.clone() {
            site.score(judge, &code(number), (60 + 10 * index + number) as u64);
        }
    }
}

#[test]
fn a_reserve_who_becomes_a_judge_replaces_nobody_any_more() {
    let site = JudgingSite::with_nominations(7);
    let [mona, nora, rita, sara] = ["Mona", "Nora", "Rita", "Sara"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita]).status, 200);
    let conflict = json!({ "judge": nora.id, "code": code(0), "reason": "Her sister." });
    assert_eq!(site.act("conflicts", &conflict).status, 200);
    site.score(&rita, &code(0), 80);
    assert_eq!(site.set_panel(&[&mona, &nora, &rita], &[&sara]).status, 200);
    assert_eq!(site.codes(&sara), [code(0)], "another reserve steps in");

    assert_eq!(site.set_panel(&[&mona, &nora, &rita], &[]).status, 200);
    site.score(&mona, &code(0), 60);
    score_all(&site, &[&mona, &nora, &rita], 1..7);
    let sealed = post(&site, "seal").expect(200).json();
    assert!(result_of(&sealed, 0)["adjustment"].is_string(), "{}", result_of(&sealed, 0));
}

#[test]
fn removing_a_judge_after_the_publication_changes_no_points() {
    let site = JudgingSite::with_nominations(7);
    let [mona, nora, olga] = ["Mona", "Nora", "Olga"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora, &olga], &[]).status, 200);
    let recused = json!({ "reason": "I trained her." });
    site.sheet(&olga, "POST", &site.token(&olga, &code(0)), "/recuse", &recused).expect(200);
    score_all(&site, &[&mona, &nora], 0..1);
    score_all(&site, &[&mona, &nora, &olga], 1..7);
    let sealed = post(&site, "seal").expect(200).json();
    post(&site, "publish").expect(200);
    site.organise("DELETE", &format!("/api/judges/{}", olga.id), &Value::Null).expect(204);
    site.act("reopen", &json!({ "reason": "A slip." })).expect(200);
    let again = post(&site, "seal").expect(200).json();
    assert_eq!(result_of(&again, 0)["points"], result_of(&sealed, 0)["points"]);
}

#[test]
fn a_judge_who_was_erased_gets_no_new_sheets_and_may_stay_in_the_panel() {
    let site = JudgingSite::with_nominations(2);
    let [mona, nora, rita] = ["Mona", "Nora", "Rita"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[]).status, 200);
    score_all(&site, &[&mona, &nora], 0..2);
    site.place().done(&["person", "erase", "nora@example.org", "--yes"]);
    site.enter(2);
    assert_eq!(site.organise("POST", "/api/outbox/retry", &json!({})).status, 200);
    assert_eq!(site.detail()["blockers"], json!([format!("Mona has not confirmed {}.", code(2))]));
    // With a reserve, who steps in, and keeps the sheet when the panel is saved again.
    site.set_panel(&[&mona, &nora], &[&rita]).expect(200);
    let token = site.token(&rita, &code(2));
    site.set_panel(&[&mona, &nora], &[&rita]).expect(200);
    assert_eq!((site.codes(&rita), site.token(&rita, &code(2))), (vec![code(2)], token));
    site.score(&mona, &code(2), 80);
    site.score(&rita, &code(2), 70);
    assert_eq!(post(&site, "seal").expect(200).json()["results"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_reserve_whose_sheet_counts_has_a_certificate_of_judging() {
    let site = JudgingSite::with_nominations(3);
    let [mona, nora, rita, sara] = ["Mona", "Nora", "Rita", "Sara"].map(|name| site.judge(name));
    assert_eq!(site.set_panel(&[&mona, &nora], &[&rita, &sara]).status, 200);
    let recused = json!({ "reason": "I know it.", "conflict": true });
    let token = site.token(&mona, &code(0));
    assert_eq!(site.sheet(&mona, "POST", &token, "/recuse", &recused).status, 200);
    for (judge, number) in [(&rita, 0), (&mona, 1), (&mona, 2), (&nora, 0), (&nora, 1), (&nora, 2)] {
        site.score(judge, &code(number), 80);
    }
    for call in ["seal", "publish"] {
        let reply = post(&site, call);
        assert_eq!(reply.status, 200, "{call}: {}", reply.text());
    }
    let certificates = || {
        let listed = site.organise("GET", "/api/judging/certificates?kind=judge", &Value::Null).json();
        let name = |one: &Value| one["name"].as_str().expect("a name").to_owned();
        let mut names: Vec<String> = listed["items"].as_array().expect("a list").iter().map(name).collect();
        names.sort();
        names
    };
    assert_eq!(certificates(), ["Mona", "Nora", "Rita"], "Sara has scored nothing");
    // Sealed again without her sheet, hers is not valid any more.
    site.act("reopen", &json!({ "reason": "A mistake." })).expect(200);
    let conflict = json!({ "judge": mona.id, "code": code(0), "reason": "It was another one." });
    assert_eq!(site.act("conflicts/remove", &conflict).status, 200);
    site.score(&mona, &code(0), 80);
    let reopened = json!({ "category": "lash-extensions", "subCategory": "Volume", "judge": rita.id, "code": code(0), "reason": "Not needed." });
    assert_eq!(site.send("POST", "/api/judge/reopen", &mona.cookie, &reopened).status, 200);
    let token = site.token(&rita, &code(0));
    assert_eq!(site.sheet(&rita, "POST", &token, "/recuse", &recused).status, 200);
    for call in ["seal", "publish"] {
        let reply = post(&site, call);
        assert_eq!(reply.status, 200, "{call}: {}", reply.text());
    }
    assert_eq!(certificates(), ["Mona", "Nora"]);
}
