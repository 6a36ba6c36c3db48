//! Each rule of the check, broken once in the default content.

use crate::site::content::tests::{edited, problems};

/// The text to replace, its replacement, the key that is then wrong, and a part of the message.
#[rustfmt::skip]
const CASES: [(&str, &str, &str, &str); 90] = [
    ("tickets_before_days = [7, 1]", "tickets_before_days = [61]", "door.tickets_before_days[0]", "from 1 to 60"),
    ("[door.bring]", "[[door.lists]]\nkey = \"VIP\"\nlabel = \"VIP\"\nday = \"2026-03-28\"\n[door.bring]", "door.lists[0].key", "a-z"),
    ("[door.bring]", "[[door.lists]]\nkey = \"vip\"\nlabel = \"VIP\"\nday = \"2026-03-30\"\n[door.bring]", "door.lists[0].day", "a day of the event"),
    ("[door.bring]", "[[door.lists]]\nkey = \"vip\"\nlabel = \"VIP\"\nday = \"2026-03-28\"\nroles = [\"jugde\"]\n[door.bring]", "door.lists[0].roles[0]", "did you mean 'judge'?"),
    ("judge = \"the phone", "jugde = \"the phone", "door.bring", "did you mean 'judge'?"),
    ("[faq]", "[faqs]", "faqs", "did you mean 'faq'?"),
    ("short_name =", "shortname =", "event.shortname", "did you mean 'short_name'?"),
    ("name = \"Lakeside Hotel\"", "nmae = \"Lakeside Hotel\"", "venue.hotels[0].nmae", "did you mean 'name'?"),
    ("phase = \"before\"", "phase = \"befor\"", "phase", "did you mean 'before'?"),
    ("first_day = \"2026-03-28\"", "first_day = \"2026-02-30\"", "event.first_day", "'2026-02-30' is not a day of the calendar"),
    ("first_day = \"2026-03-28\"", "first_day = \"March 28\"", "event.first_day", "'March 28' is not a day of the calendar"),
    ("last_day = \"2026-03-29\"", "last_day = \"2026-03-27\"", "event.last_day", "not be before event.first_day"),
    ("dates = \"March 28-29, 2026\"", "dates = \"April 28-30, 2026\"", "event.dates", "name the year and the days"),
    ("opens = \"09:30\"", "opens = \"9:30 AM\"", "event.opens", "write it in 24 hours, like 09:30"),
    ("closes = \"20:00\"", "closes = \"08:00\"", "event.closes", "later than event.opens"),
    ("\"America/New_York\"", "\"Eastern\"", "event.time_zone", "write a name like America/New_York"),
    ("date = \"2026-03-29\"", "date = \"2026-03-28\"", "event.days[1].date", "later than the day before it"),
    ("date = \"2026-03-29\"", "date = \"2026-04-29\"", "event.days[1].date", "from event.first_day to event.last_day"),
    ("end = \"10:30\"", "end = \"09:30\"", "schedule.days[0].items[0].end", "later than its start"),
    ("start = \"10:45\"", "start = \"10:15\"", "schedule.days[0].items[2].start", "not be earlier"),
    ("kind = \"arrival\"", "kind = \"arival\"", "schedule.days[0].items[0].kind", "did you mean 'arrival'?"),
    ("participant_fee_cents = 44900", "participant_fee_cents = 0", "pricing.participant_fee_cents", "at least 50 cents"),
    ("participant_fee_cents = 44900", "participant_fee_cents = -1", "pricing.participant_fee_cents", "at least 50 cents"),
    ("participant_fee_cents = 44900", "participant_fee_cents = 449.00", "pricing.participant_fee_cents", "must be a whole number"),
    ("participant_fee_cents = 44900", "participant_fee_cents = \"449\"", "pricing.participant_fee_cents", "must be a whole number"),
    ("regular_fee_cents = 74900", "regular_fee_cents = 44800", "pricing.regular_fee_cents", "not be lower"),
    ("regular_fee_cents = 74900", "regular_fee_cents = 10000001", "pricing.regular_fee_cents", "at most 10000000"),
    ("\"2025-09-25\"", "\"2026-03-30\"", "pricing.priority_deadline", "not be after the event"),
    ("after_deadline = \"keep\"", "after_deadline = \"kept\"", "pricing.after_deadline", "did you mean 'keep'?"),
    ("[9900, 17900]", "[9900]", "pricing.additional_categories_cents", "two prices"),
    ("[9900, 17900]", "[17900, 9900]", "pricing.additional_categories_cents", "not cost less"),
    ("[9900, 17900]", "[0, 17900]", "pricing.additional_categories_cents[0]", "at least 50 cents"),
    ("basis_points = 800", "basis_points = 2501", "pricing.tax_locations[0].rate_basis_points", "0 to 2500"),
    ("basis_points = 800", "basis_points = -1", "pricing.tax_locations[0].rate_basis_points", "0 to 2500"),
    ("value = \"new-jersey\"", "value = \"new-york\"", "pricing.tax_locations[1].value", "here twice"),
    ("label = \"New Jersey\"", "label = \"New York\"", "pricing.tax_locations[1].label", "here twice"),
    ("value = \"new-york\"", "value = \"New York\"", "pricing.tax_locations[0].value", "lowercase letters"),
    ("slug = \"brows\"", "slug = \"lash-extensions\"", "categories[1].slug", "here twice"),
    ("how = \"\"", "how = \"\"\nfrom = \"2026-03-08 02:30\"", "competition.submission.from", "the clocks skip this time"),
    ("[\"Standard Lash Lift\"]", "[]", "categories[2].subcategories", "at least one"),
    ("[\"Standard Lash Lift\"]", "[\"\"]", "categories[2].subcategories[0]", "must not be empty"),
    ("[\"Lamination\", \"Creative\"]", "[\"Lamination\", \"Lamination\"]", "categories[1].subcategories[1]", "twice"),
    ("\nsubcategory = \"Volume\"", "\nsubcategory = \"Volumes\"", "competition.cards[0].subcategory", "'Volume'?"),
    ("\ncategory = \"lash-lift\"", "\ncategory = \"lash-lifts\"", "competition.cards[3].category", "'lash-lift'?"),
    ("label = \"Lash Extensions - Creative\"", "label = \"Lash Lift\"", "competition.cards[3].label", "here twice"),
    ("href = \"/enter-competition\"", "href = \"javascript:1\"", "home.hero.buttons[0].href", "must be /path"),
    ("website = \"https://example.com\"", "website = \"example.com\"", "organiser.website", "web address"),
    ("embed_url = \"https:", "embed_url = \"http:", "venue.map.embed_url", "starts with https://"),
    ("email = \"hello@example.com\"", "email = \"hello\"", "contact.email", "mail address"),
    ("\"12015550100\"", "\"+1 201-555-0100\"", "chat.number", "digits"),
    ("title = \"Speaker Terms & Conditions\"", "title = \" \"", "legal.speaker_terms.title", "must not be empty"),
    ("version = \"2025-09-01\"", "version = \"\"", "legal.photography_release.version", "must not be empty"),
    ("name = \"Lash & Brow Showcase\"", "name = \"Lash\\u0007\"", "event.name", "control characters"),
    ("minutes_to = 10", "minutes_to = 4", "venue.hotels[0].minutes_to", "less than minutes_from"),
    ("minutes_to = 10", "minutes_to = -4", "venue.hotels[0].minutes_to", "must be a whole number from 0 to 4294967295"),
    ("handle = \"@speaker-one\"", "handle = \"\"", "people.groups[0].profiles[0].handle", "go together"),
    ("key = \"speaker-two\"", "key = \"speaker-one\"", "people.groups[0].profiles[1].key", "here twice"),
    ("key = \"speaker-two\"", "key = \"Speaker Two\"", "people.groups[0].profiles[1].key", "hyphens"),
    ("speaker = \"speaker-two\"", "speaker = \"speaker-tow\"", "schedule.days[0].items[3].speaker", "'speaker-two'?"),
    ("art = \"volume\"\naward", "art = \"volume\"\nimage = \"work\"\naward", "competition.cards[0].image", "`alt` that describes it"),
    ("deadline = \"2026-03-01 23:59\"\n# Videos", "deadline = \"2026-03-30\"\n# Videos", "portal.deadline", "not be after the event"),
    ("deadline = \"2026-03-01 23:59\"\n# Videos", "deadline = \"2026-03-08 02:30\"\n# Videos", "portal.deadline", "the clocks skip this time"),
    ("video = false", "video = true\n[[portal.slots]]\ncategory = \"brows\"\nkey = \"video\"\nlabel = \"Film\"", "portal.slots[0].key", "the key of the video"),
    ("key = \"left\"", "key = \"release\"", "portal.slots[2].key", "reserved for a photo of the model's release"),
    ("key = \"own_work\"", "key = \"Own work\"", "portal.ticks[0].key", "lowercase"),
    ("key = \"no_filter\"", "key = \"own_work\"", "portal.ticks[1].key", "here twice"),
    ("key = \"open_front\"", "key = \"../\"", "portal.slots[0].key", "lowercase"),
    ("key = \"closed_above\"", "key = \"open_front\"", "portal.slots[1].key", "Volume has 'open_front' twice"),
    ("category = \"lash-extensions\"\nkey", "category = \"lashes\"\nkey", "portal.slots[0].category", "the slug of a category"),
    ("\nkey = \"open_front\"", "\nsub_category = \"Volumes\"\nkey = \"open_front\"", "portal.slots[0].sub_category", "'Volume'?"),
    ("[[judging.rubrics]]\ncategory = \"lash-extensions\"", "[[judging.rubrics]]\ncategory = \"lashes\"", "judging.rubrics[0].category", "the slug of a category"),
    ("\nsub_category = \"Creative\"", "\nsub_category = \"Volume\"", "judging.rubrics[1].sub_category", "Volume has two rubrics"),
    ("\nsub_category = \"Creative\"", "\nsub_category = \"Creativ\"", "judging.rubrics[1].sub_category", "'Creative'?"),
    ("key = \"isolation\"", "key = \"symmetry\"", "judging.rubrics[0].criteria[2].key", "here twice"),
    ("key = \"filter\"", "key = \"overall\"", "judging.rubrics[0].penalties[0].key", "here twice"),
    ("max = 15", "max = 0", "judging.rubrics[0].criteria[2].max", "must be 1 to 1000"),
    ("step = 1\n", "step = 0.25\n", "judging.rubrics[0].step", "write 0.5 or 1"),
    ("penalty_cap = 15", "penalty_cap = 0", "judging.rubrics[0].penalty_cap", "more than 0"),
    ("tie_order = [\"overall\"", "tie_order = [\"over_all\"", "judging.rubrics[0].tie_order[0]", "'overall'?"),
    ("[openings.judge-applications]", "[openings.judges]", "openings.judges", "not a kind of registration"),
    ("[openings.judge-applications]", "[openings.judge-application]", "openings.judge-application", "'judge-applications'?"),
    ("greeting = \"Hello {name},\"", "greeting = \"Hello {nmae},\"", "mail.greeting", "'nmae' is not a placeholder that works here; did you mean 'name'?"),
    ("kind} of {date}", "kind} of {dates}", "mail.again", "'date'?"),
    ("subject = \"Good news about your {kind}\"", "subject = \"Good news about your {entry}\"", "mail.decisions.accepted.subject", "use one of 'name', 'event', 'kind', 'dates'"),
    ("subject = \"About your {kind}\"", "subject = \"About\\nyour {kind}\"", "mail.decisions.declined.subject", "must be one line"),
    ("You are on our waitlist. When", "You are on our waitlist, {person}. When", "mail.decisions.waitlisted.body", "'person' is not a placeholder that works here"),
    ("for_kind.judge-applications]", "for_kind.judges]", "mail.decisions.accepted.for_kind.judges", "not a kind of registration"),
    ("subject = \"You are speaking at {event}\"", "subject = \"You are speaking at {evnet}\"", "mail.decisions.accepted.for_kind.speaker-applications.subject", "'event'?"),
    ("waitlist-signups = [", "waitlist = [", "mail.next.waitlist", "not a kind of registration"),
    ("[organiser]\nsample = true", "[organiser]\nsample = \"yes\"", "organiser.sample", "must be true or false"),
];

