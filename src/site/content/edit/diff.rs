//! What differs between two versions of the content.

use serde_json::{Map, Value};

use super::align::{align, moved};
use super::at;
use super::path::Path;

/// The key of the list of texts that an organiser still has to confirm.
const UNCONFIRMED: &str = "unconfirmed";

#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The path in the new version, or for a removed member, in the old one.
    pub path: Path,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
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
            .then_some(Difference { path, what: What::Confirmed { value } })
    })
}

fn compare(old: &Value, new: &Value, path: &Path, found: &mut Vec<Difference>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(old), Value::Object(new)) => tables(old, new, path, found),
        (Value::Array(old), Value::Array(new)) => lists(old, new, path, found),
        _ => {
            let what = What::Changed { before: old.clone(), value: new.clone() };
            found.push(Difference { path: path.clone(), what });
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
    let aligned = align(old, new);
    for (index, before) in old.iter().enumerate() {
        if !aligned.contains(&Some(index)) {
            found
                .push(Difference { path: path.index(index), what: What::Removed { before: before.clone() } });
        }
    }
    let moved = moved(&aligned);
    for (index, (value, before)) in new.iter().zip(&aligned).enumerate() {
        let path = path.index(index);
        let Some(from) = *before else {
            found.push(Difference { path, what: What::Added { value: value.clone() } });
            continue;
        };
        if moved.contains(&index) {
            let what = What::Moved { from, value: value.clone() };
            found.push(Difference { path: path.clone(), what });
        }
        compare(&old[from], value, &path, found);
    }
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
            .map(|one| match one.what {
                What::Changed { before, value } => format!("{} {before} -> {value}", one.path),
                What::Added { value } => format!("{} + {value}", one.path),
                What::Removed { before } => format!("{} - {before}", one.path),
                What::Moved { from, .. } => format!("{} from {from}", one.path),
                What::Confirmed { value } => format!("{} is {value}", one.path),
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
        assert_eq!(found[1].what, What::Confirmed { value: json!("March") });
    }
}
