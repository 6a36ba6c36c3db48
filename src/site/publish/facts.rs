//! What the pages know about the server. Everything else that they show is in the content.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde::Serialize;

use crate::app::App;
use crate::model::{Cents, Kind};
use crate::payments::provider::Provider;
use crate::site::content::{ClockTime, Content};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteFacts {
    public_url: String,
    demo: bool,
    /// The day, in the event's time zone, as of which the pages are rendered.
    today: NaiveDate,
    /// `off`, `stripe` or `demo`.
    payments: &'static str,
    /// For Stripe's card form in the browser.
    stripe_publishable_key: Option<String>,
    /// Today's price of an entry with one nomination, before tax.
    participant_fee_cents: Cents,
    /// The sentence about submitting work. It changes at a deadline, and the pages with it.
    submission: String,
    openings: BTreeMap<&'static str, OpeningFact>,
    /// The start and end of the event with their offset from UTC: `2026-03-28T09:30:00-04:00`.
    starts_at: String,
    ends_at: String,
}

#[derive(Serialize)]
struct OpeningFact {
    open: bool,
    /// The sentence for visitors while the form is closed.
    message: Option<String>,
}

pub fn facts(app: &App, content: &Content, now: DateTime<Utc>) -> SiteFacts {
    facts_at(app, content, app.site_time(content, now))
}

/// As [`facts`], for pages that are shown as of this instant.
pub fn facts_at(app: &App, content: &Content, now: DateTime<Utc>) -> SiteFacts {
    let opening = |kind: Kind| {
        let message = content.opening(kind.as_str(), now).closed_message();
        (kind.as_str(), OpeningFact { open: message.is_none(), message })
    };
    let event = &content.event;
    SiteFacts {
        public_url: app.public_url(),
        demo: app.demo,
        today: content.today(now),
        payments: payments(app),
        stripe_publishable_key: Some(app.config.stripe.publishable_key.clone()).filter(|key| !key.is_empty()),
        participant_fee_cents: content.pricing.fee_cents(content.today(now)),
        submission: content.submission_sentence(content.event.time_zone.at(now).naive_local()),
        openings: Kind::ALL.into_iter().map(opening).collect(),
        starts_at: with_offset(content, event.first_day, event.opens),
        ends_at: with_offset(content, event.last_day, event.closes),
    }
}

/// Stripe counts as off without the publishable key, because the browser's card form needs it.
fn payments(app: &App) -> &'static str {
    match &app.payments {
        Provider::Stripe(_) if app.config.stripe.publishable_key.is_empty() => "off",
        provider => provider.name(),
    }
}

fn with_offset(content: &Content, day: NaiveDate, at: ClockTime) -> String {
    let zone = &content.event.time_zone;
    zone.at(zone.instant(day.and_time(at.time()))).to_rfc3339_opts(SecondsFormat::Secs, false)
}