#[test]
fn a_problem_names_its_line_key_and_rule() {
    for (old, new, key, rule) in CASES {
        let (text, _) = edited(old, new);
        let found = problems(&text);
        let problem = found.iter().find(|problem| problem.key == key && problem.rule.contains(rule));
        let problem = problem.unwrap_or_else(|| panic!("{old} -> {new}: {found:?}"));
        let line = text.lines().nth(problem.line - 1).unwrap_or_default();
        let name = key.split(['.', '[']).rfind(|step| !step.ends_with(']')).unwrap_or(key);
        assert!(line.contains(name), "{old} -> {new}: line {} is {line:?}", problem.line);
    }
}

#[test]
fn an_open_portal_asks_for_what_the_rules_of_the_competition_promise() {
    let default = crate::site::content::Content::default_toml();
    let other_category = |key: &str| {
        let (of, to) = (format!("\"makeup\"\nkey = \"{key}\""), format!("\"brows\"\nkey = \"{key}\""));
        move |toml: String| toml.replace(&of, &to)
    };
    let two_angles = other_category("right_45")(other_category("left_45")(default.to_owned()));
    let no_after = default.replace("key = \"after_", "key = \"then_");
    let no_slots = default.replace("category = \"brows\"\nkey", "category = \"makeup\"\nkey");
    for (toml, rules) in [
        (&two_angles, vec!["Makeup - Natural Glam needs 3", "Makeup - Editorial/Creative needs 3"]),
        (&no_after, vec!["begin with 'before' and 'after'"]),
        (&no_slots, vec!["Brows - Lamination needs 1", "Brows - Creative needs 1"]),
    ] {
        let found = problems(toml);
        for rule in rules {
            assert!(found.iter().any(|problem| problem.rule.contains(rule)), "{rule}: {found:?}");
        }
        let closed =
            toml.replacen("sample = true\nopen = true\n# A sample date", "open = false\n# A sample date", 1);
        assert!(
            problems(&closed).iter().all(|problem| problem.key.ends_with(".key")),
            "closed: nothing is promised"
        );
    }
}

