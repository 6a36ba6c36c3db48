//! `serve --demo`: a temporary database with sample registrations, so that a newcomer can try the whole product. Nobody
//! in it is real: placeholder names, `example.com`, 555-01xx numbers.

use chrono::TimeDelta;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::app::App;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::judging;
use crate::model::{Actor, EntryId, Kind};
use crate::payments;
use crate::payments::pricing;
use crate::payments::provider::{NewIntent, Outcome, Provider};
use crate::portal::access;
use crate::portal::samples::{self, Sample};
use crate::registrations::submit::{self, Submission};
use crate::site;
use crate::site::content::Content;
use crate::store::portal::nominations;
use crate::time;

const NAMES: [&str; 12] = [
    "Ada Sample",
    "Bea Example",
    "Cleo Placeholder",
    "Dana Sample",
    "Elle Example",
    "Faye Placeholder",
    "Gia Sample",
    "Hana Example",
    "Ines Placeholder",
    "Juno Sample",
    "Kira Example",
    "Lena Placeholder",
];
/// The organiser's address in the demo.
const MAILBOX: &str = "desk@example.com";
/// The index of the competitor one of whose three categories is refunded.
const REFUNDED: usize = 5;
const STUDIOS: [&str; 4] =
    ["Sample Lash Studio", "Example Brow Bar", "Placeholder Beauty House", "Sample Academy"];

/// Points the settings at a temporary database, which is deleted when the folder is dropped.
///
/// # Errors
/// [`Error::Failed`] for an address that other machines can reach: the demo's payments are not real.
pub fn prepare(config: &mut Config) -> Result<TempDir> {
    if !config.listen.ip().is_loopback() {
        return Err(Error::Failed(format!(
            "The demo is only for this machine and does not listen on {}. Omit `--listen`, or use 127.0.0.1.",
            config.listen
        )));
    }
    start_clock()?;
    let folder = tempfile::Builder::new().prefix("showcase-demo-").tempdir()?;
    // The settings may be the real site's; the demo must stay on this machine.
    let defaults = Config::default();
    (config.tls, config.metrics, config.public_url) = (defaults.tls, defaults.metrics, defaults.public_url);
    config.database = folder.path().join("showcase.db");
    // Reports need a recipient. Like every email of the demo they stay in the outbox.
    config.reports.recipient = MAILBOX.to_owned();
    Ok(folder)
}

/// Sets the program's clock to the demo's day, so that every page, deadline and email tells the same time.
fn start_clock() -> Result<()> {
    let now = time::now();
    let start = Content::parse(Content::default_toml())
        .map_err(|problems| Error::Internal(site::summarised(&problems)))?
        .demo_time(now);
    time::set_offset(time::offset() + (start - now));
    Ok(())
}

/// Competitors with photos in the Artist Portal.
const ARTISTS: [(&str, Sample, &str); 4] = [
    (NAMES[0], Sample::Complete, "handed in"),
    (NAMES[1], Sample::Returned, "a photo was asked for again"),
    (NAMES[2], Sample::MissingOne, "a photo is missing"),
    (NAMES[9], Sample::OnPaper, "the model signed on paper"),
];

/// Fills the Artist Portal. Returns a line for each competitor, with the link that signs in.
pub fn fill_portal(app: &App) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for (name, sample, how) in ARTISTS {
        samples::fill(app, &address(name), sample)?;
        let link = access::demo_link(app, access::Audience::Competitors, &address(name))?;
        lines.push(format!("The Artist Portal of {name} ({how}): {link}"));
    }
    Ok(lines)
}

/// Competitors whose nominations are ready for the judges.
const READY: [&str; 5] = [NAMES[3], NAMES[7], NAMES[11], NAMES[4], NAMES[8]];

/// Fills judging; a line for each judge, with the link that opens the score sheets.
pub fn fill_judging(app: &App) -> Result<Vec<String>> {
    for name in READY {
        samples::fill(app, &address(name), Sample::Ready)?;
    }
    judging::samples::fill(app)
}

/// Fills an empty database with registrations of the last weeks, the oldest first.
pub fn fill(app: &App) -> Result<()> {
    let now = time::now();
    let mut submissions = Vec::new();
    for (index, name) in NAMES.into_iter().enumerate() {
        for (kind, body) in registrations(index, name) {
            // The length of the body stands in for chance: the times look irregular, and are the same at each start.
            submissions.push((now - hours(index * 37 + body.to_string().len() % 30), kind, index, body));
        }
        submissions.push((now - hours(index * 41 + 3), Kind::CompetitionEntries, index, entry(index, name)));
    }
    submissions.sort_by_key(|(at, ..)| *at);
    let mut refunded = None;
    for (at, kind, index, body) in submissions {
        let submission = Submission { at, ..Submission::new(kind, &body) };
        match kind {
            Kind::CompetitionEntries => {
                let id = submit_entry(app, index, &submission)?;
                if index == REFUNDED {
                    refunded = Some(id);
                }
            }
            _ => drop(submit::register(app, &submission)?),
        }
    }
    if let Some(id) = refunded {
        refund_a_category(app, id)?;
    }
    Ok(())
}

fn refund_a_category(app: &App, id: EntryId) -> Result<()> {
    let nominations = app.store.read(|connection| nominations::of_entry(connection, id))?;
    let refund = payments::RefundRequest {
        category: nominations.last().map(|last| last.code.clone()),
        reason: Some("One category fewer".into()),
        ..payments::RefundRequest::default()
    };
    payments::refund(app, &Actor::Demo, id, &refund).map(drop)
}

