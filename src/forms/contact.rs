//! Phone numbers and Instagram names in one writing, beside what was typed: for calling, comparing and
//! reading. What is not unambiguous has no such form; nobody is refused for it.
//!
//! Left out on purpose: a table of every country's numbering plan (over 300 KB in the program). A number
//! without a country code is taken for a North American one or left alone; one with a country code only
//! has to be as long as E.164 allows.

/// The number as E.164, `+12015550100`.
///
/// North American numbers come with or without `1` in front, all others after `+`, `00` or `011`.
/// Separators in common use, `(0)` after a country code, and an extension at the end are left out.
pub fn phone(typed: &str) -> Option<String> {
    let number = without_extension(typed);
    let is_marked = number.trim_start_matches(is_separator).starts_with(['+', '\u{ff0b}']);
    let number = if is_marked { number.replacen("(0)", "", 1) } else { number };
    let mut digits = String::new();
    for letter in number.chars() {
        match digit(letter) {
            Some(digit) => digits.push(digit),
            None if is_separator(letter) => {}
            None if matches!(letter, '+' | '\u{ff0b}') && digits.is_empty() => {}
            None => return None,
        }
    }
    let abroad = ["011", "00"].into_iter().find_map(|exit| digits.strip_prefix(exit));
    match (is_marked, abroad) {
        (true, _) => international(&digits),
        (false, Some(rest)) => international(rest),
        (false, None) => north_american(digits.strip_prefix('1').unwrap_or(&digits)),
    }
}

/// The handle as `@name`, from `@name`, `name` or a profile's address; in small letters, as Instagram
/// knows no others.
pub fn instagram(typed: &str) -> Option<String> {
    let lower = typed.trim().to_ascii_lowercase();
    let without_scheme =
        lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).unwrap_or(&lower);
    let without_host = without_scheme.strip_prefix("www.").unwrap_or(without_scheme);
    let name = match without_host.strip_prefix("instagram.com/").or(without_host.strip_prefix("instagr.am/"))
    {
        Some(path) => {
            let mut steps = path.split(['?', '#']).next().unwrap_or_default().split('/');
            let name = steps.next().unwrap_or_default();
            // The address of a picture is not that of a person.
            if steps.any(|step| !step.is_empty()) || NOT_PEOPLE.contains(&name) {
                return None;
            }
            name
        }
        None if without_scheme != lower => return None,
        None => &lower,
    };
    let name = name.strip_prefix('@').unwrap_or(name);
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    let is_name = (1..=30).contains(&name.len()) && name.bytes().all(letter) && !name.ends_with('.');
    is_name.then(|| format!("@{name}"))
}

/// First steps of addresses that lead to no profile.
const NOT_PEOPLE: [&str; 8] = ["p", "reel", "reels", "stories", "explore", "tv", "accounts", "direct"];

fn without_extension(typed: &str) -> String {
    let lower = typed.to_lowercase();
    let end = ["ext", "x", "#"]
        .into_iter()
        .filter_map(|word| lower.find(word))
        .min()
        .filter(|end| lower[*end..].chars().any(|letter| letter.is_ascii_digit()));
    end.map_or_else(|| lower.clone(), |end| lower[..end].trim_end_matches([' ', ',', ';', '.']).to_owned())
}

/// A digit, also of the writings in which phones abroad type them.
fn digit(letter: char) -> Option<char> {
    let zero = match letter {
        '0'..='9' => '0',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        '\u{ff10}'..='\u{ff19}' => '\u{ff10}',
        _ => return None,
    };
    char::from_digit(u32::from(letter) - u32::from(zero), 10)
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '-' | '.' | '/' | '(' | ')')
        // Hyphens and dashes, and the marks of direction that a copied number brings along.
        || matches!(letter, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
}

fn international(digits: &str) -> Option<String> {
    match digits.strip_prefix('1') {
        Some(rest) => north_american(rest),
        None => ((8..=15).contains(&digits.len()) && !digits.starts_with('0')).then(|| format!("+{digits}")),
    }
}

/// Ten digits; neither the area nor the exchange begins with 0 or 1.
fn north_american(digits: &str) -> Option<String> {
    let starts = |at: usize| matches!(digits.as_bytes().get(at), Some(b'2'..=b'9'));
    (digits.len() == 10 && starts(0) && starts(3)).then(|| format!("+1{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_number_is_e164_where_it_is_unambiguous() {
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
            ("011 44 20 7946 0018", Some("+442079460018")),
            ("+49/30/23125-000", Some("+493023125000")),
            ("+٩٧١ ٥٠ ١٢٣ ٤٥٦٧", Some("+971501234567")),
            ("\u{ff0b}81 3 1234 5678", Some("+81312345678")),
            // Somebody's national writing: the country is not said.
            ("020 7946 0018", None),
            ("030 23125 000", None),
            // Not numbers of the North American plan.
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
    fn an_instagram_name_is_read_from_every_way_to_write_it() {
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
        fn whatever_is_typed_gives_e164_or_nothing(typed in "\\PC{0,40}", likely in "[+0-9() x.-]{0,24}") {
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