#[test]
fn a_missing_key_is_reported_at_the_line_of_its_table() {
    let (text, line) = edited("coming_soon = true\nname", "name");
    let found = problems(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].key, "people.groups[1].profiles[1].bio_full");
    // The line of the table's header, two above; `sample = true` is between them.
    assert_eq!(found[0].line, line - 2);
}

#[test]
fn all_problems_are_reported_together_in_the_order_of_the_file() {
    let default = crate::site::content::Content::default_toml();
    let several = default
        .replacen("participant_fee_cents = 44900", "participant_fee_cents = 0", 1)
        .replacen("closes = \"20:00\"", "closes = \"08:00\"", 1)
        .replacen("website = \"https://example.com\"", "website = \"javascript:alert(1)\"", 1);
    let keys: Vec<String> = problems(&several).into_iter().map(|problem| problem.key).collect();
    assert_eq!(keys, ["event.closes", "organiser.website", "pricing.participant_fee_cents"],);
    let misshapen = default.replacen("tagline =", "tag_line =", 1).replacen("[faq]", "[fag]", 1).replacen(
        "email = \"hello@example.com\"",
        "email = \"hello\"",
        1,
    );
    let found = problems(&misshapen);
    assert!(found.iter().any(|problem| problem.key == "event.tag_line"), "{found:?}");
    assert!(found.iter().any(|problem| problem.key == "fag"), "{found:?}");
    assert!(found.iter().any(|problem| problem.key == "contact.email"), "{found:?}");
}

#[test]
fn a_problem_is_printed_as_one_line() {
    let (text, line) = edited("participant_fee_cents = 44900", "participant_fee_cents = 0");
    assert_eq!(
        problems(&text)[0].to_string(),
        format!(
            "line {line}: pricing.participant_fee_cents: must be at least 50 cents, the least that Stripe charges, and at most 10000000"
        ),
    );
}
