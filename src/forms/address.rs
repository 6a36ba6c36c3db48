//! Decides which email and web addresses are valid. The browser has the same rules.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::Error;

/// An email address as it was typed, without the white space around it. Addresses that differ only in case are equal,
/// as the database compares them (`collate nocase`).
#[derive(Clone, Debug, Eq, Serialize)]
#[serde(transparent)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// `None` if it is not valid in a form.
    pub fn parse(text: &str) -> Option<EmailAddress> {
        let text = text.trim();
        is_email(text).then(|| EmailAddress(text.to_owned()))
    }

    /// The address in a stored record. It was valid when it was stored, or it is the text that replaced an erased one.
    pub(super) fn of_record(text: &str) -> EmailAddress {
        EmailAddress(text.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The mailbox that it probably belongs to: in lowercase, without a `+tag` and, at Gmail, without dots
    /// (<https://support.google.com/mail/answer/7436150>).
    pub fn mailbox(&self) -> String {
        let address = self.0.to_lowercase();
        let Some((name, domain)) = address.rsplit_once('@') else { return address };
        let name = name.split_once('+').map_or(name, |(name, _)| name);
        match domain {
            "gmail.com" | "googlemail.com" => format!("{}@gmail.com", name.replace('.', "")),
            _ => format!("{name}@{domain}"),
        }
    }
}

impl PartialEq for EmailAddress {
    fn eq(&self, other: &EmailAddress) -> bool {
        *self == *other.0
    }
}

impl PartialEq<str> for EmailAddress {
    fn eq(&self, other: &str) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for EmailAddress {
    type Err = Error;

    fn from_str(text: &str) -> Result<EmailAddress, Error> {
        let message = || Error::Malformed(format!("'{}' is not an email address.", text.trim()));
        EmailAddress::parse(text).ok_or_else(message)
    }
}

/// Whether it is an address that every mail server accepts: ASCII, a dotted local part, a domain of two or more labels.
pub(super) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let is_local_valid =
        local.len() <= 64 && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_allowed));
    let labels: Vec<&str> = domain.split('.').collect();
    let is_label_valid = |label: &&str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = labels.last().copied().unwrap_or_default();
    is_local_valid
        && labels.len() >= 2
        && labels.iter().all(is_label_valid)
        && last.len() >= 2
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether it is an absolute http(s) address with a host (docs/reference.md, "Formats") but without a user name or
/// password: people would mistake the user name in `https://shop.example@evil.example` for the host.
pub fn is_url(text: &str) -> bool {
    let has_scheme = ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    has_scheme
        && !text.chars().any(char::is_whitespace)
        && url::Url::parse(text).is_ok_and(|url| {
            url.has_host() && url.username().is_empty() && url.password().is_none_or(str::is_empty)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_compared_without_case() {
        let address = EmailAddress::parse(" Ada@Example.com ").expect("an address");
        assert_eq!(address.as_str(), "Ada@Example.com");
        assert!(address == EmailAddress::of_record("ada@example.COM") && address == *"ADA@example.com");
        assert!(address != *"bea@example.com" && EmailAddress::parse("Ada <ada@example.com>").is_none());
    }

    #[test]
    fn variants_of_an_address_belong_to_one_mailbox() {
        for (address, mailbox) in [
            ("ada@example.com", "ada@example.com"),
            (" Ada@Example.COM", "ada@example.com"),
            ("ada+1@example.com", "ada@example.com"),
            ("ada+a+b@example.com", "ada@example.com"),
            ("a.da@example.com", "a.da@example.com"),
            ("A.d.a+x@gmail.com", "ada@gmail.com"),
            ("ada@GoogleMail.com", "ada@gmail.com"),
            ("ada@mail.gmail.com", "ada@mail.gmail.com"),
        ] {
            assert_eq!(
                EmailAddress::parse(address).map(|address| address.mailbox()).as_deref(),
                Some(mailbox)
            );
        }
        assert_eq!(EmailAddress::of_record("(erased)").mailbox(), "(erased)");
    }

    proptest::proptest! {
        #[test]
        fn the_mail_library_accepts_every_valid_address(local in "[a-zA-Z0-9.'+_-]{1,12}", domain in "[a-z0-9.-]{1,15}") {
            let address = format!("{local}@{domain}");
            if is_email(&address) {
                proptest::prop_assert!(address.parse::<lettre::Address>().is_ok(), "{}", address);
            }
        }
    }
}
