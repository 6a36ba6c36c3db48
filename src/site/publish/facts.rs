//! What the pages know about the server. Everything else that they show is in the content.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime, SecondsFormat, Utc};
use serde::Serialize;

use crate::app::App;
use crate::model::{Cents, Kind};
use crate::payments::provider::Provider;
use crate::site::content::Content;
use crate::site::content::model::event::Winner;
use crate::store::judging::categories::Placed;
use crate::time;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SiteFacts {
    public_url: String,
    demo: bool,
    /// Whether the pages tell the host what to do next.
    awaits_setup: bool,
    /// In a demo: how far its clock is ahead of the machine's, which is the browser's, in milliseconds.
    clock_offset: Option<i64>,
    /// The day, in the event's time zone, as of which the pages are rendered.
    today: NaiveDate,
    /// `off`, `stripe` or `demo`.
    #[cfg_attr(test, ts(type = "\"off\" | \"stripe\" | \"demo\""))]
    payments: &'static str,
    /// For Stripe's card form in the browser.
    stripe_publishable_key: Option<String>,
    /// Today's price of an entry with one nomination, before tax.
    participant_fee_cents: Cents,
    /// The sentence about submitting work. It changes at a deadline, and the pages with it.
    submission: String,
    /// Whether that deadline has passed.
    submission_is_over: bool,
    #[cfg_attr(test, ts(type = "Record<Kind, OpeningFact>"))]
    openings: BTreeMap<&'static str, OpeningFact>,
    /// The start and end of the event with their offset from UTC: `2026-03-28T09:30:00-04:00`.
    starts_at: String,
    ends_at: String,
    /// The results that are public.
    results: Results,
}

#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Results {
    categories: Vec<PublishedCategory>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PublishedCategory {
    label: String,
    category: String,
    sub_category: String,
    published_at: String,
    rows: Vec<ResultRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ResultRow {
    place: i64,
    name: String,
    business_name: String,
    points: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpeningFact {
    open: bool,
    /// The sentence for visitors while the form is closed.
    message: Option<String>,
    /// When the form opens, while that is ahead: `2026-01-05T09:00:00-05:00`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    opens_at: Option<String>,
}

/// The facts for pages that are shown as of this instant.
pub fn facts(app: &App, content: &Content, results: &[Placed], now: DateTime<Utc>) -> SiteFacts {
    let opening = |kind: Kind| {
        let message = content.closed_message(kind, now);
        let opens = content.openings.get(kind.as_str());
        let opens = opens.and_then(|opening| opening.opens_later(now, &content.event.time_zone));
        let opens_at = opens.map(|from| with_offset(content, from.begins()));
        (kind.as_str(), OpeningFact { open: message.is_none(), message, opens_at })
    };
    let event = &content.event;
    let local = event.time_zone.at(now).naive_local();
    SiteFacts {
        public_url: app.public_url(),
        demo: app.demo,
        awaits_setup: awaits_setup(app, content),
        clock_offset: app.demo.then(|| time::offset().num_milliseconds()),
        today: content.today(now),
        payments: if app.takes_payments() { app.payments.name() } else { Provider::Off.name() },
        stripe_publishable_key: Some(app.config.stripe.publishable_key.clone()).filter(|key| !key.is_empty()),
        participant_fee_cents: content.pricing.fee_cents(content.today(now)),
        submission: content.submission_sentence(local),
        submission_is_over: content.submission_is_over(local),
        openings: Kind::ALL.into_iter().map(opening).collect(),
        starts_at: with_offset(content, event.begins()),
        ends_at: with_offset(content, event.ends()),
        results: Results { categories: published(content, results) },
    }
}

/// Whether other machines can open the site although it has no address of its own yet and shows samples, as after the
/// installation of a package.
fn awaits_setup(app: &App, content: &Content) -> bool {
    let config = &app.config;
    let has_address = !config.public_url.is_empty() || config.tls.is_on();
    !app.demo && !has_address && !config.listen.ip().is_loopback() && !content.samples().is_empty()
}

fn published(content: &Content, results: &[Placed]) -> Vec<PublishedCategory> {
    let categories = results
        .chunk_by(|left, right| left.category == right.category && left.sub_category == right.sub_category);
    let published = |places: &[Placed]| PublishedCategory {
        label: content.nomination(&places[0].category, &places[0].sub_category),
        category: places[0].category.clone(),
        sub_category: places[0].sub_category.clone(),
        published_at: places[0].published_at.clone(),
        rows: places.iter().map(ResultRow::new).collect(),
    };
    categories.map(published).collect()
}

impl ResultRow {
    fn new(placed: &Placed) -> ResultRow {
        ResultRow {
            place: placed.place,
            name: placed.name.clone(),
            business_name: placed.business_name.clone(),
            points: placed.points.clone(),
        }
    }
}

/// The first places of published results, if the content names no winners itself.
pub fn with_winners(mut content: Content, results: &[Placed]) -> Content {
    if content.after.winners.is_empty() {
        let winners = results.iter().filter(|placed| placed.place == 1).map(|winner| Winner {
            award: content.nomination(&winner.category, &winner.sub_category),
            name: winner.name.clone(),
            business: winner.business_name.clone(),
        });
        content.after.winners = winners.collect();
    }
    content
}

fn with_offset(content: &Content, local: NaiveDateTime) -> String {
    let zone = &content.event.time_zone;
    zone.at(zone.instant(local)).to_rfc3339_opts(SecondsFormat::Secs, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn the_pages_tell_the_host_what_to_do_next_until_the_site_has_an_address_or_texts_of_its_own() {
        let samples = Content::parse(Content::default_toml()).expect("the default");
        let awaits = |content: &Content, is_demo: bool, change: fn(&mut Config)| {
            let mut config = Config { listen: ([0, 0, 0, 0], 80).into(), ..Config::default() };
            change(&mut config);
            let (_folder, mut app) = App::for_test(config);
            app.demo = is_demo;
            awaits_setup(&app, content)
        };
        assert!(awaits(&samples, false, |_| {}));
        assert!(!awaits(&samples, true, |_| {}), "a demo needs no setup");
        assert!(
            !awaits(&samples, false, |config| config.listen = Config::default().listen),
            "nobody else sees it"
        );
        assert!(!awaits(&samples, false, |config| config.public_url = "https://showcase.example.com".into()));
        assert!(!awaits(&samples, false, |config| config.tls.domains = vec!["showcase.example.com".into()]));
        let own = Content::default_toml().replace("sample = true", "sample = false");
        let own = Content::parse(&own).expect("content");
        assert_eq!(own.samples(), Vec::<String>::new());
        assert!(!awaits(&own, false, |_| {}));
    }
}
