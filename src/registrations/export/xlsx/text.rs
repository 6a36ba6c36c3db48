//! Texts in a workbook.

use crate::registrations::export::cell::CUT as TRUNCATED;

/// The longest text in an Excel cell, in UTF-16 code units.
const LONGEST: usize = 32_767;

/// Adds a cell of text; `name` is the cell's, such as `A1`.
pub fn push_cell(xml: &mut String, name: &str, text: &str) {
    xml.push_str("<c r=\"");
    xml.push_str(name);
    xml.push_str("\" t=\"inlineStr\"><is><t xml:space=\"preserve\">");
    let start = fitting(text);
    push(xml, start);
    if start.len() < text.len() {
        xml.push_str(TRUNCATED);
    }
    xml.push_str("</t></is></c>");
}

/// Adds a text as XML. A character that XML does not allow is escaped in Excel's own way, `_x0001_`.
pub fn push(xml: &mut String, text: &str) {
    for (at, character) in text.char_indices() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '_' if is_escape(&text[at..]) => xml.push_str("_x005F_"),
            '\t' | '\n' => xml.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                xml.push_str(&format!("_x{:04X}_", u32::from(character)));
            }
            character => xml.push(character),
        }
    }
}

/// Whether a text starts with what Excel would read as an escape. Its underscore is then escaped itself.
fn is_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 7
        && matches!(bytes[1], b'x' | b'X')
        && bytes[2..6].iter().all(u8::is_ascii_hexdigit)
        && bytes[6] == b'_'
}

/// The whole text if it fits into a cell, otherwise the part that fits together with [`TRUNCATED`].
fn fitting(text: &str) -> &str {
    // A text never has more UTF-16 code units than UTF-8 bytes.
    if text.len() <= LONGEST || text.encode_utf16().count() <= LONGEST {
        return text;
    }
    let mut left = LONGEST - TRUNCATED.len();
    for (at, character) in text.char_indices() {
        match left.checked_sub(character.len_utf16()) {
            Some(rest) => left = rest,
            None => return &text[..at],
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_valid_xml() {
        for (text, expected) in [
            ("a & b <c> \"d\"", "a &amp; b &lt;c&gt; &quot;d&quot;"),
            ("two\nlines\tand \u{1}\r", "two\nlines\tand _x0001__x000D_"),
            ("_x0041_ and _x00", "_x005F_x0041_ and _x00"),
            ("💫", "💫"),
        ] {
            let mut xml = String::new();
            push(&mut xml, text);
            assert_eq!(xml, expected);
        }
    }

    #[test]
    fn a_text_that_is_too_long_for_excel_is_truncated() {
        for character in ["a", "é", "💫"] {
            let whole = character.repeat(LONGEST / character.encode_utf16().count());
            assert_eq!(fitting(&whole), whole);
            let long = format!("{whole}{character}{character}");
            let truncated = format!("{}{TRUNCATED}", fitting(&long));
            assert!((LONGEST - 1..=LONGEST).contains(&truncated.encode_utf16().count()), "{character}");
        }
    }
}
