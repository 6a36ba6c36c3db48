//! Writes changed values into a content file. Comments, order and spelling of everything else stay as they are; those inside
//! a list stay at their place in it.

use serde_json::{Map, Value};
use toml_edit::{
    Array, ArrayOfTables, Decor, DocumentMut, InlineTable, Item, RawString, Table, TableLike,
    Value as TomlValue,
};

/// The text of a file with the values of `new` where they differ from those of `old`. A key that the file leaves to its
/// default is written only if its value changes.
///
/// # Errors
/// The parser's message, if the text is not TOML.
pub fn write(text: &str, old: &Value, new: &Value) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    if let (Value::Object(old), Value::Object(new)) = (old, new) {
        write_table(document.as_table_mut(), old, new, Style::Sections);
    }
    Ok(document.to_string())
}

/// How a table is written: with a section of its own, or as an inline table `{ key = value }`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Sections,
    Inline,
}

fn write_table(table: &mut dyn TableLike, old: &Map<String, Value>, new: &Map<String, Value>, style: Style) {
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        remove(table, key);
    }
    for (key, value) in new {
        let before = old.get(key);
        if before == Some(value) {
            continue;
        }
        match table.get_mut(key) {
            // A list of sections becomes a value of its table.
            Some(Item::ArrayOfTables(tables)) if value == &Value::Array(Vec::new()) => {
                let above = tables.get(0).map(|first| prefix(first.decor())).unwrap_or_default();
                table.remove(key);
                table.insert(key, new_item(value, style));
                if let (Some(mut key), true) = (table.key_mut(key), above.contains('#')) {
                    key.leaf_decor_mut().set_prefix(above);
                }
            }
            Some(item) => write_item(item, before.unwrap_or(&Value::Null), value, style),
            None => drop(table.insert(key, new_item(value, style))),
        }
    }
}

/// Removes a key. A comment above it then stands above the next one.
fn remove(table: &mut dyn TableLike, key: &str) {
    let comment = table.key(key).map(|key| prefix(key.leaf_decor())).filter(|prefix| prefix.contains('#'));
    let next = table.iter().skip_while(|(other, _)| *other != key).nth(1);
    let next = next.filter(|(_, item)| item.is_value()).map(|(next, _)| next.to_owned());
    table.remove(key);
    if let (Some(comment), Some(mut next)) = (comment, next.as_deref().and_then(|next| table.key_mut(next))) {
        let joined = comment + &prefix(next.leaf_decor());
        next.leaf_decor_mut().set_prefix(joined);
    }
}

fn prefix(decor: &Decor) -> String {
    decor.prefix().and_then(RawString::as_str).unwrap_or_default().to_owned()
}

fn write_item(item: &mut Item, old: &Value, new: &Value, style: Style) {
    match (&mut *item, old, new) {
        (Item::Table(table), Value::Object(old), Value::Object(new)) => {
            write_table(table, old, new, style);
        }
        (Item::ArrayOfTables(tables), Value::Array(old), Value::Array(new))
            if !new.is_empty() && new.iter().all(Value::is_object) =>
        {
            write_tables(tables, old, new);
        }
        (Item::Value(written), ..) if !is_list_of_tables(written, new, style) => {
            write_value(written, old, new);
        }
        _ => *item = new_item(new, style),
    }
}

/// Whether an empty list is to get tables as members, which have sections of their own.
fn is_list_of_tables(written: &TomlValue, new: &Value, style: Style) -> bool {
    let is_empty = written.as_array().is_some_and(Array::is_empty);
    style == Style::Sections
        && is_empty
        && matches!(new, Value::Array(members) if members.iter().all(Value::is_object))
}

fn write_value(written: &mut TomlValue, old: &Value, new: &Value) {
    match (&mut *written, old, new) {
        (TomlValue::InlineTable(table), Value::Object(old), Value::Object(new)) => {
            write_table(table, old, new, Style::Inline);
        }
        (TomlValue::Array(array), Value::Array(old), Value::Array(new)) => write_members(array, old, new),
        _ => {
            let decor = written.decor().clone();
            *written = new_value(new);
            *written.decor_mut() = decor;
        }
    }
}

/// Tables with a section each.
fn write_tables(tables: &mut ArrayOfTables, old: &[Value], new: &[Value]) {
    while tables.len() > new.len() {
        tables.remove(tables.len() - 1);
    }
    for (index, value) in new.iter().enumerate() {
        match (tables.get_mut(index), old.get(index), value) {
            (Some(table), Some(Value::Object(old)), Value::Object(new)) => {
                write_table(table, old, new, Style::Sections);
            }
            (_, _, Value::Object(new)) => tables.push(new_table(new)),
            _ => {}
        }
    }
}

fn write_members(array: &mut Array, old: &[Value], new: &[Value]) {
    let above = array.get(0).map(|first| prefix(first.decor())).unwrap_or_default();
    let indent = above.rfind('\n').map(|line| above[line..].to_owned());
    while array.len() > new.len() {
        array.remove(array.len() - 1);
    }
    for (index, value) in new.iter().enumerate() {
        match (array.get_mut(index), &indent) {
            (Some(written), _) => write_value(written, old.get(index).unwrap_or(&Value::Null), value),
            (None, Some(indent)) => array.push_formatted(new_value(value).decorated(indent, "")),
            (None, None) => array.push(new_value(value)),
        }
    }
    if array.is_empty() {
        array.clear();
    }
}

