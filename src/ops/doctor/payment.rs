//! Checks that the payment provider's keys are complete, of one mode and accepted, and that the webhook exists.

use serde_json::Value;

use super::{Finding, web};
use crate::config::{Config, Stripe};
use crate::payments::provider::EventKind;

pub fn keys(config: &Config) -> Vec<Finding> {
    let stripe = &config.stripe;
    let given = [
        ("stripe.secret_key", stripe.secret_key.expose()),
        ("stripe.publishable_key", stripe.publishable_key.as_str()),
        ("stripe.webhook_secret", stripe.webhook_secret.expose()),
    ];
    if given.iter().all(|(_, value)| value.is_empty()) {
        return vec![Finding::note(
            "stripe.secret_key is not set, so the entry page says that online payment is not open yet.",
        )];
    }
    let missing: Vec<&str> =
        given.iter().filter(|(_, value)| value.is_empty()).map(|(key, _)| *key).collect();
    let mut found: Vec<Finding> = missing
        .iter()
        .map(|key| {
            Finding::problem(format!(
                "{key} is not set, but the other keys are. Payments cannot be completed without it."
            ))
        })
        .collect();
    found.extend(check_format(stripe));
    if mode(stripe.secret_key.expose()) == Some(true) && !is_https(config) {
        found.push(Finding::problem("The keys are live, but the site's address is not https://, and cards must not be accepted there. Set public_url or tls.domains."));
    }
    if missing.is_empty() && found.is_empty() {
        found.extend(query_provider(config));
    }
    found
}

fn check_format(stripe: &Stripe) -> Vec<Finding> {
    let mut found = Vec::new();
    let (secret, publishable) = (mode(stripe.secret_key.expose()), mode(&stripe.publishable_key));
    let name = |live: bool| if live { "live" } else { "test" };
    if let (Some(secret), Some(publishable)) = (secret, publishable)
        && secret != publishable
    {
        found.push(Finding::problem(format!("stripe.secret_key is a {} key and stripe.publishable_key is a {} key. Both must be of the same mode.", name(secret), name(publishable))));
    }
    for (key, value, prefixes) in [
        ("stripe.secret_key", stripe.secret_key.expose(), &["sk_", "rk_"][..]),
        ("stripe.publishable_key", stripe.publishable_key.as_str(), &["pk_"][..]),
        ("stripe.webhook_secret", stripe.webhook_secret.expose(), &["whsec_"][..]),
    ] {
        if !value.is_empty() && !prefixes.iter().any(|prefix| value.starts_with(prefix)) {
            found.push(Finding::problem(format!(
                "{key} must start with {}. Perhaps two keys were swapped.",
                prefixes.join(" or ")
            )));
        }
    }
    found
}

/// Whether a key is live (`sk_live_…`) or for tests (`pk_test_…`); `None` if it is neither.
fn mode(key: &str) -> Option<bool> {
    match key.split('_').nth(1) {
        Some("live") => Some(true),
        Some("test") => Some(false),
        _ => None,
    }
}

fn is_https(config: &Config) -> bool {
    config.public_url.starts_with("https://") || config.tls.is_on()
}

/// Asks the provider whether it accepts the key and has a webhook for this site.
fn query_provider(config: &Config) -> Vec<Finding> {
    let (status, balance) = match get(config, "/v1/balance") {
        Ok(response) => response,
        Err(reason) => {
            return vec![Finding::problem(format!(
                "{} does not answer ({reason}), so nobody can pay. Check whether outgoing HTTPS is blocked.",
                config.stripe.api_base
            ))];
        }
    };
    match status {
        200 => {}
        401 => {
            return vec![Finding::problem(
                "The provider does not accept stripe.secret_key. Copy it again from the provider's dashboard.",
            )];
        }
        _ => {
            return vec![Finding::note(format!(
                "The provider answered {status} to a request for the balance. A restricted key may not have that permission."
            ))];
        }
    }
    let live = balance["livemode"].as_bool().unwrap_or(false);
    let mut found = vec![Finding::good(if live {
        "the provider accepts the live keys"
    } else {
        "the provider accepts the test keys; no real card works with them"
    })];
    found.extend(webhook(config));
    found
}

fn webhook(config: &Config) -> Option<Finding> {
    let Ok((200, list)) = get(config, "/v1/webhook_endpoints?limit=100") else { return None };
    let site = match (config.public_url.as_str(), config.tls.domains.first()) {
        ("", Some(domain)) => format!("https://{domain}"),
        (url, _) => url.to_owned(),
    };
    let ours = format!("{site}/api/stripe/webhook");
    let endpoints = list["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let endpoint =
        endpoints.iter().find(|endpoint| endpoint["url"] == ours.as_str() && endpoint["status"] == "enabled");
    let Some(endpoint) = endpoint else {
        return Some(Finding::problem(format!(
            "The provider has no webhook for {ours} in the mode of these keys. Add it in the provider's dashboard (Developers, Webhooks) and set stripe.webhook_secret to its signing secret."
        )));
    };
    let missing = missing_events(&endpoint["enabled_events"]);
    Some(if missing.is_empty() {
        Finding::good(format!("the provider has a webhook for {ours} in the mode of the keys"))
    } else {
        Finding::problem(format!(
            "The provider's webhook for {ours} does not send these events: {}. Add them in the provider's dashboard (Developers, Webhooks).",
            missing.join(", ")
        ))
    })
}

/// The events that we use and the webhook is not subscribed to. `*` subscribes to all.
fn missing_events(enabled: &Value) -> Vec<&'static str> {
    let enabled: Vec<&str> = enabled.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if enabled.contains(&"*") {
        return Vec::new();
    }
    EventKind::ALL.into_iter().map(EventKind::as_str).filter(|name| !enabled.contains(name)).collect()
}

fn get(config: &Config, path: &str) -> Result<(u16, Value), String> {
    let base = config.stripe.api_base.trim_end_matches('/');
    let mut response = web::agent()
        .get(format!("{base}{path}"))
        .header("authorization", format!("Bearer {}", config.stripe.secret_key.expose()))
        .call()
        .map_err(|error| error.to_string())?;
    let status = response.status().as_u16();
    Ok((status, response.body_mut().with_config().limit(1 << 20).read_json().unwrap_or_default()))
}
