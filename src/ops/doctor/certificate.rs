//! Checks that browsers accept the site's certificate.

use chrono::TimeDelta;

use super::Finding;
use crate::config::Config;
use crate::ops::certificates;
use crate::store::open_read_only;
use crate::time;

/// A certificate that expires sooner than this should have been renewed.
const EXPIRES_SOON: TimeDelta = TimeDelta::days(14);

/// Checks the certificate, its key, its names and its expiry. Without HTTPS there are no findings.
pub fn certificate(config: &Config) -> Vec<Finding> {
    let tls = &config.tls;
    if !tls.is_on() {
        return Vec::new();
    }
    let mut found = Vec::new();
    found.extend(certificates::roots(&tls.ca_file).err().map(|error| Finding::problem(error.to_string())));
    if !tls.certificate.is_empty() {
        match certificates::read_configured(tls) {
            Ok(own) => {
                found.extend(certificates::missing_names(tls, &own, &config.hosts()).map(Finding::problem));
            }
            Err(error) => {
                found.push(Finding::problem(error.to_string()));
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
        open_read_only(&config.database)
            .and_then(|connection| certificates::validity(tls, &connection))
            .ok()
            .flatten()
    } else {
        match certificates::validity_of_configured(tls) {
            Ok(validity) => Some(validity),
            Err(error) => return Finding::problem(error.to_string()),
        }
    };
    let Some(validity) = validity else {
        return Finding::note(
            "No certificate has been issued yet. A running server requests one; its log shows how that went.",
        );
    };
    let until = validity.until.format("%Y-%m-%d %H:%M UTC");
    let advice = if tls.certificate.is_empty() {
        "A running server renews it; its log says why it did not. `kill -HUP` makes it retry at once."
    } else {
        "Replace it with a new one, then run `systemctl reload showcase`."
    };
    let left = validity.until - time::now();
    if left < TimeDelta::zero() {
        Finding::problem(format!("It expired on {until}, and browsers refuse the site. {advice}"))
    } else if left < EXPIRES_SOON {
        Finding::problem(format!("It expires on {until}. {advice}"))
    } else {
        Finding::good(format!("valid until {until}"))
    }
}
