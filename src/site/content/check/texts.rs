//! The rules for texts: most must not be empty, and links, addresses and slugs must be valid. The format of a text
//! is decided by the name of its key.

use toml::de::{DeTable, DeValue};
use url::Url;

use super::Findings;
use crate::forms::EmailAddress;
use crate::site::content::is_slug;
use crate::site::content::source::{Source, dotted};

/// The texts that may be empty; all others must not be. `*` stands for any key; members of lists have no index.
const OPTIONAL_TEXTS: [&str; 41] = [
    "home.hero.image",
    "home.carousel.items.image",
    "home.slideshow.slides.image",
    "home.recognition.image",
    "pass.price_note_after",
    "about.organisers.image",
    "chat.number",
    "social_links.url",
    "competition.live_note",
    "competition.steps.when",
    "competition.submission.how",
    "competition.jury_introduction",
    "competition.cards.award",
    "competition.cards.image",
    "portal.slots.sub_category",
    "portal.slots.hint",
    "door.bring.*",
    "people.groups.profiles.bio_full",
    "people.groups.profiles.handle",
    "people.groups.profiles.url",
    "people.groups.profiles.image",
    "people.groups.profiles.key",
    "schedule.days.items.speaker",
    "sponsors.logos.tier",
    "sponsors.logos.url",
    "sponsors.logos.image",
    "venue.postal_code",
    "venue.image",
    "venue.map.search_url",
    "venue.gallery.image",
    "venue.hotels.url",
    "apply.*.next_title",
    "apply.entry.attend_note",
    "legal.*.binding_note",
    "openings.*.message",
    "after.winners.award",
    "after.winners.business",
    "after.gallery.caption",
    "after.past.winners.award",
    "after.past.winners.business",
    "after.next_title",
];

pub(super) fn check(source: &Source<'_>, findings: &mut Findings<'_>) {
    check_table(source.table(), "", findings);
}

fn check_table(table: &DeTable<'_>, path: &str, findings: &mut Findings<'_>) {
    for (key, value) in table {
        check_value(key.get_ref(), value.get_ref(), &dotted(path, key.get_ref()), findings);
    }
}

fn check_value(key: &str, value: &DeValue<'_>, path: &str, findings: &mut Findings<'_>) {
    match value {
        DeValue::String(text) => check_text(key, text, path, findings),
        DeValue::Table(table) => check_table(table, path, findings),
        DeValue::Array(members) => {
            for (index, member) in members.iter().enumerate() {
                check_value(key, member.get_ref(), &format!("{path}[{index}]"), findings);
            }
        }
        _ => {}
    }
}

fn check_text(key: &str, text: &str, path: &str, findings: &mut Findings<'_>) {
    if text.trim().is_empty() {
        findings.require(may_be_empty(path), path, "this text must not be empty");
        return;
    }
    // `\r`: a text of several lines has the line ends of its file.
    let has_control = text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    findings.require(!has_control, path, "control characters are not allowed in a text");
    match key {
        "href" => findings.require(is_link(text), path, "must be /path, https://... or mailto:..."),
        "url" | "website" | "search_url" => {
            findings.require(
                is_web_address(text),
                path,
                "must be a web address that starts with https:// or http://",
            );
        }
        "embed_url" => {
            let secure = is_web_address(text) && text.starts_with("https://");
            findings.require(secure, path, "must be a web address that starts with https://");
        }
        "email" | "partnership_email" => {
            findings.require(is_email_address(text), path, "must be an email address like hello@example.com");
        }
        "number" => {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let rule = "must be 8 to 15 digits: the country code and the number, without + and spaces";
            findings.require(digits && (8..=15).contains(&text.len()), path, rule);
        }
        "slug" | "id" | "value" | "art" => {
            findings.require(is_slug(text), path, "must be lowercase letters, digits and hyphens only");
        }
        _ => {}
    }
}

fn may_be_empty(path: &str) -> bool {
    let keys = || path.split('.').map(|step| step.split('[').next().unwrap_or(step));
    let matches = |pattern: &&str| {
        pattern.split('.').count() == keys().count()
            && pattern.split('.').zip(keys()).all(|(wanted, key)| wanted == "*" || wanted == key)
    };
    OPTIONAL_TEXTS.iter().any(matches)
}

/// Whether it is a path on this site, a web address or a `mailto:` address.
fn is_link(text: &str) -> bool {
    let path = text.starts_with('/') && !text.starts_with("//") && !text.contains(['\\', ' ']);
    let mail = || {
        text.strip_prefix("mailto:")
            .is_some_and(|rest| is_email_address(rest.split('?').next().unwrap_or(rest)))
    };
    path || is_web_address(text) || mail()
}

fn is_web_address(text: &str) -> bool {
    let scheme = text.starts_with("https://") || text.starts_with("http://");
    scheme && !text.contains(char::is_whitespace) && Url::parse(text).is_ok_and(|url| url.has_host())
}

fn is_email_address(text: &str) -> bool {
    !text.contains(char::is_whitespace) && EmailAddress::parse(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_a_path_a_web_address_or_a_mailbox() {
        for good in [
            "/",
            "/venue",
            "/#waitlist",
            "https://example.com",
            "http://example.com/a?b=c",
            "mailto:a@example.com",
        ] {
            assert!(is_link(good), "{good} was refused");
        }
        let hostile = [
            "javascript:alert(1)",
            "//example.com",
            "/\\example.com",
            "data:text/html,x",
            "ftp://example.com",
        ];
        for bad in hostile.into_iter().chain([
            "",
            "venue",
            "https://",
            "https:// example.com",
            "mailto:",
            "mailto:a",
        ]) {
            assert!(!is_link(bad), "{bad} was accepted");
        }
    }
}
