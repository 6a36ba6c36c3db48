//! The receipt's page for accountants, which a link in the confirmation opens.

use serde_json::json;

use super::attention::LATER;
use crate::support::content::{edited, import};
use crate::support::paid_site::{SignedInSite, entry};
use crate::support::{Reply, wait_for};

fn paid() -> (SignedInSite, String) {
    let site = SignedInSite::open();
    site.enter_and_pay("key-1", &entry("ada@example.com"));
    let link = site.place.link_in("/receipt/", "cause like 'confirmation/competition-entries/%'");
    (site, link)
}

fn send(site: &SignedInSite, link: &str, form: &[(&str, &str)]) -> Reply {
    let body: String =
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form.iter().copied()).finish();
    site.server.send("POST", link, &[("content-type", "application/x-www-form-urlencoded")], &body)
}

#[test]
fn an_entrant_adds_what_her_accountant_needs_and_prints_it() {
    let (site, link) = paid();
    let page = site.server.get(&link, &[]);
    assert_eq!((page.status, page.header("cache-control")), (200, "no-store"), "{}", page.text());
    assert_eq!(page.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(
        page.header("referrer-policy"),
        "same-origin",
        "the form's origin is ours, and no other site learns the link"
    );
    let policy = page.header("content-security-policy");
    assert!(!policy.contains("script") && !policy.contains("unsafe-inline"), "{policy}");
    // It has the site's fonts, which the server has.
    for font in ["fraunces-display", "fraunces-text", "dm-sans"] {
        let html = page.text();
        let path = html.split('"').find(|part| part.contains(font)).expect(font);
        assert_eq!(site.server.get(path, &[]).status, 200, "{path}");
    }
    for part in [
        "Receipt number 1",
        "$449.00",
        "$35.92",
        "$484.92",
        "Sample Studio",
        "Jersey City, NJ",
        "Payment reference pi_",
    ] {
        assert!(page.text().contains(part), "{part}: {}", page.text());
    }
    assert!(!page.text().contains("<script") && !page.text().contains("201-555-0101"));
    let form = [
        ("businessName", " Sample Studio LLC <b> "),
        ("address", "1 Main Street\r\nJersey City, NJ 07302"),
        ("taxId", "12-3456789"),
        ("unknown", "x"),
    ];
    let saved = send(&site, &link, &form);
    assert_eq!((saved.status, saved.header("location")), (303, link.as_str()));
    let page = site.server.get(&link, &[]).text();
    for part in ["Sample Studio LLC &lt;b&gt;", "1 Main Street\nJersey City, NJ 07302", "Tax ID 12-3456789"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(send(&site, &link, &form).status, 303);
    // Also in the browser of an organiser, but not from another site.
    let own = format!("http://{}", site.server.address);
    for (origin, status) in [(own.as_str(), 303), ("https://elsewhere.example", 403)] {
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("cookie", site.cookie.as_str()),
            ("origin", origin),
        ];
        assert_eq!(site.server.send("POST", &link, &headers, "taxId=12-3456789").status, status, "{origin}");
    }
    assert_eq!(send(&site, &link, &form).status, 303);
    let noted = "select count(*) from audit_log where action = 'receipt details changed'";
    assert_eq!(site.place.sql::<i64>(noted), 3, "the same again changes nothing");
    // Emptied, they are gone, and the entry's own answers stand there again.
    assert_eq!(send(&site, &link, &[]).status, 303);
    assert!(!site.server.get(&link, &[]).text().contains("12-3456789"));
    // A refund stands on it.
    assert_eq!(site.refund(&site.cookie, 1, "key", 10_000).status, 200);
    let page = site.server.get(&link, &[]).text();
    assert!(page.contains("-$100.00") && page.contains("$384.92"), "{page}");
    assert!(!site.place.log().contains(&link), "the link is not logged");
}

#[test]
fn the_page_says_what_comes_next_while_it_does() {
    let (site, link) = paid();
    let page = || site.server.get(&link, &[]).text();
    assert!(!page().contains("What happens next"), "the default content's event is over");
    let deadline = ("how = \"\"", "how = 'Upload them with your link.'\ndeadline = '2027-03-01 23:59'");
    import(&site.place, &edited(&[&LATER[..], &[deadline]].concat()));
    wait_for("the steps", || page().contains("What happens next").then_some(()));
    let shown = page();
    for said in [
        "<strong>Enter</strong> <span class=\"quiet\">(done)</span>",
        "<strong>Send your photos</strong>, by March 1, 2027 at 11:59 PM (Eastern Time)<br>",
        "<strong>Judges score</strong><br>Every entry is judged remotely, by the published rubric of its category.",
        "<strong>Awards</strong>, March 29 at 3:00 PM<br>",
        "Upload them with your link.",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(shown.find("What happens next") < shown.find("Your business details"), "{shown}");
    // Whoever got everything back does not take part.
    assert_eq!(site.refund_rest(&site.cookie(), 1, "key").status, 200);
    assert!(!page().contains("What happens next"));
}

#[test]
fn what_is_too_long_is_kept_in_the_form_and_nothing_is_stored() {
    let (site, link) = paid();
    let refused =
        send(&site, &link, &[("businessName", "Fine"), ("address", &"a".repeat(501)), ("taxId", "1\u{1b}2")]);
    assert_eq!(refused.status, 422);
    let page = refused.text();
    assert!(page.contains("Please use at most 500 characters") && page.contains("value=\"Fine\""), "{page}");
    assert!(page.contains(&"a".repeat(501)), "what was typed stays");
    assert_eq!(site.place.sql::<i64>("select count(*) from receipt_details"), 0);
    assert_eq!(site.server.post(&link, &json!({ "taxId": "1" })).status, 415);
    assert_eq!(send(&site, &link, &[("address", &"a".repeat(100_000))]).status, 413);
    for guessed in ["0".repeat(32), "x".into(), link["/receipt/".len()..].to_uppercase()] {
        assert_eq!(site.server.get(&format!("/receipt/{guessed}"), &[]).status, 404, "{guessed}");
        assert_eq!(send(&site, &format!("/receipt/{guessed}"), &[("taxId", "1")]).status, 404, "{guessed}");
    }
}

#[test]
fn an_organiser_makes_another_link_and_an_erasure_ends_them_all() {
    let (site, link) = paid();
    site.create_intent("key-2", &entry("unpaid@example.com"));
    let make = |id: i64| {
        let path = format!("/api/competition-entries/{id}/receipt-link");
        site.server.send("POST", &path, &[("cookie", site.cookie.as_str())], "")
    };
    let made = make(1);
    assert_eq!(made.status, 200, "{}", made.text());
    let url = made.json()["url"].as_str().expect("a link").to_owned();
    let second = &url[url.find("/receipt/").expect("a path")..];
    assert_eq!(site.server.get(second, &[]).status, 200);
    assert_eq!((make(2).status, make(9).status), (409, 404));
    assert_eq!(send(&site, second, &[("taxId", "12-3456789")]).status, 303);
    site.place.assert_not_stored("12-3456789", &[&second["/receipt/".len()..]]);
    let exported = site.place.done(&["person", "export", "ada@example.com"]);
    assert!(exported.contains("12-3456789"), "{exported}");
    site.place.done(&["person", "erase", "ada@example.com", "--yes"]);
    for link in [link.as_str(), second] {
        assert_eq!(site.server.get(link, &[]).status, 404);
    }
    assert_eq!(make(1).status, 409);
    site.place.assert_not_stored("unpaid@example.com", &["12-3456789"]);
}

#[test]
fn a_link_that_was_sent_since_the_backup_works_after_a_restore() {
    let mut site = SignedInSite::open();
    let form = entry("ada@example.com");
    let intent = site.create_intent("key-1", &form);
    site.place.done(&["backup", "kept.db"]);
    site.stripe.pay(&intent);
    assert_eq!(site.save(&form, &intent).status, 201);
    let link = &site.place.link_in("/receipt/", "cause like 'confirmation/competition-entries/%'");
    site.place.execute("update outbox set state = 'sent', sent_at = due_at");
    site.server.stop();
    site.place.done(&["restore", "kept.db", "--yes"]);
    site.server = site.place.serve();
    site.reconcile();
    assert_eq!(site.status("ada@example.com"), "paid");
    let page = site.server.get(link, &[]);
    assert_eq!(page.status, 200, "{}", page.text());
}
