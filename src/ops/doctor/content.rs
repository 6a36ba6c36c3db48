//! Checks the content for remaining sample texts and for answers that competitors need.

use super::Finding;
use crate::config::Config;
use crate::door::readiness;
use crate::ops::health::attention;
use crate::site;
use crate::site::content::Content;
use crate::store::Store;
use crate::time;

/// How many samples and missing pictures are listed by name. The organiser's pages list them all.
const NAMED: usize = 8;

pub fn check(config: &Config) -> Vec<Finding> {
    // Without a database the site shows the default content, all of it samples. The `database` check reports that.
    let Ok(store) = Store::open_read_only(&config.database) else { return Vec::new() };
    let Ok(content) = site::current(&store) else { return Vec::new() };
    let mut findings = samples(&content);
    findings.extend(unanswered(&content));
    let now = time::now();
    let passed = content.passed_dates(now).into_iter().map(|passed| passed.sentence);
    findings.extend(passed.map(|sentence| Finding::note(sentence).about("competitors")));
    let still_open = attention::still_open(&content.open_after_the_event(now));
    findings.extend(still_open.map(|sentence| {
        Finding::note(format!("{sentence} Close them on the organiser's pages, under Forms.")).about("forms")
    }));
    findings.extend(portraits(&content));
    let missing = store.read(|connection| readiness::missing(connection, &content, now));
    findings.extend(
        missing.unwrap_or_default().into_iter().map(|sentence| Finding::note(sentence).about("door")),
    );
    findings
}

fn unanswered(content: &Content) -> Option<Finding> {
    let missing = content.unanswered();
    let keys: Vec<&str> = missing.iter().map(|missing| missing.key.as_str()).collect();
    let sentence = content.unanswered_sentence()?;
    Some(
        Finding::note(format!("{sentence} Fill in {} in the content.", keys.join(", "))).about("competitors"),
    )
}

fn portraits(content: &Content) -> Option<Finding> {
    let missing = content.empty_picture_places();
    let named = first_named(&missing);
    let places = match missing.len() {
        0 => return None,
        1 => "1 place".to_owned(),
        count => format!("{count} places"),
    };
    let sentence = format!(
        "Visitors see no face or work in {places}: {named}. Add pictures on the organiser's pages, under Website."
    );
    Some(Finding::note(sentence).about("portraits"))
}

/// The first keys, and how many more there are.
fn first_named(keys: &[String]) -> String {
    let more = keys.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", keys.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "))
}

fn samples(content: &Content) -> Vec<Finding> {
    let samples = content.samples();
    if samples.is_empty() {
        return vec![Finding::good("contains no sample texts")];
    }
    let named = first_named(&samples);
    vec![Finding::note(format!(
        "Visitors would see sample texts: {named}. The organiser changes them in the browser, under Website, or you with `showcase content export` and `showcase content import` (docs/content.md)."
    ))]
}
