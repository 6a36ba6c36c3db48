//! What holds for every text, link and list, wherever it stands, by the name of its key.

use toml::de::{DeTable, DeValue};
use url::Url;

use super::Findings;
use crate::site::content::source::{Source, dotted};

/// Texts that may be empty; all others say something.
const OPTIONAL_TEXTS: [&str; 20] = [
    "attend_note",
    "image",
    "jury_introduction",
    "key",
    "speaker",
    "award",
    "how",
    "live_note",
    "price_note_after",
    "when",
    "postal_code",
    "binding_note",
    "number",
    "handle",
    "url",
    "bio_full",
    "next_title",
    "message",
    "business",
    "search_url",
];
/// Lists that a page is built on; all others may be empty.
const NEEDED_LISTS: [&str; 17] = [
    "address",
    "buttons",
    "cards",
    "categories",
    "days",
    "expect",
    "features",
    "groups",
    "items",
    "names",
    "organisers",
    "points",
    "rules",
    "sections",
    "slides",
    "subcategories",
    "tax_locations",
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
            let needed = NEEDED_LISTS.contains(&key);
            findings.require(!needed || !members.is_empty(), path, "this list needs at least one member");
            for (index, member) in members.iter().enumerate() {
                check_value(key, member.get_ref(), &format!("{path}[{index}]"), findings);
            }
        }
        _ => {}
    }
}

fn check_text(key: &str, text: &str, path: &str, findings: &mut Findings<'_>) {
    if text.trim().is_empty() {
        findings.require(OPTIONAL_TEXTS.contains(&key), path, "this text must not be empty");
        return;
    }
    // A text over several lines ends them as its file does.
    let control = text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'));
    findings.require(!control, path, "control characters are not allowed in a text");
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
            findings.require(is_mail_address(text), path, "must be a mail address like hello@example.com");
        }
        "number" => {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let rule = "must be 8 to 15 digits: country code and number, without + and spaces";
            findings.require(digits && (8..=15).contains(&text.len()), path, rule);
        }
        "slug" | "id" | "value" | "art" => {
            findings.require(is_word(text), path, "must be a word of small letters, digits and hyphens");
        }
        _ => {}
    }
}

/// A path on this site, or an address that a browser or a mail program opens.
fn is_link(text: &str) -> bool {
    let path = text.starts_with('/') && !text.starts_with("//") && !text.contains(['\\', ' ']);
    let mail = || {
        text.strip_prefix("mailto:")
            .is_some_and(|rest| is_mail_address(rest.split('?').next().unwrap_or(rest)))
    };
    path || is_web_address(text) || mail()
}

fn is_web_address(text: &str) -> bool {
    let scheme = text.starts_with("https://") || text.starts_with("http://");
    scheme && !text.contains(char::is_whitespace) && Url::parse(text).is_ok_and(|url| url.has_host())
}

fn is_mail_address(text: &str) -> bool {
    let plain = !text.contains(|letter: char| letter.is_whitespace() || "<>,;\"".contains(letter));
    let parts = text.split_once('@');
    plain && parts.is_some_and(|(name, host)| !name.is_empty() && !host.contains('@') && host.contains('.'))
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_page_a_site_or_a_mailbox() {
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
            assert!(!is_link(bad), "{bad} was taken for a link");
        }
    }

    #[test]
    fn a_mail_address_has_a_name_and_a_host() {
        assert!(is_mail_address("hello@example.com"));
        for bad in
            ["", "hello", "@example.com", "a@b", "a@b@example.com", "a b@example.com", "A <a@example.com>"]
        {
            assert!(!is_mail_address(bad), "{bad} was taken for a mail address");
        }
    }
}
