//! Whether the content makes sense: what a type cannot say. What is wrong is reported all at once.

mod dates;
mod mails;
mod names;
mod prices;
#[cfg(test)]
mod tests;
mod texts;

use super::model::Content;
use super::problem::Problem;
use super::source::Source;

/// Everything wrong, in the order of the file.
pub(super) fn problems(content: &Content, source: &Source<'_>) -> Vec<Problem> {
    let mut findings = Findings { source, problems: Vec::new() };
    texts::check(source, &mut findings);
    dates::check(content, &mut findings);
    names::check(content, &mut findings);
    prices::check(content, &mut findings);
    mails::check(content, &mut findings);
    findings.problems.sort_by_key(|problem| problem.line);
    findings.problems
}

/// What was found so far.
struct Findings<'a> {
    source: &'a Source<'a>,
    problems: Vec<Problem>,
}

impl Findings<'_> {
    fn add(&mut self, key: impl Into<String>, rule: impl Into<String>) {
        let key = key.into();
        self.problems.push(Problem { line: self.source.line_of(&key), key, rule: rule.into() });
    }

    fn require(&mut self, holds: bool, key: impl Into<String>, rule: impl Into<String>) {
        if !holds {
            self.add(key, rule);
        }
    }

    /// Reports every word that is there for the second time; `key` makes the dotted key of a position.
    fn unique<'w>(&mut self, words: impl IntoIterator<Item = &'w str>, key: impl Fn(usize) -> String) {
        let mut seen = std::collections::BTreeSet::new();
        for (index, word) in words.into_iter().enumerate() {
            self.require(seen.insert(word), key(index), format!("'{word}' is here twice"));
        }
    }
}
