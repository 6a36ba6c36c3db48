//! Writes changed values into a content file. Comments, order and spelling of everything else stay as they are.

use serde_json::{Map, Value};
use toml_edit::{
    Array, ArrayOfTables, Decor, DocumentMut, InlineTable, Item, RawString, Table, TableLike,
    Value as Written,
};

use super::align::align;

/// The text of a file with the values of `new` where they differ from those of `old`. A key that the file leaves to its
/// default is written only if its value changes.
///
/// # Errors
/// The parser's message, if the text is not TOML.
pub fn write(text: &str, old: &Value, new: &Value) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    if let (Value::Object(old), Value::Object(new)) = (old, new) {
        write_table(document.as_table_mut(), old, new, false);
    }
    Ok(document.to_string())
}

fn write_table(
    table: &mut dyn TableLike,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    is_inline: bool,
) {
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
                table.insert(key, new_item(value, is_inline));
                if let (Some(mut key), true) = (table.key_mut(key), above.contains('#')) {
                    key.leaf_decor_mut().set_prefix(above);
                }
            }
            Some(item) => write_item(item, before.unwrap_or(&Value::Null), value, is_inline),
            None => drop(table.insert(key, new_item(value, is_inline))),
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

fn write_item(item: &mut Item, old: &Value, new: &Value, is_inline: bool) {
    match (&mut *item, old, new) {
        (Item::Table(table), Value::Object(old), Value::Object(new)) => {
            write_table(table, old, new, is_inline);
        }
        (Item::ArrayOfTables(tables), Value::Array(old), Value::Array(new))
            if !new.is_empty() && new.iter().all(Value::is_object) =>
        {
            write_tables(tables, old, new);
        }
        (Item::Value(written), ..) if !is_list_of_tables(written, new, is_inline) => {
            write_value(written, old, new);
        }
        _ => *item = new_item(new, is_inline),
    }
}

/// Whether an empty list is to get tables as members, which have sections of their own.
fn is_list_of_tables(written: &Written, new: &Value, is_inline: bool) -> bool {
    let is_empty = written.as_array().is_some_and(Array::is_empty);
    !is_inline && is_empty && matches!(new, Value::Array(members) if members.iter().all(Value::is_object))
}

fn write_value(written: &mut Written, old: &Value, new: &Value) {
    match (&mut *written, old, new) {
        (Written::InlineTable(table), Value::Object(old), Value::Object(new)) => {
            write_table(table, old, new, true);
        }
        (Written::Array(array), Value::Array(old), Value::Array(new)) => write_members(array, old, new),
        _ => {
            let decor = written.decor().clone();
            *written = new_value(new);
            *written.decor_mut() = decor;
        }
    }
}

/// Tables with a section each. They keep the part of the file that they had; what stands above the first stays above the
/// first.
fn write_tables(tables: &mut ArrayOfTables, old: &[Value], new: &[Value]) {
    let mut positions = Vec::new();
    for table in tables.iter() {
        collect_positions(table, &mut positions);
    }
    positions.sort_unstable();
    let above_first = tables.get(0).map(|first| first.decor().clone());
    let above_others = tables.get(1).map_or_else(|| Decor::new("\n", ""), |other| other.decor().clone());
    let aligned = align(old, new);
    let mut written: Vec<Table> = Vec::with_capacity(new.len());
    for (index, (value, before)) in new.iter().zip(&aligned).enumerate() {
        let kept = before.and_then(|before| Some((before, tables.get(before)?.clone())));
        let (mut table, was_first) = match (kept, value) {
            (Some((before, mut table)), Value::Object(new)) => {
                if let Some(Value::Object(old)) = old.get(before) {
                    write_table(&mut table, old, new, false);
                }
                (table, before == 0)
            }
            (_, Value::Object(new)) => (new_table(new), false),
            _ => continue,
        };
        if index == 0 {
            if let Some(decor) = &above_first {
                *table.decor_mut() = decor.clone();
            }
        } else if was_first {
            *table.decor_mut() =
                if prefix(&above_others).contains('#') { Decor::new("\n", "") } else { above_others.clone() };
        }
        written.push(table);
    }
    let mut positions = positions.into_iter();
    let mut last = None;
    for table in &mut written {
        set_positions(table, &mut || {
            last = positions.next().or(last);
            last
        });
    }
    tables.clear();
    for table in written {
        tables.push(table);
    }
}

