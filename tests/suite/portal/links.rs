//! Links that sign somebody in: made when their email leaves, ended by the results or by the organiser.

use serde_json::{Value, json};

use showcase::store::portal::access::Audience;

use crate::judging::judging_site::{JudgingSite, code};
use crate::portal::portal_site::{Portal, content, link_of_email};
use crate::support::content::import;
use crate::support::smtp::{Behaviour, SmtpServer};
use crate::support::{contains, wait_for};

/// Whether a folder has a file that contains this text.
fn is_in_a_file(folder: &std::path::Path, text: &str) -> bool {
    let files =
        std::fs::read_dir(folder).expect("a folder").filter_map(|file| std::fs::read(file.ok()?.path()).ok());
    files.into_iter().any(|bytes| contains(&bytes, text))
}

#[test]
fn a_link_is_made_when_its_email_leaves_and_nothing_stored_opens_anything() {
    let mail = SmtpServer::start(Behaviour { max_connections: 10, min_concurrent: 1 });
    let portal = Portal::with(&mail.settings(1));
    let place = &portal.place;
    portal.enter("ada@example.com");
    mail.set_away(true);
    portal.server.post("/api/artist/links", &json!({ "email": "ada@example.com" }));
    let queued = "select words from outbox where template = 'artist-link'";
    let words = wait_for("the email", || {
        let count = place.sql::<i64>(&format!("select count(*) from ({queued})"));
        (count > 0).then(|| place.sql::<String>(queued))
    });
    let words: Value = serde_json::from_str(&words).expect("JSON");
    assert_eq!(words["secret"], json!({ "url": "(hidden)", "code": "(hidden)" }));
    mail.set_away(false);
    let cookie = portal.site.cookie();
    let left = wait_for("the email with the link", || {
        portal.server.call(&cookie, "POST", "/api/outbox/retry", &json!({}));
        mail.last_to("ada@example.com").filter(|lines| lines.contains("/artist-portal#"))
    });
    let token: String = left.split_once("/artist-portal#").expect("a link").1.chars().take(64).collect();
    assert!(left.contains("the results are published, at least until"), "{left}");
    wait_for("the outcome", || {
        (place.sql::<String>("select state from outbox where template = 'artist-link'") == "sent")
            .then_some(())
    });
    let backup = place.path("backup.db");
    place.done(&["backup", &backup.display().to_string()]);
    let folder = backup.parent().expect("a folder");
    assert!(is_in_a_file(folder, "ada@example.com"), "the files are searched");
    assert!(!is_in_a_file(folder, &token), "the token is stored");
    let exported = place.done(&["person", "export", "ada@example.com"]);
    assert!(exported.contains("(hidden)") && !exported.contains(&token), "{exported}");
    portal.sign_in_with(&json!({ "token": token }));
}

#[test]
fn a_link_ends_when_the_results_are_published_and_not_before_sixty_days() {
    let (site, mona) = JudgingSite::with_judge(1);
    let artist = site.portal.ask_for_link("artist-0@example.com");
    let sign_in = || site.portal.server.post("/api/artist/session", &json!({ "token": artist.token })).status;
    let age = |days: u32| {
        let at = format!("strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-{days} days')");
        let sql =
            format!("update artist_links set created_at = {at}; update judge_links set created_at = {at}");
        site.place().execute(&sql);
    };
    age(61);
    assert_eq!(sign_in(), 204, "nothing is published");
    site.score(&mona, &code(0), 80);
    for call in ["seal", "publish"] {
        assert_eq!(site.act(call, &json!({})).status, 200);
    }
    assert_eq!(sign_in(), 401, "published, and older than 60 days");
    let newer = site.portal.ask_for_link("artist-0@example.com");
    site.portal.server.post("/api/artist/session", &json!({ "token": newer.token })).expect(204);
    let id = site.place().sql::<i64>("select max(id) from outbox where template = 'artist-link'");
    let shown = site.organise("GET", &format!("/api/outbox/{id}"), &Value::Null).json();
    let told = shown["text"].as_str().expect("a text");
    assert!(told.contains("It works until January") && !told.contains("published"), "{told}");
}

