//! The path of a value in the content: `faq.sections[0].items[2].answer`.

use std::fmt;

use crate::forms::snake_case;

/// More digits than any list has members.
const MAX_DIGITS: usize = 6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key, as the file spells it.
    Key(String),
    Index(usize),
}

/// Shown as JSON spells its keys: `event.firstDay`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

impl Path {
    /// Reads a path whose keys are spelt as in JSON (`firstDay`) or as in the file (`first_day`).
    pub fn parse(text: &str) -> Option<Path> {
        let mut steps = Vec::new();
        let mut rest = text;
        loop {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let key = &rest[..end];
            let is_key = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if key.is_empty() || !key.chars().all(is_key) {
                return None;
            }
            steps.push(Step::Key(snake_case(key)));
            rest = &rest[end..];
            while let Some(inside) = rest.strip_prefix('[') {
                let (digits, after) = inside.split_once(']')?;
                let is_index = (1..=MAX_DIGITS).contains(&digits.len())
                    && digits.bytes().all(|byte| byte.is_ascii_digit());
                steps.push(Step::Index(digits.parse().ok().filter(|_| is_index)?));
                rest = after;
            }
            if rest.is_empty() {
                return Some(Path(steps));
            }
            rest = rest.strip_prefix('.')?;
        }
    }

    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// As the file spells it: `event.first_day`.
    pub fn in_file(&self) -> String {
        self.spelt(str::to_owned)
    }

    fn spelt(&self, key_as: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                Step::Key(key) if text.is_empty() => text.push_str(&key_as(key)),
                Step::Key(key) => text.extend([".", &key_as(key)]),
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }

    pub fn key(&self, key: &str) -> Path {
        self.with(Step::Key(key.to_owned()))
    }

    pub fn index(&self, index: usize) -> Path {
        self.with(Step::Index(index))
    }

    fn with(&self, step: Step) -> Path {
        Path(self.0.iter().cloned().chain([step]).collect())
    }

    /// Without its last step; `None` for a section.
    pub fn parent(&self) -> Option<Path> {
        let (_, before) = self.0.split_last().filter(|(_, before)| !before.is_empty())?;
        Some(Path(before.to_vec()))
    }

    /// The list and the position, of a member of a list.
    pub fn member(&self) -> Option<(Path, usize)> {
        match self.0.split_last()? {
            (Step::Index(index), list) => Some((Path(list.to_vec()), *index)),
            _ => None,
        }
    }

    /// Whether it is `other` or lies inside it.
    pub fn is_within(&self, other: &Path) -> bool {
        self.0.starts_with(&other.0)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.spelt(camel_case))
    }
}

/// A key as JSON spells it.
pub fn camel_case(key: &str) -> String {
    let mut parts = key.split('_');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut characters = part.chars();
        camel.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(characters.as_str());
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_in_both_spellings_and_shown_in_one() {
        for (text, shown) in [
            ("phase", "phase"),
            ("event.first_day", "event.firstDay"),
            ("event.firstDay", "event.firstDay"),
            ("faq.sections[0].items[12].answer", "faq.sections[0].items[12].answer"),
            ("openings.waitlist-signups.until", "openings.waitlist-signups.until"),
            ("pricing.additional_categories_cents[1]", "pricing.additionalCategoriesCents[1]"),
        ] {
            assert_eq!(Path::parse(text).expect(text).to_string(), shown);
        }
        for bad in [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "[0]",
            "a[",
            "a[]",
            "a[-1]",
            "a[0",
            "a[0]b",
            "a[1234567]",
            "a b",
            "a[0].",
            "a[+1]",
            "é",
            "a\"b",
            "__proto__.\u{0}",
        ] {
            assert_eq!(Path::parse(bad), None, "{bad:?}");
        }
    }
}
