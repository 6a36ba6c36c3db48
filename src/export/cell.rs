//! One cell as a spreadsheet may safely read it.

use std::borrow::Cow;

/// Neutralises a text that a spreadsheet would run as a formula with an apostrophe in front; a number
/// or a phone number stays as it is (contract, section 4).
pub fn safe(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(text) && !is_phone_number(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    text.len() - digits.len() <= 1
        && digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.parse::<f64>().is_ok()
}

/// `+` and at least seven digits, with the separators in common use.
fn is_phone_number(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('+') else { return false };
    let is_separator = |letter: char| matches!(letter, ' ' | '-' | '.' | '(' | ')' | '/');
    rest.chars().all(|letter| letter.is_ascii_digit() || is_separator(letter))
        && rest.chars().filter(char::is_ascii_digit).count() >= 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_formulas_are_neutralised() {
        let cases = [
            ("Ada", false),
            ("", false),
            ("=1+1", true),
            ("@sum(a1)", true),
            ("@brows.by.ada", true),
            ("\tx", true),
            ("\rx", true),
            ("-3.5", false),
            ("+12", false),
            ("-2+3", true),
            ("--2", true),
            ("-1-1", true),
            ("+1 (201) 555-0100", false),
            ("+44.20.7946.0000", false),
            ("+1-2", true),
            ("+cmd|' /C calc'!A0", true),
            ("-inf", true),
        ];
        for (text, changed) in cases {
            assert_eq!(safe(text).starts_with('\''), changed, "{text:?}");
            assert!(safe(text).ends_with(text));
        }
    }
}