#[test]
fn a_judges_link_ends_as_a_competitors_and_says_until_when() {
    let (site, mona) = JudgingSite::with_judge(1);
    let ask = || {
        let count = || site.place().sql::<i64>("select count(*) from outbox where template = 'judge-link'");
        let before = count();
        site.portal.site.server.post("/api/judge/links", &json!({ "email": "mona@example.org" })).expect(202);
        wait_for("the email", || (count() > before).then_some(()));
        site.place().mail_text("template = 'judge-link' order by id desc limit 1")
    };
    let told = ask();
    assert!(told.contains("works until the results are published, at least until"), "{told}");
    let link = wait_for("the email", || link_of_email(site.place(), Audience::Judges, "mona@example.org"));
    site.score(&mona, &code(0), 80);
    for call in ["seal", "publish"] {
        site.act(call, &json!({})).expect(200);
    }
    let sign_in =
        || site.portal.site.server.post("/api/judge/session", &json!({ "token": link.token })).status;
    assert_eq!(sign_in(), 204, "not 60 days old");
    let older = "update judge_links set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-61 days')";
    site.place().execute(older);
    assert_eq!(sign_in(), 401);
    let told = ask();
    assert!(told.contains("works until") && !told.contains("published"), "{told}");
}

#[test]
fn a_competition_that_nobody_can_win_any_more_keeps_no_link_alive() {
    let (site, mona) = JudgingSite::with_judge(1);
    let more = "insert into nominations (created_at, entry_id, code, category, sub_category, state)
             select created_at, entry_id, code_of || '-900', category_of, sub_of, state_of from nominations,
             (select 'BR' as code_of, 'brows' as category_of, 'Creative' as sub_of, 'open' as state_of
              union all select 'MK', 'makeup', 'Natural Glam', 'disqualified');
         insert into releases (nomination_id, key) select id, 'key-' || id from nominations where code like '%-900'";
    site.place().execute(more);
    let panel = json!({ "judges": [mona.id], "head": mona.id, "reserves": [] });
    for path in ["/api/judging/brows/Creative", "/api/judging/makeup/Natural%20Glam"] {
        site.organise("POST", &format!("{path}/panel"), &panel).expect(200);
    }
    site.score(&mona, &code(0), 80);
    for call in ["seal", "publish"] {
        site.act(call, &json!({})).expect(200);
    }
    let artist = site.portal.ask_for_link("artist-0@example.com");
    let older = "update artist_links set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-61 days')";
    site.place().execute(older);
    let sign_in =
        || site.portal.site.server.post("/api/artist/session", &json!({ "token": artist.token })).status;
    assert_eq!(sign_in(), 204, "the open one may become ready until the event");
    import(site.place(), &content().replace("2056", "2026"));
    wait_for("the end of the event", || (sign_in() == 401).then_some(()));
}

#[test]
fn the_organiser_ends_a_link_and_sends_a_new_one() {
    let site = JudgingSite::with_nominations(1);
    let mona = site.judge("Mona");
    let artist = site.portal.sign_in("artist-0@example.com");
    let former = site.portal.ask_for_link("artist-0@example.com");
    let count = |template: &str, state: &str| {
        let sql = format!("select count(*) from outbox where template = '{template}' and state = '{state}'");
        site.place().sql::<i64>(&sql)
    };
    let replace = |path: &str| site.organise("POST", path, &json!({}));
    assert_eq!(replace("/api/nominations/9/link").status, 404);
    replace("/api/nominations/1/link").expect(202);
    assert_eq!(replace(&format!("/api/judges/{}/link", mona.id)).status, 202);
    assert!(!site.portal.is_signed_in(&artist), "the session ends too");
    let session = site.send("GET", "/api/judge/session", &mona.cookie, &Value::Null).json();
    assert_eq!(session["signedIn"], false);
    site.portal.server.post("/api/artist/session", &json!({ "token": former.token })).expect(401);
    // What had not left would have opened a session again.
    assert_eq!((count("artist-link", "discarded"), count("artist-link", "waiting")), (2, 1));
    assert_eq!((count("judge-link", "discarded"), count("judge-link", "waiting")), (1, 1));
    site.sign_in("mona@example.org");
}
