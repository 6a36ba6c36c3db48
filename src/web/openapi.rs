//! The description of the API: `openapi.json` says everything but the forms, which the rules know.
//! A test compares it with what the server answers.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::model::{Kind, PaymentStatus, Status};
use crate::rules::form;

/// What every kind has alike, by its path with `{kind}`.
const OF_EACH_KIND: &str = "x-of-each-kind";

static WHOLE: LazyLock<String> = LazyLock::new(|| whole().to_string());

/// The description, as it is served.
pub fn text() -> &'static str {
    &WHOLE
}

fn whole() -> Value {
    let mut whole: Map<String, Value> =
        serde_json::from_str(include_str!("openapi.json")).expect("openapi.json is an object");
    let of_each_kind = whole.remove(OF_EACH_KIND).unwrap_or_default();
    let mut whole = Value::from(whole);
    for kind in Kind::ALL {
        for (path, item) in of_each_kind.as_object().into_iter().flatten() {
            whole["paths"][path.replace("{kind}", kind.as_str())] = of_kind(item, kind);
        }
        whole["components"]["schemas"][kind.as_str()] = form(kind).schema();
        whole["components"]["schemas"]["Summary"]["properties"][&form(kind).summary_key] =
            json!({ "type": "integer" });
    }
    let words = [
        ("Kind", Kind::ALL.into_iter().map(Kind::as_str).collect::<Value>()),
        ("Status", Status::ALL.into_iter().map(Status::as_str).collect()),
        ("PaymentStatus", PaymentStatus::ALL.into_iter().map(PaymentStatus::as_str).collect()),
    ];
    for (name, words) in words {
        whole["components"]["schemas"][name] = json!({ "enum": words });
    }
    whole
}

fn of_kind(item: &Value, kind: Kind) -> Value {
    let schema = format!("#/components/schemas/{kind}");
    serde_json::from_str(&item.to_string().replace("{schema}", &schema)).expect("a path item")
}
