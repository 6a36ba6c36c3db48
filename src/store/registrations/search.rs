//! What an organiser typed into a search, as a pattern of SQLite's `glob`.
//!
//! `glob` tells capitals from small letters, and SQLite's `lower` knows ASCII only; so the text is looked
//! for in small ASCII letters, and every other letter in each of its cases.

/// The longest search, in letters; what is beyond it is left out.
const LONGEST: usize = 100;

/// Finds the text anywhere, whatever the case; `None` when there is nothing to look for.
pub fn pattern(search: &str) -> Option<String> {
    let letters: Vec<char> =
        search.trim().chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    if letters.iter().all(|letter| letter.is_whitespace()) {
        return None;
    }
    let mut pattern = String::from("*");
    for letter in letters {
        match letter {
            '*' | '?' | '[' => pattern.extend(['[', letter, ']']),
            letter if letter.is_ascii() => pattern.push(letter.to_ascii_lowercase()),
            letter => {
                let cases: Vec<char> = cases(letter).collect();
                match cases.as_slice() {
                    [only] => pattern.push(*only),
                    cases => {
                        pattern.push('[');
                        pattern.extend(cases);
                        pattern.push(']');
                    }
                }
            }
        }
    }
    pattern.push('*');
    Some(pattern)
}

/// The letter, as a small one and as a capital, each once.
fn cases(letter: char) -> impl Iterator<Item = char> {
    let single = |mut cases: Vec<char>| if cases.len() == 1 { cases.pop() } else { None };
    let small = single(letter.to_lowercase().collect()).filter(|small| *small != letter);
    let capital = single(letter.to_uppercase().collect()).filter(|capital| *capital != letter);
    [Some(letter), small, capital].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_what_it_says() {
        for (search, expected) in [
            ("Ada", Some("*ada*")),
            ("  Ada Sample ", Some("*ada sample*")),
            ("100%_x", Some("*100%_x*")),
            ("a*b?[c]", Some("*a[*]b[?][[]c]*")),
            ("ÉLO", Some("*[Éé]lo*")),
            ("straße", Some("*straße*")),
            ("東京", Some("*東京*")),
            ("a\0b", Some("*ab*")),
            ("\0", None),
            ("   ", None),
            ("", None),
        ] {
            assert_eq!(pattern(search).as_deref(), expected, "{search:?}");
        }
    }
}
