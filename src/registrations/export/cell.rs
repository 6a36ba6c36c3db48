//! Neutralises texts that a spreadsheet would run as a formula.

use std::borrow::Cow;

/// The characters that can start a formula. In an East Asian locale Excel treats full-width signs like the others.
const FORMULA_STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
/// Characters at which a reader whose separator is not the comma may start a new cell, even inside quotes: it treats only
/// the quotes of the row's first cell as quotes.
const OTHER_SEPARATORS: [char; 5] = [';', '|', '\t', '\r', '\n'];

/// The longest text in a spreadsheet's cell, in UTF-16 code units.
const MAX_LENGTH: usize = 32_767;
const CUT: &str = " [truncated: longer than an Excel cell]";

/// The text with an apostrophe before everything that a spreadsheet would run as a formula or show as another number: at
/// its start, and after other separators. Other numbers and phone numbers stay as they are (docs/reference.md, "Formats").
pub fn safe(text: &str) -> Cow<'_, str> {
    fitting(without_formulas(text))
}

/// The text, truncated if it is longer than a cell.
pub fn fitting(text: Cow<'_, str>) -> Cow<'_, str> {
    // A text never has more UTF-16 code units than UTF-8 bytes.
    if text.len() <= MAX_LENGTH || text.encode_utf16().count() <= MAX_LENGTH {
        return text;
    }
    let mut units = CUT.len();
    let is_within = |character: &char| {
        units += character.len_utf16();
        units <= MAX_LENGTH
    };
    let cut: String = text.chars().take_while(is_within).collect();
    Cow::Owned(cut + CUT)
}

fn without_formulas(text: &str) -> Cow<'_, str> {
    let mut safe = String::new();
    let mut copied = 0;
    let is_numeric = text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
    if (is_numeric || text.starts_with(FORMULA_STARTS)) && !is_number(text) && !is_phone_number(text) {
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

/// Whether the text after a separator starts with a formula. A minus sign counts only if the line has a call or a
/// reference to another program, because the lines of a list start with one too.
fn is_formula_within(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    let cell = line.split(OTHER_SEPARATORS).next().unwrap_or_default();
    match cell.chars().next() {
        Some('=' | '＝' | '@' | '＠' | '+' | '＋') => !is_number(cell) && !is_phone_number(cell),
        Some('-' | '－') => line.contains(['(', '!', '|']),
        _ => false,
    }
}

/// A number that a spreadsheet shows as it is written: not 007, not 12E5, and no longer than the digits that it keeps.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && digits.len() <= 15
        && digits.parse::<f64>().is_ok()
        && !is_padded
}

/// `+` and at least seven digits, with the separators in common use. Without a space a spreadsheet computes it, and one
/// in French takes groups of three digits for a number.
fn is_phone_number(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('+') else { return false };
    let is_separator = |c: char| matches!(c, ' ' | '-' | '.' | '(' | ')');
    rest.chars().all(|c| c.is_ascii_digit() || is_separator(c))
        && rest.chars().filter(char::is_ascii_digit).count() >= 7
        && rest.split(' ').skip(1).any(|group| group.len() != 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_longer_than_a_spreadsheet_holds() {
        for character in ["a", "é", "💫"] {
            let whole = character.repeat(MAX_LENGTH / character.encode_utf16().count());
            assert_eq!(safe(&whole), whole);
            let long = format!("{whole}{character}{character}");
            let units = safe(&long).encode_utf16().count();
            assert!((MAX_LENGTH - 1..=MAX_LENGTH).contains(&units) && safe(&long).ends_with(CUT), "{units}");
        }
        for text in [";=".repeat(15_000), format!("={}", "x".repeat(40_000))] {
            let cell = safe(&text);
            assert!(cell.encode_utf16().count() <= MAX_LENGTH && cell.ends_with(CUT), "{}", cell.len());
        }
        assert!(safe(&format!("={}", "x".repeat(40_000))).starts_with("'="));
    }

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
            ("12", false),
            ("1.50", false),
            ("0", false),
            ("0.5", false),
            ("2026-03-28", false),
            ("+12", true),
            ("0049 30 123456", false),
            ("0049301234567", true),
            ("007", true),
            ("12e5", true),
            ("1234567890123456", true),
            ("123456789012345", false),
            ("1e5a", false),
            ("+12015550101", true),
            ("+1-201-555-0101", true),
            ("+49/30/1234567", true),
            ("+44.207946000", true),
            ("+33 123 456 789", true),
            ("-2+3", true),
            ("--2", true),
            ("-1-1", true),
            ("+1 (201) 555-0100", false),
            ("+44.20.7946.0000", true),
            ("+44 20 7946 0000", false),
            ("+1 201-555-0101", false),
            ("Zoë = Bea; no - yes 💫", false),
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
    fn a_formula_after_another_separator_is_neutralised() {
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
            ("201-555-0100; +1 201 555 0100;+12015550100", "201-555-0100; +1 201 555 0100;'+12015550100"),
            ("Fine ;-) a = b", "Fine ;-) a = b"),
            ("a;b|c", "a;b|c"),
        ];
        for (text, expected) in cases {
            assert_eq!(safe(text), expected, "{text:?}");
        }
    }
}
