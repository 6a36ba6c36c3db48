//! Whether the payment provider's keys are whole, of one mode, and taken by the provider.

use serde_json::Value;

use super::{Finding, web};
use crate::config::{Config, Stripe};

pub fn keys(config: &Config) -> Vec<Finding> {
    let stripe = &config.stripe;
    let given = [
        ("stripe.secret_key", stripe.secret_key.expose()),
        ("stripe.publishable_key", stripe.publishable_key.as_str()),
        ("stripe.webhook_secret", stripe.webhook_secret.expose()),
    ];
    if given.iter().all(|(_, value)| value.is_empty()) {
        return vec![Finding::note(
            "payment",
            "stripe.secret_key is not set: the entry page says that online payment is not open yet.",
        )];
    }
    let missing: Vec<&str> =
        given.iter().filter(|(_, value)| value.is_empty()).map(|(key, _)| *key).collect();
    let mut found: Vec<Finding> = missing
        .iter()
        .map(|key| {
            Finding::problem(
                "payment",
                format!("{key} is not set, and the others are: payments cannot be completed without it."),
            )
        })
        .collect();
    found.extend(shapes(stripe));
    if mode(stripe.secret_key.expose()) == Some(true) && !is_https(config) {
        found.push(Finding::problem(
            "payment",
            "The keys are live, and the site's address is not https://: no card may be taken there.",
        ));
    }
    if missing.is_empty() && found.is_empty() {
        found.extend(ask(config));
    }
    found
}

fn shapes(stripe: &Stripe) -> Vec<Finding> {
    let mut found = Vec::new();
    let (secret, publishable) = (mode(stripe.secret_key.expose()), mode(&stripe.publishable_key));
    let name = |live: bool| if live { "live" } else { "test" };
    if let (Some(secret), Some(publishable)) = (secret, publishable)
        && secret != publishable
    {
        found.push(Finding::problem(
            "payment",
            format!("stripe.secret_key is a {} key and stripe.publishable_key a {} one: both must be of one mode.", name(secret), name(publishable)),
        ));
    }
    for (key, value, starts) in [
        ("stripe.secret_key", stripe.secret_key.expose(), &["sk_", "rk_"][..]),
        ("stripe.publishable_key", stripe.publishable_key.as_str(), &["pk_"][..]),
        ("stripe.webhook_secret", stripe.webhook_secret.expose(), &["whsec_"][..]),
    ] {
        if !value.is_empty() && !starts.iter().any(|start| value.starts_with(start)) {
            found.push(Finding::problem(
                "payment",
                format!("{key} must start with {}; perhaps two were swapped.", starts.join(" or ")),
            ));
        }
    }
    found
}

/// Whether a key is for real money: `sk_live_…`, `pk_test_…`.
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

/// Asks the provider whether it takes the key, and whether it tells our address of what happens.
fn ask(config: &Config) -> Vec<Finding> {
    let (status, balance) = match get(config, "/v1/balance") {
        Ok(answer) => answer,
        Err(reason) => {
            return vec![Finding::problem(
                "payment",
                format!(
                    "{} does not answer ({reason}): without it nobody can pay. Is outgoing HTTPS blocked?",
                    config.stripe.api_base
                ),
            )];
        }
    };
    match status {
        200 => {}
        401 => {
            return vec![Finding::problem(
                "payment",
                "The provider does not take stripe.secret_key: copy it again from its dashboard.",
            )];
        }
        _ => {
            return vec![Finding::note(
                "payment",
                format!(
                    "The provider answered {status} when asked for the balance; a restricted key may not see it."
                ),
            )];
        }
    }
    let live = balance["livemode"].as_bool().unwrap_or(false);
    let mut found = vec![Finding::good(
        "payment",
        if live {
            "the provider takes the live keys"
        } else {
            "the provider takes the test keys; no real card works with them"
        },
    )];
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
    let found =
        endpoints.iter().any(|endpoint| endpoint["url"] == ours.as_str() && endpoint["status"] == "enabled");
    Some(match found {
        true => Finding::good(
            "payment",
            format!("the provider tells {ours} what happens, in the mode of the keys"),
        ),
        false => Finding::problem(
            "payment",
            format!(
                "In the mode of these keys the provider knows no webhook for {ours}: add it in its dashboard (Developers, Webhooks), and put its signing secret into stripe.webhook_secret."
            ),
        ),
    })
}

fn get(config: &Config, path: &str) -> Result<(u16, Value), String> {
    let base = config.stripe.api_base.trim_end_matches('/');
    let mut answer = web::agent("")
        .get(format!("{base}{path}"))
        .header("authorization", format!("Bearer {}", config.stripe.secret_key.expose()))
        .call()
        .map_err(|error| error.to_string())?;
    let status = answer.status().as_u16();
    Ok((status, answer.body_mut().with_config().limit(1 << 20).read_json().unwrap_or_default()))
}
