use super::*;

fn submission(toml: &str) -> Submission {
    toml::from_str(toml).expect(toml)
}

#[test]
fn the_sentence_promises_only_what_is_decided() {
    let cases = [
        ("", "We will email you how and by when to send your photos. Until then nothing is due."),
        (
            "announced_by = '2026-01-15'",
            "We will email you by January 15, 2026 how and by when to send your photos. Until then nothing is due.",
        ),
        (
            "deadline = '2026-03-01'\nannounced_by = '2026-01-15'",
            "Send your photos by March 1, 2026. We will email you how.",
        ),
        (
            "deadline = '2026-03-01 23:59'\nfrom = '2026-02-01'\nhow = 'Upload them with your link.'",
            "Send your photos by March 1, 2026 at 11:59 PM (Eastern Time). You can send them from February 1, 2026. Upload them with your link.",
        ),
    ];
    for (toml, sentence) in cases {
        let now = "2026-01-15T12:00:00".parse().expect("a local time");
        assert_eq!(submission(toml).sentence(now, "Eastern Time"), sentence, "{toml}");
    }
}

#[test]
fn what_has_passed_is_not_announced() {
    let cases = [
        ("2026-02-28T12:00:00", "Send your photos by March 1, 2026. Upload them."),
        ("2026-03-01T23:59:59", "Send your photos by March 1, 2026. Upload them."),
        ("2026-03-02T00:00:00", "The deadline for photos was March 1, 2026."),
    ];
    let toml = "deadline = '2026-03-01'\nfrom = '2026-02-01'\nhow = 'Upload them.'";
    for (now, sentence) in cases {
        let now = now.parse().expect("a local time");
        assert_eq!(submission(toml).sentence(now, "Eastern Time"), sentence, "{now}");
    }
    let now = "2026-01-16T00:00:00".parse().expect("a local time");
    assert_eq!(
        submission("announced_by = '2026-01-15'").sentence(now, ""),
        "We will email you how and by when to send your photos. Until then nothing is due."
    );
}

#[test]
fn texts_name_the_current_price() {
    let toml = Content::default_toml().replace("after_deadline = \"keep\"", "after_deadline = \"regular\"");
    let content = Content::parse(&toml).expect("content");
    assert!(content.outdated_prices().is_empty(), "{:?}", content.outdated_prices());
    for (now, price, prices) in [
        (
            "2025-09-25T12:00:00Z",
            "All-access pass $449.",
            "$449.00 with one nomination; the regular price is $749. One",
        ),
        ("2025-09-26T12:00:00Z", "All-access pass $749.", "$749.00 with one nomination. One"),
    ] {
        let whole = serde_json::to_string(&content.as_of(now.parse().expect("an instant"))).expect("JSON");
        assert!(whole.contains(price) && whole.contains(prices), "{now}: {whole}");
    }
    let toml = toml.replace("All-access pass {price}.", "All-access pass $449.");
    let content = Content::parse(&toml).expect("content");
    assert_eq!(content.outdated_prices(), ["descriptions.home"]);
}

#[test]
fn the_sentence_replaces_every_placeholder() {
    let toml = Content::default_toml();
    assert!(toml.contains("{submission}"), "the default content says what is due");
    let whole = serde_json::to_string(&Content::parse(toml).expect("the default").as_of(crate::time::now()));
    let whole = whole.expect("JSON");
    assert!(!whole.contains("{submission}"));
    // The rules, the FAQ, the terms and the receipt's next steps.
    let sentence = "the deadline set in the Artist Portal: March 1, 2026 at 11:59 PM (Eastern Time).";
    assert_eq!(whole.matches(sentence).count(), 4);
}

#[test]
fn an_open_portal_says_when_photos_are_or_were_due() {
    let content = Content::parse(Content::default_toml()).expect("the default");
    let by = "by the deadline set in the Artist Portal: March 1, 2026 at 11:59 PM (Eastern Time).";
    for (now, sentence, passed) in [
        ("2026-03-02T04:58:00Z", format!("Submit your photos {by}"), None),
        ("2026-03-02T04:59:00Z", format!("Photos were due {by}"), Some("portal.deadline")),
    ] {
        let now = now.parse().expect("an instant");
        let values = content.values_at(now);
        assert!(values.contains(&("submission", sentence)), "{values:?}");
        let local = content.event.time_zone.at(now).naive_local();
        assert_eq!(content.submission_is_over(local), passed.is_some(), "the journey says the same");
        assert_eq!(content.passed_dates(now).first().map(|passed| passed.key), passed);
    }
}

/// The default content without its sections about the portal.
fn without_portal() -> String {
    let toml = Content::default_toml();
    let from = toml.find("[portal]").expect("the section");
    let until = from + toml[from..].find("\n[people]").expect("the next one");
    format!("{}{}", &toml[..from], &toml[until..])
}

#[test]
fn the_steps_to_the_awards_have_the_dates_that_are_known() {
    let when_at = |toml: &str, now: &str| -> Vec<String> {
        let steps = Content::parse(toml).expect("content").journey(now.parse().expect("an instant"));
        steps.into_iter().map(|step| step.when).collect()
    };
    let when = |toml: &str| when_at(toml, "2026-02-01T12:00:00Z");
    let by = "by March 1, 2026 at 11:59 PM (Eastern Time)";
    assert_eq!(when(Content::default_toml()), ["", by, "", "March 29 at 3:00 PM"]);
    let late = when_at(Content::default_toml(), "2026-03-02T05:00:00Z");
    assert_eq!(late, ["", "was due by March 1, 2026 at 11:59 PM (Eastern Time)", "", "March 29 at 3:00 PM"]);
    assert_eq!(when(&without_portal()), ["", "date to be announced", "", "March 29 at 3:00 PM"]);
    let dated =
        without_portal().replace("how = \"\"", "how = 'Upload them.'\ndeadline = '2026-03-01'").replace(
            "by the published rubric of its category.\"\n\n[[competition.steps]]",
            "by the published rubric of its category.\"\nwhen = 'March 2-15'\n\n[[competition.steps]]",
        );
    assert_eq!(when(&dated), ["", "by March 1, 2026", "March 2-15", "March 29 at 3:00 PM"]);
}
