//! Finds invalid values and combinations of settings, for the start of the server and for `doctor`.

use std::net::{IpAddr, SocketAddr};

use argon2::PasswordHash;
use lettre::message::Mailbox;
use url::Url;

use super::{Admin, Config, SmtpSecurity, TrustedProxies};

impl Config {
    /// A sentence for each setting that would keep the server from working.
    pub fn problems(&self) -> Vec<String> {
        let mut found = Vec::new();
        found.extend(public_url(self));
        found.extend(numbers(self));
        found.extend(mail(self));
        found.extend(tls(self));
        found.extend(self.admin.problem());
        found.extend(proxy(self));
        found.extend(listeners(self));
        found
    }
}

fn public_url(config: &Config) -> Option<String> {
    let text = config.public_url.as_str();
    if text.is_empty() {
        return None;
    }
    let is_origin = Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.origin().ascii_serialization() == text
    });
    if !is_origin {
        return Some(format!(
            "public_url must be the site's address like 'https://showcase.example.com', without a path, not '{text}'."
        ));
    }
    if config.tls.is_on() && text.starts_with("http://") {
        return Some(format!(
            "public_url is '{text}', but the site is served over HTTPS. Change it to https://."
        ));
    }
    None
}

fn numbers(config: &Config) -> Vec<String> {
    let limits = &config.limits;
    let number = |value: usize| u64::try_from(value).unwrap_or(u64::MAX);
    const DAY: (u64, &str) = (86_400, ", a day");
    const FEW: (u64, &str) = (50, ": each one is a thread, and mail servers accept only a few");
    // Each with its maximum and the reason for it.
    [
        ("limits.body_bytes", number(limits.body_bytes), (8_000_000, "")),
        ("limits.signed_in_body_bytes", number(limits.signed_in_body_bytes), (32_000_000, "")),
        ("limits.connections", number(limits.connections), (1_000_000, "")),
        ("limits.client_timeout_seconds", limits.client_timeout_seconds, DAY),
        // 0 is allowed too: open requests are aborted at once.
        ("limits.shutdown_seconds", limits.shutdown_seconds.max(1), DAY),
        ("smtp.timeout_seconds", config.smtp.timeout_seconds, DAY),
        ("stripe.timeout_seconds", config.stripe.timeout_seconds, DAY),
        ("reports.wait_seconds", config.reports.wait_seconds, DAY),
        // Ten years: computed dates stay within their range.
        ("admin.session_hours", u64::from(config.admin.session_hours), (3650 * 24, "")),
        ("smtp.connections", number(config.smtp.connections), FEW),
    ]
    .into_iter()
    .filter_map(|(key, value, (max, why))| match value {
        0 => Some(format!("{key} must be 1 or more.")),
        value if value > max => Some(format!("{key} must be at most {max}{why}.")),
        _ => None,
    })
    .collect()
}

fn mail(config: &Config) -> Vec<String> {
    let mut found = Vec::new();
    let smtp = &config.smtp;
    if !smtp.host.is_empty() {
        if smtp.security == SmtpSecurity::None && !is_local(&smtp.host) {
            found.push(format!(
                "smtp.security = \"none\" would send passwords and emails unencrypted to {}. It is only for a mail \
                 server on this machine; use \"starttls\" or \"implicit\".",
                smtp.host
            ));
        }
        if smtp.port == 0 {
            found.push("smtp.port must be 1 or more. Mail servers listen on 587, 465 or 25.".to_owned());
        }
        found.extend(mailbox("smtp.from", &smtp.from));
        found.extend(optional_mailbox("smtp.reply_to", &smtp.reply_to));
    }
    found.extend(optional_mailbox("reports.recipient", &config.reports.recipient));
    found
}

fn optional_mailbox(key: &str, text: &str) -> Option<String> {
    if text.is_empty() { None } else { mailbox(key, text) }
}

fn mailbox(key: &str, text: &str) -> Option<String> {
    if text.parse::<Mailbox>().is_ok() {
        return None;
    }
    Some(format!("{key} must be an address like 'Showcase <hello@example.com>', not '{text}'."))
}

