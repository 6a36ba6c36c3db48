//! What is put right: withdrawals that are taken back, and results that are published again.

use serde_json::{Value, json};

use super::judging_site::{Judge, JudgingSite, code};

fn reason() -> Value {
    json!({ "reason": "A slip." })
}

/// Two nominations that one judge has scored.
fn scored() -> (JudgingSite, Judge) {
    let (site, mona) = JudgingSite::with_judge(2);
    site.score(&mona, &code(0), 80);
    site.score(&mona, &code(1), 70);
    (site, mona)
}

fn post(site: &JudgingSite, path: &str, body: &Value) {
    let reply = site.organise("POST", path, body);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
}

/// Seals the results and publishes them.
fn publish(site: &JudgingSite) {
    site.act("seal", &json!({})).expect(200);
    site.act("publish", &json!({})).expect(200);
}

#[test]
fn a_withdrawal_that_is_taken_back_leaves_the_nomination_as_it_was() {
    let (site, mona) = scored();
    let stored = || {
        site.place().sql::<String>(
            "select concat_ws(' ', state, reason, returned_slots, extended_until) from nominations where id = 1",
        )
    };
    for (state, more) in [
        ("ready", "reason = null"),
        ("open", "reason = null"),
        ("handed_in", "reason = null"),
        ("returned", "reason = 'Too dark.', returned_slots = '[\"left\"]'"),
        ("forfeited", "reason = 'Nothing came.'"),
        ("ready", "reason = null, returned_slots = null"),
    ] {
        // The deadline is over.
        let sql = format!(
            "update nominations set state = '{state}', {more}, extended_until = '2026-01-01T00:00:00.000Z' where id = 1"
        );
        site.place().execute(&sql);
        let before = stored();
        let (entry, nomination) = ("/api/competition-entries/1", "/api/nominations/1");
        post(&site, &format!("{entry}/withdraw"), &reason());
        assert_eq!(site.place().sql::<String>("select state from nominations where id = 1"), "withdrawn");
        assert_eq!(site.organise("PATCH", entry, &json!({ "status": "new" })).status, 200);
        assert_eq!(stored(), before, "the entry's");
        post(&site, &format!("{nomination}/withdraw"), &reason());
        post(&site, &format!("{nomination}/reinstate"), &reason());
        assert_eq!(stored(), before, "the nomination's");
    }
    // With its sheets: nobody scores it again.
    assert_eq!(site.work(&mona).iter().filter(|item| item["state"] == "confirmed").count(), 2);
    site.act("seal", &json!({})).expect(200);
    assert_eq!(site.detail()["results"].as_array().map(Vec::len), Some(2));
}

#[test]
fn results_are_sealed_again_when_a_nomination_takes_part_again() {
    let (site, _) = scored();
    post(&site, "/api/competition-entries/1/withdraw", &reason());
    site.act("seal", &json!({})).expect(200);
    assert_eq!(site.organise("PATCH", "/api/competition-entries/1", &json!({ "status": "new" })).status, 200);
    let refused = site.act("publish", &json!({}));
    let told = format!("{} takes part again", code(0));
    assert!(refused.status == 409 && refused.text().contains(&told), "{}", refused.text());
    site.act("reopen", &reason()).expect(200);
    publish(&site);
    assert_eq!(site.detail()["results"].as_array().map(Vec::len), Some(2));
}

#[test]
fn only_those_whose_points_or_place_changed_are_told_of_corrected_results() {
    let (site, mona) = JudgingSite::with_judge(4);
    for (number, points) in [(0, 80), (1, 65), (2, 60), (3, 50)] {
        site.score(&mona, &code(number), points);
    }
    publish(&site);
    let mails = |what: &str| {
        site.place().sql::<String>(&format!(
            "select coalesce(group_concat(recipient), '') from
                 (select recipient from outbox where subject like '{what}%Lash Extensions - Volume%' order by recipient)"
        ))
    };
    let everybody = "artist-0@example.com,artist-1@example.com,artist-2@example.com,artist-3@example.com";
    assert_eq!(mails("The results of"), everybody);
    let correct = |changes: &[(usize, u64)]| {
        site.act("reopen", &reason()).expect(200);
        for (number, points) in changes {
            let body = json!({ "reason": "A slip.", "judge": mona.id, "code": code(*number) });
            site.act("reopen", &body).expect(200);
            let token = site.token(&mona, &code(*number));
            let change =
                json!([{ "id": format!("{number}-{points}"), "criterion": "overall", "points": points }]);
            assert_eq!(site.put(&mona, &token, &change).status, 200);
            assert_eq!(site.sheet(&mona, "POST", &token, "/confirm", &json!({})).status, 200);
        }
        publish(&site);
    };
    correct(&[]);
    assert_eq!(mails("Corrected results"), "", "nothing changed");
    // Ten points less: the second is third, and the third, who has the same points as before, is second.
    correct(&[(1, 0)]);
    assert_eq!(mails("Corrected results"), "artist-1@example.com,artist-2@example.com");
    correct(&[(3, 9)]);
    let told = "artist-1@example.com,artist-2@example.com,artist-3@example.com";
    assert_eq!(mails("Corrected results"), told, "each time once");
    assert_eq!(mails("The results of"), everybody, "the first email comes once");
    let id = site.place().sql::<i64>("select max(id) from outbox");
    let mail = site.organise("GET", &format!("/api/outbox/{id}"), &Value::Null).json();
    let text = mail["text"].as_str().expect("a text");
    assert!(text.contains("were corrected") && text.contains("/score-sheet?nomination="), "{text}");
}

#[test]
fn one_competitor_whose_email_cannot_be_written_stops_no_publication() {
    let (site, mona) = JudgingSite::with_judge(2);
    for number in 0..2 {
        site.score(&mona, &code(number), 80);
    }
    let fails = "create trigger broken before insert on outbox when new.recipient = 'artist-0@example.com' and new.template <> 'uncomposed'
         begin select raise(abort, 'broken'); end";
    site.place().execute(fails);
    for call in ["seal", "publish"] {
        site.act(call, &json!({})).expect(200);
    }
    let told = "select group_concat(state || ' ' || recipient, ', ')
         from (select * from outbox where cause like 'results/%' order by recipient)";
    assert_eq!(site.place().sql::<String>(told), "failed artist-0@example.com, waiting artist-1@example.com");
}