fn hours(count: usize) -> TimeDelta {
    TimeDelta::hours(i64::try_from(count).unwrap_or_default())
}

/// Stores a championship entry. Every sixth one, except the first, stays unpaid.
fn submit_entry(app: &App, index: usize, submission: &Submission<'_>) -> Result<EntryId> {
    let mut body = submission.body.clone();
    if let (Provider::Demo(provider), true) = (&app.payments, !index.is_multiple_of(6) || index == 0) {
        let (additional, location) = (index % 3, body["taxLocation"].as_str().unwrap_or_default());
        let content = app.content();
        let additional = u8::try_from(additional).unwrap_or_default();
        let today = content.today(submission.at);
        let quote = pricing::quote(&content.pricing, additional, location, today);
        let new = NewIntent {
            amount_cents: quote.total_cents,
            entry: None,
            description: "Competition entry".into(),
        };
        let intent = provider.create(&format!("demo-{index}"), &new);
        provider.confirm(&intent.id, Outcome::Succeed)?;
        body["stripePaymentIntentId"] = intent.id.0.into();
    }
    Ok(payments::save(app, &Submission { body: &body, ..*submission })?.entry_id)
}

fn entry(index: usize, name: &str) -> Value {
    const CATEGORIES: [(&str, &str); 4] = [
        ("lash-extensions", "Volume"),
        ("brows", "Lamination"),
        ("makeup", "Natural Glam"),
        ("lash-lift", "Standard Lash Lift"),
    ];
    const LOCATIONS: [&str; 3] = ["new-jersey", "new-york", "connecticut"];
    let category = |offset: usize| CATEGORIES[(index + offset) % CATEGORIES.len()];
    json!({
        "name": name, "email": address(name), "phone": phone(index), "businessName": STUDIOS[index % STUDIOS.len()],
        "location": "Jersey City, NJ", "taxLocation": LOCATIONS[index % LOCATIONS.len()],
        "primaryCategory": category(0).0, "subCategory": category(0).1, "additionalCategories": index % 3,
        "additionalCategory1": category(1).0, "additionalCategory1Sub": category(1).1,
        "additionalCategory2": category(2).0, "additionalCategory2Sub": category(2).1,
        "agreementTerms": true, "agreementMedia": true,
    })
}

fn address(name: &str) -> String {
    format!("{}@example.com", name.to_lowercase().replace(' ', "."))
}

fn phone(index: usize) -> String {
    format!("+1 201-555-01{:02}", 10 + index)
}

fn registrations(index: usize, name: &str) -> Vec<(Kind, Value)> {
    let studio = STUDIOS[index % STUDIOS.len()];
    let (email, phone) = (address(name), phone(index));
    let pick = |options: &[&'static str]| options[index % options.len()];
    let mut registrations = vec![(
        Kind::WaitlistSignups,
        json!({
            "name": name, "email": email, "instagram": "@example", "wantToCompete": index.is_multiple_of(2),
            "categories": pick(&["Lash Lift", "Brows - Lamination", "Makeup - Natural Glam"]),
            "additionalNominations": pick(&["0", "1", "2"]),
        }),
    )];
    match index % 4 {
        0 => registrations.push((
            Kind::SpeakerApplications,
            json!({
                "name": name, "email": email, "phone": phone, "company": studio,
                "expertise": pick(&["lash-extensions", "brow-services", "business", "education"]),
                "speakingExperience": pick(&["first-time", "experienced", "some-experience"]),
                "experience": "Twelve years behind the chair and six in front of a class, from basics to advanced mapping.",
                "topicProposal": "Retention is a habit: a twenty-minute talk about aftercare, honest pricing and the calendar that keeps clients, with three templates to take home.",
                "portfolio": "https://example.com/portfolio", "termsAccepted": true, "photographyConsent": true,
            }),
        )),
        1 => registrations.push((
            Kind::JudgeApplications,
            json!({
                "name": name, "email": email, "phone": phone, "company": studio,
                "expertise": pick(&["makeup", "lash-extensions", "industry-leader"]),
                "experience": "Judged regional championships for five seasons, with a rubric of my own for symmetry and blend.",
                "availability": pick(&["both-days", "march-28", "march-29"]),
                "termsAccepted": true, "photographyConsent": true,
            }),
        )),
        2 => registrations.push((
            Kind::ProfessionalDemoRegistrations,
            json!({
                "name": name, "email": email, "phone": phone, "company": studio,
                "businessType": pick(&["salon", "freelance", "training"]),
                "specializations": "Brow lamination and tint", "demoTopics": "From bare brow to finished look in 25 minutes",
                "targetAudience": "Artists in their first three years", "termsAccepted": true, "photographyConsent": true,
            }),
        )),
        _ => {
            registrations.push((
                Kind::SponsorApplications,
                json!({
                    "company": studio, "contactName": name, "email": email, "phone": phone,
                    "businessType": "beauty-products", "sponsorshipTier": pick(&["gold", "silver", "bronze"]),
                    "yearsFounded": "2014", "employeeCount": "11-50", "previousSponsorship": pick(&["yes", "no"]),
                    "marketingGoals": "Put our new adhesive into the hands of artists who will talk about it.",
                    "targetAudience": "Lash artists and studio owners", "productCategories": ["Lash Extensions", "Professional Tools"],
                    "budgetRange": "5k-15k", "agreementTerms": true, "agreementMarketing": true,
                }),
            ));
            registrations.push((
                Kind::SponsorInquiries,
                json!({ "company": studio, "email": email, "interest": pick(&["title", "category", "booth", "goodie"]),
                        "message": "What does a booth near the arena cost?" }),
            ));
        }
    }
    registrations
}
