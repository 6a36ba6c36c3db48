//! Checks which client address the server sees behind a proxy. It asks the server through its public URL, with a token
//! that is stored in the database.

use std::net::IpAddr;

use super::{Finding, web};
use crate::app::{DOCTOR_HEADER, DOCTOR_TOKEN};
use crate::config::{Config, TrustedProxies, untrusted_sentence};
use crate::model::token;
use crate::store::{Store, installation};
use crate::time;

pub fn client_address(config: &Config) -> Vec<Finding> {
    let is_behind_proxy = config.public_url.starts_with("https://") && !config.tls.is_on();
    if !is_behind_proxy {
        return Vec::new();
    }
    if config.proxy.trusted.is_empty() {
        return vec![Finding::problem(
            "The site's address is https://, but neither tls.domains nor proxy.trusted is set. If showcase serves HTTPS itself, set tls.domains = [\"showcase.example.com\"]. If a proxy does, set proxy.trusted = [\"127.0.0.1\"] or the proxy's address: otherwise all visitors look like one client and share its rate limits.",
        )];
    }
    match seen_address(config) {
        Err(reason) => vec![Finding::note(format!(
            "The client address that the server sees could not be checked: {reason}."
        ))],
        Ok((_, Some(proxy))) => vec![Finding::problem(untrusted_sentence(proxy))],
        Ok((address, None)) => {
            let trusted = TrustedProxies::parse(&config.proxy.trusted).unwrap_or_default();
            let is_proxy = address.parse().is_ok_and(|address| trusted.contains(address));
            if is_proxy {
                return vec![Finding::problem(format!(
                    "The server sees every visitor as {address}, which is the proxy. Configure the proxy to send X-Forwarded-For (docs/hosting.md)."
                ))];
            }
            vec![Finding::good(format!(
                "through {} the server sees this machine as {address}",
                config.public_url
            ))]
        }
    }
}

/// The address that the server sees for this machine, and the proxy between them if it is not trusted.
fn seen_address(config: &Config) -> Result<(String, Option<IpAddr>), String> {
    let (token, now) = (token::short(), time::stored(time::now()));
    Store::open(&config.database)
        .and_then(|store| store.write(|connection| installation::set(connection, DOCTOR_TOKEN, &token, &now)))
        .map_err(|error| error.to_string())?;
    let address = format!("{}/healthz", config.public_url);
    let mut answer = web::agent_trusting(&config.tls.ca_file)
        .get(&address)
        .header(DOCTOR_HEADER, &token)
        .call()
        .map_err(|error| format!("{address} does not answer ({error})"))?;
    let body =
        answer.body_mut().with_config().limit(1000).read_to_string().map_err(|error| error.to_string())?;
    let after = |mark: &str| body.lines().find_map(|line| Some(line.split_once(mark)?.1.trim().to_owned()));
    let proxy = after("untrusted proxy ").and_then(|address| address.parse().ok());
    after("seen from ")
        .map(|seen| (seen, proxy))
        .ok_or_else(|| format!("another program answers at {address}, or no server is running"))
}
