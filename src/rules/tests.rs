//! The shared vectors, and that every field has its column.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

use super::*;
use crate::error::{Error, FieldErrors};

#[derive(Deserialize)]
struct Vector {
    name: String,
    kind: String,
    input: Json,
    errors: FieldErrors,
    #[serde(default)]
    stored: BTreeMap<String, Json>,
}

#[test]
fn the_shared_vectors_hold() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../../tests/vectors/rules.json")).expect("the vectors");
    assert!(vectors.len() > 50);
    for vector in vectors {
        let kind = vector.kind.parse().expect("a kind");
        match parse(kind, &vector.input, &Offered::default()) {
            Ok(record) => {
                assert!(vector.errors.is_empty(), "{}: accepted", vector.name);
                for (name, stored) in vector.stored {
                    let value = record.get(&name).expect("a field");
                    assert_eq!(as_json(value), stored, "{}: {name}", vector.name);
                }
            }
            Err(Error::Invalid(errors)) => assert_eq!(errors, vector.errors, "{}", vector.name),
            Err(error) => panic!("{}: {error}", vector.name),
        }
    }
}

fn as_json(value: &Value) -> Json {
    match value {
        Value::Missing => Json::Null,
        Value::Text(text) => Json::from(text.as_str()),
        Value::List(items) => Json::from(items.clone()),
        Value::Flag(flag) => Json::from(*flag),
        Value::Count(count) => Json::from(*count),
    }
}

#[test]
fn a_wrong_json_type_is_not_a_broken_rule() {
    for body in ["[]", "3", "\"text\"", r#"{"name": 3}"#, r#"{"wantToCompete": "yes"}"#] {
        let body = serde_json::from_str(body).expect("JSON");
        let refused = parse(Kind::WaitlistSignups, &body, &Offered::default());
        assert!(matches!(refused, Err(Error::Malformed(_))), "{body}");
    }
}

#[test]
fn every_kind_has_its_form_and_its_columns() {
    let connection = rusqlite::Connection::open_in_memory().expect("a database");
    connection.execute_batch(include_str!("../../schema.sql")).expect("the schema");
    for kind in Kind::ALL {
        let columns: Vec<String> = form(kind).fields().map(Field::column).collect();
        let sql = format!("select {} from {}", columns.join(", "), kind.as_str().replace('-', "_"));
        connection.prepare(&sql).unwrap_or_else(|error| panic!("{kind}: {error}"));
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_rules_panic(text in "\\PC{0,40}") {
        let body = serde_json::json!({"name": text, "email": text, "instagram": text});
        let _ = parse(Kind::WaitlistSignups, &body, &Offered::default());
    }
}
