//! What differs between two versions of the content.

use serde_json::{Map, Value};

use super::at;
use super::path::Path;

/// The key of the list of texts that an organiser still has to confirm.
const UNCONFIRMED: &str = "unconfirmed";
/// The keys whose text names a member of a list, the strongest first.
const NAMES: [&str; 8] = ["id", "slug", "key", "value", "name", "label", "title", "question"];

#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The path in the new version, or for a removed member, in the old one.
    pub path: Path,
    pub kind: DifferenceKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DifferenceKind {
    /// A value became another one; a missing value is null.
    Changed {
        before: Value,
        value: Value,
    },
    /// A member of a list was added.
    Added {
        value: Value,
    },
    Removed {
        before: Value,
    },
    /// A member of a list had the index `from` in the old list.
    Moved {
        from: usize,
        value: Value,
    },
    /// A text that was to be confirmed, and was confirmed as it is.
    Confirmed {
        value: Value,
    },
}

/// All differences, in the order of the content. A change of the list of texts to be confirmed is not among them; what was
/// confirmed is told instead.
pub fn differences(old: &Value, new: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    if let (Value::Object(old), Value::Object(new)) = (old, new) {
        tables(old, new, &Path::default(), &mut found);
    }
    let list = Path::default().key(UNCONFIRMED);
    found.retain(|difference| !difference.path.is_within(&list));
    found.extend(confirmed(old, new));
    found
}

/// The texts that the old version lists as to be confirmed and the new one does not, and that are the same in both.
fn confirmed(old: &Value, new: &Value) -> impl Iterator<Item = Difference> {
    let keys = |content: &Value| {
        let listed = content[UNCONFIRMED].as_array().cloned().unwrap_or_default();
        listed.into_iter().filter_map(|key| Path::parse(key.as_str()?)).collect::<Vec<_>>()
    };
    let left = keys(new);
    keys(old).into_iter().filter(move |path| !left.contains(path)).filter_map(move |path| {
        let value = at(new, &path).clone();
        (value.is_string() && &value == at(old, &path))
            .then_some(Difference { path, kind: DifferenceKind::Confirmed { value } })
    })
}

fn compare(old: &Value, new: &Value, path: &Path, found: &mut Vec<Difference>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(old), Value::Object(new)) => tables(old, new, path, found),
        (Value::Array(old), Value::Array(new)) => lists(old, new, path, found),
        _ => {
            let kind = DifferenceKind::Changed { before: old.clone(), value: new.clone() };
            found.push(Difference { path: path.clone(), kind });
        }
    }
}

fn tables(old: &Map<String, Value>, new: &Map<String, Value>, path: &Path, found: &mut Vec<Difference>) {
    for (key, value) in new {
        compare(old.get(key).unwrap_or(&Value::Null), value, &path.key(key), found);
    }
    for (key, before) in old.iter().filter(|(key, _)| !new.contains_key(*key)) {
        compare(before, &Value::Null, &path.key(key), found);
    }
}

fn lists(old: &[Value], new: &[Value], path: &Path, found: &mut Vec<Difference>) {
    let origins = origins(old, new);
    for (index, before) in old.iter().enumerate() {
        if !origins.contains(&Some(index)) {
            let kind = DifferenceKind::Removed { before: before.clone() };
            found.push(Difference { path: path.index(index), kind });
        }
    }
    let moved = moved(&origins);
    for (index, (value, origin)) in new.iter().zip(&origins).enumerate() {
        let path = path.index(index);
        let Some(from) = *origin else {
            found.push(Difference { path, kind: DifferenceKind::Added { value: value.clone() } });
            continue;
        };
        if moved.contains(&index) {
            let kind = DifferenceKind::Moved { from, value: value.clone() };
            found.push(Difference { path: path.clone(), kind });
        }
        compare(&old[from], value, &path, found);
    }
}

/// For each new member, the index of the old one that it probably was: one that is equal or has the same name, or else the
/// next one that is left.
fn origins(old: &[Value], new: &[Value]) -> Vec<Option<usize>> {
    let is_unchanged = |from: usize, to: usize| from == to && old[from] == new[to];
    let is_equal = |from: usize, to: usize| old[from] == new[to];
    let has_same_name = |from: usize, to: usize| {
        let name = name_of(&new[to]);
        name.is_some() && name == name_of(&old[from])
    };
    let is_left = |_: usize, _: usize| true;
    let rules: [&dyn Fn(usize, usize) -> bool; 4] = [&is_unchanged, &is_equal, &has_same_name, &is_left];
    let mut origins = vec![None; new.len()];
    let mut is_taken = vec![false; old.len()];
    for rule in rules {
        for (to, origin) in origins.iter_mut().enumerate().filter(|(_, origin)| origin.is_none()) {
            *origin = (0..old.len()).find(|from| !is_taken[*from] && rule(*from, to));
            if let Some(from) = *origin {
                is_taken[from] = true;
            }
        }
    }
    origins
}

