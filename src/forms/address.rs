//! Which email and web addresses are valid; the browser has the same rules.

/// An address that every mail server takes: ASCII, a dotted local part, a domain of two labels or more.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let local_is_right =
        local.len() <= 64 && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_allowed));
    let labels: Vec<&str> = domain.split('.').collect();
    let label_is_right = |label: &&str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = labels.last().copied().unwrap_or_default();
    local_is_right
        && labels.len() >= 2
        && labels.iter().all(label_is_right)
        && last.len() >= 2
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// An absolute http(s) address with a host (docs/reference.md, "Formats") and without a user name or password: in
/// `https://shop.example@evil.example` people take the user name for the host.
pub fn is_url(text: &str) -> bool {
    let scheme_is_written = ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    scheme_is_written
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
        fn an_accepted_address_can_be_written_to(local in "[a-zA-Z0-9.'+_-]{1,12}", domain in "[a-z0-9.-]{1,15}") {
            let address = format!("{local}@{domain}");
            if is_email(&address) {
                proptest::prop_assert!(address.parse::<lettre::Address>().is_ok(), "{}", address);
            }
        }
    }
}
