//! Nothing of a competitor is in any answer to a judge.

use serde_json::{Value, json};

use super::judging_site::{JudgingSite, code};
use crate::portal::portal_site::photo;
use crate::portal::sample_video::SAMPLE;
use crate::support::{Reply, open};

/// The headers and the body of an answer.
fn whole(reply: &Reply) -> String {
    format!("{:?}{}", reply.headers, String::from_utf8_lossy(&reply.body))
}

#[test]
fn thirty_canaries_are_in_no_answer_to_a_judge() {
    let site = JudgingSite::with_nominations(3);
    let place = site.place();
    // Each text column of an entry, and of what came with it, has a word of its own.
    let canaries = "update competition_entries set instagram = 'canaryinstagram' || id, portfolio = 'canaryportfolio' || id,
             location = 'canarylocation' || id, phone = 'canaryphone' || id, agreed_at = 'canaryagreed' || id,
             business_name = 'canarybusiness' || id, name = 'canaryname' || id, stripe_payment_intent_id = 'canaryintent' || id,
             form_key = 'canaryform' || id, payment_token = 'canarytoken' || id;
         insert into reviews (at, actor, kind, registration_id, from_status, to_status, note)
             select '', 'canaryactor', 'competition-entries', id, 'new', 'new', 'canarynote' from competition_entries;
         update releases set key = 'canaryrelease' || nomination_id, signed_at = 'canarysigned', name = 'canarymodel',
             guardian = 'canaryguardian', signature = 'canarysignature', text = 'canarytext', confirmed_by = 'canaryorganiser';
         update nominations set reason = 'canaryreason', ticks = '{\"canarytick\":true}'";
    // A photo through the portal, with a file name and metadata.
    place.execute("update nominations set state = 'open'");
    let artist = site.portal.sign_in("artist-0@example.com");
    for slot in ["open_front", "left", "release"] {
        assert_eq!(site.portal.upload(&artist, 1, slot, &photo(700, 500)).status, 204);
    }
    site.portal.allow_videos(&artist);
    assert_eq!(site.portal.upload(&artist, 1, "video", &SAMPLE.file()).status, 204);
    let connection = open(&place.database());
    connection.execute_batch("update nominations set state = 'ready'").expect("ready");
    connection.execute_batch(canaries).expect("canaries");
    connection
        .execute_batch("update media set taken_at = 'canarytaken', software = 'canarysoftware'")
        .expect("canaries");
    let hashes: Vec<String> = {
        let mut statement = connection
            .prepare("select sha256 from media union select thumbnail_sha256 from media")
            .expect("sql");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("hashes")
    };
    let (mona, nora) = (site.judge("Mona"), site.judge("Nora"));
    assert_eq!(site.set_panel(&[&mona, &nora], &[]).status, 200);
    let mut answers: Vec<(String, String)> = Vec::new();
    let mut photos: Vec<Vec<String>> = Vec::new();
    for judge in [&mona, &nora] {
        let mut own = Vec::new();
        for path in ["/api/judge/session", "/api/judge/terms", "/api/judge/work", "/api/judge/panel"] {
            let reply = site.send("GET", path, &judge.cookie, &Value::Null);
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            answers.push((path.to_owned(), whole(&reply)));
        }
        for item in site.work(judge) {
            let token = item["token"].as_str().expect("a token");
            for (method, call, body) in [
                ("GET", "", Value::Null),
                (
                    "PUT",
                    "/scores",
                    json!({ "changes": [{ "id": "1", "criterion": "overall", "points": 5 }] }),
                ),
                (
                    "PUT",
                    "/scores",
                    json!({ "changes": [{ "id": "1", "criterion": "overall", "points": 6 }] }),
                ),
                ("POST", "/confirm", json!({})),
                ("POST", "/second-look", json!({ "keep": true })),
                ("POST", "/tie", json!({ "order": [code(0), code(1)], "reason": "x" })),
            ] {
                let reply = site.sheet(judge, method, token, call, &body);
                answers.push((format!("{method} {call}"), whole(&reply)));
            }
            let sheet = site.sheet(judge, "GET", token, "", &Value::Null).json();
            for photo in sheet["photos"].as_array().expect("photos") {
                let token = photo["token"].as_str().expect("a token").to_owned();
                for size in ["full", "thumbnail"] {
                    let is_video = photo["kind"] == "video" && size == "full";
                    let expected = if is_video { "video/mp4" } else { "image/jpeg" };
                    let path = format!("/api/judge/photos/{token}?size={size}");
                    let reply = site.send("GET", &path, &judge.cookie, &Value::Null);
                    assert_eq!((reply.status, reply.header("content-type")), (200, expected), "{path}");
                    answers.push((path, whole(&reply)));
                }
                let headers = [("cookie", judge.cookie.as_str()), ("range", "bytes=10-")];
                let path = format!("/api/judge/photos/{token}");
                let part = site.portal.server.get(&path, &headers);
                assert_eq!(part.status, if photo["kind"] == "video" { 206 } else { 200 }, "{path}");
                answers.push((path, whole(&part)));
                own.push(token);
            }
        }
        assert_eq!(own.len(), 3, "two photos and a video, but not the signed paper");
        photos.push(own);
    }
    let papers = "select count(*) from photo_tokens join media on media.id = media_id where slot = 'release'";
    assert_eq!(place.sql::<i64>(papers), 0, "no judge has a way to the signed paper");
    let work = |judge| site.work(judge).iter().map(|item| item["token"].to_string()).collect::<Vec<_>>();
    assert!(work(&mona).iter().all(|token| !work(&nora).contains(token)), "tokens are each judge's own");
    assert!(photos[0].iter().all(|token| !photos[1].contains(token)));
    let path = format!("/api/judge/photos/{}", photos[0][0]);
    assert_eq!(site.send("GET", &path, &nora.cookie, &Value::Null).status, 404, "another judge's photo");
    assert_eq!(site.send("GET", "/api/artist/media/1", &mona.cookie, &Value::Null).status, 401);
    assert!(answers.len() > 40, "{}", answers.len());
    for (path, answer) in &answers {
        for word in ["canary", "artist-0@example.com", "example.com", "example.org\",\"name\":\"Artist"] {
            let is_own_address = path.ends_with("/session") && word == "example.com";
            assert!(is_own_address || !answer.contains(word), "{path} has {word}: {answer}");
        }
        for hash in &hashes {
            assert!(!answer.contains(hash.as_str()), "{path} has the hash of a photo");
        }
    }
}

