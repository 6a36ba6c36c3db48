//! Decides which email and web addresses are valid. The browser has the same rules.

/// Whether it is an address that every mail server accepts: ASCII, a dotted local part, a domain of two or more labels.
pub fn is_email(text: &str) -> bool {
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
