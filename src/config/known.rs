//! All settings and their defaults.

use toml::{Table, Value};

const DEFAULTS: &str = include_str!("../../config.example.toml");

pub fn defaults() -> Table {
    DEFAULTS.parse().expect("config.example.toml is TOML")
}

/// Every key, dotted, sorted.
pub fn keys(table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(section) => found.extend(section.keys().map(|inner| format!("{key}.{inner}"))),
            _ => found.push(key.clone()),
        }
    }
    found
}

/// The names of the sections.
pub fn sections(table: &Table) -> Vec<String> {
    table.iter().filter(|(_, value)| value.is_table()).map(|(name, _)| name.clone()).collect()
}

/// Whether an empty value means 'not set'. For `tls.http_listen` it means 'off'.
pub fn is_unset(key: &str, value: &Value) -> bool {
    value.as_str() == Some("") && key != "tls.http_listen"
}

/// The known name that is most similar to an unknown one.
pub fn nearest<'a>(known: &'a [String], name: &str) -> &'a str {
    known
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)))
        .map_or("", String::as_str)
}
