//! What the site still says of nobody in particular, and what it does not say to people who paid.

use super::Finding;
use crate::config::Config;
use crate::site;
use crate::site::content::Content;
use crate::store::Store;

/// Listed by name; the dashboard has them all.
const NAMED: usize = 8;

pub fn check(config: &Config) -> Vec<Finding> {
    // Without a database the default content would be shown, which is all samples; `database` tells that.
    let Ok(content) = Store::open_to_read(&config.database).and_then(|store| site::current(&store)) else {
        return Vec::new();
    };
    let mut findings = samples(&content);
    findings.extend(unanswered(&content));
    findings
}

fn unanswered(content: &Content) -> Option<Finding> {
    let missing = content.unanswered();
    let keys: Vec<&str> = missing.iter().map(|missing| missing.key.as_str()).collect();
    let sentence = content.unanswered_sentence()?;
    Some(Finding::note("competitors", format!("{sentence} Fill in {} in the content.", keys.join(", "))))
}

fn samples(content: &Content) -> Vec<Finding> {
    let samples = content.samples();
    if samples.is_empty() {
        return vec![Finding::good("content", "holds no samples any more")];
    }
    let more = samples.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let named = samples.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    vec![Finding::note(
        "content",
        format!(
            "Visitors would read samples: {named}{more}. `showcase content export` gives the file to change, `content import` puts it back (docs/content.md)."
        ),
    )]
}