/// The text that tells a member of a list apart from the others, if it has one.
fn name_of(member: &Value) -> Option<&str> {
    let text = |key: &&str| member.get(*key).and_then(Value::as_str).filter(|text| !text.is_empty());
    NAMES.iter().find_map(text)
}

/// The indices of the members that were moved forward or, if those are fewer, back.
fn moved(origins: &[Option<usize>]) -> Vec<usize> {
    let kept: Vec<(usize, usize)> =
        origins.iter().enumerate().filter_map(|(index, from)| Some((index, (*from)?))).collect();
    let passed = |at: usize, (_, from): (usize, usize)| kept[..at].iter().any(|before| before.1 > from);
    let passes = |at: usize, (_, from): (usize, usize)| kept[at..].iter().any(|after| after.1 < from);
    let positions = |has_moved: &dyn Fn(usize, (usize, usize)) -> bool| {
        let members = kept.iter().enumerate().filter(|(at, member)| has_moved(*at, **member));
        members.map(|(_, member)| member.0).collect::<Vec<usize>>()
    };
    let (back, forward) = (positions(&passed), positions(&passes));
    if back.len() < forward.len() { back } else { forward }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_is_as_small_as_what_was_done() {
        let old = json!({"a": {"x": 1, "gone": "g"}, "list": [{"name": "one"}, {"name": "two"}, {"name": "three"}]});
        let new = json!({"a": {"x": 2, "more": "m"}, "list": [{"name": "three", "y": 3}, {"name": "one"}, {"name": "four"}, {"name": "five"}]});
        let shown: Vec<String> = differences(&old, &new)
            .into_iter()
            .map(|Difference { path, kind }| match kind {
                DifferenceKind::Changed { before, value } => format!("{path} {before} -> {value}"),
                DifferenceKind::Added { value } => format!("{path} + {value}"),
                DifferenceKind::Removed { before } => format!("{path} - {before}"),
                DifferenceKind::Moved { from, .. } => format!("{path} from {from}"),
                DifferenceKind::Confirmed { value } => format!("{path} is {value}"),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a.x 1 -> 2",
                "a.more null -> \"m\"",
                "a.gone \"g\" -> null",
                "list[0] from 2",
                "list[0].y null -> 3",
                "list[2].name \"two\" -> \"four\"",
                "list[3] + {\"name\":\"five\"}",
            ]
        );
        assert_eq!(differences(&old, &old), []);
        let old = json!({"a": {"x": "March", "y": "May", "z": "June"}, "unconfirmed": ["a.x", "a.y", "a.z"]});
        let new = json!({"a": {"x": "March", "y": "July", "z": "June"}, "unconfirmed": ["a.z"]});
        let found = differences(&old, &new);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1].path.to_string(), "a.x");
        assert_eq!(found[1].kind, DifferenceKind::Confirmed { value: json!("March") });
    }

    #[test]
    fn only_the_member_that_was_taken_out_has_moved() {
        assert_eq!(moved(&[Some(1), Some(2), Some(3), Some(0)]), [3]);
        assert_eq!(moved(&[Some(3), Some(0), None, Some(1), Some(2)]), [0]);
        assert_eq!(moved(&[Some(0), None, Some(1)]), [0; 0]);
    }

    #[test]
    fn members_are_found_again_when_they_move_and_change() {
        for (old, new, expected) in [
            (json!(["a", "b"]), json!(["x", "a", "b"]), vec![None, Some(0), Some(1)]),
            (json!(["a", "b", "c"]), json!(["a", "c"]), vec![Some(0), Some(2)]),
            (json!(["a", "b"]), json!(["a", "B"]), vec![Some(0), Some(1)]),
            (
                json!([{"name": "Ada", "x": 1}, {"name": "Bo"}]),
                json!([{"name": "Bo"}, {"name": "Ada", "x": 2}]),
                vec![Some(1), Some(0)],
            ),
            (json!([]), json!([1]), vec![None]),
        ] {
            let members = |list: &Value| list.as_array().expect("a list").clone();
            assert_eq!(origins(&members(&old), &members(&new)), expected, "{old} {new}");
        }
    }
}