fn new_item(value: &Value, style: Style) -> Item {
    match value {
        Value::Object(table) if style == Style::Sections => Item::Table(new_table(table)),
        Value::Array(members)
            if style == Style::Sections && !members.is_empty() && members.iter().all(Value::is_object) =>
        {
            let mut tables = ArrayOfTables::new();
            for table in members.iter().filter_map(Value::as_object) {
                tables.push(new_table(table));
            }
            Item::ArrayOfTables(tables)
        }
        value => Item::Value(new_value(value)),
    }
}

fn new_table(members: &Map<String, Value>) -> Table {
    let mut table = Table::new();
    for (key, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        table.insert(key, new_item(value, Style::Sections));
    }
    table
}

fn new_value(value: &Value) -> TomlValue {
    match value {
        Value::Null => TomlValue::from(""),
        Value::Bool(flag) => TomlValue::from(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => TomlValue::from(whole),
            None => TomlValue::from(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => TomlValue::from(text.as_str()),
        Value::Array(members) => TomlValue::Array(members.iter().map(new_value).collect()),
        Value::Object(members) => {
            let mut table = InlineTable::new();
            for (key, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                table.insert(key, new_value(value));
            }
            TomlValue::InlineTable(table)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FILE: &str = r#"# The file.
phase = "before"

[event] # facts
# Its name.
name = 'One' # here
# A day.
day = "2026-03-28"
last = 2

# People first.
[[people]]
name = "Ada"

  [[people.works]]
  title = "w1"

[[people]]
# Bo's line.
name = "Bo"

# ---- prices
[pricing]
fees = [1, 2]
buttons = [
  { label = "A", href = "/a" }, # first
  { label = "B", href = "/b" },
]
"#;

    fn value(text: &str) -> Value {
        let table: Map<String, Value> = toml::from_str(text).expect("TOML");
        Value::Object(table)
    }

    fn written(change: impl Fn(&mut Value)) -> String {
        let old = value(FILE);
        let mut new = old.clone();
        change(&mut new);
        let text = write(FILE, &old, &new).expect("TOML");
        assert_eq!(value(&text), new, "{text}");
        text
    }

    #[test]
    fn only_what_has_changed_is_written() {
        assert_eq!(written(|_| ()), FILE);
        let line = |from: &str, to: &str| FILE.replace(from, to);
        assert_eq!(
            written(|new| new["event"]["name"] = json!("Two")),
            line("'One' # here", "\"Two\" # here")
        );
        assert_eq!(written(|new| new["pricing"]["fees"][1] = json!(3)), line("[1, 2]", "[1, 3]"));
        assert_eq!(written(|new| new["pricing"]["fees"] = json!([5, 1, 2])), line("[1, 2]", "[5, 1, 2]"));
        assert_eq!(
            written(|new| new["pricing"]["buttons"][1]["href"] = json!("/c")),
            line("href = \"/b\"", "href = \"/c\"")
        );
        assert_eq!(
            written(|new| new["people"][0]["works"][0]["title"] = json!("a\n\nb")),
            line("\"w1\"", "\"\"\"\na\n\nb\"\"\"")
        );
        let removed = written(|new| drop(new["event"].as_object_mut().expect("a table").shift_remove("day")));
        assert_eq!(removed, line("day = \"2026-03-28\"\n", ""));
    }

    #[test]
    fn members_are_added_moved_and_removed_and_comments_stay_in_place() {
        let added = written(|new| new["people"].as_array_mut().expect("a list").push(json!({"name": "Cy"})));
        assert_eq!(added, FILE.replace("name = \"Bo\"\n", "name = \"Bo\"\n\n[[people]]\nname = \"Cy\"\n"));
        let moved = written(|new| new["people"].as_array_mut().expect("a list").swap(0, 1));
        for comment in FILE.lines().filter(|line| line.starts_with('#')) {
            assert!(moved.contains(comment), "{comment}: {moved}");
        }
        let removed = written(|new| drop(new["people"].as_array_mut().expect("a list").remove(0)));
        assert!(removed.contains("# People first.\n[[people]]\nname = \"Bo\"\n\n# ---- prices"), "{removed}");
        let emptied = written(|new| new["people"] = json!([]));
        assert!(emptied.contains("# People first.\npeople = []\n"), "{emptied}");
        let button = written(|new| {
            new["pricing"]["buttons"]
                .as_array_mut()
                .expect("a list")
                .push(json!({"label": "C", "href": "/c"}));
        });
        assert!(button.contains("href = \"/b\" },\n  { label = \"C\", href = \"/c\" },\n]"), "{button}");
        assert!(button.contains("# first"), "{button}");
    }

    #[test]
    fn a_new_section_follows_its_table() {
        let text = written(|new| {
            new["event"]["extra"] = json!({"a": 1, "list": [{"x": "y"}]});
            new["pricing"]["more"] = json!([{"n": 1}, {"n": 2}]);
        });
        assert!(
            text.contains("last = 2\n\n[event.extra]\na = 1\n\n[[event.extra.list]]\nx = \"y\"\n\n# People"),
            "{text}"
        );
        assert!(text.ends_with("[[pricing.more]]\nn = 1\n\n[[pricing.more]]\nn = 2\n"), "{text}");
    }
}
