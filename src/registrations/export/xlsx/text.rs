//! Texts within a workbook.

/// What a cell of Excel holds, in UTF-16 code units.
const LONGEST: usize = 32_767;
/// Stands at the end of a text that was longer.
const CUT: &str = " [cut here: longer than a cell of Excel]";

/// Adds a cell of text.
pub fn push_cell(xml: &mut String, place: &str, text: &str) {
    xml.push_str("<c r=\"");
    xml.push_str(place);
    xml.push_str("\" t=\"inlineStr\"><is><t xml:space=\"preserve\">");
    let start = fitting(text);
    push(xml, start);
    if start.len() < text.len() {
        xml.push_str(CUT);
    }
    xml.push_str("</t></is></c>");
}

/// Adds a text as XML; what XML cannot hold is written as Excel itself writes it, `_x0001_`.
pub fn push(xml: &mut String, text: &str) {
    for (at, letter) in text.char_indices() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '_' if is_escape(&text[at..]) => xml.push_str("_x005F_"),
            '\t' | '\n' => xml.push(letter),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                xml.push_str(&format!("_x{:04X}_", u32::from(letter)));
            }
            letter => xml.push(letter),
        }
    }
}

/// Whether a text starts like an escape, which then is none.
fn is_escape(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 7
        && matches!(bytes[1], b'x' | b'X')
        && bytes[2..6].iter().all(u8::is_ascii_hexdigit)
        && bytes[6] == b'_'
}

/// The start of a text that fits into a cell with the mark, or all of it.
fn fitting(text: &str) -> &str {
    // A text of so few bytes has no more code units.
    if text.len() <= LONGEST || text.encode_utf16().count() <= LONGEST {
        return text;
    }
    let mut left = LONGEST - CUT.len();
    for (at, letter) in text.char_indices() {
        match left.checked_sub(letter.len_utf16()) {
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
    fn whatever_was_typed_is_xml() {
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
    fn a_text_is_cut_where_excel_would_refuse_it() {
        for letter in ["a", "é", "💫"] {
            let whole = letter.repeat(LONGEST / letter.encode_utf16().count());
            assert_eq!(fitting(&whole), whole);
            let long = format!("{whole}{letter}{letter}");
            let cut = format!("{}{CUT}", fitting(&long));
            assert!((LONGEST - 1..=LONGEST).contains(&cut.encode_utf16().count()), "{letter}");
        }
    }
}
