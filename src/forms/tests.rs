//! Tests with the vectors that the browser's tests use too, and tests of `rules.json` itself.

use std::collections::BTreeMap;

use proptest::prelude::*;
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
fn the_shared_vectors_pass() {
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
                    assert_eq!(value.to_json(), stored, "{}: {name}", vector.name);
                }
            }
            Err(Error::Invalid(errors)) => assert_eq!(errors, vector.errors, "{}", vector.name),
            Err(error) => panic!("{}: {error}", vector.name),
        }
    }
}

#[test]
fn every_field_that_a_person_types_is_personal() {
    let fixed =
        [FieldType::Choice, FieldType::Choices, FieldType::Consent, FieldType::Flag, FieldType::Count];
    let mut others = Vec::new();
    for field in Kind::ALL.into_iter().flat_map(|kind| form(kind).fields()) {
        if !field.personal && !fixed.contains(&field.field_type) {
            others.push(field.name.as_str());
        }
    }
    // The field that determines the tax is a choice too, but its options are in the content.
    assert_eq!(others, ["taxLocation"]);
}

/// Their normalised columns are named after them: with another name, a correction of the answer would fail.
#[test]
fn a_telephone_number_is_called_phone_and_a_handle_instagram() {
    for field in Kind::ALL.into_iter().flat_map(|kind| form(kind).fields()) {
        match field.field_type {
            FieldType::Phone => assert_eq!(field.name, "phone"),
            FieldType::Handle => assert_eq!(field.name, "instagram"),
            _ => {}
        }
    }
}

#[test]
fn every_kind_has_its_form_and_its_columns() {
    let listed: Vec<&str> = RULES.forms.iter().map(|form| form.kind.as_str()).collect();
    assert_eq!(listed, Kind::ALL.map(Kind::as_str), "the order of rules.json is that of the program");
    let connection = rusqlite::Connection::open_in_memory().expect("a database");
    connection.execute_batch(include_str!("../../schema.sql")).expect("the schema");
    for kind in Kind::ALL {
        let columns: Vec<&str> = form(kind).fields().map(Field::column).collect();
        let sql = format!("select {} from {}", columns.join(", "), kind.as_str().replace('-', "_"));
        connection.prepare(&sql).unwrap_or_else(|error| panic!("{kind}: {error}"));
    }
}

/// Any JSON value.
fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
        "\\PC{0,300}".prop_map(Json::from),
        "[a-z0-9.]{1,9}@[a-z0-9.-]{1,9}\\.[a-z]{2,4}".prop_map(Json::from),
        "https?://[a-z./?#]{1,20}".prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 32, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::from),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// A value that the field usually accepts.
fn likely(field: &'static Field) -> BoxedStrategy<Json> {
    let options: Vec<String> = field.options.iter().map(|option| option.value.clone()).collect();
    match field.field_type {
        FieldType::Consent => Just(Json::from(true)).boxed(),
        FieldType::Flag => any::<bool>().prop_map(Json::from).boxed(),
        FieldType::Count => (0..4_i64).prop_map(Json::from).boxed(),
        FieldType::Email => "[a-z]{1,8}@example\\.com".prop_map(Json::from).boxed(),
        FieldType::Url => "https://example\\.com/[a-z]{0,9}".prop_map(Json::from).boxed(),
        FieldType::Choice if !options.is_empty() => {
            prop::sample::select(options).prop_map(Json::from).boxed()
        }
        FieldType::Choices => prop::sample::subsequence(options.clone(), 1..=options.len())
            .prop_map(|chosen| chosen.into_iter().map(Json::from).collect())
            .boxed(),
        _ => "\\PC{100,120}".prop_map(Json::from).boxed(),
    }
}

/// A kind and a body for it: usually a form with likely values in most fields, otherwise any JSON.
pub(crate) fn any_body() -> impl Strategy<Value = (Kind, Json)> {
    prop::sample::select(Kind::ALL.to_vec()).prop_flat_map(|kind| {
        let extra = [("referralNote", any_json()), ("secondsSpent", any_json()), ("agreedTo", any_json())];
        let extra: Vec<_> =
            extra.into_iter().map(|(name, value)| (Just(name.to_owned()), value.boxed())).collect();
        let fields: Vec<_> = form(kind)
            .fields()
            .map(|field| {
                let value = prop_oneof![40 => likely(field), 1 => any_json()];
                (Just(field.name.clone()), value.boxed())
            })
            .chain(extra)
            .collect();
        let whole = fields.prop_map(|members| members.into_iter().collect::<Json>());
        (Just(kind), prop_oneof![6 => whole.boxed(), 1 => any_json().boxed()])
    })
}

proptest! {
    #[test]
    fn parsing_never_panics_and_parsing_a_record_again_changes_nothing((kind, body) in any_body()) {
        if let Ok(record) = parse(kind, &body, &Offered::default()) {
            let again: Json = record.fields().map(|(field, value)| (field.name.clone(), value.to_json())).collect();
            prop_assert_eq!(parse(kind, &again, &Offered::default()).expect("a record passes the rules"), record);
        }
    }
}
