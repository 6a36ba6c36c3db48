//! The rules of the content that its types cannot express. All broken rules are reported together.

mod dates;
mod door;
mod judging;
mod mails;
mod names;
mod portal;
mod prices;
#[cfg(test)]
mod tests;
mod texts;

use super::model::Content;
use super::problem::Problem;
use super::source::Source;

/// All problems, in the order of the file.
pub(super) fn problems(content: &Content, source: &Source<'_>) -> Vec<Problem> {
    let mut findings = Findings { source, problems: Vec::new() };
    texts::check(source, &mut findings);
    dates::check(content, &mut findings);
    names::check(content, &mut findings);
    portal::check(content, &mut findings);
    judging::check(content, &mut findings);
    door::check(content, &mut findings);
    prices::check(content, &mut findings);
    mails::check(content, &mut findings);
    findings.problems.sort_by_key(|problem| problem.line);
    findings.problems
}

/// The problems of single texts, for a file whose keys or types are wrong.
pub(super) fn text_problems(source: &Source<'_>) -> Vec<Problem> {
    let mut findings = Findings { source, problems: Vec::new() };
    texts::check(source, &mut findings);
    findings.problems
}

/// The problems found so far.
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

    /// Reports every repeated value; `key` returns the dotted key of a position.
    fn unique<'v>(&mut self, values: impl IntoIterator<Item = &'v str>, key: impl Fn(usize) -> String) {
        let mut seen = std::collections::BTreeSet::new();
        for (index, value) in values.into_iter().enumerate() {
            self.require(seen.insert(value), key(index), format!("'{value}' is here twice"));
        }
    }
}