fn is_local(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn tls(config: &Config) -> Vec<String> {
    let tls = &config.tls;
    let mut found = Vec::new();
    if tls.certificate.is_empty() != tls.private_key.is_empty() {
        found.push("tls.certificate and tls.private_key belong together. Set both or neither.".to_owned());
    }
    if !tls.certificate.is_empty() && tls.domains.is_empty() && config.public_url.is_empty() {
        found.push("tls.certificate is set, so public_url must be the site's https:// address.".to_owned());
    }
    for domain in &tls.domains {
        if !is_domain(domain) {
            found.push(format!(
                "tls.domains: '{domain}' is not a domain name for which a certificate can be issued, like showcase.example.com."
            ));
        }
    }
    if !tls.contact.is_empty() && tls.contact.parse::<lettre::Address>().is_err() {
        found.push(format!("tls.contact must be an address like hello@example.com, not '{}'.", tls.contact));
    }
    if !tls.directory_url.is_empty() && !tls.directory_url.starts_with("https://") {
        found.push(format!("tls.directory_url must be an https:// address, not '{}'.", tls.directory_url));
    }
    if tls.challenge == super::Challenge::Http01 && tls.http_listen.is_none() && tls.certificate.is_empty() {
        found.push("tls.challenge = \"http-01\" needs tls.http_listen, which is empty.".to_owned());
    }
    found
}

/// Whether it is a DNS name of at least two labels, and not an IP address.
fn is_domain(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    name.len() <= 253
        && name.contains('.')
        && name.split('.').all(is_label)
        && name.parse::<IpAddr>().is_err()
}

impl Admin {
    /// Why nobody could sign in with these settings.
    pub fn problem(&self) -> Option<String> {
        let hash = self.password_hash.expose();
        if hash.is_empty() {
            return None;
        }
        if !self.password.is_empty() {
            return Some("Both admin.password and admin.password_hash are set; keep one of them.".to_owned());
        }
        match PasswordHash::new(hash) {
            Ok(parsed) if parsed.algorithm.as_str().starts_with("argon2") && parsed.hash.is_some() => None,
            _ => Some(
                "admin.password_hash is not a complete Argon2 hash ($argon2id$v=19$...). Quote it in a shell, which \
                 expands '$', or set a password with `showcase password`."
                    .to_owned(),
            ),
        }
    }
}

fn proxy(config: &Config) -> Option<String> {
    TrustedProxies::parse(&config.proxy.trusted).err().map(|error| error.to_string())
}

/// Finds two listeners with conflicting addresses.
fn listeners(config: &Config) -> Option<String> {
    let listeners = config.listeners();
    for (index, (one, address)) in listeners.iter().enumerate() {
        for (other, other_address) in &listeners[index + 1..] {
            if conflict(*address, *other_address) {
                return Some(format!("{one} and {other} both use {address}. Give {other} another port."));
            }
        }
    }
    None
}

/// Whether two addresses cannot both be bound. 0.0.0.0 conflicts with every IPv4 address, and `[::]` with every address;
/// port 0 is a different free port each time.
fn conflict(one: SocketAddr, other: SocketAddr) -> bool {
    let is_same_family = one.is_ipv4() == other.is_ipv4();
    let covers = |address: SocketAddr| address.ip().is_unspecified() && (is_same_family || address.is_ipv6());
    one.port() != 0 && one.port() == other.port() && (one.ip() == other.ip() || covers(one) || covers(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(change: impl FnOnce(&mut Config)) -> Vec<String> {
        let mut config = Config::default();
        change(&mut config);
        config.problems()
    }

    #[test]
    fn defaults_and_usual_settings_are_valid() {
        assert_eq!(Config::default().problems(), Vec::<String>::new());
        let usual = found(|config| {
            config.public_url = "https://showcase.example.com".into();
            config.tls.domains = vec!["showcase.example.com".into(), "www.example.com".into()];
            config.tls.contact = "hello@example.com".into();
            config.smtp.host = "mail.example.com".into();
            config.smtp.from = "Showcase <hello@example.com>".into();
            config.reports.recipient = "organiser@example.com".into();
        });
        assert_eq!(usual, Vec::<String>::new());
    }

    #[test]
    fn each_invalid_setting_is_named() {
        type Change = fn(&mut Config);
        let cases: [(&str, Change); 36] = [
            ("public_url", |config| config.public_url = "ftp://x.example.com".into()),
            ("public_url", |config| config.public_url = "https://x.example.com/site".into()),
            ("public_url", |config| config.public_url = "x.example.com".into()),
            ("public_url", |config| config.public_url = "javascript:alert(1)".into()),
            ("smtp.connections", |config| config.smtp.connections = 0),
            ("smtp.connections", |config| config.smtp.connections = 51),
            ("limits.body_bytes", |config| config.limits.body_bytes = 0),
            ("limits.body_bytes", |config| config.limits.body_bytes = usize::MAX),
            ("limits.signed_in_body_bytes", |config| config.limits.signed_in_body_bytes = 0),
            ("limits.signed_in_body_bytes", |config| config.limits.signed_in_body_bytes = 33_000_000),
            ("limits.connections", |config| config.limits.connections = 0),
            ("limits.connections", |config| config.limits.connections = usize::MAX / 2),
            ("limits.client_timeout_seconds", |config| config.limits.client_timeout_seconds = 0),
            ("limits.client_timeout_seconds", |config| config.limits.client_timeout_seconds = u64::MAX / 2),
            ("limits.shutdown_seconds", |config| config.limits.shutdown_seconds = u64::MAX),
            ("smtp.timeout_seconds", |config| config.smtp.timeout_seconds = 0),
            ("stripe.timeout_seconds", |config| config.stripe.timeout_seconds = 0),
            ("reports.wait_seconds", |config| config.reports.wait_seconds = u64::MAX),
            ("smtp.port", |config| {
                config.smtp.host = "mail.example.com".into();
                config.smtp.port = 0;
            }),
            ("admin.session_hours", |config| config.admin.session_hours = 0),
            ("admin.session_hours", |config| config.admin.session_hours = u32::MAX),
            ("reports.recipient", |config| config.reports.recipient = "somebody".into()),
            ("tls.domains", |config| config.tls.domains = vec!["https://x.example.com".into()]),
            ("tls.domains", |config| config.tls.domains = vec!["*.example.com".into()]),
            ("tls.domains", |config| config.tls.domains = vec!["192.0.2.1".into()]),
            ("tls.contact", |config| config.tls.contact = "mailto:x".into()),
            ("tls.directory_url", |config| config.tls.directory_url = "http://x".into()),
            ("tls.certificate", |config| config.tls.certificate = "x.pem".into()),
            ("admin.password_hash", |config| {
                config.admin.password_hash = crate::model::Secret::new("secret");
            }),
            ("smtp.from", |config| config.smtp.host = "mail.example.com".into()),
            ("smtp.security", |config| {
                config.smtp.host = "mail.example.com".into();
                config.smtp.from = "a@example.com".into();
                config.smtp.security = SmtpSecurity::None;
            }),
            ("tls.http_listen", |config| {
                config.tls.challenge = super::super::Challenge::Http01;
                config.tls.http_listen = None;
            }),
            ("Both admin.password", |config| {
                config.admin.password = crate::model::Secret::new("secret");
                config.admin.password_hash = crate::model::Secret::new("secret");
            }),
            ("proxy.trusted", |config| config.proxy.trusted = vec!["300.0.0.1".into()]),
            ("metrics.listen", |config| config.metrics.listen = Some(config.listen)),
            ("tls.http_listen", |config| {
                config.tls.domains = vec!["x.example.com".into()];
                config.tls.listen = "[::]:80".parse().expect("an address");
            }),
        ];
        for (key, change) in cases {
            let found = found(change);
            assert!(found.iter().any(|sentence| sentence.contains(key)), "{key}: {found:?}");
        }
    }
}
