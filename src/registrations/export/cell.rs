//! One cell as a spreadsheet may safely read it.

use std::borrow::Cow;

/// What a formula can begin with; the full-width signs too, which Excel reads as the others in an East Asian locale.
const FORMULA_STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
/// Where a reader whose separator isn't the comma begins another cell, quoted or not: after the first cell's
/// quotes such a reader takes all others for text.
const OTHER_SEPARATORS: [char; 5] = [';', '|', '\t', '\r', '\n'];

/// Neutralises a text that a spreadsheet would run as a formula with an apostrophe in front; a number
/// or a phone number stays as it is (docs/reference.md, "Formats"). The same within the text, where another separator
/// would make a formula the beginning of a cell.
pub fn safe(text: &str) -> Cow<'_, str> {
    let mut safe = String::new();
    let mut copied = 0;
    if text.starts_with(FORMULA_STARTS) && !is_number(text) && !is_phone_number(text) {
        safe.push('\'');
    }
    for (at, separator) in text.match_indices(OTHER_SEPARATORS) {
        let rest = text[at + separator.len()..].trim_start_matches('"');
        if is_formula_within(rest) {
            let at = text.len() - rest.len();
            safe.push_str(&text[copied..at]);
            safe.push('\'');
            copied = at;
        }
    }
    if safe.is_empty() {
        return Cow::Borrowed(text);
    }
    safe.push_str(&text[copied..]);
    Cow::Owned(safe)
}

/// Whether a text after another separator begins with a formula. A minus sign counts only before something that can do
/// harm, a call or a reference to another program: a list's lines begin with one.
fn is_formula_within(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    let cell = line.split(OTHER_SEPARATORS).next().unwrap_or_default();
    match cell.chars().next() {
        Some('=' | '＝' | '@' | '＠' | '+' | '＋') => !is_number(cell) && !is_phone_number(cell),
        Some('-' | '－') => line.contains(['(', '!', '|']),
        _ => false,
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
            ("＝HYPERLINK(1)", true),
            ("＋1+1", true),
            ("－2+3", true),
            ("＠sum(a1)", true),
            ("Ada ＝ Ada", false),
        ];
        for (text, changed) in cases {
            assert_eq!(safe(text).starts_with('\''), changed, "{text:?}");
            assert!(safe(text).ends_with(text));
        }
    }

    #[test]
    fn a_formula_behind_another_separator_is_neutralised_where_it_begins() {
        let cases = [
            ("a;=HYPERLINK(1)", "a;'=HYPERLINK(1)"),
            ("a|=1|@x", "a|'=1|'@x"),
            ("a\t＝1", "a\t'＝1"),
            ("a\n=1+1\r\n+cmd", "a\n'=1+1\r\n'+cmd"),
            ("a;\"=1", "a;\"'=1"),
            ("a;\"\"=1", "a;\"\"'=1"),
            ("=1;=2", "'=1;'=2"),
            ("a;-cmd|' /C calc'!A0", "a;'-cmd|' /C calc'!A0"),
            ("a\n-HYPERLINK(1)", "a\n'-HYPERLINK(1)"),
            ("Days:\n- Saturday\n- Sunday", "Days:\n- Saturday\n- Sunday"),
            ("201-555-0100; +1 201 555 0100;+12015550100", "201-555-0100; +1 201 555 0100;+12015550100"),
            ("Fine ;-) a = b", "Fine ;-) a = b"),
            ("a;b|c", "a;b|c"),
        ];
        for (text, expected) in cases {
            assert_eq!(safe(text), expected, "{text:?}");
        }
    }
}