fn collect_positions(table: &Table, positions: &mut Vec<isize>) {
    positions.extend(table.position());
    for (_, item) in table.iter() {
        match item {
            Item::Table(table) => collect_positions(table, positions),
            Item::ArrayOfTables(tables) => {
                tables.iter().for_each(|table| collect_positions(table, positions));
            }
            _ => {}
        }
    }
}

fn set_positions(table: &mut Table, next: &mut dyn FnMut() -> Option<isize>) {
    if !table.is_dotted() {
        table.set_position(next());
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => set_positions(table, next),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| set_positions(table, next)),
            _ => {}
        }
    }
}

fn write_members(array: &mut Array, old: &[Value], new: &[Value]) {
    let is_multiline = array.iter().any(|member| prefix(member.decor()).contains('\n'));
    let indent = array.get(0).map(|first| prefix(first.decor())).unwrap_or_default();
    let indent =
        indent.rsplit('\n').next().filter(|indent| indent.trim().is_empty()).unwrap_or("  ").to_owned();
    let has_comments = array.iter().any(|member| prefix(member.decor()).contains('#'));
    let mut written = Vec::with_capacity(new.len());
    for (value, before) in new.iter().zip(align(old, new)) {
        match before.and_then(|before| Some((before, array.get(before)?.clone()))) {
            Some((before, mut kept)) => {
                write_value(&mut kept, old.get(before).unwrap_or(&Value::Null), value);
                written.push(kept);
            }
            None => {
                let mut added = new_value(value);
                if is_multiline {
                    *added.decor_mut() = Decor::new(format!("\n{indent}"), "");
                }
                written.push(added);
            }
        }
    }
    array.clear();
    for value in written {
        array.push_formatted(value);
    }
    if array.is_empty() {
        array.set_trailing("");
        array.set_trailing_comma(false);
    } else if !is_multiline && !has_comments {
        array.fmt();
    } else {
        array.set_trailing_comma(true);
    }
}

fn new_item(value: &Value, is_inline: bool) -> Item {
    match value {
        Value::Object(table) if !is_inline => Item::Table(new_table(table)),
        Value::Array(members)
            if !is_inline && !members.is_empty() && members.iter().all(Value::is_object) =>
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
        table.insert(key, new_item(value, false));
    }
    table
}

fn new_value(value: &Value) -> Written {
    match value {
        Value::Null => Written::from(""),
        Value::Bool(flag) => Written::from(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Written::from(whole),
            None => Written::from(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Written::from(text.as_str()),
        Value::Array(members) => Written::Array(members.iter().map(new_value).collect()),
        Value::Object(members) => {
            let mut table = InlineTable::new();
            for (key, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                table.insert(key, new_value(value));
            }
            Written::InlineTable(table)
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
    fn members_are_added_moved_and_removed_with_their_comments() {
        let added =
            written(|new| new["people"].as_array_mut().expect("a list").insert(1, json!({"name": "Cy"})));
        assert_eq!(added, FILE.replace("[[people]]\n# Bo", "[[people]]\nname = \"Cy\"\n\n[[people]]\n# Bo"));
        let moved = written(|new| new["people"].as_array_mut().expect("a list").swap(0, 1));
        assert_eq!(
            moved,
            FILE.replace(
                "[[people]]\nname = \"Ada\"\n\n  [[people.works]]\n  title = \"w1\"\n",
                "[[people]]\nA\n"
            )
            .replace("[[people]]\n# Bo's line.\nname = \"Bo\"\n", "B")
            .replace("[[people]]\nA\n", "[[people]]\n# Bo's line.\nname = \"Bo\"\n")
            .replace("\nB", "\n[[people]]\nname = \"Ada\"\n\n  [[people.works]]\n  title = \"w1\"\n")
        );
        let removed = written(|new| drop(new["people"].as_array_mut().expect("a list").remove(0)));
        assert!(
            removed.contains("# People first.\n[[people]]\n# Bo's line.\nname = \"Bo\"\n\n# ---- prices"),
            "{removed}"
        );
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
