//! Normalises phone numbers and Instagram names, for calling and comparing. The text that was typed is kept too. An
//! ambiguous one has no normalised form, but is not refused.
//!
//! Left out on purpose: every country's numbering plan (over 300 KB in the binary). A number without a country code is
//! treated as North American if it can be one; a number with a country code is only checked for its length (E.164).

/// The number in E.164 format: `+12015550100`.
///
/// North American numbers may begin with `1`; all others need `+`, `00` or `011`. Common separators, `(0)` after a
/// country code and an extension at the end are removed.
pub fn phone(typed: &str) -> Option<String> {
    let number = without_extension(typed);
    let has_plus = number.trim_start_matches(is_separator).starts_with(['+', '\u{ff0b}']);
    let begins_abroad =
        ["00", "011"].iter().any(|exit| number.trim_start_matches(is_separator).starts_with(exit));
    let number = if has_plus || begins_abroad { number.replacen("(0)", "", 1) } else { number };
    let mut digits = String::new();
    for c in number.chars() {
        match digit(c) {
            Some(digit) => digits.push(digit),
            None if is_separator(c) => {}
            None if matches!(c, '+' | '\u{ff0b}') && digits.is_empty() => {}
            None => return None,
        }
    }
    // 11 digits that begin with 011 may also be a British number, such as one of Leeds (0113).
    let abroad = digits.strip_prefix("00").or(digits.strip_prefix("011").filter(|_| digits.len() > 11));
    match (has_plus, abroad) {
        (true, _) => international(&digits),
        (false, Some(rest)) => international(rest),
        (false, None) => north_american(digits.strip_prefix('1').unwrap_or(&digits)),
    }
}

/// The handle as `@name`, from `@name`, `name` or a profile's address. In lowercase, because Instagram names are.
pub fn instagram(typed: &str) -> Option<String> {
    let lower = typed.trim().to_ascii_lowercase();
    let without_scheme =
        lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).unwrap_or(&lower);
    let without_host = without_scheme.strip_prefix("www.").unwrap_or(without_scheme);
    let name = match without_host.strip_prefix("instagram.com/").or(without_host.strip_prefix("instagr.am/"))
    {
        Some(path) => {
            let mut segments = path.split(['?', '#']).next().unwrap_or_default().split('/');
            let name = segments.next().unwrap_or_default();
            // The address of a picture is not a profile.
            if segments.any(|segment| !segment.is_empty()) || NOT_PROFILES.contains(&name) {
                return None;
            }
            name
        }
        None if without_scheme != lower => return None,
        None => &lower,
    };
    let name = name.strip_prefix('@').unwrap_or(name);
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    let is_name = (1..=30).contains(&name.len()) && name.bytes().all(is_allowed) && !name.ends_with('.');
    is_name.then(|| format!("@{name}"))
}

/// First path segments of addresses that are not profiles.
const NOT_PROFILES: [&str; 8] = ["p", "reel", "reels", "stories", "explore", "tv", "accounts", "direct"];

fn without_extension(typed: &str) -> String {
    let lower = typed.to_lowercase();
    let end = ["ext", "x", "#"]
        .into_iter()
        .filter_map(|word| lower.find(word))
        .min()
        .filter(|end| lower[*end..].chars().any(|c| c.is_ascii_digit()));
    end.map_or_else(|| lower.clone(), |end| lower[..end].trim_end_matches([' ', ',', ';', '.']).to_owned())
}

/// The ASCII digit for an ASCII, Arabic, Persian or full-width digit.
fn digit(c: char) -> Option<char> {
    let zero = match c {
        '0'..='9' => '0',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        '\u{ff10}'..='\u{ff19}' => '\u{ff10}',
        _ => return None,
    };
    char::from_digit(u32::from(c) - u32::from(zero), 10)
}

fn is_separator(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '-' | '.' | '/' | '(' | ')')
        // Hyphens and dashes, and direction marks that are copied along with a number.
        || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
}

fn international(digits: &str) -> Option<String> {
    match digits.strip_prefix('1') {
        Some(rest) => north_american(rest),
        None => ((8..=15).contains(&digits.len()) && !digits.starts_with('0')).then(|| format!("+{digits}")),
    }
}

