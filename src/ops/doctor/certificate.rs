//! Whether visitors are shown a certificate that they believe.

use chrono::{TimeDelta, Utc};

use super::Finding;
use crate::config::Config;
use crate::ops::certificates;
use crate::store::open_to_read;

/// A certificate that is closer to its end should have been renewed.
const CLOSE: TimeDelta = TimeDelta::days(14);

/// What a server with these settings would say of its certificate, and until when it is valid.
pub fn certificate(config: &Config) -> Vec<Finding> {
    let tls = &config.tls;
    if !tls.is_on() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let problem = |words: String| Finding::problem("certificate", words);
    found.extend(certificates::roots(&tls.ca_file).err().map(|error| problem(error.to_string())));
    if !tls.certificate.is_empty() {
        match certificates::read_own(tls) {
            Ok(own) => found.extend(certificates::misnamed(tls, &own, &config.hosts()).map(problem)),
            Err(error) => {
                found.push(problem(error.to_string()));
                return found;
            }
        }
    }
    found.push(validity(config));
    found
}

fn validity(config: &Config) -> Finding {
    let tls = &config.tls;
    let validity = if tls.certificate.is_empty() {
        open_to_read(&config.database)
            .and_then(|connection| certificates::validity(tls, &connection))
            .ok()
            .flatten()
    } else {
        match certificates::validity_of_own(tls) {
            Ok(validity) => Some(validity),
            Err(error) => return Finding::problem("certificate", error.to_string()),
        }
    };
    let Some(validity) = validity else {
        return Finding::note(
            "certificate",
            "None has come yet; a running server asks for one, and its log says how that went.",
        );
    };
    let until = validity.until.format("%Y-%m-%d %H:%M UTC");
    let advice = match tls.certificate.is_empty() {
        true => "A running server renews it; its log says why it did not. `kill -HUP` has it try at once.",
        false => "Put a new one in its place, then `systemctl reload showcase`.",
    };
    let left = validity.until - Utc::now();
    match () {
        () if left < TimeDelta::zero() => Finding::problem(
            "certificate",
            format!("It ended on {until}: browsers refuse the site. {advice}"),
        ),
        () if left < CLOSE => Finding::problem("certificate", format!("It ends on {until}. {advice}")),
        () => Finding::good("certificate", format!("is valid until {until}")),
    }
}
