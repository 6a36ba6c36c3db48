//! A single change to the content, as the editor sends it.

use serde_json::{Map, Value};

use super::path::{Path, Step};

/// More members than any list of the site can show.
const MAX_MEMBERS: usize = 500;

#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// As it was sent, for messages about it.
    pub sent: String,
    pub path: Path,
    pub operation: Operation,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Sets the value at the path. Null removes a member of a list, or resets a key to its default.
    Set(Value),
    /// Inserts a value into the list at the path, before the member with this index.
    Insert(usize, Value),
    /// Moves the member at the path to this index of its list.
    Move(usize),
}

/// Applies one change to a value with the keys of the file.
///
/// # Errors
/// A message if there is nothing to change at the path. `content` may then be half changed: discard it.
pub fn apply(content: &mut Value, change: &Change) -> Result<(), String> {
    let steps = change.path.steps();
    match &change.operation {
        Operation::Set(value) => set(content, steps, value)?,
        Operation::Insert(index, value) => {
            let list = list_at(content, steps)?;
            if *index > list.len() {
                return Err(format!("this list has only {} members", list.len()));
            }
            list.insert(*index, value.clone());
        }
        Operation::Move(to) => {
            let Some((list, from)) = change.path.member() else {
                return Err("only a member of a list can be moved".into());
            };
            let list = list_at(content, list.steps())?;
            if from >= list.len() || *to >= list.len() {
                return Err(format!("this list has only {} members", list.len()));
            }
            let member = list.remove(from);
            list.insert(*to, member);
        }
    }
    if has_long_list(content) {
        return Err(format!("a list can have at most {MAX_MEMBERS} members"));
    }
    Ok(())
}

fn set(content: &mut Value, steps: &[Step], value: &Value) -> Result<(), String> {
    let Some((last, before)) = steps.split_last() else {
        return Err("there is nothing at this path".into());
    };
    let parent = value_at(content, before)?;
    match last {
        Step::Key(key) if value.is_null() => drop(table_of(parent)?.shift_remove(key)),
        Step::Key(key) => drop(table_of(parent)?.insert(key.clone(), value.clone())),
        Step::Index(index) => {
            let member = member_of(parent, *index)?;
            if !value.is_null() {
                *member = value.clone();
            } else if let Value::Array(list) = parent {
                list.remove(*index);
            }
        }
    }
    Ok(())
}

/// A key that is not set is added as null.
fn value_at<'a>(content: &'a mut Value, steps: &[Step]) -> Result<&'a mut Value, String> {
    steps.iter().try_fold(content, |value, step| match step {
        Step::Key(key) => Ok(table_of(value)?.entry(key.clone()).or_insert(Value::Null)),
        Step::Index(index) => member_of(value, *index),
    })
}

/// The table. A value that is not set becomes one.
fn table_of(value: &mut Value) -> Result<&mut Map<String, Value>, String> {
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().ok_or_else(|| "there is no such field here".into())
}

fn member_of(value: &mut Value, index: usize) -> Result<&mut Value, String> {
    let Value::Array(list) = value else {
        return Err("this is not a list".into());
    };
    let length = list.len();
    list.get_mut(index).ok_or_else(|| format!("this list has only {length} members"))
}

/// A list that is not set counts as an empty one.
fn list_at<'a>(content: &'a mut Value, steps: &[Step]) -> Result<&'a mut Vec<Value>, String> {
    let list = value_at(content, steps)?;
    if list.is_null() {
        *list = Value::Array(Vec::new());
    }
    list.as_array_mut().ok_or_else(|| "this is not a list".into())
}

fn has_long_list(value: &Value) -> bool {
    match value {
        Value::Object(table) => table.values().any(has_long_list),
        Value::Array(members) => members.len() > MAX_MEMBERS || members.iter().any(has_long_list),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(path: &str, operation: Operation) -> Result<Value, String> {
        let mut content = json!({"a": {"b": "x"}, "l": [{"n": 1}, {"n": 2}, {"n": 3}]});
        let change = Change { sent: path.into(), path: Path::parse(path).expect(path), operation };
        apply(&mut content, &change).map(|()| content)
    }

    #[test]
    fn a_change_sets_removes_inserts_and_moves() {
        let set = |path, value| changed(path, Operation::Set(value)).expect(path);
        assert_eq!(set("a.b", json!("y"))["a"], json!({"b": "y"}));
        assert_eq!(set("a.b", Value::Null)["a"], json!({}));
        assert_eq!(set("a.c.d", json!(1))["a"], json!({"b": "x", "c": {"d": 1}}));
        assert_eq!(set("l[1].n", json!(9))["l"], json!([{"n": 1}, {"n": 9}, {"n": 3}]));
        assert_eq!(set("l[1]", Value::Null)["l"], json!([{"n": 1}, {"n": 3}]));
        let insert = |path, index| changed(path, Operation::Insert(index, json!({"n": 0})));
        assert_eq!(insert("l", 3).expect("appended")["l"][3], json!({"n": 0}));
        assert_eq!(insert("a.new", 0).expect("a new list")["a"]["new"], json!([{"n": 0}]));
        let moved = changed("l[2]", Operation::Move(0)).expect("moved");
        assert_eq!(moved["l"], json!([{"n": 3}, {"n": 1}, {"n": 2}]));
    }
}
