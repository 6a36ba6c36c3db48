//! Compares the API's description with the server: every described call is a row of the table of paths and is answered.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{ADMIN, Place, served, speaker};

const METHODS: [&str; 6] = ["get", "post", "patch", "put", "delete", "options"];

fn described() -> (Place, crate::support::Server, Value) {
    let (place, server) = served(ADMIN);
    let reply = server.get("/api/openapi.json", &[]);
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/json"));
    let description = reply.json();
    (place, server, description)
}

#[test]
fn every_described_call_is_answered_and_no_other_method_is() {
    let (_place, server, description) = described();
    assert_eq!(description["openapi"], "3.1.0");
    let session = server.sign_in();
    let paths = description["paths"].as_object().expect("paths");
    assert!(paths.len() > 25, "{}", paths.len());
    for (path, item) in paths {
        let address = path.replace("{id}", "1");
        let mut allowed: BTreeSet<String> = BTreeSet::new();
        for method in METHODS.into_iter().filter(|method| item.get(*method).is_some()) {
            allowed.insert(method.to_uppercase());
            if method == "get" {
                allowed.insert("HEAD".into());
            }
            let call = &item[method];
            assert!(call["summary"].is_string() && call["responses"].is_object(), "{method} {path}");
            let open = call["security"] == json!([]);
            let json = [("content-type", "application/json")];
            let reply = server.send(&method.to_uppercase(), &address, &json, "{}");
            assert_ne!(reply.status, 405, "{method} {path}");
            assert_eq!(reply.status == 401, !open, "{method} {path}: {} {}", reply.status, reply.text());
            let known = &call["responses"];
            let status = reply.status.to_string();
            assert!(
                known.get(&status).is_some() || known.get("default").is_some(),
                "{method} {path}: {status}"
            );
        }
        let unknown = if item.get("put").is_some() { "PATCH" } else { "PUT" };
        let other = server.send(unknown, &address, &[("cookie", &session)], "");
        assert_eq!(other.status, 405, "{path}");
        let answered: BTreeSet<String> = other.header("allow").split(", ").map(str::to_owned).collect();
        assert_eq!(answered, allowed, "{path}");
    }
}

#[test]
fn references_resolve_and_forms_are_described_correctly() {
    let (_place, server, description) = described();
    let text = description.to_string();
    for part in text.split("\"$ref\":\"").skip(1) {
        let target = part.split('"').next().expect("a reference");
        let pointer = target.trim_start_matches('#');
        assert!(description.pointer(pointer).is_some(), "{target}");
    }
    let form = &description["components"]["schemas"]["speaker-applications"];
    for required in form["required"].as_array().expect("a list") {
        let mut body = speaker();
        body.as_object_mut().expect("an object").remove(required.as_str().expect("a name"));
        assert_eq!(server.post("/api/speaker-applications", &body).status, 422, "{required}");
    }
    let fields = form["properties"].as_object().expect("fields");
    let body = speaker();
    assert!(body.as_object().expect("an object").keys().all(|name| fields.contains_key(name)));
    assert_eq!(fields["topicProposal"]["minLength"], 100);
    let stored = server.post("/api/speaker-applications", &body).json();
    for name in description["components"]["schemas"]["Registered"]["required"].as_array().expect("a list") {
        assert!(stored.get(name.as_str().expect("a name")).is_some(), "{name}");
    }
}

#[test]
fn numbers_and_flags_are_accepted_as_described() {
    let (_place, server, _) = described();
    let session = server.sign_in();
    let asked = |path: &str| server.get(&format!("/api/{path}"), &[("cookie", &session)]);
    for (query, expected) in [
        ("page=4294967295", 200),
        ("page=4294967296", 400),
        ("page=0", 400),
        ("page=%2B1", 400),
        ("pageSize=501", 200),
        ("pageSize=99999999999999999999999", 200),
        ("pageSize=0", 400),
        ("pageSize=-1", 400),
    ] {
        let reply = asked(&format!("waitlist-signups?{query}"));
        assert_eq!(reply.status, expected, "{query}");
        assert!(expected == 400 || reply.json()["pageSize"].as_u64() <= Some(500), "{query}");
    }
    for (path, flag) in [("export/json", "summary"), ("payment-findings", "all")] {
        for (word, expected) in [("true", 200), ("false", 200), ("", 200), ("yes", 400)] {
            assert_eq!(asked(&format!("{path}?{flag}={word}")).status, expected, "{path} {flag} {word}");
        }
    }
    let mut entry = json!({ "additionalCategories": 0.0 });
    assert_eq!(server.post("/api/competition-entries", &entry).status, 422, "a whole number");
    entry["additionalCategories"] = 0.5.into();
    assert_eq!(server.post("/api/competition-entries", &entry).status, 400, "no whole number");
}