#[test]
fn judges_accept_the_terms_first_and_one_who_was_removed_is_out() {
    let site = JudgingSite::with_nominations(1);
    site.organise("POST", "/api/judges", &json!({ "name": "Mona", "email": "mona@example.org" })).expect(201);
    let cookie = site.sign_in("mona@example.org");
    let mona = super::judging_site::Judge { id: 1, cookie: cookie.clone() };
    assert_eq!(site.set_panel(&[&mona], &[]).status, 200);
    let token = site.token(&mona, &code(0));
    assert_eq!(site.sheet(&mona, "GET", &token, "", &Value::Null).status, 403);
    let change = json!([{ "id": "1", "criterion": "overall", "points": 5 }]);
    let refused = site.put(&mona, &token, &change);
    assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("terms_required")));
    let session = site.send("GET", "/api/judge/session", &cookie, &Value::Null).json();
    assert_eq!((&session["id"], &session["terms"]["accepted"]), (&json!(1), &json!(false)));
    let terms = |body: &Value| site.send("POST", "/api/judge/terms", &cookie, body).status;
    assert_eq!(terms(&json!({ "accepted": false, "version": "2025-10-01" })), 422);
    assert_eq!(terms(&json!({ "accepted": true, "version": "2020-01-01" })), 422);
    let version = site.send("GET", "/api/judge/terms", &cookie, &Value::Null).json()["version"].clone();
    assert_eq!(terms(&json!({ "accepted": true, "version": version })), 200);
    assert_eq!(site.put(&mona, &token, &change).status, 200);
    assert_eq!(site.organise("DELETE", "/api/judges/1", &Value::Null).status, 409, "has scored");
    let nora = site.judge("Nora");
    assert_eq!(site.organise("DELETE", &format!("/api/judges/{}", nora.id), &Value::Null).status, 204);
    assert_eq!(site.send("GET", "/api/judge/work", &nora.cookie, &Value::Null).status, 401);
    let session = site.send("GET", "/api/judge/session", &nora.cookie, &Value::Null).json();
    assert_eq!(session, json!({ "signedIn": false }));
}
