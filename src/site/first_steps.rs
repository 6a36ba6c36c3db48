//! What there is to do before the site is announced. A step that was done once stays done, so that the list only gets
//! shorter.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::app::App;
use crate::error::Result;
use crate::payments::provider::Provider;
use crate::site::content::Content;
use crate::store::installation;
use crate::time;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FirstStep"))]
pub struct Step {
    pub key: &'static str,
    pub title: &'static str,
    /// What is left, or that it is done.
    pub detail: String,
    pub done: bool,
    /// The view of the editor that lists what is left.
    pub view: Option<&'static str>,
}

/// All steps, in order.
pub fn list(app: &App) -> Result<Vec<Step>> {
    let (content, stored): (_, BTreeSet<String>) = app.store.read(|connection| {
        let stored = installation::get_json(connection, installation::FIRST_STEPS)?;
        Ok((super::load_current(connection)?.content, stored))
    })?;
    let steps: Vec<Step> = open(app, &content)
        .into_iter()
        // The demo sends no email, so this step could never be completed.
        .filter(|(key, ..)| !(app.demo && *key == "email"))
        .map(|(key, title, left)| {
            let done = left.is_none() || stored.contains(key);
            let view = (key == "dates" && !done && !content.unconfirmed.is_empty()).then_some("unconfirmed");
            Step { key, title, view, detail: left.filter(|_| !done).unwrap_or_else(|| "Done.".into()), done }
        })
        .collect();
    let done: BTreeSet<String> =
        steps.iter().filter(|step| step.done).map(|step| step.key.to_owned()).collect();
    if !done.is_subset(&stored) {
        remember(app, &done);
    }
    Ok(steps)
}

/// Each step with its title and what is left of it; `None`: nothing.
fn open(app: &App, content: &Content) -> [(&'static str, &'static str, Option<String>); 6] {
    let samples: Vec<String> =
        content.samples().into_iter().filter(|key| !content.unconfirmed.contains(key)).collect();
    let unconfirmed = match content.unconfirmed.len() {
        0 => None,
        1 => Some("One text of the former edition names a date and is to be confirmed.".to_owned()),
        count => Some(format!("{count} texts of the former edition name a date and are to be confirmed.")),
    };
    let left = |sections: &[&str], singular: &str, plural: &str| {
        let count =
            samples.iter().filter(|key| sections.iter().any(|section| key.starts_with(section))).count();
        match count {
            0 => None,
            1 => Some(format!("One {singular} is still a sample.")),
            count => Some(format!("{count} {plural} are still samples.")),
        }
    };
    let passed = content.passed_dates(time::now()).into_iter().next().map(|passed| passed.sentence);
    let payment = match &app.payments {
        Provider::Stripe(_) if app.config.stripe.publishable_key.is_empty() => "off",
        provider => provider.name(),
    };
    let no_mail = app.config.smtp.host.is_empty();
    [
        ("people", "Name the people", left(&["people.", "about.organisers"], "person", "people")),
        (
            "dates",
            "Check the dates",
            passed.or(unconfirmed).or_else(|| left(&["portal", "event"], "date", "dates")),
        ),
        (
            "email",
            "Connect email",
            no_mail.then(|| {
                "No mail server is set: confirmations wait and are not sent. Your host sets it ([smtp] in config.toml).".into()
            }),
        ),
        (
            "payment",
            "Connect payment",
            (payment == "off").then(|| "Cards cannot be charged yet. Your host connects Stripe ([stripe] in config.toml).".into()),
        ),
        (
            "pictures",
            "Add pictures",
            content
                .images()
                .is_empty()
                .then(|| "The site shows drawings only. Add a photo of the people first.".into()),
        ),
        (
            "legal",
            "Complete the legal texts and contacts",
            left(&["legal.", "organiser", "contact"], "text", "texts"),
        ),
    ]
}

/// With a full disk the steps can be read all the same.
fn remember(app: &App, done: &BTreeSet<String>) {
    let json = serde_json::json!(done).to_string();
    app.store.write_audit_line("the first steps", |connection| {
        installation::set(connection, installation::FIRST_STEPS, &json, &time::stored(time::now()))
    });
}
