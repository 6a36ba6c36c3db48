//! Folds texts for a search that ignores case and diacritics.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The text in lowercase and without diacritics.
pub fn fold(text: &str) -> String {
    let folded = |character: char| match character {
        'Ø' | 'ø' => 'o',
        'Ł' | 'ł' => 'l',
        'Đ' | 'đ' => 'd',
        'ı' => 'i',
        other => other,
    };
    let bare = text.chars().map(folded).nfd().filter(|character| !is_combining_mark(*character));
    bare.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_diacritics_are_removed() {
        for (text, folded) in [
            ("JOSÉ", "jose"),
            ("jose\u{301}", "jose"),
            ("Øyvind Đuro Łukasz", "oyvind duro lukasz"),
            ("Ŝoé Ẽ ẽ", "soe e e"),
            ("Жж", "жж"),
            ("東京", "東京"),
            ("ß9", "ß9"),
            ("*?[]", "*?[]"),
        ] {
            assert_eq!(fold(text), folded);
        }
    }
}
