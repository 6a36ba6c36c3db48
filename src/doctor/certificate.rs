//! Whether visitors are shown a certificate that they believe.

use chrono::{TimeDelta, Utc};

use super::Finding;
use crate::certificates;
use crate::config::Config;
use crate::store::open_to_read;

/// A certificate that is closer to its end should have been renewed.
const CLOSE: TimeDelta = TimeDelta::days(14);

pub fn validity(config: &Config) -> Vec<Finding> {
    let tls = &config.tls;
    if !tls.is_on() {
        return Vec::new();
    }
    let validity = if tls.certificate.is_empty() {
        open_to_read(&config.database)
            .and_then(|connection| certificates::validity(tls, &connection))
            .ok()
            .flatten()
    } else {
        match certificates::read_own(tls).and_then(|_| certificates::validity_of_own(tls)) {
            Ok(validity) => Some(validity),
            Err(error) => return vec![Finding::problem("certificate", error.to_string())],
        }
    };
    let Some(validity) = validity else {
        return vec![Finding::note(
            "certificate",
            "None has come yet; a running server asks for one, and its log says how that went.",
        )];
    };
    let until = validity.until.format("%Y-%m-%d %H:%M UTC");
    let advice = match tls.certificate.is_empty() {
        true => "A running server renews it; its log says why it did not. `kill -HUP` has it try at once.",
        false => "Put a new one in its place, then `systemctl reload showcase`.",
    };
    let left = validity.until - Utc::now();
    vec![match () {
        () if left < TimeDelta::zero() => Finding::problem(
            "certificate",
            format!("It ended on {until}: browsers refuse the site. {advice}"),
        ),
        () if left < CLOSE => Finding::problem("certificate", format!("It ends on {until}. {advice}")),
        () => Finding::good("certificate", format!("is valid until {until}")),
    }]
}
