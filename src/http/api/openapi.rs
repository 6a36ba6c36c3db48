//! The description of the part of the API that scripts may rely on. `openapi.json` has everything except the forms, which
//! are generated from `rules.json`. A test compares the description with what the server answers. The calls of the pages
//! are left out: they change with the pages, which are their only callers.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::forms::{form, free_text_schema};
use crate::model::{Kind, PaymentStatus, Status};
use crate::registrations::review;
use crate::store::registrations;

/// The key in `openapi.json` that holds the paths with `{kind}`, which every kind has.
const OF_EACH_KIND: &str = "x-of-each-kind";

static WHOLE: LazyLock<String> = LazyLock::new(|| whole().to_string());

/// The complete description as JSON.
pub fn text() -> &'static str {
    &WHOLE
}

fn whole() -> Value {
    let mut whole: Map<String, Value> =
        serde_json::from_str(include_str!("openapi.json")).expect("openapi.json is an object");
    let of_each_kind = whole.remove(OF_EACH_KIND).unwrap_or_default();
    let mut whole = Value::from(whole);
    let statuses = || Status::ALL.into_iter().map(Status::as_str);
    let filters = [registrations::STATUS_OPEN, registrations::STATUS_DUE];
    let with_payments = || statuses().chain(PaymentStatus::ALL.into_iter().map(PaymentStatus::as_str));
    for kind in Kind::ALL {
        for (path, item) in of_each_kind.as_object().into_iter().flatten() {
            whole["paths"][path.replace("{kind}", kind.as_str())] = of_kind(item, kind);
        }
        whole["components"]["schemas"][kind.as_str()] = form(kind).schema();
        let sortable = registrations::sortable_names(kind).flat_map(|name| [format!("-{name}"), name]);
        whole["components"]["schemas"][sort_name(kind)] =
            json!({ "enum": sortable.chain([String::new()]).collect::<Vec<_>>() });
        whole["components"]["schemas"]["Summary"]["properties"][&form(kind).summary_key] =
            json!({ "type": "integer" });
    }
    let enums = [
        ("Kind", Kind::ALL.into_iter().map(Kind::as_str).collect::<Value>()),
        ("Decision", review::settable_statuses().map(Status::as_str).collect()),
        ("ListedStatus", statuses().chain(filters).collect()),
        ("ListedEntryStatus", with_payments().chain(filters).collect()),
        ("PaymentStatus", PaymentStatus::ALL.into_iter().map(PaymentStatus::as_str).collect()),
    ];
    for (name, values) in enums {
        whole["components"]["schemas"][name] = json!({ "enum": values });
    }
    whole["components"]["schemas"]["Note"] = free_text_schema();
    whole
}

fn of_kind(item: &Value, kind: Kind) -> Value {
    let status = if kind == Kind::CompetitionEntries { "ListedEntryStatus" } else { "ListedStatus" };
    let mut item = item.to_string();
    for (mark, schema) in [("schema", kind.as_str()), ("sort", &sort_name(kind)), ("status", status)] {
        item = item.replace(&format!("{{{mark}}}"), &format!("#/components/schemas/{schema}"));
    }
    let mut item: Value = serde_json::from_str(&item).expect("a path item");
    if kind != Kind::CompetitionEntries
        && let Some(Value::Array(parameters)) = item.pointer_mut("/get/parameters")
    {
        parameters.retain(|parameter| parameter["name"] != "category");
    }
    item
}

/// The name of the schema with the fields by which a kind's list can be sorted.
fn sort_name(kind: Kind) -> String {
    format!("{kind}-sort")
}
