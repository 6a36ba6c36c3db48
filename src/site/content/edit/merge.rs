//! Merges two sets of changes to the same content: those of the draft, and those that were published meanwhile.

use serde_json::{Map, Value};

use super::align::{align, is_in_place, name_of};
use super::path::Path;

/// A value that both sides have changed, in different ways. The draft's value is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Clash {
    pub path: Path,
    /// Before both changes.
    pub base: Value,
    pub live: Value,
}

/// The live content with the draft's changes.
pub fn merge(base: &Value, live: &Value, draft: &Value) -> (Value, Vec<Clash>) {
    let mut clashes = Vec::new();
    let merged = values(base, live, draft, &Path::default(), &mut clashes);
    (merged, clashes)
}

fn values(base: &Value, live: &Value, draft: &Value, path: &Path, clashes: &mut Vec<Clash>) -> Value {
    if draft == base || draft == live {
        return live.clone();
    }
    if live == base {
        return draft.clone();
    }
    let joined = match (base, live, draft) {
        (Value::Object(base), Value::Object(live), Value::Object(draft)) => {
            Some(tables(base, live, draft, path, clashes))
        }
        (Value::Array(base), Value::Array(live), Value::Array(draft)) => {
            lists(base, live, draft, path, clashes)
        }
        _ => None,
    };
    joined.unwrap_or_else(|| {
        clashes.push(Clash { path: path.clone(), base: base.clone(), live: live.clone() });
        draft.clone()
    })
}

fn tables(
    base: &Map<String, Value>,
    live: &Map<String, Value>,
    draft: &Map<String, Value>,
    path: &Path,
    clashes: &mut Vec<Clash>,
) -> Value {
    let mut merged = Map::new();
    for key in live.keys().chain(draft.keys().filter(|key| !live.contains_key(*key))) {
        let of = |table: &Map<String, Value>| table.get(key).cloned().unwrap_or_default();
        let value = values(&of(base), &of(live), &of(draft), &path.key(key), clashes);
        if !value.is_null() {
            merged.insert(key.clone(), value);
        }
    }
    Value::Object(merged)
}

/// `None` if both sides have added, removed or moved members, or one has removed what the other has changed.
fn lists(
    base: &[Value],
    live: &[Value],
    draft: &[Value],
    path: &Path,
    clashes: &mut Vec<Clash>,
) -> Option<Value> {
    let (of_live, of_draft) = (align(base, live), align(base, draft));
    // On one side every member is in its old place, so the other side's order is used.
    let (order, in_place, draft_orders) = if is_in_place(&of_live, base) {
        (&of_draft, live, true)
    } else if is_in_place(&of_draft, base) {
        (&of_live, draft, false)
    } else {
        return None;
    };
    let is_gone = |index: usize| !order.contains(&Some(index));
    if (0..base.len()).any(|index| is_gone(index) && in_place[index] != base[index]) {
        return None;
    }
    let ordered = if draft_orders { draft } else { live };
    let members = ordered.iter().zip(order).enumerate().map(|(index, (member, before))| match before {
        None => member.clone(),
        Some(before) => {
            let (live, draft) =
                if draft_orders { (&in_place[*before], member) } else { (member, &in_place[*before]) };
            let (base, path) = (&base[*before], path.index(index));
            // Members without a namesake were paired by their place. They may be two people, of whom nothing is mixed.
            if name_of(live) != name_of(draft) && live != base && draft != base {
                clashes.push(Clash { path, base: base.clone(), live: live.clone() });
                return draft.clone();
            }
            values(base, live, draft, &path, clashes)
        }
    });
    Some(Value::Array(members.collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_only_one_side_changed_is_taken_and_the_rest_clashes() {
        let base = json!({"a": 1, "b": 2, "c": 3, "l": [{"name": "x", "t": 1}, {"name": "y", "t": 1}]});
        for (live, draft, merged, clashes) in [
            (json!({"a": 9}), json!({"b": 8}), json!({"a": 9, "b": 8}), vec![]),
            (json!({"a": 9}), json!({"a": 8}), json!({"a": 8}), vec!["a"]),
            (json!({"a": 9}), json!({"a": 9}), json!({"a": 9}), vec![]),
            (json!({"a": null}), json!({"a": 8}), json!({"a": 8}), vec!["a"]),
            (json!({"a": null}), json!({"b": 8}), json!({"a": null, "b": 8}), vec![]),
            // One adds a member in front, the other changes one.
            (
                json!({"l": [{"name": "new"}, {"name": "x", "t": 1}, {"name": "y", "t": 1}]}),
                json!({"l": [{"name": "x", "t": 1}, {"name": "y", "t": 7}]}),
                json!({"l": [{"name": "new"}, {"name": "x", "t": 1}, {"name": "y", "t": 7}]}),
                vec![],
            ),
            (
                json!({"l": [{"name": "x", "t": 5}, {"name": "y", "t": 1}]}),
                json!({"l": [{"name": "y", "t": 1}, {"name": "x", "t": 6}]}),
                json!({"l": [{"name": "y", "t": 1}, {"name": "x", "t": 6}]}),
                vec!["l[1].t"],
            ),
            // Another member takes the place of one that the other side has changed.
            (
                json!({"l": [{"name": "z", "t": 1}, {"name": "y", "t": 1}]}),
                json!({"l": [{"name": "x", "t": 6}, {"name": "y", "t": 1}]}),
                json!({"l": [{"name": "x", "t": 6}, {"name": "y", "t": 1}]}),
                vec!["l[0]"],
            ),
            // One removes what the other has changed.
            (
                json!({"l": [{"name": "y", "t": 1}]}),
                json!({"l": [{"name": "x", "t": 6}, {"name": "y", "t": 1}]}),
                json!({"l": [{"name": "x", "t": 6}, {"name": "y", "t": 1}]}),
                vec!["l"],
            ),
        ] {
            let with = |changes: &Value| {
                let mut whole = base.clone();
                for (key, value) in changes.as_object().expect("a table") {
                    match value {
                        Value::Null => drop(whole.as_object_mut().expect("a table").remove(key)),
                        _ => whole[key] = value.clone(),
                    }
                }
                whole
            };
            let (found, found_clashes) = merge(&base, &with(&live), &with(&draft));
            assert_eq!(found, with(&merged), "{live} {draft}");
            let paths: Vec<String> = found_clashes.iter().map(|clash| clash.path.to_string()).collect();
            assert_eq!(paths, clashes, "{live} {draft}");
        }
    }
}