/// Ten digits. Neither the area code nor the exchange code begins with 0 or 1.
fn north_american(digits: &str) -> Option<String> {
    let is_valid_start = |at: usize| matches!(digits.as_bytes().get(at), Some(b'2'..=b'9'));
    (digits.len() == 10 && is_valid_start(0) && is_valid_start(3)).then(|| format!("+1{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unambiguous_phone_number_is_converted_to_e164() {
        let cases = [
            ("201-555-0101", Some("+12015550101")),
            ("(201) 555-0101", Some("+12015550101")),
            ("201.555.0101", Some("+12015550101")),
            ("2015550101", Some("+12015550101")),
            ("1 201 555 0101", Some("+12015550101")),
            ("+1 201-555-0101", Some("+12015550101")),
            ("+1 (201) 555\u{2011}0101", Some("+12015550101")),
            ("\u{202a}+44 20 7946 0018\u{202c}", Some("+442079460018")),
            ("(+44) 20 7946 0018", Some("+442079460018")),
            ("001 201 555 0101", Some("+12015550101")),
            ("201-555-0101 ext. 12", Some("+12015550101")),
            ("201-555-0101 x12", Some("+12015550101")),
            ("201-555-0101 #12", Some("+12015550101")),
            ("+44 20 7946 0018", Some("+442079460018")),
            ("+44 (0)20 7946 0018", Some("+442079460018")),
            ("0044 20 7946 0018", Some("+442079460018")),
            ("0044 (0)20 7946 0018", Some("+442079460018")),
            ("011 44 (0)20 7946 0018", Some("+442079460018")),
            ("011 44 20 7946 0018", Some("+442079460018")),
            ("+49/30/23125-000", Some("+493023125000")),
            ("+٩٧١ ٥٠ ١٢٣ ٤٥٦٧", Some("+971501234567")),
            ("\u{ff0b}81 3 1234 5678", Some("+81312345678")),
            // National formats without a country code.
            ("020 7946 0018", None),
            ("030 23125 000", None),
            ("0113 496 0123", None),
            // Not valid in the North American numbering plan.
            ("+1 101 555 0101", None),
            ("+1 201 055 0101", None),
            ("+1 201 555 01", None),
            ("555-0101", None),
            ("1-800-FLOWERS", None),
            ("+0 201 555 0101", None),
            ("+1234567890123456", None),
            ("201-555-0101 or 201-555-0102", None),
            ("201+5550101", None),
            ("0000000000", None),
            ("call me maybe", None),
            ("", None),
        ];
        for (typed, expected) in cases {
            assert_eq!(phone(typed).as_deref(), expected, "{typed:?}");
        }
    }

    #[test]
    fn an_instagram_name_is_recognised_in_every_form() {
        let cases = [
            ("@Ada.Lash_01", Some("@ada.lash_01")),
            ("ada", Some("@ada")),
            (" @ada ", Some("@ada")),
            ("https://www.instagram.com/ada/", Some("@ada")),
            ("https://instagram.com/ada?igsh=abc", Some("@ada")),
            ("http://instagram.com/Ada#x", Some("@ada")),
            ("instagram.com/ada", Some("@ada")),
            ("www.instagram.com/@ada", Some("@ada")),
            ("https://instagram.com/p/CabcDEF/", None),
            ("https://instagram.com/reel", None),
            ("https://example.com/ada", None),
            ("https://instagram.com/", None),
            ("@ada and @bea", None),
            ("ада", None),
            ("@", None),
            ("@ada.", None),
        ];
        for (typed, expected) in cases {
            assert_eq!(instagram(typed).as_deref(), expected, "{typed:?}");
        }
        assert_eq!(instagram(&"a".repeat(31)), None);
    }

    proptest::proptest! {
        #[test]
        fn any_input_gives_e164_or_nothing(typed in "\\PC{0,40}", likely in "[+0-9() x.-]{0,24}") {
            for number in [phone(&typed), phone(&likely)].into_iter().flatten() {
                let digits = number.strip_prefix('+').expect("a plus");
                assert!((8..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()));
            }
            if let Some(name) = instagram(&typed) {
                assert!(name.starts_with('@') && name.len() > 1);
            }
        }
    }
}
